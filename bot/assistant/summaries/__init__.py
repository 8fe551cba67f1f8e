"""Work of the cheap model for memory: summaries, singly or in bulk, and decisions about facts."""

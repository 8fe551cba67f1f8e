"""The edits of notes that can be undone, as the log keeps them."""

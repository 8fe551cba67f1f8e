"""The edits of notes that can be undone, stored in the log."""

"""Facts in the log: candidates that are not written yet, and the sources of each line."""

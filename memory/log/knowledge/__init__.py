"""Facts in the log: those that wait to be written, and the sources of each line."""

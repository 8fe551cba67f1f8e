"""What the log knows about facts: those that wait to be written, and what each line came from."""

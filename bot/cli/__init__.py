"""The command line: the dispatcher and the chat in the terminal."""

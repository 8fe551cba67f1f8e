"""The command line: the dispatcher, the chat in the terminal, the generated documents."""

"""Import and export in the chat: the offer for a file, its buttons, and the two commands."""

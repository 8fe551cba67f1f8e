"""Import and export in the chat: what a file offers, what its buttons do, and the two commands."""

"""Store imported conversations, and keep track of the imports."""

"""The commands of a chat and its buttons, for Telegram and the terminal alike."""

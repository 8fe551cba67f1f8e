"""Chat commands, for Telegram and the terminal alike."""

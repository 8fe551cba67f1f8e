"""Telegram's Bot API: the connection, its errors, the queue of updates, and sending."""

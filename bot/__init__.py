"""Sam, the bot: the only place that knows Telegram and Claude."""

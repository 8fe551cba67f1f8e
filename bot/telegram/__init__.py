"""Telegram: the only place that imports it."""

"""Forget for good: list what is kept about something, erase what the owner chooses, and report."""

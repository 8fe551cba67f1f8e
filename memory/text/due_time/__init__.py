"""When a reminder is due: "tomorrow 9:00", "in 20 minutes", "am Freitag um halb neun"."""

from .due_time import Due, due_time

__all__ = ["Due", "due_time"]

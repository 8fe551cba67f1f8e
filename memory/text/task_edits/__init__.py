"""Requests to change a task: move it, snooze it, rename it. Pure."""

from .moves import (
    asks_politely,
    begins_with_goal,
    moved_task,
    only_leads_to_time,
    snoozed_for,
    without_start,
)
from .renames import renamed_task

__all__ = [
    "asks_politely",
    "begins_with_goal",
    "moved_task",
    "only_leads_to_time",
    "renamed_task",
    "snoozed_for",
    "without_start",
]

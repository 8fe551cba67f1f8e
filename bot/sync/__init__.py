"""Two-way sync of the vault with a folder of an rclone remote, losing nothing of either."""

from .consent import Instructions
from .incoming import Copy, Incoming
from .plan import Action
from .session import SyncResult, no_progress
from .sync import Sync, SyncStatus, overdue, rclone_problem

__all__ = [
    "Action",
    "Copy",
    "Incoming",
    "Instructions",
    "Sync",
    "SyncResult",
    "SyncStatus",
    "no_progress",
    "overdue",
    "rclone_problem",
]

"""Two-way sync of the vault with a folder of an rclone remote, losing nothing of either."""

from .consent import Instructions
from .incoming import Copy, InstructionChange
from .plan import SyncAction
from .remote import is_encrypted
from .session import SyncResult, no_progress
from .sync import Sync, SyncStatus, overdue, rclone_problem

__all__ = [
    "Copy",
    "InstructionChange",
    "Instructions",
    "Sync",
    "SyncAction",
    "SyncResult",
    "SyncStatus",
    "is_encrypted",
    "no_progress",
    "overdue",
    "rclone_problem",
]

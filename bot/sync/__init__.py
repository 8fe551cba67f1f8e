"""Two-way sync of the vault with a folder of an rclone remote, losing nothing of either."""

from .consent import Instructions
from .incoming import InstructionChange
from .plan import SyncAction
from .rclone import display_name
from .remote import is_encrypted
from .session import Progress, SyncResult, no_progress
from .sync import Sync, SyncStatus, last_sync, overdue, rclone_problem

"""The conversation log of one profile: what was said, and what became of it."""

from .integrity import Ledger, Wrong
from .log import Log, loss_notice, open_log
from .models import Batch, Bullet, Message, Origin, Role, Said, Session, Turn
from .records import Usage

__all__ = [
    "Batch",
    "Bullet",
    "Ledger",
    "Log",
    "Message",
    "Origin",
    "Role",
    "Said",
    "Session",
    "Turn",
    "Usage",
    "Wrong",
    "loss_notice",
    "open_log",
]

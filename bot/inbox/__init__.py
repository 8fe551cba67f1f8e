"""The durable queue of updates and replies, with its migrations; who may write to Sam."""

from .buttons import Button, Buttons, Keyboard, Pressed
from .inbox import Inbox, InboxCounts, InboxLoad
from .outage import DatabaseWatch, note_outage, outage_began
from .outbox import Replies, Reply, Where, turn_key
from .pairing_codes import CODE_FORM, CODE_LIFE, Paired, People
from .profiles import served_profiles, telegram_users
from .updates import Received, SetAside, Updates

__all__ = [
    "CODE_FORM",
    "CODE_LIFE",
    "Button",
    "Buttons",
    "DatabaseWatch",
    "Inbox",
    "InboxCounts",
    "InboxLoad",
    "Keyboard",
    "Paired",
    "People",
    "Pressed",
    "Received",
    "Replies",
    "Reply",
    "SetAside",
    "Updates",
    "Where",
    "note_outage",
    "outage_began",
    "served_profiles",
    "telegram_users",
    "turn_key",
]

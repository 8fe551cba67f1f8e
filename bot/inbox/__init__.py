"""The durable queue: received updates, outgoing replies, paired users."""

from .inbox import Inbox, InboxCounts
from .outbox import Replies, Reply, Where, turn_key
from .pairing_codes import CODE_FORM, CODE_LIFE, Paired, People
from .updates import Aside, Received, Updates

__all__ = [
    "CODE_FORM",
    "CODE_LIFE",
    "Aside",
    "Inbox",
    "InboxCounts",
    "Paired",
    "People",
    "Received",
    "Replies",
    "Reply",
    "Updates",
    "Where",
    "turn_key",
]

"""The durable queue of updates and replies, with its migrations; who may write to Sam."""

from .buttons import Button, Keyboard, Pressed
from .database_outage import DatabaseWatch, note_outage
from .inbox import Inbox, InboxLoad
from .outbox import Replies, Reply, Where, turn_key
from .pairing_codes import CODE_FORM, CODE_LIFE, KnownPeople, Paired, People
from .served_profiles import served_profiles, telegram_users
from .updates import Received, SetAside, Updates

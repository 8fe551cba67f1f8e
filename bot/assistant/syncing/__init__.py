"""The syncs of all profiles: how each is made, when it runs, and who is notified of what."""

from .opening import in_chat, open_sync, sync_of
from .other_syncs import Hold, OtherSyncs, SyncGate

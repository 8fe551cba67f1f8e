"""The syncs of all profiles: how each is made, when it runs, and who is notified of what."""

from .jobs import has_copies, is_failing_unreported, merge_copies, tell_failing
from .opening import in_chat, open_sync, sync_of
from .other_syncs import Hold, OtherSyncs, SyncGate

"""Store an answer with its reply in the inbox, so that it can be logged after a restart."""

from __future__ import annotations

import json

from memory import ChangeSet

from ..inbox import Reply
from ..turn import Cite, Done


def dumped(done: Done) -> str:
    """Return an answer as the text of `Reply.logged`."""
    sources = [[s.path, s.title, s.number] for s in done.sources]
    fields = {"text": done.text, "origin": done.origin, "sources": sources, "acted": done.acted}
    return json.dumps(fields)


def loaded(reply: Reply) -> Done:
    """Return the answer that a reply stores."""
    logged = json.loads(reply.logged)
    sources = tuple(Cite(*source) for source in logged["sources"])
    acted = logged.get("acted", True)  # an earlier version stored answers without it
    return Done(logged["text"], reply.text, logged["origin"], sources, acted)


def resumed(reply: Reply, change: ChangeSet | None) -> Done:
    """Return an answer that was sent before a crash. All that is still known is whether the model
    wrote something in its turn (`acted`): a change made after the answer was sent is by rule."""
    by_model = change is not None and not (reply.sent_at and reply.sent_at < change.edits[0].at)
    return Done("", "", acted=by_model)

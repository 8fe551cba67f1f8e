"""An answer in the row of its reply, from which a restart records it in the log."""

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
    """Return an answer that was sent before a crash: only what its turn wrote is still known. What
    was written after it was sent, was written by rule."""
    by_model = change is not None and not (reply.sent_at and reply.sent_at < change.edits[0].at)
    return Done("", "", acted=by_model)

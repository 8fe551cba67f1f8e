"""Record each edit of Sam's with the lines that it changed, so that it can be undone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ..infra.clock import Clock
from ..log import Log
from ..log.operations.edits import KeptEdit
from ..notes.markdown import privacy
from ..vault import Change, current_group
from .changes import NOT_KEPT
from .patch import compare


def recorder(source: Log, clock: Clock) -> Callable[[Change, str], Awaitable[None]]:
    """Return the callback for a vault's changes and their causes.

    Changes to sealed notes, forgetting, and other people's changes are not recorded.
    """

    async def record(change: Change, cause: str) -> None:
        if change.texts is None or cause.startswith(NOT_KEPT):
            return
        if any(privacy(text) == "sealed" for text in change.texts):
            return
        patch = await asyncio.to_thread(compare, *change.texts)
        if patch is None or not patch.hunks:
            return
        await source.edits.add(
            KeptEdit(
                at=clock(),
                change=current_group(),
                path=change.path,
                cause=cause,
                is_new=change.before is None,
                marks=patch.marks,
                hunks=patch.hunks,
            )
        )

    return record

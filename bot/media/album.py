"""Albums: the messages of a media group, which come as updates of their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from ..inbox import Received, Updates

PAUSE = 0.5  # seconds without another part, after which an album is complete
LOOKS = 6  # at most: a part that comes later is a turn of its own


async def album(updates: Updates, chat_id: int, group: str) -> list[str]:
    """Return the updates of an album that are in the inbox and not done, by message id.

    Waits until no more of them come.
    """
    found: list[str] = []
    for _ in range(LOOKS):
        await asyncio.sleep(PAUSE)
        before, found = found, _of(await updates.received(), chat_id, group)
        if len(found) == len(before):
            break
    return found


def _of(received: Sequence[Received], chat_id: int, group: str) -> list[str]:
    parts: dict[int, str] = {}
    for each in received:
        if group not in each.payload:
            continue
        match json.loads(each.payload):
            case {"message": {"chat": {"id": int(chat)}, "message_id": int(number)} as message} if (
                chat == chat_id and message.get("media_group_id") == group
            ):
                parts[number] = each.payload
    return [payload for _, payload in sorted(parts.items())]

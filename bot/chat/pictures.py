"""Pictures in a chat: the last days below /status, and /map. In the terminal the same in words."""

from __future__ import annotations

import asyncio

from memory.text import mark, tr

from ..markdown_escape import escape
from .protocol import Call, Shown

ROOM = 700  # characters of the words below a map: with the numbers they fit into a caption
NOTHING = mark("I know no names yet: they come from facts, and from the days' notes.")
UNKNOWN = mark("I know nobody and no place called {}. /map alone shows the names that I know best.")
NUMBERED = mark("Numbers in the picture: ")


async def last_fortnight(call: Call) -> tuple[bytes, list[str]]:
    """Return the chart of the last days as a PNG, for Telegram, and what it shows in words; neither
    where there was nothing."""
    # here: the documents read COMMANDS without all of Sam
    from ..pictures import chart, daily, last_days

    memory = call.profile.memory
    days = await daily(memory, last_days(memory.today(call.at), chart.DAYS))
    if not any(each.usd or each.messages for each in days):
        return b"", []
    if not call.on_telegram:
        return b"", chart.in_bars(days)
    return await asyncio.to_thread(chart.png, days), chart.in_words(days)


async def map_(call: Call) -> Shown | str:
    """Show people, places and days that belong together: /map, /map ANA"""
    from ..pictures import map as knowledge_map

    memory = call.profile.memory
    seen = await knowledge_map.read_map(memory, memory.today(call.at), call.words.strip())
    if not seen.weights:
        return escape(tr(UNKNOWN).format(seen.about) if seen.about else tr(NOTHING))
    text = "\n".join(f"- {escape(row)}" for row in _fitting(knowledge_map.in_words(seen)))
    if not call.on_telegram:
        return text
    picture = await asyncio.to_thread(knowledge_map.png, seen)
    if lacking := knowledge_map.numbered(seen):
        named = ", ".join(f"#{number} {name}" for name, number in lacking.items())
        text += f"\n\n*{escape(tr(NUMBERED) + named)}*"
    return Shown(text, picture=picture)


def _fitting(rows: list[str]) -> list[str]:
    """Return as many of the rows as fit below a picture, one at least."""
    kept: list[str] = []
    for row in rows:
        if kept and sum(map(len, kept)) + len(row) > ROOM:
            break
        kept.append(row)
    return kept

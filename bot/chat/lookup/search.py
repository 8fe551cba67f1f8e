"""/search: its results, the next ones, and buttons that open, explain and forget each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime

from memory import Hit, Message, is_group
from memory.notes import unlinked
from memory.text import age, clipped, one_line, tr
from memory.tools import ALONE, WEAK, Around, around, speaker

from ...assistant import Assistant
from ...markdown_escape import escape, plain
from ...prompt.format_notes import OLD
from ...turn.incognito import without_embedding
from ...turn.quotes import bare_text
from ..protocol import Button, Call, Outcome, Press, Shown
from .excerpt import is_searchable

HITS = 5
PREVIEW = 300  # characters of a hit
CONTEXT = 100  # characters of the message before or after it
NEAREST = "!"  # prefix of the words: show the nearest passages if nothing is found
WORDS = 200  # characters of the words that a button keeps
LONGEST_AGAIN = 100  # characters of the words in the hint about it
_DIFFERENCE = re.compile(r"^(`{3,})diff\n.*?(?:^\1$|\Z)", re.MULTILINE | re.DOTALL)


async def search(call: Call) -> Shown | str:
    """Search my memory: /search WORDS"""
    if not is_searchable(call.words):
        return tr("What should I search for? Write it after the command: `/search dentist`")
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        return await _results(call.profile, call.words, call.at)


async def more(press: Press) -> Outcome:
    """Show the next results of a search."""
    found = await _results(press.profile, press.argument["words"], press.at, press.argument["skip"])
    return Outcome(message=found)


async def _results(profile: Assistant, asked: str, now: datetime, skip: int = 0) -> Shown:
    nearest = asked.startswith(NEAREST)
    words = asked.removeprefix(NEAREST).strip() or asked
    # `private`: the owner asks, and no model sees the answer.
    found = await profile.memory.recall(words, limit=skip + HITS, private=True, now=now)
    hits = (found.hits or (found.nearest if nearest else []))[skip:]
    below = [f"*{escape(found.degraded)}*"] if found.degraded else []
    if skip and not hits:
        return Shown(tr("That is everything I have about “{words}”.", words=escape(words)))
    if not hits:
        said = [tr("I have nothing about “{words}”.", words=escape(words))]
        if found.nearest:
            again = clipped(one_line(words), LONGEST_AGAIN).replace("`", "'")
            names = {"nearest": NEAREST, "again": again}
            said.append(tr("For the closest matches: `/search {nearest} {again}`", **names))
        return Shown("\n\n".join([*said, *below]))
    weak = found.is_weak or not found.hits
    owner = "" if is_group(profile.name) else tr("You")
    messages = profile.memory.log.messages
    near = await around(hits, messages)
    spoken = await messages.by_ids(hit.message_ids[0] for hit in hits if hit.is_message)
    who = {each.id: speaker(each, owner) for each in spoken}
    today = profile.memory.today(now)
    lines = [
        _hit(number, hit, near.get(hit.chunk_id, ALONE), owner, who, today, all_weak=weak)
        for number, hit in enumerate(hits, 1 + skip)
    ]
    opens = [_opens(f"{number}", hit) for number, hit in enumerate(hits, 1 + skip)]
    rows = [
        tuple(opens),
        tuple(_about(each, words, tr("Why {label}", label=each.label), "why") for each in opens),
        tuple(_about(each, words, f"🗑 {each.label}", "search.forget") for each in opens),
    ]
    if len(hits) == HITS:
        rest = {"words": asked, "skip": skip + HITS}
        rows.append((Button(tr("More"), "search.more", rest),))
    return Shown("\n\n".join([*([tr(WEAK)] if weak else []), *lines, *below]), tuple(rows))


def _opens(label: str, hit: Hit) -> Button:
    if hit.is_message:
        return Button(label, "open", {"message": hit.message_ids[0]})
    return Button(label, "open", {"path": hit.path, "from": hit.start_line, "to": hit.end_line})


def _about(opens: Button, words: str, label: str, action: str) -> Button:
    """Return another button for the same result, which was found by these words."""
    about = {**opens.argument, "words": clipped(one_line(words), WORDS)}
    return replace(opens, label=label, action=action, argument=about)


def _hit(
    number: int,
    hit: Hit,
    near: Around,
    owner: str,
    who: Mapping[int, str],
    today: date,
    *,
    all_weak: bool,
) -> str:
    """Return a result with its context. `who`: the speakers of the messages, by id."""
    said = bare_text(hit, today) if hit.kind == "task" else unlinked(hit.dated_text)
    said = _of_sam(said) if hit.role == "assistant" else said
    text = clipped(one_line(said), PREVIEW)
    marks = [f"{hit.date:%Y-%m-%d}"] if hit.date else []
    marks += [age(hit.date, today)] if hit.date and today - hit.date >= OLD else []
    marks += [escape(who[id_]) for id_ in hit.message_ids if hit.is_message and id_ in who]
    marks += [hit.outdated] if hit.outdated else []
    marks += [tr("weak match")] if hit.is_unlikely and not all_weak else []
    head = " · ".join([f"**{number}**", *marks, f"{escape(hit.path)}:{hit.start_line}"])
    readable = Around(*map(_readable, near))
    context = [f"*{escape(line)}*" for line in readable.lines(CONTEXT, owner)]
    return "\n".join([head, escape(text), *context])


def _readable(message: Message | None) -> Message | None:
    """Return a message for the context of a hit."""
    if message is None or message.role != "assistant":
        return message
    return message._replace(text=_of_sam(message.text))


def _of_sam(markdown: str) -> str:
    """Return a message of Sam's without markup. Of a proposed change, the question and the reason
    are left: its differing lines make no sense on one line."""
    return plain(_DIFFERENCE.sub("", markdown))

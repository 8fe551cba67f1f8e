"""Ask a new owner four questions, and propose the resulting changes to their files.

    begin → question, by button or typed answer, … → proposals → accept | reject

The questions are asked only once, never in an incognito chat, and not if user.md already says
something. The answers so far are stored only in the buttons of the next question. They are proposed
after the last question, or a day after one that is not answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory import EditRefused, is_group
from memory.notes import split_front_matter
from memory.text import clipped, mark, one_line, reveal, tr
from memory.vault import starter

from ...assistant import asking
from ...errors import described
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Outcome, Press, Shown
from . import files
from .questions import LONGEST, Progress, Unclear, question, says_more, typed_answer

if TYPE_CHECKING:
    from memory import Memory
    from memory.log import ProposedChange

    from ...assistant import Assistant

ASKED = "introduction"  # the log setting with the key of the message that asks
DONE = "done"
USER, IDENTITY = "user.md", "identity.md"
REASON = mark("You said so when we met.")
NOTHING = mark("All right. Tell me whenever you like, or write it into user.md yourself.")
THANKS = mark("Thank you. I will write it down once you accept it:")


async def begin(profile: Assistant, chat: str, name: str, language: str) -> Shown | None:
    """Return the first question; None if there is nothing to ask.

    `name`, `language` (a code): of the Telegram account."""
    memory = profile.memory
    if is_group(profile.name) or await memory.log.settings.get(ASKED) is not None:
        return None
    if await profile.turns.incognito.is_on(chat):
        return None
    user = await memory.vault.read_optional(memory.vault.own(USER)) or ""
    if files.is_filled(user):
        return None
    progress = Progress(
        ("name", "zone", "language", "tone"),
        offered_name=clipped(one_line(reveal(name)), LONGEST),
        offered_language=language,
    )
    return _question(memory, await _without_known(memory, user, progress), memory.clock())


async def _without_known(memory: Memory, user: str, progress: Progress) -> Progress:
    """Drop the questions that the files already answer."""
    known = set()
    if split_front_matter(user)[0].get("timezone"):
        known.add("zone")
    identity = await memory.vault.read_optional(memory.vault.own(IDENTITY))
    if identity is not None and files.voice_of(identity):
        shipped = await asyncio.to_thread((starter.source() / IDENTITY).read_text, "utf-8")
        if files.voice_of(identity) != files.voice_of(shipped):
            known.add("tone")
    return Progress(
        tuple(each for each in progress.left if each not in known),
        offered_name=progress.offered_name,
        offered_language=progress.offered_language,
    )


async def answer(press: Press) -> Outcome:
    """Store a button's answer, and replace the question with the next one."""
    profile, given = press.profile, press.argument["answer"]
    if await profile.turns.incognito.is_on(press.chat):
        return Outcome(toast=tr(NOT_NOW))
    progress = Progress.parse(press.argument).answered(given)
    shown = await _next(profile.memory, progress, press.at)
    if not progress.left:
        await profile.memory.log.settings.set(ASKED, DONE)
    return Outcome(replace=shown)


@dataclass(frozen=True, slots=True)
class Taken:
    """A typed answer was taken. `shown`: what to show next; `is_last`: it answered the last
    question; `says_more`: it is an ordinary message as well."""

    shown: Shown
    is_last: bool = False
    says_more: bool = False


async def take_typed_answer(
    profile: Assistant, argument: Mapping[str, Any], text: str, at: datetime, *, is_reply: bool
) -> Taken | None:
    """Take a typed answer to the question of a button with that argument; None for no answer."""
    progress = Progress.parse(argument)
    if not progress.left:
        return None
    label = one_line(text).strip(" .!").casefold()
    for row in _question(profile.memory, progress, at).keyboard:
        for button in row:
            if button.label.casefold() == label:
                progress = progress.answered(button.argument["answer"])
                return Taken(await _next(profile.memory, progress, at), not progress.left)
    given = await asyncio.to_thread(typed_answer, progress.left[0], text, is_reply=is_reply)
    if given is None:
        return None
    if isinstance(given, Unclear):
        zone = _zone(profile.memory)
        return Taken(question(progress, zone, at, hint=given.hint, zones=given.zones))
    more = bool(given) and says_more(progress.left[0], text)
    progress = progress.answered(given)
    return Taken(await _next(profile.memory, progress, at), not progress.left, more)


async def answers_so_far(
    profile: Assistant, argument: Mapping[str, Any], at: datetime
) -> Shown | None:
    """Return what to decide on by the answers before the open question, which has the button of
    that argument; None without answers. Its buttons still go on."""
    progress = Progress.parse(argument).answered(None)
    return await _next(profile.memory, progress, at) if any(progress.answers.values()) else None


def _question(memory: Memory, progress: Progress, now: datetime) -> Shown:
    return question(progress, _zone(memory), now)


def _zone(memory: Memory) -> str:
    """Return the name of the current time zone; "" for one without a name."""
    return str(getattr(memory.zone, "key", ""))


async def _next(memory: Memory, progress: Progress, at: datetime) -> Shown:
    """Return the next question, or after the last one the changes to decide on."""
    if progress.left:
        return _question(memory, progress, at)
    given = progress.answers
    paths = [memory.vault.own(name) for name in (USER, IDENTITY)]
    user, identity = [await memory.vault.read_optional(path) or "" for path in paths]
    wanted = [user, identity]
    if any(given.get(each) for each in ("name", "language", "zone")):
        wanted[0] = files.update_user(
            user,
            name=given.get("name", ""),
            language=given.get("language", ""),
            zone=given.get("zone", ""),
        )
    if tone := given.get("tone"):
        wanted[1] = files.update_voice(identity, tone)
    guidance = memory.guidance
    made: list[ProposedChange] = []
    rows: list[str] = []
    for path, before, after in zip(paths, (user, identity), wanted, strict=True):
        if before == after:
            continue
        old, new = files.replacement(before, after)
        try:
            change = await guidance.propose(path, old, new, reason=tr(REASON), at=at)
            rows.append(await asking.format_proposal(memory, change))
        except EditRefused as refused:
            rows.append(escape(described(refused)))
            continue
        await memory.log.proposals.mark_shown(change.id)
        made.append(change)
    if not made:
        return Shown("\n\n".join(rows) or tr(NOTHING))
    return Shown("\n\n".join([tr(THANKS), *rows]), (asking.buttons(made),))

"""Ask a new owner four questions, and propose the resulting changes to their files.

    begin → question, by button or typed answer, … → proposals → accept | reject

The questions are asked only once, never in an incognito chat, and not if user.md already says
something. The answers so far are stored only in the buttons of the next question. They are proposed
after the last question, or a day after one that is not answered.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory import EditRefused, is_group
from memory.notes import inert, split_front_matter
from memory.text import clipped, mark, one_line, reveal, tr
from memory.vault import starter

from ...assistant import asking
from ...errors import described
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Outcome, Press, Shown
from .questions import LONGEST, Progress, Unclear, question, says_more, typed_answer

if TYPE_CHECKING:
    from memory import Memory
    from memory.log import ProposedChange

    from ...assistant import Assistant

_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s")
_NAME_HEADING = re.compile(r"#{1,6}\s+Name\s*")
_TIMEZONE = re.compile(r"timezone:.*")
_VOICE = re.compile(r"(\s*[-*]\s+\*\*Voice\*\*:).*")
EMPTY_USER = "---\ntimezone:\n---\n\n# You\n\n## Name\n"
EMPTY_IDENTITY = "# Identity\n"
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
    if is_filled(user):
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
    if identity is not None and voice_of(identity):
        shipped = await asyncio.to_thread((starter.source() / IDENTITY).read_text, "utf-8")
        if voice_of(identity) != voice_of(shipped):
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
        wanted[0] = update_user(
            user,
            name=given.get("name", ""),
            language=given.get("language", ""),
            zone=given.get("zone", ""),
        )
    if tone := given.get("tone"):
        wanted[1] = update_voice(identity, tone)
    guidance = memory.guidance
    made: list[ProposedChange] = []
    rows: list[str] = []
    for path, before, after in zip(paths, (user, identity), wanted, strict=True):
        if before == after:
            continue
        old, new = replacement(before, after)
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


def is_filled(user: str) -> bool:
    """Return whether the owner has written anything into user.md besides the time zone."""
    body = _COMMENT.sub("", split_front_matter(user)[1])
    return any(row.strip() and not _HEADING.match(row) for row in body.split("\n"))


def voice_of(identity: str) -> str:
    """Return the line of identity.md that says how Sam sounds; "" without one."""
    return next((row.strip() for row in identity.split("\n") if _VOICE.fullmatch(row)), "")


def update_user(text: str, *, name: str, language: str, zone: str) -> str:
    """Return user.md with the answers; "" leaves one out."""
    rows = (text or EMPTY_USER).split("\n")
    added = [f"- {label}: {inert(words)}" for label, words in _named(name, language) if words]
    if added:
        rows = _below_name(rows, added)
    return "\n".join(_with_zone(rows, zone) if zone else rows)


def _named(name: str, language: str) -> tuple[tuple[str, str], ...]:
    return ("Name", name), ("Language", language)


def _below_name(rows: list[str], added: list[str]) -> list[str]:
    """Return the rows with others at the end of the section “Name”."""
    start = next((n for n, row in enumerate(rows) if _NAME_HEADING.fullmatch(row)), None)
    if start is None:
        while rows and not rows[-1].strip():
            rows = rows[:-1]
        return [*rows, "", "## Name", "", *added, ""]
    later = range(start + 1, len(rows))
    end = next((n for n in later if _HEADING.match(rows[n])), len(rows))
    while not rows[end - 1].strip():
        end -= 1
    return [*rows[:end], "", *added, *(rows[end:] or [""])]


def _with_zone(rows: list[str], zone: str) -> list[str]:
    line = f"timezone: {zone}"
    if rows[0].rstrip() != "---":
        return ["---", line, "---", "", *rows]
    end = next((n for n in range(1, len(rows)) if rows[n].rstrip() == "---"), len(rows))
    at = next((n for n in range(1, end) if _TIMEZONE.fullmatch(rows[n])), None)
    return [*rows[:end], line, *rows[end:]] if at is None else [*rows[:at], line, *rows[at + 1 :]]


def update_voice(text: str, tone: str) -> str:
    """Return identity.md with that tone as Sam's voice."""
    rows = (text or EMPTY_IDENTITY).split("\n")
    words = inert(tone)
    for number, row in enumerate(rows):
        if found := _VOICE.fullmatch(row):
            rows[number] = f"{found[1]} {words}"
            return "\n".join(rows)
    return "\n".join(rows).rstrip("\n") + f"\n\n- **Voice**: {words}\n"


def replacement(before: str, after: str) -> tuple[str, str]:
    """Return lines that occur once in `before`, and their replacement.

    Both begin and end with the same line of text if possible, so that blank lines at their ends may
    be dropped.
    """
    old, new = before.split("\n"), after.split("\n")
    start = end = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    start, end = _to_text(old, start, -1), len(old) - _to_text(old, len(old) - end - 1, 1) - 1
    while start and before.count("\n".join(old[start : len(old) - end])) > 1:
        start -= 1
    return "\n".join(old[start : len(old) - end]), "\n".join(new[start : len(new) - end])


def _to_text(rows: list[str], at: int, step: int) -> int:
    """Return the next line with text beyond one, or the last there is."""
    at += step
    while 0 < at < len(rows) - 1 and not rows[at].strip():
        at += step
    return max(0, min(at, len(rows) - 1))

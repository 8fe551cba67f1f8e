"""Run the quarter: the real assistant, its stores and its jobs, on a simulated clock."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.chat.actions import ACTIONS
from bot.chat.commands import COMMANDS
from bot.chat.protocol import Button, Call, Press, as_shown
from bot.errors import ModelError
from bot.turn import Done
from memory import Said
from memory.notes import fact as facts
from memory.notes import plain
from memory.text.word_forms import normal_form, words
from tests.benchmarks.quarter.life import (
    BEGINS,
    Commands,
    Corrects,
    Deletes,
    Edits,
    Event,
    Life,
    Says,
    days_of,
)
from tests.benchmarks.quarter.model import BadModel
from tests.fakes.claude import FakeClaude
from tests.support.homes import Home
from tests.support.memories import Clock

CHAT = "terminal"
AFTER_SILENCE = timedelta(hours=1, minutes=10)
EMBEDDED = 64  # passages per batch, at the end
RECENT = 4  # the owner edits and deletes bullets of this many recent days
SAID_AGAIN = (2, 5)  # days after a deletion until the owner says the same again
BY_NAME = {job.name: job for job in JOBS}
NIGHTLY = (
    (time(0, 5), ("end-of-day", "facts")),
    (time(4, 10), ("upkeep", "maintain", "reconcile")),
    (time(12, 0), ("idle", "facts", "contradictions")),
    (time(20, 1), ("idle", "facts", "changes")),
)
"""The jobs that run at these times of each day, if they are due."""
_FIELDS = re.compile(r" \((?:updated|source|confidence|supersedes|expires|stability):: .*")


def bare(row: str) -> str:
    """Return a line of a note without its dash, fields and block id."""
    return _FIELDS.sub("", row[2:])


@dataclass(slots=True)
class Quarter:
    """A simulated profile. `deleted`: the lines that the owner deleted, without marks and ids, and
    the folders in which they must not reappear; `stood_already`: lines elsewhere that said the same
    at the time."""

    life: Life
    model: BadModel
    home: Home
    sam: Assistant
    clock: Clock
    draw: random.Random
    deleted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stood_already: set[str] = field(default_factory=set)
    own_lines: set[str] = field(default_factory=set)
    """The texts of lines that the owner wrote or edited in the vault."""
    undone: list[str] = field(default_factory=list)
    """Events that could not be applied, because the model had left their line out."""
    spoken: int = 0
    _count: int = 0
    _later: list[tuple[datetime, Event]] = field(default_factory=list)

    async def lives(self) -> None:
        """Run all events."""
        events = list(self.life.events)
        for midnight in days_of(self.life):
            tomorrow = midnight + timedelta(days=1)
            moments: list[tuple[datetime, Event | tuple[str, ...]]] = [
                (datetime.combine(midnight.date(), at, midnight.tzinfo), names)
                for at, names in NIGHTLY
            ]
            due = [pair for pair in (*events, *self._later) if midnight <= pair[0] < tomorrow]
            moments += due
            moments.sort(key=lambda pair: pair[0])
            for number, (at, what) in enumerate(moments):
                self.clock.now = max(self.clock.now, at)
                if isinstance(what, tuple):
                    await self._jobs(*what)
                    continue
                await self._event(what)
                following = moments[number + 1][0] if number + 1 < len(moments) else tomorrow
                if following - at > AFTER_SILENCE:
                    self.clock.now = at + AFTER_SILENCE
                    await self._jobs("idle", "facts")
        self.clock.now += timedelta(days=1)
        await self.sam.summarise("command")
        await self._jobs("facts", "upkeep", "maintain", "reconcile")
        while await self.sam.memory.embeddings.embed(EMBEDDED):
            pass

    async def _jobs(self, *names: str) -> None:
        for name in names:
            if await BY_NAME[name].due(self.sam):
                await BY_NAME[name].run(self.sam, self._speak)

    async def _speak(self, text: str, **given: Any) -> None:
        self.spoken += 1
        await self.sam.memory.log.messages.log_unprompted(
            CHAT, given.get("logged") or text, sent_at=self.clock.now
        )

    async def _event(self, event: Event) -> None:
        match event:
            case Says():
                await self._says(event)
            case Commands():
                await self._commands(event)
            case Corrects():
                await self._corrects(event)
            case Deletes(what="fact"):
                await self._deletes_fact()
            case Deletes():
                await self._deletes_bullet()
            case Edits():
                await self._edits(event.remark)
        await self._jobs("summarise", "facts")

    # ── in the chat ──────────────────────────────────────────────────────────────────────────

    async def _says(self, event: Says) -> None:
        self._count += 1
        self.model.answer = event.answer
        said = Said(f"quarter:{self._count}", CHAT, event.text, self.clock.now)
        turn = await self.sam.turns.begin(said)
        done = None
        try:
            async with aclosing(self.sam.turns.answer(turn)) as events:
                async for each in events:
                    done = each if isinstance(each, Done) else done
        except ModelError as failed:
            await self.sam.turns.fail(turn, str(failed))
            return
        assert done is not None
        await self.sam.turns.finish(turn, done, self.clock.now)
        await self.sam.memory.index_deferred()

    async def _commands(self, event: Commands) -> None:
        call = Call(
            profile=self.sam,
            chat=CHAT,
            words=event.words,
            at=self.clock.now,
        )
        shown = as_shown(await COMMANDS[event.name](call))
        pressed = [
            button for row in shown.keyboard for button in row if button.action == event.press
        ]
        if event.press and not pressed:
            self.undone.append(f"/{event.name} {event.words}: {shown.text}")
        for button in pressed[:1]:
            await self._press(button)

    async def _press(self, button: Button) -> None:
        press = Press(self.sam, CHAT, button.argument, self.clock.now)
        await ACTIONS[button.action].run(press)

    # ── in the vault ─────────────────────────────────────────────────────────────────────────

    async def _corrects(self, event: Corrects) -> None:
        """Edit the line with the old value, or say the correction if there is no such line."""
        made = event.of
        folder = self.home.vault / "knowledge"
        files = sorted(folder.glob("*.md")) if made.method == "edit" else []
        files += [self.home.vault / "MEMORY.md"] if made.method == "memory" else []
        for file in files:
            rows = file.read_text("utf-8").split("\n")
            for number, row in enumerate(rows):
                if row.startswith("- ") and made.of.lower() in row.lower() and made.old in row:
                    rows[number] = row.replace(made.old, made.new)
                    self._write(file, rows)
                    fact = facts.parse(rows[number])
                    self.own_lines.add(fact.text if fact is not None else rows[number])
                    return
        self.undone.append(f"{made.method}: no line says {made.of} {made.old}")
        await self._says(Says(event.instead))

    async def _deletes_fact(self) -> None:
        rows = await self.sam.memory.log.facts.all()
        known = [
            each
            for each in await self.sam.memory.knowledge.every()
            if each.fact.id in rows
            and rows[each.fact.id].state == "sams"
            and not self._is_planted(each.fact.text)
        ]
        if not known:
            self.undone.append("no fact to delete")
            return
        gone = self.draw.choice(known)
        file = self.home.vault / gone.path
        self._write(file, [r for r in file.read_text("utf-8").split("\n") if r != gone.fact.line])
        self._is_deleted(gone.fact.text, "memories", "knowledge")

    async def _deletes_bullet(self) -> None:
        found = [
            (file, row)
            for file, row in self._points()
            if row[2:] in self.model.wrote and not self._is_planted(row)
        ]
        if not found:
            self.undone.append("no point to delete")
            return
        file, gone = self.draw.choice(found)
        self._write(file, [row for row in file.read_text("utf-8").split("\n") if row != gone])
        self._is_deleted(gone[2:], "memories")

    def _is_planted(self, text: str) -> bool:
        """Return whether the line is about a corrected or forgotten fact: repeating it would change
        what is true."""
        every = (*(made.of for made in self.life.corrections), *self.life.forgotten)
        return any(set(each.lower().split()) & set(words(text.lower())) for each in every)

    def _is_deleted(self, text: str, *folders: str) -> None:
        """Return whether the owner deleted this.

        The owner says it again later, and the model repeats it at times. A deleted fact must not
        come back as a fact or a bullet, a deleted bullet not as a bullet.
        """
        self.deleted[text] = folders
        self.stood_already |= set(self.lines_like(text, *folders))
        self.model.repeats.append(text)
        said = next((s for line, s in self.model.wrote.items() if line.lower() == text.lower()), "")
        for days in SAID_AGAIN if said else ():
            self._later.append((self.clock.now + timedelta(days=days), Says(said)))

    def lines_like(self, text: str, *folders: str) -> Iterator[str]:
        """Yield the lines in these folders that say the same, with the names of their notes."""
        form = normal_form(text)
        for folder in folders:
            for file in sorted((self.home.vault / folder).glob("*.md")):
                for row in file.read_text("utf-8").split("\n"):
                    if row.startswith("- ") and normal_form(plain(bare(row))) == form:
                        yield f"{file.name}: {bare(row)}"

    async def _edits(self, remark: str) -> None:
        found = list(self._points())
        if not found:
            self.undone.append("no point to edit")
            return
        file, row = self.draw.choice(found)
        changed = f"{row} ({remark})"
        rows = file.read_text("utf-8").split("\n")
        self._write(file, [changed if each == row else each for each in rows])
        self.own_lines.add(changed[2:])

    def _points(self) -> Iterator[tuple[Path, str]]:
        """Yield recent bullets that Sam wrote and nobody has edited."""
        for file in sorted((self.home.vault / "memories").glob("*.md"))[-RECENT:]:
            for row in file.read_text("utf-8").split("\n"):
                plain = row.startswith("- ") and not row.startswith(("- **", "- Note", "- Rem"))
                if plain and row[2:] not in self.own_lines:
                    yield file, row

    def _write(self, file: Path, rows: list[str]) -> None:
        file.write_text("\n".join(rows), "utf-8")
        self.sam.memory.changed([file.relative_to(self.home.vault).as_posix()])


async def lived_through(
    life: Life, seed: int, home: Home, claude: FakeClaude, stack: AsyncExitStack
) -> Quarter:
    """Run that life in the home folder; the stack closes the assistant."""
    model = BadModel(seed, life.truths)
    model.speaks(claude)
    clock = Clock(BEGINS)
    settings = home.settings(
        anthropic_api_key="a-key",
        anthropic_base_url=claude.url,
        budget_daily_usd=0,
        heartbeat_minutes=0,
        recall_seconds=0,  # no limit: the figures do not depend on the machine's speed
    )
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    sam = await Assistant.open(settings, stack, poke=no_jobs, clock=clock, sole=True)
    quarter = Quarter(life, model, home, sam, clock, random.Random(f"vault {seed}"))
    await quarter.lives()
    return quarter

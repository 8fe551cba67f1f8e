"""Measure the memory after the quarter, and decide whether it is good enough."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from memory.notes import block_id, plain, strip_block_id
from memory.text.word_forms import normal_form
from memory.tools import Origins
from tests.benchmarks.quarter.life import BEGINS, Commands, Correction
from tests.benchmarks.quarter.model import MARKS
from tests.benchmarks.quarter.simulation import Quarter
from tests.support.homes import Home

MOST_LINES = 1.2  # lines of knowledge/ per true fact
DEPTH = 50
_DATED = re.compile(r"^\d{4}-\d\d-\d\d: ")
_ASKED = re.compile(r"\(said \d{4}-\d\d-\d\d\)")
"""Sam's question which of two values is right, with their dates."""
_LINK = re.compile(r" \[\[[^\]]*\]\]$")


@dataclass(slots=True)
class Figures:
    """The figures of one quarter; the lists name what is wrong."""

    days: int
    messages: int = 0
    sections: int = 0
    bullets: int = 0
    facts: int = 0
    saved: int = 0
    true_facts: int = 0
    memory_lines: int = 0
    proposed: int = 0
    wrong_proposals: int = 0
    corrections: int = 0
    deleted: int = 0
    calls_a_day: dict[str, float] = field(default_factory=dict)
    tokens_a_day: dict[str, tuple[int, int]] = field(default_factory=dict)
    not_his: list[str] = field(default_factory=list)
    without_source: list[str] = field(default_factory=list)
    not_first: list[str] = field(default_factory=list)
    old_undated: list[str] = field(default_factory=list)
    came_back: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    not_forgotten: list[str] = field(default_factory=list)
    lost_edits: list[str] = field(default_factory=list)
    not_done: list[str] = field(default_factory=list)

    @property
    def lines_per_fact(self) -> float:
        return self.facts / max(1, self.true_facts)

    @property
    def faults(self) -> list[str]:
        """Return the failures, one sentence each."""
        found = [
            f"{name.replace('_', ' ')}: {each}"
            for name in (
                *("not_his", "without_source", "not_first", "old_undated"),
                *("came_back", "invented", "not_forgotten", "lost_edits"),
            )
            for each in getattr(self, name)
        ]
        if self.lines_per_fact > MOST_LINES:
            found.append(f"{self.lines_per_fact:.2f} lines for each true fact")
        return found

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "lines_per_fact": round(self.lines_per_fact, 3)}


async def measured(quarter: Quarter) -> Figures:
    """Return the figures, except those of `search`, while the assistant is still open."""
    memory, life, model = quarter.sam.memory, quarter.life, quarter.model
    found = Figures(life.days, corrections=len(life.corrections), deleted=len(quarter.deleted))
    found.messages = (await memory.log.ledger()).messages_total
    found.proposed, found.wrong_proposals = model.proposed, model.invented
    found.not_done = quarter.undone
    await _facts(quarter, found)
    await _bullets(quarter, found)
    _memory(quarter, found)
    _tasks(quarter, found)
    _lines(quarter, found)
    _forgotten(quarter, found)
    calls: Counter[str] = Counter()
    tokens: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for _, usage in await memory.log.usage.since(BEGINS):
        calls[usage.purpose] += 1
        tokens[usage.purpose][0] += usage.input + usage.cache_read + usage.cache_write
        tokens[usage.purpose][1] += usage.output
    found.calls_a_day = {name: round(count / life.days, 1) for name, count in calls.items()}
    found.tokens_a_day = {
        name: (given // life.days, written // life.days)
        for name, (given, written) in tokens.items()
    }
    return found


async def _facts(quarter: Quarter, found: Figures) -> None:
    memory = quarter.sam.memory
    rows = await memory.log.facts.all()
    every = [each for each in await memory.knowledge.every() if each.is_valid(memory.today())]
    keys = set()
    for each in every:
        text = plain(each.fact.text)
        truth = quarter.model.keys.get(normal_form(text))
        keys.add(truth.key if truth else "")
        row = rows.get(each.fact.id or "")
        if each.fact.text not in quarter.own_lines and not (row and row.sources):
            found.without_source.append(f"{each.path}: {text}")
    keys -= {""}
    found.facts, found.true_facts = len(every), len(keys)
    for past in await memory.knowledge.past():
        row = rows.get(past.fact.id or "")
        if past.fact.text not in quarter.own_lines and not (row and row.sources):
            found.without_source.append(f"{past.path}: {past.fact.text}")


async def _bullets(quarter: Quarter, found: Figures) -> None:
    log = quarter.sam.memory.log
    origins = Origins(quarter.sam.memory, private=True)
    for path, rows in _notes(quarter.home, "memories"):
        numbers = _numbers(quarter.home, path)
        sources = await log.batches.sources_of(path)
        for row in rows:
            text = row[2:]
            if text.startswith("**Summary**"):
                found.sections += 1
                if not (block_id(row) and await log.batches.known_ids([block_id(row) or ""])):
                    found.without_source.append(f"{path}: {row}")
                continue
            if text.startswith(("Note (", "Note: ", "Remembered ")):  # by a tool or a command
                found.saved += 1
                number = numbers[row]
                said = await origins.of_passage(path, number, number)
                if text not in quarter.own_lines and not any(each.messages for each in said):
                    found.without_source.append(f"{path}: {row}")
                continue
            found.bullets += 1
            if not sources.get(text) and text not in quarter.own_lines:
                found.without_source.append(f"{path}: {text}")


def _memory(quarter: Quarter, found: Figures) -> None:
    """Check that every line of MEMORY.md is one that the owner wrote or asked for."""
    his = {normal_form(each) for each in quarter.life.remembered}
    for path, rows in _notes(quarter.home, "MEMORY.md"):
        for row in rows:
            found.memory_lines += 1
            text = _DATED.sub("", strip_block_id(row)[2:])
            if normal_form(text) not in his:
                found.not_his.append(f"{path}: {text}")


def _tasks(quarter: Quarter, found: Figures) -> None:
    """Check that every task is one that the owner added."""
    events = (event for _, event in quarter.life.events)
    his = [each.words for each in events if isinstance(each, Commands) and each.name == "todo"]
    for path, rows in _notes(quarter.home, "tasks.md"):
        for row in rows:
            if not any(words in row for words in his):
                found.without_source.append(f"{path}: {row}")


def _lines(quarter: Quarter, found: Figures) -> None:
    """Check that no line is invented, none that was deleted has come back, and no edit is lost."""
    every = []
    for name in ("MEMORY.md", "memories", "knowledge", "archive", "tasks.md"):
        for path, rows in _notes(quarter.home, name):
            every += rows
            found.invented += [f"{path}: {row}" for row in rows if MARKS.search(row)]
    found.came_back = [
        line
        for text, folders in quarter.deleted.items()
        for line in quarter.lines_like(text, *folders)
        if line not in quarter.stood_already
    ]
    text = "\n".join(every)
    found.lost_edits = [line for line in quarter.own_lines if line not in text]


def _forgotten(quarter: Quarter, found: Figures) -> None:
    folder = quarter.home.folder / "Sam"
    texts = [
        (file, file.read_bytes().decode("utf-8", "replace").lower())
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix in (".md", ".db", ".db-wal")
    ]
    for words in quarter.life.forgotten:
        rare = words.lower().split()[-1]
        found.not_forgotten += [f"{rare} in {file.name}" for file, text in texts if rare in text]


def _notes(home: Home, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the notes of a folder, or one note, with their list items."""
    place = home.vault / name
    files = sorted(place.rglob("*.md")) if place.is_dir() else [place] * place.exists()
    for file in files:
        rows = [row for row in file.read_text("utf-8").splitlines() if row.startswith("- ")]
        yield file.relative_to(home.vault).as_posix(), rows


def _numbers(home: Home, path: str) -> dict[str, int]:
    """Return each line of a note → its number, from 1."""
    rows = (home.vault / path).read_text("utf-8").splitlines()
    return {row: number for number, row in enumerate(rows, 1)}


def searched(quarter: Quarter, found: Figures) -> None:
    """Add the results of `sam search` for the corrections, after the assistant was closed."""
    for made in quarter.life.corrections:
        said = quarter.home.sam("search", made.question, "--limit", str(DEPTH), "--json")
        hits = json.loads(said.stdout)["hits"]
        if not hits or not _has(hits[0]["text"], made, made.new):
            first = hits[0]["text"][:120] if hits else "nothing"
            found.not_first.append(f"({made.method}) {made.question} {made.new}: {first}")
        found.old_undated += [
            f"({made.method}) {made.question} {made.old}: {hit['path']} {hit['text'][:120]}"
            for hit in hits
            if _has(_undated(hit), made, made.old)
            and not _has(hit["text"], made, made.new)
            and not hit["until"]
            and not _ASKED.search(hit["text"])
        ]


def _undated(hit: Mapping[str, Any]) -> str:
    """Return the lines of a passage that do not say until when they were true."""
    past = {each["line"] for each in hit["past"]}
    rows = hit["text"].split("\n")
    return "\n".join(row for number, row in enumerate(rows) if number not in past)


def _has(text: str, made: Correction, value: str) -> bool:
    """Return whether a passage states that value."""
    return any(
        made.of.lower() in row.lower() and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", row)
        for row in _LINK.sub("", text).splitlines()
    )

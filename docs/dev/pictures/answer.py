"""Make docs/images/answer.svg, the picture on the README's first screen.

A real `sam run` talks to the fakes of Telegram and Claude in `tests/fakes`. The model's words are
scripted here. Everything else in the picture was sent or written by Sam: the citation, the line
with the source, its button, and the note. Only the block ids of notes are left out, because they
are random; without them every run gives the same bytes. `tests/system/test_picture.py` compares.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.support.process import ROOT, wait_until

from .drawing import LINE, STYLE, Canvas, Said, chat
from .run import running

PICTURE = ROOT / "docs" / "images" / "answer.svg"

# ── the run ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Evening:
    """A conversation: its time (UTC), what is said, and the model's summary and facts.

    `facts`: each with the part of the owner's message that it is derived from.
    """

    moment: str
    owner: str
    model: str
    summary: str
    facts: tuple[tuple[str, str], ...]


EVENINGS = (
    Evening(
        "2026-02-12T18:40",
        "My sister Clara marries on 14 June in Lisbon. She wants no presents, only a song.",
        "How lovely! A song it is.",
        "Clara's wedding",
        (
            ("Clara, a sister, marries on 14 June in Lisbon", "Clara marries on 14 June in Lisbon"),
            ("Clara wants no wedding presents, only a song", "She wants no presents, only a song"),
        ),
    ),
    Evening(
        "2026-03-03T20:10",
        "Anton next door has lent me his guitar.",
        "Then you can practise.",
        "Anton's guitar",
        (("Anton, the neighbour, has lent his guitar", "Anton next door has lent me his guitar"),),
    ),
)
"""The conversations; the first one is drawn."""

ASKED_AT, QUESTION = "2026-05-20T08:15", "What does Clara want for her wedding?"
CITING, NOT_CITING = "No presents, only a song", ". You have 25 days to practise."


@dataclass(frozen=True, slots=True)
class Scene:
    """What to draw: messages, and a note; the answer cites its lines `first` to `last`."""

    chat: tuple[Said, ...]
    path: str
    note: tuple[str, ...]
    first: int
    last: int


def _script(claude: FakeClaude) -> None:
    def summary(request: Request) -> dict[str, Any]:
        evening = next(each for each in EVENINGS if each.owner in request.newest_text)
        facts = [
            {"text": text, "category": "relationship", "messages": [1], "quote": quote}
            for text, quote in evening.facts
        ]
        return {"summary": evening.summary, "bullets": [], "facts": facts}

    def choices(request: Request) -> dict[str, Any]:
        numbers = re.findall(r"^(\d+)\. \(", request.newest_text, re.MULTILINE)
        rows = [{"statement": int(number), "action": "add", "known": ""} for number in numbers]
        return {"choices": rows}

    claude.responds_with("ok", when="Say: ok")
    claude.summaries(summary)
    claude.fills(choices, has="choices")
    for evening in EVENINGS:
        claude.responds_with(evening.model, when=evening.owner)
    claude.cites(CITING, EVENINGS[0].facts[1][0], after=NOT_CITING, when=QUESTION)


def scene() -> Scene:
    """Talk to Sam in a new folder; return the messages and the note to draw."""
    with (
        tempfile.TemporaryDirectory() as name,
        running(folder := Path(name), EVENINGS[0].moment, _script) as run,
    ):
        vault, messages, telegram = folder / "vault", [], run.telegram

        def asks(moment: str, text: str) -> Any:
            run.at(moment)
            answer = telegram.asks(text, timeout=60)
            rows = answer.fields.get("reply_markup", {}).get("inline_keyboard", [])
            buttons = tuple(tuple(each["text"] for each in row) for row in rows)
            messages.append(Said("owner", answer.date, text))
            messages.append(Said("Sam", answer.date, answer.text, buttons))
            return answer

        def written(evening: Evening) -> bool:
            note = vault / "knowledge" / "relationship.md"
            return note.exists() and evening.facts[-1][0] in note.read_text("utf-8")

        for evening in EVENINGS:
            asks(evening.moment, evening.owner)
            telegram.asks("/new", timeout=60)
            wait_until(partial(written, evening), f"the facts: {evening.summary}")
        answer = asks(ASKED_AT, QUESTION)
        source = re.search(r"\((\S+\.md):(\d+)(?:-(\d+))?\)", answer.text)
        assert source is not None, answer.text
        lines = (vault / source[1]).read_text("utf-8").splitlines()
    note = tuple(re.sub(r" \^\w+$|#\^\w+(?=\]\])", "", line) for line in lines)
    return Scene(
        (*messages[:2], *messages[-2:]),
        source[1],
        note,
        int(source[2]),
        int(source[3] or source[2]),
    )


WIDTH, MARGIN = 840, 16
CHAT, NOTE = (MARGIN, 396), (MARGIN + 396 + 16, 396)
"""Left edge and width of the two cards."""


def _note(canvas: Canvas, seen: Scene) -> tuple[float, float]:
    """Draw the note with line numbers; return its lower edge, and the middle of the cited lines."""
    left, width = NOTE
    y, rows, tops = 80.0, [], {}
    for number, line in enumerate(seen.note, 1):
        tops[number] = y
        indent = "  " if line.startswith("- ") else ""
        wrapped = textwrap.wrap(line, 44, subsequent_indent=indent, break_on_hyphens=False) or [""]
        for count, part in enumerate(wrapped):
            rows.append((y, str(number) if not count else "", part))
            y += LINE
    tops[len(seen.note) + 1] = y
    top, bottom = tops[seen.first] - 14, tops[seen.last + 1] - 14
    canvas.box(left + 1, top, width - 2, bottom - top, "cited")
    canvas.box(left, top, 4, bottom - top, "bar")
    for at, label, part in rows:
        canvas.text(left + 32, at, label, "mono dim", "end")
        canvas.text(left + 44, at, part, "mono bold" if part.startswith("#") else "mono")
    return y, (top + bottom) / 2


def drawn(seen: Scene) -> str:
    """Return the scene as an SVG document."""
    canvas = Canvas()
    below, source = chat(canvas, seen.chat, *CHAT)
    end, cited = _note(canvas, seen)
    height = max(below, end) + 12
    inside, canvas = canvas, Canvas()
    canvas.box(0, 0, WIDTH, height + MARGIN, "page", 14)
    for (left, width), title in ((CHAT, "Sam on Telegram"), (NOTE, seen.path)):
        canvas.box(left, MARGIN, width, height - MARGIN, "card", 10)
        canvas.text(left + 16, MARGIN + 26, title, "bold" if left == MARGIN else "mono bold")
        canvas.box(left, MARGIN + 38, width, 1, "page")
    wire = f"M{source[0]:g} {source[1]:g}H{NOTE[0] - 8}V{cited:g}H{NOTE[0]}"
    inside.parts.append(f'<path d="{wire}" class="wire"/>')
    said = " ".join(f"{each.who}: {each.text}" for each in seen.chat)
    about = f"{said} The note {seen.path}: {' '.join(seen.note)}".replace("\n", " ")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height + MARGIN:g}" '
            f'width="{WIDTH}" height="{height + MARGIN:g}" role="img" '
            'aria-labelledby="title about">',
            '<title id="title">An answer of Sam on Telegram, and the note that it cites</title>',
            f'<desc id="about">{escape(about)}</desc>',
            f"<style>{STYLE}</style>",
            *canvas.parts,
            *inside.parts,
            "</svg>\n",
        )
    )

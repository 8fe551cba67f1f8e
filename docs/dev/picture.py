"""Make docs/images/answer.svg, the picture on README's first screen: `make picture`.

A real `sam run` talks to the fakes of Telegram and Claude in `tests/fakes`. The words of the model
are scripted here. All else in the picture is what Sam sent and wrote: the mark, the line with the
source, its button, and the note. Only the block ids of notes are left out: they are drawn at
random, and without them every run gives the same bytes. `tests/system/test_picture.py` compares.
"""

from __future__ import annotations

import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.complaints import assert_clean
from tests.fakes.telegram import FakeTelegram
from tests.support.process import ROOT, Sam, wait_until

PICTURE = ROOT / "docs" / "images" / "answer.svg"

# ── the run ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Evening:
    """A conversation: when (UTC), what each says, and what the model makes of it.

    `facts`: each with the part of the owner's words that it comes from.
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
"""The first is drawn."""

ASKED_AT, QUESTION = "2026-05-20T08:15", "What does Clara want for her wedding?"
CITING, NOT_CITING = "No presents, only a song", ". You have 25 days to practise."


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the chat. `button` is the caption of the one below it."""

    who: str
    at: datetime
    text: str
    button: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: messages, and a note of which the answer cites lines `first` to `last`."""

    chat: tuple[Said, ...]
    path: str
    note: tuple[str, ...]
    first: int
    last: int


class _Clocked(Sam):
    """Sam with a clock that the run sets."""

    command = (sys.executable, "-m", "tests.support.clocked")


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

    claude.says("ok", when="Say: ok")
    claude.summaries(summary)
    claude.fills(choices, has="choices")
    for evening in EVENINGS:
        claude.says(evening.model, when=evening.owner)
    claude.cites(CITING, EVENINGS[0].facts[1][0], after=NOT_CITING, when=QUESTION)


@contextmanager
def _running(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Run Sam; yield the fake Telegram, and a function that sets the clocks of both."""
    shift = folder / "shift"
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        _script(claude)

        def at(moment: str) -> None:
            telegram.clock = now = datetime.fromisoformat(f"{moment}+00:00")
            spare = shift.with_suffix(".new")
            spare.write_text(str((now - datetime.now(UTC)).total_seconds()))
            spare.replace(shift)

        given = {
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": claude.url,
            "EMBEDDING_PROVIDER": "none",
            "HEARTBEAT_MINUTES": "0",
            "PROFILES_DIR": str(folder / "profiles"),
            "SAM_TEST_SHIFT": str(shift),
        }
        at(EVENINGS[0].moment)
        sam = _Clocked(folder, **telegram.env, **given)
        sam.start()
        try:
            yield telegram, at
            assert_clean(telegram)
            assert_clean(claude)
        except BaseException:
            print(sam.story(), file=sys.stderr)
            raise
        finally:
            sam.end()


def scene() -> Scene:
    """Talk to Sam in a new folder, and return what there was to see."""
    with tempfile.TemporaryDirectory() as name, _running(folder := Path(name)) as (telegram, at):
        vault, chat = folder / "vault", []

        def asks(moment: str, text: str) -> Any:
            at(moment)
            answer = telegram.asks(text, timeout=60)
            rows = answer.fields.get("reply_markup", {}).get("inline_keyboard", [])
            button = " ".join(each["text"] for row in rows for each in row)
            chat.append(Said("owner", answer.date, text))
            chat.append(Said("Sam", answer.date, answer.text, button))
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
        (*chat[:2], *chat[-2:]), source[1], note, int(source[2]), int(source[3] or source[2])
    )


# ── the drawing ──────────────────────────────────────────────────────────────────────────────

WIDTH, MARGIN = 840, 16
CHAT, NOTE = (MARGIN, 396), (MARGIN + 396 + 16, 396)
"""Left edge and width of the two cards."""

LINE, SMALL = 20, 17
STYLE = """
text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#1c2430}
.mono{font:12.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.small{font-size:12px}.dim{fill:#5b6675}.bold{font-weight:600}.mark{fill:#0b62b8;font-weight:600}
.page{fill:#eef1f5}.card{fill:#fff;stroke:#d3dae3}.mine{fill:#d9f2cf}.his{fill:#f0f3f7}
.bar{fill:#0b7bd8}.cited{fill:#e3f0fd}.wire{fill:none;stroke:#0b7bd8;stroke-width:1.5}
@media (prefers-color-scheme:dark){
text{fill:#e4e9f0}.dim{fill:#9aa7b8}.mark{fill:#7cc0ff}
.page{fill:#0f141b}.card{fill:#18202a;stroke:#2e3a49}.mine{fill:#28502f}.his{fill:#232e3b}
.bar{fill:#4aa3f0}.cited{fill:#1c3550}.wire{stroke:#4aa3f0}}
"""
"""Both cards have a background of their own, so that they are legible on any page."""


class _Canvas:
    """Elements of the picture, from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, kind: str, round: int = 0) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{round}" class="{kind}"/>'
        )

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "") -> None:
        """One line, unless it is empty; its marks such as [1] stand out."""
        if not text:
            return
        shown = re.sub(r"\[\d+\]", r'<tspan class="mark">\g<0></tspan>', escape(text))
        how = f' class="{kind}"' * bool(kind) + f' text-anchor="{anchor}"' * bool(anchor)
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{how} xml:space="preserve">{shown}</text>')


def _rows(text: str) -> list[tuple[str, bool]]:
    """A message as lines that fit a bubble, each with whether it is quoted (`> `)."""
    rows: list[tuple[str, bool]] = []
    for part in filter(None, text.split("\n")):
        quoted = part.startswith("> ")
        wrapped = textwrap.wrap(
            part.removeprefix("> "), 44 if quoted else 38, break_on_hyphens=False
        )
        rows += [(line, quoted) for line in wrapped]
    return rows


Point = tuple[float, float]


def _bubble(canvas: _Canvas, said: Said, top: float) -> tuple[float, Point | None]:
    """Draw a message; return its lower edge, and where a line to its source begins."""
    rows, mine = _rows(said.text), said.who == "owner"
    left, width = CHAT
    w = min(max(len(line) for line, _ in rows) * 7.6 + 28, width - 56)
    h = sum(SMALL if quoted else LINE for _, quoted in rows) + 30
    h += 8 * any(quoted for _, quoted in rows)
    x = left + width - w - 14 if mine else left + 14
    canvas.box(x, top, w, h, "mine" if mine else "his", 12)
    y, source = top + 22, None
    for line, quoted in rows:
        if quoted and source is None:
            count = sum(quoted for _, quoted in rows)
            y += 5
            canvas.box(x + 12, y - 13, 3, count * SMALL + 1, "bar", 1)
            source = x + w, y - 4 + (count - 1) * SMALL / 2
        canvas.text(x + (22 if quoted else 13), y, line, "small dim" if quoted else "")
        y += SMALL if quoted else LINE
    canvas.text(x + w - 10, top + h - 7, f"{said.at:%H:%M}", "small dim", "end")
    if said.button:
        canvas.box(x, top + h + 4, w, 26, "his", 8)
        canvas.text(x + w / 2, top + h + 21, said.button, "small", "middle")
        h += 30
    return top + h, source


def _chat(canvas: _Canvas, said: tuple[Said, ...]) -> tuple[float, Point]:
    """Draw the messages; return the lower edge, and where the line to the source begins."""
    left, width = CHAT
    y, source, day = 66.0, (0.0, 0.0), date.min
    for each in said:
        if each.at.date() != day:
            day = each.at.date()
            shown = f"{day:%A}, {day.day} {day:%B}"
            canvas.text(left + width / 2, y + 12, shown, "small dim", "middle")
            y += 24
        y, begins = _bubble(canvas, each, y)
        source = begins or source
        y += 10
    return y, source


def _note(canvas: _Canvas, seen: Scene) -> tuple[float, float]:
    """Draw the note with line numbers; return the lower edge, and the middle of what is cited."""
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
    """The scene as an SVG document."""
    canvas = _Canvas()
    below, source = _chat(canvas, seen.chat)
    end, cited = _note(canvas, seen)
    height = max(below, end) + 12
    inside, canvas = canvas, _Canvas()
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


if __name__ == "__main__":
    PICTURE.write_text(drawn(scene()), "utf-8")

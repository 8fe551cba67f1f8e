"""Make docs/images/first-day-*.svg: a first day on Telegram, from the pairing to the evening.

The model's words and the speech server's transcript are scripted here. Everything else was sent by
Sam: its texts, its buttons, its pictures. The pairing code is random, and is masked.
`tests/system/test_picture.py` makes the pictures again and compares them.
"""

from __future__ import annotations

import re
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from bot.markdown_escape import plain
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.telegram_thread import in_thread
from tests.fakes.transcription import FakeTranscription
from tests.support.process import ROOT, wait_until

from .drawing import STYLE, Canvas, Said, chat
from .run import Run, running

FOLDER = ROOT / "docs" / "images"
DAY = "2026-02-12"
LEFT, WIDTH, MARGIN = 14, 420, 14
PRESSED = """
.pressed{fill:#cfe6fb}@media (prefers-color-scheme:dark){.pressed{fill:#1f4a70}}
"""
TITLES = {
    "first-day-1.svg": "Pairing, and four questions",
    "first-day-2.svg": "Morning: a fact, a reminder, a photo",
    "first-day-3.svg": "Afternoon: in pieces, by voice, and edited",
    "first-day-4.svg": "Evening: a source, and what was learned",
    "first-day-5.svg": "How it is, and what it knows",
}

CLARA = "My sister Clara marries on 14 June in Lisbon. She wants no presents, only a song."
METER = "Keep an eye on this: our water meter today."
PIECES = ("I need something for Clara's wedding", "a song that is easy on the guitar", "Any idea?")
HEARD = "Anton next door lends me his guitar until Easter."
QUESTION = "What does Clara want for her wedding?"
FACTS = (
    ("Clara, a sister, marries on 14 June in Lisbon", "Clara marries on 14 June in Lisbon"),
    ("Clara wants no wedding presents, only a song", "She wants no presents, only a song"),
    ("Anton, the neighbour, lends the owner his guitar until Easter", HEARD.rstrip(".")),
)
"""The facts that the model derives from the day, each with the owner's words as its source."""
_NUMBER = re.compile(r"^\[(\d+)\] \d\d:\d\d ", re.MULTILINE)
"""Matches the beginning of a message in a summary's prompt."""


def _script(claude: FakeClaude) -> None:
    def summary(request: Request) -> dict[str, Any]:
        facts = []
        for text, quote in FACTS:
            *_, number = re.findall(_NUMBER, request.newest_text.partition(quote)[0])
            row = {"text": text, "category": "relationship", "messages": [int(number)]}
            facts.append({**row, "quote": quote})
        return {"summary": "Clara's wedding, and a guitar", "bullets": [], "facts": facts}

    def choices(request: Request) -> dict[str, Any]:
        numbers = re.findall(r"^(\d+)\. \(", request.newest_text, re.MULTILINE)
        rows = [{"statement": int(number), "action": "add", "known": ""} for number in numbers]
        return {"choices": rows}

    claude.responds_with("ok", when="Say: ok")
    claude.summaries(summary)
    claude.fills(choices, has="choices")
    claude.responds_with("How lovely! A song it is.", when=CLARA)
    claude.responds_with("The meter reads 4127 cubic metres.", when=METER)
    claude.responds_with(
        "“Songbird” has four chords and is short. You have four months to practise.",
        when=PIECES[-1],
    )
    claude.responds_with("Then you can practise at home.", when=HEARD)
    claude.responds_with("A table for six, then.", when="six")
    claude.responds_with("A table for four, then.", when="four")
    claude.cites("No presents, only a song", FACTS[1][0], after=".", when=QUESTION)


class Phone:
    """The owner's chat on Telegram, recorded in scenes."""

    def __init__(self, run: Run) -> None:
        self.telegram, self._run = run.telegram, run
        self.scenes: list[list[Said]] = [[]]

    def at(self, time: str) -> None:
        """Set the clock to that time of the day."""
        self._run.at(f"{DAY}T{time}")

    def says(self, text: str, *, shown: str = "", note: str = "", **how: Any) -> Any:
        """Send a message, and return it."""
        sent = self.telegram.receives(text, **how)
        picture = how.get("photo", b"")
        said = Said("owner", self.telegram.clock, shown or text, picture=picture, note=note)
        self.scenes[-1].append(said)
        return sent

    def gets(self, so_far: int, count: int = 1) -> list[Any]:
        """Wait for the bot's next messages; record and return them."""
        sent = self.telegram.wait_sent(so_far + count, timeout=90)[so_far : so_far + count]
        for each in sent:
            self.shows(each)
        return list(sent)

    def asks(self, text: str, count: int = 1, **how: Any) -> Any:
        """Send a message, wait for `count` replies, and return the last one."""
        so_far = len(self.telegram.sent)
        self.says(text, **how)
        return self.gets(so_far, count)[-1]

    def shows(self, message: Any, *, pressed: str = "") -> None:
        """Record a message of Sam's in its present state."""
        rows = message.fields.get("reply_markup", {}).get("inline_keyboard", [])
        buttons = tuple(tuple(each["text"] for each in row) for row in rows)
        photo = message.fields.get("photo")
        self.scenes[-1].append(
            Said(
                "Sam",
                self.telegram.clock,
                plain(message.text).replace(str(self._run.sam.folder), "~/Sam"),
                buttons,
                pressed,
                photo.data if photo is not None else b"",
            )
        )

    def presses(self, message: Any, label: str) -> Any:
        """Press a button of the message recorded last; record and return the edited message."""
        last = self.scenes[-1][-1]
        self.scenes[-1][-1] = Said(
            last.who, last.at, last.text, last.buttons, label, last.picture, last.note
        )
        so_far = len(self.telegram.edited)
        rows = message.fields["reply_markup"]["inline_keyboard"]
        [data] = [each["callback_data"] for row in rows for each in row if each["text"] == label]
        self.telegram.presses(message, data)
        wait_until(lambda: len(self.telegram.edited) > so_far, f"what {label} does")
        changed = self.telegram.edited[-1]
        self.shows(changed)
        return changed


def scenes() -> list[tuple[Said, ...]]:
    """Play the day in a new folder; return the recorded scenes."""
    with (
        tempfile.TemporaryDirectory() as name,
        in_thread(lambda: FakeTranscription.running(texts=[HEARD])) as ears,
        running(
            Path(name),
            f"{DAY}T08:00",
            _script,
            TELEGRAM_ALLOWED_USERS="",
            BURST_SECONDS="1.5",
            TRANSCRIBE_BASE_URL=ears.url,
            SAM_TEST_MINUTE="0.5",
        ) as run,
    ):
        phone = Phone(run)
        for part in (_pairing, _morning, _afternoon, _evening, _status):
            part(phone, run)
            phone.scenes.append([])
        return [tuple(each) for each in phone.scenes if each]


def _pairing(phone: Phone, run: Run) -> None:
    wait_until(lambda: "/pair " in run.sam.log.read_text("utf-8"), "a code")
    phone.asks("Hello?")
    [code] = re.findall(r"/pair (\S+)", run.sam.log.read_text("utf-8"))[:1]
    question = phone.asks(f"/start {code}", 2, shown="/start CODE")
    for answer in ("Ana", "UTC 08:00", "English", "Short and plain"):
        question = phone.presses(question, answer)
    del phone.scenes[-1][-4:-1]  # the other questions, which look like the first one
    phone.presses(question, "Accept")


def _morning(phone: Phone, run: Run) -> None:
    phone.at("08:20")
    phone.asks(CLARA)
    phone.asks("/remind today 13:45 call Clara about the song")
    phone.at("11:05")  # no silence of three hours: jobs would summarise it, sooner or later
    phone.asks(METER, photo=_meter())
    phone.at("11:06")
    so_far = len(phone.telegram.sent)
    phone.at("13:45")
    [reminder] = phone.gets(so_far)
    phone.presses(reminder, "Done")


def _afternoon(phone: Phone, run: Run) -> None:
    phone.at("15:10")
    so_far = len(phone.telegram.sent)
    for piece in PIECES:
        phone.says(piece)
    phone.gets(so_far)
    phone.at("16:30")
    phone.asks("", 2, shown="🎤 0:01", voice=b"OggS" + bytes(60))
    phone.at("17:00")
    so_far = len(phone.telegram.sent)
    message = phone.says("I want to book a table for six on Friday")
    phone.gets(so_far)
    so_far = len(phone.telegram.sent)
    phone.telegram.edits(message, "I want to book a table for four on Friday")
    told = "I want to book a table for four on Friday"
    phone.scenes[-1].append(Said("owner", phone.telegram.clock, told, note="edited"))
    [offer] = phone.gets(so_far)
    phone.presses(offer, "Answer again")
    phone.gets(so_far + 1)


def _evening(phone: Phone, run: Run) -> None:
    phone.at("19:30")
    phone.asks("/new")
    note = run.sam.folder / "vault" / "knowledge" / "relationship.md"
    wait_until(lambda: note.exists() and FACTS[2][0] in note.read_text("utf-8"), "the facts")
    phone.at("19:40")
    phone.asks(QUESTION)
    so_far = len(phone.telegram.sent)
    phone.at("20:00")
    [learned] = phone.gets(so_far)
    phone.presses(learned, "Keep 1")


def _status(phone: Phone, run: Run) -> None:
    phone.at("20:10")
    phone.asks("/status")
    phone.asks("/map")


def _meter() -> bytes:
    """Return a drawing that stands in for a photo of a water meter."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (320, 150), "#7d8a94")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((85, 0, 235, 150), "#dfe5e8", "#3c464d", 4)
    draw.rectangle((112, 55, 208, 93), "#20262a")
    font = ImageFont.load_default(28)
    draw.text((160, 74), "0 4 1 2 7", "#f2f2f2", font, "mm")
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def drawn(scenes: list[tuple[Said, ...]]) -> dict[str, str]:
    """Return the scenes as SVG documents, by file name."""
    return {
        name: _drawn(title, seen)
        for (name, title), seen in zip(TITLES.items(), scenes, strict=True)
    }


def _drawn(title: str, seen: tuple[Said, ...]) -> str:
    inside = Canvas()
    below, _ = chat(inside, seen, LEFT, WIDTH)
    height, canvas = below + 12, Canvas()
    whole = WIDTH + 2 * LEFT
    canvas.box(0, 0, whole, height + MARGIN, "page", 14)
    canvas.box(LEFT, MARGIN, WIDTH, height - MARGIN, "card", 10)
    canvas.text(LEFT + 16, MARGIN + 26, title, "bold")
    canvas.box(LEFT, MARGIN + 38, WIDTH, 1, "page")
    about = " ".join(f"{each.who}: {each.text}" for each in seen).replace("\n", " ")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {height + MARGIN:g}" '
            f'width="{whole}" height="{height + MARGIN:g}" role="img" '
            'aria-labelledby="title about">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="about">{escape(about)}</desc>',
            f"<style>{STYLE}{PRESSED}</style>",
            *canvas.parts,
            *inside.parts,
            "</svg>\n",
        )
    )

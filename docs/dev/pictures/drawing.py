"""Draw chat messages as an SVG that is legible on light and dark pages, and loads nothing."""

from __future__ import annotations

import base64
import re
import textwrap
from dataclasses import dataclass
from datetime import date, datetime
from xml.sax.saxutils import escape


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the chat. `buttons`: the labels below it, one per row; `pressed`: the one that
    was pressed; `picture`: a PNG above the text; `note`: small print below it, such as "edited"."""

    who: str
    at: datetime
    text: str
    buttons: tuple[tuple[str, ...], ...] = ()
    pressed: str = ""
    picture: bytes = b""
    note: str = ""


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
"""The style sheet. Both cards have their own background, so that they are legible on any page."""


class Canvas:
    """The elements of the picture, from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, kind: str, round: int = 0) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{round}" class="{kind}"/>'
        )

    def picture(self, x: float, y: float, w: float, h: float, png: bytes) -> None:
        data = base64.b64encode(png).decode()
        self.parts.append(
            f'<image x="{x:g}" y="{y:g}" width="{w:g}" height="{h:.0f}" '
            f'href="data:image/png;base64,{data}"/>'
        )

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "") -> None:
        """Add a line of text, unless it is empty; citations such as [1] are highlighted."""
        if not text:
            return
        shown = re.sub(r"\[\d+\]", r'<tspan class="mark">\g<0></tspan>', escape(text))
        how = f' class="{kind}"' * bool(kind) + f' text-anchor="{anchor}"' * bool(anchor)
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{how} xml:space="preserve">{shown}</text>')


def rows_of(text: str) -> list[tuple[str, bool]]:
    """Wrap a message into lines that fit a bubble, each with whether it is quoted (`> `)."""
    rows: list[tuple[str, bool]] = []
    for part in filter(None, text.split("\n")):
        quoted = part.startswith("> ")
        wrapped = textwrap.wrap(
            part.removeprefix("> "), 44 if quoted else 38, break_on_hyphens=False
        )
        rows += [(line, quoted) for line in wrapped]
    return rows


Point = tuple[float, float]


def bubble(
    canvas: Canvas, said: Said, top: float, left: float, width: float
) -> tuple[float, Point | None]:
    """Draw a message; return its lower edge, and where the line to its source starts."""
    rows, mine = rows_of(said.text), said.who == "owner"
    w = min(max((len(line) for line, _ in rows), default=0) * 7.6 + 28, width - 56)
    shown = 0.0
    if said.picture:
        w = width - 56
        across, down = _size(said.picture)
        shown = (w - 12) * down / across + 6
    if said.buttons:
        w = max(w, *(sum(len(label) * 7 + 22 for label in row) for row in said.buttons))
        w = min(w, width - 56)
    h = sum(SMALL if quoted else LINE for _, quoted in rows) + 30 + shown
    h += 8 * any(quoted for _, quoted in rows)
    x = left + width - w - 14 if mine else left + 14
    canvas.box(x, top, w, h, "mine" if mine else "his", 12)
    if said.picture:
        canvas.picture(x + 6, top + 6, w - 12, shown - 6, said.picture)
    y, source = top + 22 + shown, None
    for line, quoted in rows:
        if quoted and source is None:
            count = sum(quoted for _, quoted in rows)
            y += 5
            canvas.box(x + 12, y - 13, 3, count * SMALL + 1, "bar", 1)
            source = x + w, y - 4 + (count - 1) * SMALL / 2
        canvas.text(x + (22 if quoted else 13), y, line, "small dim" if quoted else "")
        y += SMALL if quoted else LINE
    below = f"{said.note} {said.at:%H:%M}".strip()
    canvas.text(x + w - 10, top + h - 7, below, "small dim", "end")
    for row in said.buttons:
        each = (w - 4 * (len(row) - 1)) / len(row)
        for number, label in enumerate(row):
            begins = x + number * (each + 4)
            kind = "pressed" if label == said.pressed else "his"
            canvas.box(begins, top + h + 4, each, 26, kind, 8)
            canvas.text(begins + each / 2, top + h + 21, label, "small", "middle")
        h += 30
    return top + h, source


def _size(png: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG, from its first chunk."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def chat(canvas: Canvas, said: tuple[Said, ...], left: float, width: float) -> tuple[float, Point]:
    """Draw the messages; return the lower edge, and where the line to the source starts."""
    y, source, day = 66.0, (0.0, 0.0), date.min
    for each in said:
        if each.at.date() != day:
            day = each.at.date()
            shown = f"{day:%A}, {day.day} {day:%B}"
            canvas.text(left + width / 2, y + 12, shown, "small dim", "middle")
            y += 24
        y, begins = bubble(canvas, each, y, left, width)
        source = begins or source
        y += 10
    return y, source

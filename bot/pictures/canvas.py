"""Draw lines, circles and text, and return a PNG; uses Pillow, and a font from a package.

Pictures are opaque, so that they are legible on light and dark chats. Pillow takes an eighth of a
second to import, so it is imported only when a picture is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import Any

from memory.text import ENGLISH, language, speaking

FAMILY = "Roboto"  # Latin, Greek and Cyrillic; about 1 MB
WITHOUT_GLYPHS = frozenset({"zh"})  # languages that it cannot write
SCALE = 2  # pixels per unit: phones have dense screens
CARD, INK, SOFT, LINE = "#ffffff", "#22272b", "#5b636b", "#c9c2b6"
COLOURS = {"name": "#1b6654", "place": "#8a5a12", "day": "#6f7780"}
"""The colours of the console's light theme. All but LINE have a contrast to CARD of 4.5 or more."""


class Canvas:
    """A picture. Sizes and coordinates are in units, from the upper left corner."""

    def __init__(self, width: int, height: int) -> None:
        from PIL import Image, ImageDraw

        self._image = Image.new("RGB", (width * SCALE, height * SCALE), CARD)
        self._draw = ImageDraw.Draw(self._image)

    def line(self, a: tuple[float, float], b: tuple[float, float], width: float = 1) -> None:
        ends = [(x * SCALE, y * SCALE) for x, y in (a, b)]
        self._draw.line(ends, fill=LINE, width=max(1, round(width * SCALE)))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled rectangle with rounded upper corners."""
        corners = [x * SCALE, y * SCALE, (x + width) * SCALE, (y + height) * SCALE]
        self._draw.rounded_rectangle(
            corners, min(3 * SCALE, height * SCALE / 2), colour, corners=(True, True, False, False)
        )

    def circle(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a filled circle with an outline in the background colour."""
        corners = [(v + d) * SCALE for d in (-radius, radius) for v in (x, y)]
        self._draw.ellipse(corners, colour, CARD, 2 * SCALE)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = INK,
        *,
        anchor: str = "ls",
        bold: bool = False,
        rim: bool = False,
    ) -> None:
        """Draw one line of text at its baseline. `anchor`: as in Pillow; `rim`: outline the letters
        in the background colour."""
        self._draw.text(
            (x * SCALE, y * SCALE),
            text,
            colour,
            _font(size, bold=bold),
            anchor,
            stroke_width=3 * SCALE if rim else 0,
            stroke_fill=CARD,
        )

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of a line of text, in units."""
        return float(_font(size, bold=bold).getlength(text)) / SCALE

    def png(self) -> bytes:
        out = BytesIO()
        self._image.save(out, "PNG", optimize=True)
        return out.getvalue()


@contextmanager
def drawable_language() -> Iterator[None]:
    """Use English in this context where the font lacks the glyphs of the current language."""
    with speaking(ENGLISH if language() in WITHOUT_GLYPHS else language()):
        yield


def is_drawable(text: str) -> bool:
    """Return whether the font has a glyph for each character."""
    font = _font(16)
    none = bytes(font.getmask("\U0010fffd"))
    return all(char == " " or bytes(font.getmask(char)) != none for char in text)


@cache
def _font(size: float, *, bold: bool = False) -> Any:
    import fontpkg
    from PIL import ImageFont

    font = ImageFont.truetype(str(fontpkg.path(FAMILY)), round(size * SCALE))
    font.set_variation_by_name("SemiBold" if bold else "Regular")
    return font

"""Draw a chart of the last days: money spent, and messages kept. Also in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.text import day_month, tn, tr

from .canvas import COLOURS, INK, SOFT, Canvas, drawable_language
from .daily import DayFigures

DAYS = 14
WIDTH, MARGIN, PANEL, BARS, FOOT = 440, 18, 158, 88, 12
HEAD = 46  # height of a panel's title, above its highest bar
EDGE = 6  # least distance of a text from the border
LEAST = 1  # height of a bar: Pillow refuses a box of less than a pixel
LEVELS = "▁▂▃▄▅▆▇█"

Figure = Callable[[DayFigures], float]


@drawable_language()
def png(days: Sequence[DayFigures]) -> bytes:
    canvas = Canvas(WIDTH, MARGIN + 2 * PANEL + FOOT)
    for number, (title, of, shown) in enumerate(_panels(days)):
        _panel(canvas, MARGIN + number * PANEL, title, days, of, shown)
    step = (WIDTH - 2 * MARGIN) / len(days)
    for number, each in enumerate(days):
        is_last = number == len(days) - 1
        if is_last or (number % 4 == 0 and len(days) - number > 2):
            middle = MARGIN + (number + 0.5) * step
            said = tr("today") if is_last else day_month(each.day)
            _centred(canvas, middle, MARGIN + 2 * PANEL - 4, said, SOFT)
    return canvas.png()


def _panels(days: Sequence[DayFigures]) -> list[tuple[str, Figure, Callable[[float], str]]]:
    """Return the title, the figure, and the formatter of values of each panel."""
    usd, count = _usd(sum(each.usd for each in days)), sum(each.messages for each in days)
    spent = tn("Spent: {usd} in {count} day", "Spent: {usd} in {count} days", len(days), usd=usd)
    messages = tn("{count} message", "{count} messages", count)
    written = tr("Written: {messages}", messages=messages)
    return [
        (spent, lambda day: day.usd, _usd),
        (written, lambda day: day.messages, lambda n: f"{n:.0f}"),
    ]


def _panel(
    canvas: Canvas,
    top: float,
    title: str,
    days: Sequence[DayFigures],
    of: Figure,
    shown: Callable[[float], str],
) -> None:
    canvas.text(MARGIN, top + 16, title, 18, bold=True)
    base, step = top + HEAD + BARS, (WIDTH - 2 * MARGIN) / len(days)
    canvas.line((MARGIN, base), (WIDTH - MARGIN, base))
    most = max(map(of, days))
    if not most:
        canvas.text(WIDTH / 2, base - BARS / 2, tr("nothing"), 14, SOFT, anchor="ms")
        return
    highest = max(days, key=of)
    for number, each in enumerate(days):
        if not of(each):
            continue
        height = max(LEAST, BARS * of(each) / most)
        left = MARGIN + number * step
        canvas.box(left + step * 0.14, base - height, step * 0.72, height, COLOURS["name"])
        if each is highest:
            _centred(canvas, left + step / 2, base - height - 5, shown(most), INK)


def _centred(canvas: Canvas, x: float, y: float, text: str, colour: str) -> None:
    """Draw a small text around x, moved as far as it has to be to stay within the picture."""
    half = canvas.width(text, 14) / 2 + EDGE
    canvas.text(min(max(x, half), WIDTH - half), y, text, 14, colour, anchor="ms")


def in_words(days: Sequence[DayFigures]) -> list[str]:
    """Describe the chart, one line per figure."""
    most, busiest = max(days, key=lambda day: day.usd), max(days, key=lambda day: day.messages)
    usd, count = _usd(sum(each.usd for each in days)), sum(each.messages for each in days)
    spent = tn("Spent in {count} day: {usd}", "Spent in {count} days: {usd}", len(days), usd=usd)
    kept = tn(
        "Written in {count} day: {messages}",
        "Written in {count} days: {messages}",
        len(days),
        messages=tn("{count} message", "{count} messages", count),
    )
    if most.usd:
        spent += tr("; the most on {day}: {usd}", day=day_month(most.day), usd=_usd(most.usd))
    if count:
        kept += tr(
            "; the most on {day}: {messages}", day=day_month(busiest.day), messages=busiest.messages
        )
    return [f"{spent}.", f"{kept}."]


def in_bars(days: Sequence[DayFigures]) -> list[str]:
    """Return the chart as block characters, one line per figure, oldest day first."""
    values = [each.usd for each in days], [float(each.messages) for each in days]
    return [f"{_bars(row)} {words}" for row, words in zip(values, in_words(days), strict=True)]


def _bars(values: Sequence[float]) -> str:
    most = max(values) or 1.0
    return "".join(
        LEVELS[min(len(LEVELS) - 1, round(value / most * (len(LEVELS) - 1)))] if value else "·"
        for value in values
    )


def _usd(value: float) -> str:
    return f"${value:.2f}" if value >= 0.005 or not value else tr("less than $0.01")

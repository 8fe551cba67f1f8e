"""Pictures in a chat: the chart of /status, and /map; the terminal shows them as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.pictures import DayFigures, Mention, Names, chart
from bot.pictures import map as knowledge_map
from bot.pictures.canvas import CARD, COLOURS, INK, LINE, SCALE, SOFT
from memory import Usage
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Sent
from tests.support.homes import Home
from tests.support.telegram import NOON, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

TODAY = date(2026, 2, 12)
FACTS = (
    "# Relationship\n\n"
    "- His sister Clara lives in Lisbon with Anton (updated:: 2026-02-11) ^f1clar\n"
    "- My doctor Quentin treats Clara (updated:: 2026-02-11) #sam/sensitive ^f1quen\n"
)
SEALED = "---\nprivacy: sealed\n---\n\n- Met Zora in Madrid with Clara ^zora11\n"


def picture_of(sent: Sent) -> Image.Image:
    """Return the uploaded picture; fail if it was sent as a URL."""
    assert sent.method == "sendPhoto"
    picture = Image.open(BytesIO(sent.fields["photo"].data))
    assert (picture.format, picture.mode) == ("PNG", "RGB"), "opaque, so legible on any chat"
    return picture


def bars(png: bytes) -> list[list[float]]:
    """Return the bar heights of each panel, oldest day first, as fractions of the highest."""
    picture = Image.open(BytesIO(png))
    inside = (chart.WIDTH - 2 * chart.MARGIN) / chart.DAYS
    green = tuple(bytes.fromhex(COLOURS["name"][1:]))
    found = []
    for panel in range(2):
        base = chart.MARGIN + panel * chart.PANEL + chart.HEAD + chart.BARS
        rows = range(int((base - chart.BARS - 1) * SCALE), int(base * SCALE))
        columns = [int((chart.MARGIN + (n + 0.5) * inside) * SCALE) for n in range(chart.DAYS)]
        heights = [sum(picture.getpixel((x, y)) == green for y in rows) for x in columns]
        found.append([height / (max(heights) or 1) for height in heights])
    return found


def fortnight(usd: dict[int, float], messages: dict[int, int]) -> list[DayFigures]:
    """Return the days up to today with these figures, keyed by days ago."""
    ago = range(chart.DAYS - 1, -1, -1)
    return [DayFigures(TODAY - timedelta(days=n), usd.get(n, 0.0), messages.get(n, 0)) for n in ago]


def test_each_bar_is_as_high_as_its_day_was_dear_and_talkative() -> None:
    money, messages = bars(chart.png(fortnight({13: 0.5, 1: 1.0, 0: 0.25}, {6: 30, 0: 10})))
    assert money == pytest.approx([0.5, *[0] * 11, 1, 0.25], abs=0.02)
    assert messages == pytest.approx([*[0] * 7, 1, *[0] * 5, 1 / 3], abs=0.02)


def test_a_day_that_is_next_to_nothing_beside_another_has_a_bar_too() -> None:
    """As one on which only passages were embedded, beside one of long conversations."""
    money, messages = bars(chart.png(fortnight({1: 3.0, 0: 0.0001}, {1: 5000, 0: 1})))
    assert 0 < money[-1] < 0.05 and 0 < messages[-1] < 0.05


@pytest.mark.parametrize("ago", [0, chart.DAYS - 1])
def test_the_value_above_the_first_and_the_last_bar_is_not_cut_off(ago: int) -> None:
    picture = Image.open(BytesIO(chart.png(fortnight({ago: 0.001}, {}))))
    top = (chart.MARGIN + chart.HEAD - 20) * SCALE
    for x in (0, picture.width - 3):
        edge = picture.crop((x, top, x + 3, top + 20 * SCALE))
        assert edge.getcolors() == [(edge.width * edge.height, (255, 255, 255))]


def test_the_same_is_said_in_words_and_in_characters() -> None:
    days = fortnight({13: 0.5, 1: 1.0}, {0: 1})
    assert chart.in_bars(days) == [
        "▅···········█· Spent in 14 days: $1.50; the most on 11 Feb: $1.00.",
        "·············█ Written in 14 days: 1 message; the most on 12 Feb: 1.",
    ]
    nothing = fortnight({}, {})
    assert chart.in_words(nothing)[0] == "Spent in 14 days: $0.00."
    assert bars(chart.png(nothing)) == [[0.0] * 14] * 2


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of two colours, as defined by WCAG 2."""

    def luminance(colour: str) -> float:
        channels = [value / 255 for value in bytes.fromhex(colour[1:])]
        red, green, blue = (
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [INK, SOFT, *COLOURS.values()])
def test_letters_and_shapes_stand_out(colour: str) -> None:
    assert contrast(colour, CARD) >= 4.5


async def test_status_comes_below_a_chart_of_the_last_days(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Good morning.")
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        telegram.clock = NOON - timedelta(days=3)
        used = Usage("anthropic", "claude-haiku-5-5", "turn", input=9, usd=2.0)
        await memory.log.usage.add(used)
        telegram.clock = NOON
        await telegram.asks("Good morning")
        await it.at_rest()
        status = await telegram.asks("/status")
        full = await telegram.asks("/status Full")
    money, messages = bars(status.fields["photo"].data)
    assert picture_of(status).size[0] == chart.WIDTH * SCALE
    assert money[-4] == 1 and 0 <= money[-1] < 0.1, "what the fake's answer cost is a small part"
    assert messages == [*[0.0] * 13, 1.0]
    assert "I am well." in status.text and "; the most on 9 Feb: $2.00." in status.text
    assert "Written in 14 days: 2 messages; the most on 12 Feb: 2." in status.text
    assert "More: /status full" in status.text
    assert full.method != "sendPhoto"


async def test_where_pictures_are_refused_the_words_come_alone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    telegram.fails(400, method="sendPhoto", description="Bad Request: not enough rights")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("Good morning")
        await it.at_rest()
        status = await telegram.asks("/status")
        await it.at_rest()
    assert status.method != "sendPhoto" and "Written in 14 days: 2 messages" in status.text
    assert "second time" not in status.text


async def test_the_map_shows_what_belongs_together_and_nothing_private(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        empty = await telegram.asks("/map")
        vault = it.profiles["owner"].memory.vault.root
        for name, text in (("relationship", FACTS), ("contextual", SEALED)):
            (vault / "knowledge").mkdir(exist_ok=True)
            (vault / "knowledge" / f"{name}.md").write_text(text, "utf-8")
        shown = await telegram.asks("/map")
        around = await telegram.asks("/map anton")
        unknown = await telegram.asks("/map Zora")
    assert empty.method != "sendPhoto" and "no names yet" in empty.text
    picture = picture_of(shown)
    drawn = {colour for _, colour in picture.getcolors(1 << 24) or ()}
    assert {tuple(bytes.fromhex(c[1:])) for c in COLOURS.values()} <= drawn
    assert "Lisbon (a place), 1 line: with " in shown.text and "Clara, 1 line" in shown.text
    assert "Quentin" not in shown.text and "Zora" not in shown.text
    assert picture_of(around).size == picture.size and around.text.startswith("• Anton, 1 line")
    assert "no place called Zora" in unknown.text


def test_the_map_draws_each_name_and_a_line_between_those_that_belong_together() -> None:
    rows = ("Met [[Clara]] in Oslo with [[Anton]]", "Asked [[Clara]] and [[Anton]]")
    seen = knowledge_map.map_names(Names(Mention(row, "a.md", TODAY) for row in rows))
    assert seen.edges

    def drawn(of: knowledge_map.KnowledgeMap, colour: str) -> int:
        image = Image.open(BytesIO(knowledge_map.png(of))).convert("RGB")
        wanted = tuple(bytes.fromhex(colour[1:]))
        return dict((c, n) for n, c in image.getcolors(1 << 24) or ()).get(wanted, 0)

    # One edge less has fewer pixels of a line, and longer names have more ink.
    fewer = replace(seen, edges=dict([*seen.edges.items()][:-1]))
    assert drawn(fewer, LINE) < drawn(seen, LINE)
    shorter = {key: key if seen.sorts[key] == "day" else key[:1] for key in seen.weights}
    renamed = replace(
        seen,
        weights={shorter[key]: weight for key, weight in seen.weights.items()},
        sorts={shorter[key]: sort for key, sort in seen.sorts.items()},
        edges={(shorter[a], shorter[b]): count for (a, b), count in seen.edges.items()},
    )
    assert drawn(renamed, INK) < drawn(seen, INK)


def test_a_long_name_stays_within_the_picture() -> None:
    name = "The house that nobody has lived in since the flood of 1962"
    seen = knowledge_map.map_names(
        Names([Mention(f"Sold [[{name}]] to [[Anton]]", "a.md", TODAY)]), name
    )
    picture = Image.open(BytesIO(knowledge_map.png(seen)))
    edge = picture.crop((picture.width - 3, 0, picture.width, knowledge_map.HEAD * SCALE))
    assert edge.getcolors() == [(edge.width * edge.height, (255, 255, 255))]


def test_names_that_the_font_cannot_write_have_numbers() -> None:
    rows = ("Met [[王芳]] and [[Анна]] in Oslo", "Asked [[王芳]]")
    seen = knowledge_map.map_names(Names(Mention(row, "a.md", TODAY) for row in rows))
    assert knowledge_map.numbered(seen) == {"王芳": 1}
    plain = knowledge_map.map_names(
        Names(Mention(row.replace("王芳", "#1"), "a.md", TODAY) for row in rows)
    )
    assert knowledge_map.numbered(plain) == {}
    assert knowledge_map.png(seen) != knowledge_map.png(plain), "another node comes first"


def test_the_terminal_has_the_same_in_words(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("knowledge/relationship.md", FACTS)
    done = home.sam("chat", stdin="my cat is called Miso\n/status\n/map\n/map nobody\n/quit\n")
    assert done.returncode == 0, done.stderr
    assert "·············█ Written in 14 days: 1 message" in done.stdout
    assert "Lisbon (a place), 1 line: with" in done.stdout
    assert "no place called nobody" in done.stdout

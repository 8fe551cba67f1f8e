"""The time zones of the places that people may name: cities, countries, and what is said around
them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.chat.introduction.places import FILE, is_offset, plain, zones_named
from bot.chat.introduction.questions import Unclear, typed_answer


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("Hamburg", "Europe/Berlin"),
        ("München", "Europe/Berlin"),
        ("muenchen", "Europe/Berlin"),
        ("Zürich", "Europe/Zurich"),
        ("Zurich, Switzerland", "Europe/Zurich"),
        ("Wien", "Europe/Vienna"),
        ("Mumbai", "Asia/Kolkata"),
        ("Boston", "America/New_York"),
        ("Washington, D.C.", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo", "America/Sao_Paulo"),
        ("Санкт-Петербург", "Europe/Moscow"),
        ("Киев", "Europe/Kyiv"),
        ("我住在北京", "Asia/Shanghai"),
        ("I'm in Linz", "Europe/Vienna"),
        ("Deutschland", "Europe/Berlin"),
        ("UK", "Europe/London"),
        ("I live in the UK", "Europe/London"),
        ("England", "Europe/London"),
        ("Czech Republic", "Europe/Prague"),
        ("Tenerife", "Atlantic/Canary"),
        ("Ontario", "America/Toronto"),
        ("america/new_york", "America/New_York"),
        ("Port-au-Prince", "America/Port-au-Prince"),
        ("UTC", "UTC"),
    ],
)
def test_a_place_names_its_time_zone(words: str, zone: str) -> None:
    assert zones_named(words) == (zone,)


@pytest.mark.parametrize("words", ["", "…", "Atlantis", "Spain", "GMT+2", "Sam", "a|b", "Europe"])
def test_other_words_name_none(words: str) -> None:
    """Spain has two times."""
    assert zones_named(words) == ()


def test_a_name_of_several_places_names_them_all() -> None:
    assert zones_named("Birmingham") == ("Europe/London", "America/Chicago")
    assert zones_named("Bali") == ("Asia/Makassar", "Asia/Kolkata"), "the island, and a city"


def test_the_file_names_only_time_zones_and_each_place_once() -> None:
    seen = set[str]()
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        zones, names = line.split("\t")
        for zone in zones.split():
            ZoneInfo(zone)
        for name in names.strip("|").split("|"):
            assert name == plain(name) and name not in seen
            seen.add(name)


@pytest.mark.parametrize("words", ["GMT+2", "UTC +05:30", "+2", "CET", "MESZ", "est"])
def test_an_offset_is_no_place(words: str) -> None:
    assert is_offset(words)
    assert isinstance(typed_answer("zone", words, is_reply=False), Unclear)


@pytest.mark.parametrize(
    "words",
    [
        "Nice",
        "Thanks",
        "Buy milk",
        "Where is Berlin?",
        "Remind me tomorrow at 9 to call",
        "明天开会",
    ],
)
def test_an_ordinary_message_is_no_answer(words: str) -> None:
    assert typed_answer("zone", words, is_reply=False) is None

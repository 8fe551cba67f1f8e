"""Names in lines, which ones occur together, and the layout of the map."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from bot.pictures import HEIGHT, WIDTH, Mention, Names, layout
from bot.pictures.layout import apart

DAY = date(2026, 2, 12)


def names(*rows: str) -> Names:
    return Names(Mention(row, "memories/2026-02-12.md", DAY) for row in rows)


def test_a_name_is_a_link_or_has_its_capital_letter_inside_of_a_sentence() -> None:
    found = names(
        "- Met Tomas in Oslo",
        "- Ordered a new plane",
        "- **Summary**: Planned a trip with [[people/Ana|her]] on Friday",
        "- Ana Meier came. Later it rained",
    )
    assert set(found.of) == {"Tomas", "Oslo", "Ana", "Meier", "2026-02-12"}
    assert len(found.of["Ana"]) == 2, "known from a link, she is known at a beginning too"


def test_a_german_noun_is_no_name_although_it_has_a_capital_letter() -> None:
    found = names(
        "- Hat den Zahnarzt angerufen und einen Termin für Donnerstag",
        "- Fährt mit Anna Neumann nach Dortmund",
        "- Unser Kater Mogli war mit dem Hund im Tierpark",
        "- Hat Kopfschmerzen",
        "- Jonas, ein Freund, mag Kaffee und Kuchen und arbeitet bei Siemens",
    )
    people = {"Anna Neumann", "Mogli", "Jonas", "Siemens"}
    assert set(found.of) == {*people, "Dortmund", "2026-02-12"}
    assert found.sort("Dortmund") == "place"


def test_a_word_of_another_script_is_a_name_by_its_capital_letter_too() -> None:
    found = names("- Меня зовут Рут", "- Ο αδελφός μου Νίκος", "- 我的姐姐，住在里斯本")
    assert set(found.of) == {"Рут", "Νίκος", "2026-02-12"}


def test_a_link_to_a_line_is_no_name() -> None:
    assert set(names("- Remembered [[MEMORY#^q7rilv]]").of) == set()
    assert set(names("- Met [[people/Ana#Family|her]] again").of) == {"Ana", "2026-02-12"}


def test_the_first_word_is_a_name_with_a_comma_or_an_s_behind_it() -> None:
    found = names("- Clara, a sister, marries", "- Anton’s guitar is old", "- Yesterday, it rained")
    assert set(found.of) == {"Clara", "Anton", "2026-02-12"}
    assert set(names("- Ordered a plane", "- Clara wants a song").of) == set()


@pytest.mark.parametrize(
    ("row", "people"),
    [
        ("Sorry, 980", set()),
        ("Finally, the plumber came on Friday", set()),
        ("Wait, it is Ana's", {"Ana"}),
        ("Désolé, c'est Paul", {"Paul"}),
        ("Извини, не Борис", {"Борис"}),
        ("Zahnarzt am Freitag mit Jonas", {"Jonas"}),
        ("Vi a Marta el Lunes", {"Marta"}),
        ("J'ai vu Paul le Lundi", {"Paul"}),
        ("Met Ana at Christmas, and Tom Friday", {"Ana", "Tom"}),
        ("Met Jan in Oslo, rent is due in Feb and on 5 Jan", {"Jan", "Oslo"}),
        ("Both Li Na and Anna Winter came", {"Li Na", "Anna Winter"}),
    ],
)
def test_courtesies_and_words_for_time_are_no_names(row: str, people: set[str]) -> None:
    assert set(names(f"- {row}").of) - {"2026-02-12"} == people


def test_a_place_has_in_or_to_before_it_as_a_rule() -> None:
    found = names("- Met Tomas in Oslo", "- Flew to Oslo", "- Told Tomas of it", "- Went to Tomas")
    assert found.sort("Oslo") == "place" and found.sort("Tomas") == "name"
    assert found.sort("2026-02-12") == "day"


def test_edges_count_the_lines_that_name_both() -> None:
    found = names("- With Ana and Ben", "- Both Ana and Ben left", "- Only Ben stayed")
    edges = found.edges()
    assert edges["Ana", "Ben"] == 2 and edges["2026-02-12", "Ben"] == 3
    assert found.near("Ana", edges) == Counter({"Ben": 2, "2026-02-12": 2})


def test_the_picture_is_the_same_each_time_within_its_frame_and_groups_friends() -> None:
    keys = ["a", "b", "c", "x", "y", "z"]
    edges = {("a", "b"): 3, ("b", "c"): 2, ("x", "y"): 3, ("y", "z"): 1}
    placed = layout(keys, edges)
    assert placed == layout(list(reversed(keys)), edges)
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in placed.values())

    def far(a: str, b: str) -> float:
        (ax, ay), (bx, by) = placed[a], placed[b]
        return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)

    assert far("a", "b") < far("a", "x") and far("x", "y") < far("c", "y")
    assert layout(["alone"], {}) == {"alone": (WIDTH / 2, HEIGHT / 2)} and layout([], {}) == {}


def test_labels_do_not_cover_each_other() -> None:
    keys = [f"name {n}" for n in range(24)]
    edges = {(a, b): 1 for n, a in enumerate(keys) for b in keys[n + 1 : n + 3]}
    rooms = {key: (40.0 + n % 5 * 12, 14.0, 44.0) for n, key in enumerate(keys)}
    found = apart(layout(keys, edges), rooms, (WIDTH, HEIGHT))
    boxes = [
        (x - rooms[k][0], y - rooms[k][1], x + rooms[k][0], y + rooms[k][2])
        for k, (x, y) in found.items()
    ]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT
        for other in boxes[number + 1 :]:
            wide = min(right, other[2]) - max(left, other[0])
            high = min(bottom, other[3]) - max(top, other[1])
            assert wide <= 1 or high <= 1, "an overlap of a unit is not seen"

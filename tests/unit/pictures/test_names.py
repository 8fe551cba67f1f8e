"""Names in lines, what is named together, and the layout of the picture."""

from __future__ import annotations

from collections import Counter
from datetime import date

from bot.pictures import HEIGHT, WIDTH, Mention, Names, layout

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

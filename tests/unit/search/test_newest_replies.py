"""Sam's short reply to a statement counts as a part of it when the newest statement is searched."""

from __future__ import annotations

from datetime import date

from memory.search import Hit
from memory.search.newest.likeness import Likeness
from memory.search.newest.order import newest_first
from memory.search.newest.replacement import ReplacementOdds

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)
ASKED = "what time is the flight to malaga"


def hit(id_: int, text: str, day: date, score: float, role: str = "user") -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", role, score, id_, (id_,), chat="a")


def near(**deviations: float) -> Likeness:
    """Make the hits with these ids (`_2`) this similar to the first, and little to each other."""
    row = {int(name[1:]): each for name, each in deviations.items()}
    return {1: row, **{id_: {1: each} for id_, each in row.items()}}


TOLD = hit(1, "the flight to malaga is on saturday at 6.40", OLD, 0.8)
MOVED = hit(8, "easyjet emailed, 7.15. extra half hour in bed", NEW, 0.05)
CONFIRMED = hit(9, "The flight to Málaga is at 7.15 now.", NEW, 0.01, "assistant")
LIKE = near(_8=0.5, _9=1.0)


def odds(hits: list[Hit], likeness: Likeness = LIKE) -> float:
    """Return the log-odds that the last hit replaces the first one."""
    return ReplacementOdds(hits, likeness, ASKED).odds(hits[-1], hits[0])


def test_what_sam_confirms_replaces_the_older_value() -> None:
    """The statement names no subject, and no change; the reply names both, and is more like the
    older statement."""
    first, second, _ = newest_first([TOLD, CONFIRMED, MOVED], LIKE, ASKED)
    assert (first.chunk_id, first.until) == (8, None)
    assert (second.chunk_id, second.until) == (1, NEW)
    replaces = ReplacementOdds([TOLD, CONFIRMED, MOVED], LIKE, ASKED).features(MOVED, TOLD)
    alone = ReplacementOdds([TOLD, MOVED], LIKE, ASKED).features(MOVED, TOLD)
    assert (alone.near, alone.change, alone.cover) == (0.5, 0.0, 0.0)
    assert (replaces.near, replaces.change) == (1.0, 1.0)
    assert replaces.cover > 0.3 and replaces.shared > alone.shared


def test_only_the_short_reply_to_that_message_counts() -> None:
    """A longer one gives advice, and mentions much else."""
    alone = odds([TOLD, MOVED])
    assert odds([TOLD, CONFIRMED, MOVED]) > alone
    long = f"{CONFIRMED.text} {' '.join(f'pack item{n}' for n in range(20))}"
    for other in (
        CONFIRMED._replace(message_ids=(10,), chunk_id=10),  # not the next message
        CONFIRMED._replace(chat="b"),
        CONFIRMED._replace(date=date(2026, 3, 2)),
        CONFIRMED._replace(text=long),
    ):
        likeness = near(_8=0.5, _9=1.0, _10=1.0)
        found = ReplacementOdds([TOLD, other, MOVED], likeness, ASKED).features(MOVED, TOLD)
        without = ReplacementOdds([TOLD, MOVED], likeness, ASKED).features(MOVED, TOLD)
        assert found._replace(place=0.0) == without


def test_the_number_in_the_reply_is_the_value() -> None:
    """The owner wrote it in words."""
    new = MOVED._replace(text="easyjet moved it, quarter past seven, extra half hour in bed")
    found = ReplacementOdds([TOLD, CONFIRMED, new], LIKE, ASKED).features(new, TOLD)
    assert (found.same_form, found.no_number) == (1.0, 0.0)
    alone = ReplacementOdds([TOLD, new], LIKE, ASKED).features(new, TOLD)
    assert (alone.same_form, alone.no_number) == (0.0, 1.0)


def test_a_change_may_keep_the_number_of_what_it_replaces() -> None:
    old = hit(1, "choir is on tuesdays at 7.30", OLD, 0.7)
    new = hit(2, "choir moved to wednesdays, still 7.30", NEW, 0.4)
    asked = "what night is choir"
    likeness = near(_2=3.0)
    assert [each.chunk_id for each in newest_first([old, new], likeness, asked)] == [2, 1]
    repeated = new._replace(text="choir was lovely, 7.30 as ever, all tuesdays should be like it")
    assert [each.chunk_id for each in newest_first([old, repeated], likeness, asked)] == [1, 2]

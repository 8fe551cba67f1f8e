"""Sam's short reply to a statement counts as a part of it when the newest statement is searched."""

from __future__ import annotations

from datetime import date

from memory.search import Hit
from memory.search.newest import Likeness, newest_first

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)
ASKED = "what time is the flight to malaga"


def hit(id_: int, text: str, day: date, score: float, role: str = "user") -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", role, score, id_, (id_,), chat="a")


def near(**deviations: float) -> Likeness:
    """Make the hits with these ids (`_2`) this similar to any other."""
    return lambda _: {int(name[1:]): each for name, each in deviations.items()}


def order(hits: list[Hit], likeness: Likeness, question: str = ASKED) -> list[int]:
    return [each.chunk_id for each in newest_first(hits, likeness, question)]


TOLD = hit(1, "the flight to malaga is on saturday at 6.40", OLD, 0.8)
MOVED = hit(8, "easyjet emailed, 7.15. extra half hour in bed", NEW, 0.05)
CONFIRMED = hit(9, "The flight to Málaga is at 7.15 now.", NEW, 0.01, "assistant")
LIKE = near(_1=1.5, _8=0.5, _9=1.0)


def test_what_sam_confirms_replaces_the_older_value() -> None:
    """The statement names no subject, and no change; the reply names both, and is more like the
    older statement."""
    assert order([TOLD, MOVED], LIKE) == [1, 8]
    first, second, _ = newest_first([TOLD, CONFIRMED, MOVED], LIKE, ASKED)
    assert (first.chunk_id, first.until) == (8, None)
    assert (second.chunk_id, second.until) == (1, NEW)


def test_only_the_reply_to_that_message_counts() -> None:
    for other in (
        CONFIRMED._replace(message_ids=(10,), chunk_id=10),  # not the next message
        CONFIRMED._replace(chat="b"),
        CONFIRMED._replace(date=date(2026, 3, 2)),
    ):
        assert order([TOLD, other, MOVED], near(_1=1.5, _8=0.5, _9=1.0, _10=1.0))[0] == 1


def test_a_long_reply_does_not_count() -> None:
    """It gives advice, and mentions much else."""
    long = f"{CONFIRMED.text} {' '.join(f'pack item{n}' for n in range(20))}"
    assert order([TOLD, CONFIRMED._replace(text=long), MOVED], LIKE)[0] == 1


def test_the_number_in_the_reply_is_the_value() -> None:
    """The owner wrote it in words."""
    new = MOVED._replace(text="easyjet moved it, quarter past seven, extra half hour in bed")
    assert order([TOLD, CONFIRMED, new], LIKE)[0] == 8
    assert order([TOLD, new], near(_1=2.5, _8=2.5))[0] == 1


def test_a_change_may_keep_the_number_of_what_it_replaces() -> None:
    old = hit(1, "choir is on tuesdays at 7.30", OLD, 0.7)
    new = hit(2, "choir moved to wednesdays, still 7.30", NEW, 0.4)
    asked = "what night is choir"
    assert order([old, new], near(_1=3.0, _2=3.0), asked) == [2, 1]
    repeated = new._replace(text="choir was lovely, 7.30 as ever, all tuesdays should be like it")
    assert order([old, repeated], near(_1=3.0, _2=3.0), asked) == [1, 2]


def test_a_new_place_needs_no_number() -> None:
    old = hit(1, "margaret stays at the inn in keynsham from 6 may, 3 nights", OLD, 0.8)
    new = hit(2, "margaret stays at mandy's now, she won't hear of an inn in keynsham", NEW, 0.1)
    likeness = near(_1=2.0, _2=2.0)
    assert order([old, new], likeness, "where does margaret stay?") == [2, 1]
    assert order([old, new], likeness, "when does margaret come?") == [1, 2]

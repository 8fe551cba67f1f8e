"""Where Sam's words are asked for, Sam's answer comes before the message that it answers."""

from __future__ import annotations

from datetime import date

import pytest

from memory.search import Hit
from memory.search.sams_answers import sams_answers_first

DAY = date(2026, 2, 1)


def hit(id_: int, score: float, role: str = "user", day: date = DAY, chat: str = "") -> Hit:
    found = Hit("log/x", 1, 1, "", "words", day, "message", role, score, id_, (id_,))
    return found._replace(chat=chat)


def test_sams_answer_comes_before_the_message_that_it_answers() -> None:
    hits = [hit(5, 0.6), hit(1, 0.5), hit(2, 0.4, "assistant"), hit(6, 0.2, "assistant")]
    found = sams_answers_first(hits)
    assert [(each.chunk_id, each.score) for each in found] == [
        (6, 0.6),
        (5, 0.6),
        (2, 0.5),
        (1, 0.5),
    ]


@pytest.mark.parametrize(
    "hits",
    [
        [hit(2, 0.6, "assistant"), hit(1, 0.5)],  # already first
        [hit(1, 0.6), hit(3, 0.5, "assistant")],  # an answer to another message
        [hit(1, 0.6), hit(2, 0.5)],  # the owner's next message
        [hit(1, 0.6, "assistant"), hit(2, 0.5, "assistant")],
        [hit(1, 0.6), hit(2, 0.5, "assistant", date(2026, 2, 2))],
        [hit(1, 0.6), hit(2, 0.5, "assistant", chat="telegram:7")],
        [hit(7, 0.9), hit(8, 0.8), hit(9, 0.7), hit(1, 0.6), hit(2, 0.5, "assistant")],  # not best
    ],
)
def test_otherwise_hits_keep_their_order(hits: list[Hit]) -> None:
    assert sams_answers_first(hits) == hits

"""The messages right before and after a hit: from which session, and how they are shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.log import Log, Message, Said
from memory.search import Hit
from memory.text.sanitize import quote
from memory.tools.context import Around, around, line, messages_of
from tests.fakes.log_rows import answered, row

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    opened = await Log.open(tmp_path / "log.db", lambda: NOON)
    yield opened
    await opened.close()


class Talk:
    """Logs messages, and finds them by their text."""

    def __init__(self, log: Log) -> None:
        self.log, self.ids = log, dict[str, int]()

    async def asks(self, text: str, *, chat: str = "telegram:7", **given: Any) -> int:
        """Log a message of the owner; return the turn's id."""
        key = f"{chat}:{len(self.ids)}"
        turn = await self.log.messages.begin(Said(key, chat, text, NOON, **given))
        self.ids[text] = turn.message.id
        return turn.id

    async def answers(self, turn: int, text: str, **given: Any) -> None:
        said = await self.log.messages.answer(turn, text, sent_at=NOON, **given)
        self.ids[text] = said.id

    async def around(self, *texts: str, shown: tuple[str, ...] = ()) -> list[list[str]]:
        """Return what is shown around the messages with those texts."""
        hits = [hit(self.ids[text]) for text in texts]
        near = await around(hits, self.log.messages, {self.ids[text] for text in shown})
        return [near[each.chunk_id].lines(99) for each in hits]


def hit(message: int, **given: Any) -> Hit:
    values: dict[str, Any] = {
        "path": "log/2026-02-12",
        "start_line": 1,
        "end_line": 1,
        "heading": "",
        "text": "",
        "date": date(2026, 2, 12),
        "kind": "message",
        "role": "user",
        "score": 0.9,
        "chunk_id": 1000 + message,
        "message_ids": (message,),
    }
    return Hit(**{**values, **given})


async def test_one_before_and_one_after_of_the_same_session(log: Log) -> None:
    talk = Talk(log)
    await talk.answers(await talk.asks("The last session"), "is another one")
    await log.sessions.end("telegram:7", NOON)
    first = await talk.asks("When does it close?")
    await talk.asks("Elsewhere", chat="telegram:8")
    await talk.answers(first, "At nine.")
    await talk.asks("Thanks")
    assert await talk.around("At nine.") == [
        ["before: User: When does it close?", "after: User: Thanks"]
    ]
    assert await talk.around("When does it close?") == [["after: Sam: At nine."]]
    assert await talk.around("Thanks") == [["before: Sam: At nine."]]
    assert await talk.around("Elsewhere") == [[]]
    assert await talk.around("is another one") == [["before: User: The last session"]]


async def test_what_no_model_may_see_is_passed_over(log: Log) -> None:
    talk = Talk(log)
    await talk.asks("The visible one")
    await talk.asks("A sensitive one", privacy="sensitive")
    await talk.asks("A sealed one", privacy="sealed")
    await talk.asks("", unlogged="incognito")
    asked = await talk.asks("The one that is found")
    await talk.answers(asked, "What I recall", origin="recall")
    await talk.asks("The next one")
    assert await talk.around("The one that is found") == [
        ["before: User: The visible one", "after: User: The next one"]
    ]


async def test_what_was_forgotten_is_passed_over(log: Log) -> None:
    talk = Talk(log)
    await talk.asks("The one before")
    await talk.asks("The one that is found")
    await log._db.write(
        lambda db: db.execute("UPDATE message SET state = 'forgotten' WHERE id = 1")
    )
    assert await talk.around("The one that is found") == [[]]


async def test_an_answer_belongs_to_its_question_whatever_was_logged_between(log: Log) -> None:
    talk = Talk(log)
    one, two = await talk.asks("One?"), await talk.asks("Two?")
    await talk.answers(one, "1.")
    await talk.answers(two, "2.")
    assert await talk.around("One?") == [["after: Sam: 1."]]
    assert await talk.around("1.") == [["before: User: One?", "after: User: Two?"]]
    assert await talk.around("2.") == [["before: User: Two?"]]


async def test_what_stands_there_already_is_not_told_again(log: Log) -> None:
    talk = Talk(log)
    turn = await talk.asks("A?")
    await talk.answers(turn, "B.")
    await talk.answers(await talk.asks("C?"), "D.")
    assert await talk.around("A?", "B.") == [[], ["after: User: C?"]], "another hit is not context"
    assert await talk.around("A?", "C?") == [["after: Sam: B."], ["after: Sam: D."]], "once"
    assert await talk.around("B.", shown=("A?",)) == [["after: User: C?"]]


async def test_all_hits_take_one_query_and_notes_none(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Talk(log)
    for number in range(12):
        await talk.answers(await talk.asks(f"question {number}"), f"answer {number}")
    reads, read = [], log._db.read

    async def counted(work: Any) -> Any:
        reads.append(work)
        return await read(work)

    monkeypatch.setattr(log._db, "read", counted)
    hits = [hit(talk.ids[f"question {number}"]) for number in range(12)]
    assert len(list(messages_of(await around(hits, log.messages)))) == 12, "each once"
    assert len(reads) == 1
    assert await around([hit(1, kind="note", message_ids=())], log.messages) == {}
    assert len(reads) == 1


OWN = row(1, "Yes,\n  that one")
QUOTING = row(2, f"{quote('pay Eve 500 euros', 'Bob')}\nWhat do you think?")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (OWN, "User: Yes, that one"),
        (answered(3, 1, "No."), "Sam: No."),
        (row(4, "Pay now", origin="forwarded"), "User (forwarded): Pay now"),
        (row(4, "Under the pot", origin="other", author="Lena"), "Lena: Under the pot"),
        (row(4, "Under the pot", origin="other"), "Somebody else: Under the pot"),
        (row(4, "Pay now", origin="other", author="usеr"), "usеr (other): Pay now"),
        (row(4, "Pay now", origin="other", author="Sam "), "Sam (other): Pay now"),
        (QUOTING, "User: What do you think?"),
        (row(5, "word " * 100), f"User: {('word ' * 7).strip()} …"),
    ],
)
def test_a_line_says_who_spoke_and_is_short(message: Message, shown: str) -> None:
    assert line(message, 40) == shown


@pytest.mark.parametrize("author", ["", " "])
def test_a_member_of_a_group_without_a_name_is_somebody(author: str) -> None:
    assert line(row(4, "At nine", author=author), 40, owner="") == "Somebody: At nine"
    assert line(row(4, "At nine", author="Bob"), 40, owner="") == "Bob: At nine"


def test_people_are_told_in_their_own_words() -> None:
    near = Around(row(4, "Pay now", origin="forwarded"), row(5, "Shall I?", author="Ana"))
    assert near.lines(99, "") == ["before: Somebody (forwarded): Pay now", "after: Ana: Shall I?"]
    assert near.lines(99, "You") == ["before: You (forwarded): Pay now", "after: You: Shall I?"]

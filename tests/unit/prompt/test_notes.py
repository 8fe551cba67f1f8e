"""Which hits add something new to a context."""

from __future__ import annotations

from datetime import date
from typing import Any

from bot.prompt.format_notes import Fresh, line, passage, readable, readers_title
from memory.search import Hit
from memory.text import speaking
from tests.fakes.log_rows import row


def hit(number: int, text: str, kind: str = "summary", messages: tuple[int, ...] = ()) -> Hit:
    values: dict[str, Any] = {
        "path": "memories/2026-02-12.md",
        "start_line": number,
        "end_line": number,
        "heading": "",
        "text": text,
        "date": date(2026, 2, 12),
        "kind": kind,
        "role": None,
        "score": 1.0,
        "chunk_id": number,
        "message_ids": messages,
    }
    return Hit(**values)


def test_what_the_conversation_says_is_not_told_by_its_summary_as_well() -> None:
    told = hit(1, "- **Summary**: A talk of tea\n- Likes #green tea\n- Drinks it cold")
    more = hit(2, "- Likes #green tea\n- and coffee, the owner added")
    summary = hit(3, "- **Summary**: A talk of something else")
    fresh = Fresh([], {7, 8}, ["Likes \\#green tea", "Drinks it cold"])
    fact = hit(4, "Drinks it cold", "fact")
    assert fresh.select([told, more, summary, fact], 5) == [more, summary, fact]


def test_a_message_of_the_conversation_is_no_hit_and_neither_is_what_stands_in_a_file() -> None:
    shown, said = hit(1, "Miso  is a cat"), hit(2, "My cat!", "message", (8,))
    other = hit(3, "My dog!", "message", (9,))
    fresh = Fresh(["She says that Miso is a\ncat."], {7, 8}, [])
    assert fresh.select([shown, said, other, other], 5) == [other]
    assert fresh.select([other], 5) == [], "each is taken once, of all lists"


def test_a_short_answer_is_shown_behind_the_message_that_it_answers() -> None:
    said, answer = hit(1, "5.8", "message", (8,)), hit(2, "Dosa is at 5.8 kg.", "message", (9,))
    answer = answer._replace(role="assistant")
    assert Fresh([], (), []).select([said, answer], 5) == [said]
    for first, second in (
        (answer, said),  # the answer is what was asked for
        (said, answer._replace(text="x" * 201)),  # its end would not be shown
        (said, answer._replace(message_ids=(10,))),
        (said, answer._replace(chat="b")),
        (said, answer._replace(role="user")),
        (said._replace(kind="summary"), answer),  # it is shown without context
    ):
        assert Fresh([], (), []).select([first, second], 5) == [first, second]


def test_no_more_are_picked_than_are_wanted() -> None:
    assert len(Fresh([], (), []).select([hit(n, f"- Line {n}") for n in range(5)], 2)) == 2


LINKS = """\
# Memories — 2026-02-12

## 09:00:00

- Remembered [[MEMORY#^nd50jc]]

## 10:00:00

- **Summary**: Talked about the dog ^aaa111
- The dog is called Rex

## 11:00:00

- Remembered (voice) [[MEMORY#^abc123]]
- Bought milk
"""


def test_a_link_to_a_line_of_memory_md_is_not_shown_since_the_line_is() -> None:
    shown = readable(LINKS, "memories/2026-02-12.md", date(2026, 2, 12))
    assert "Remembered" not in shown and "09:00" not in shown
    assert shown.endswith("- The dog is called Rex\n\n## 11:00:00\n\n- Bought milk")
    link, other = hit(1, "- Remembered [[MEMORY#^nd50jc]]"), hit(2, "- The dog is called Rex")
    assert Fresh([], (), []).select([link, other], 5) == [other]


def test_a_summary_is_one_line_without_the_marks_of_its_list() -> None:
    summary = hit(1, "- **Summary**: A talk of tea\n- Likes green tea\n- Action: buy some")
    assert line(summary) == "[2026-02-12] A talk of tea; Likes green tea; Action: buy some"


def test_a_passage_says_whose_words_it_has() -> None:
    found = hit(1, "The summer party is on 26 June.", "message", (7,))
    said = row(7, found.text, origin="forwarded", author="The school")
    titles = [passage(found, {7: said}).title, passage(found, {7: row(7, found.text)}).title]
    assert titles == [
        "Conversation of 2026-02-12: forwarded, by The school: not the owner's own words",
        "Conversation of 2026-02-12: the owner",
    ]


def test_its_title_is_another_for_the_reader() -> None:
    others = ("forwarded, by Ana", "other", "other, by Sam")
    by = ("the owner", "Sam", *(f"{each}: not the owner's own words" for each in others))
    titles = [f"Conversation of 2026-02-12: {each}" for each in by]
    with speaking("de"):
        assert [readers_title(title) for title in (*titles, "Memory (2026-02-12)")] == [
            "Gespräch vom 2026-02-12",
            "Gespräch vom 2026-02-12: Sam",
            "Gespräch vom 2026-02-12: Ana",
            "Gespräch vom 2026-02-12: Jemand anderes",
            "Gespräch vom 2026-02-12: Sam (other)",
            "Memory (2026-02-12)",
        ]

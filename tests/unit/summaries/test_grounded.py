"""Grounding of bullets: statements pass in every language, inventions do not."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory.log import Message
from memory.summaries.draft import DraftBullet
from memory.summaries.grounded import grounded, ungrounded
from tests.fakes.log_rows import answered, row

SAID_AT = datetime(2026, 2, 12, 12, tzinfo=UTC)  # a Thursday
SAID: list[list[str]] = yaml.safe_load(
    (Path(__file__).parents[2] / "data" / "facts_said.yaml").read_text("utf-8")
)
"""Language, the owner's words, a statement that follows from them, the quotation."""
GERMAN: dict[str, list[list[str]]] = yaml.safe_load(
    (Path(__file__).parents[2] / "data" / "german_bullets.yaml").read_text("utf-8")
)
"""The owner's words, and a bullet in other words."""
NAMES = ("Wolfenbüttel", "Xanthippe", "Ouagadougou", "Lukas", "Hamburg", "Siemens")
NAMELESS = {"ja", "zh", "ko", "ar", "he", "hi", "th"}
"""Languages in which capitals do not mark names, or do not exist."""


def say(text: str, **given: Any) -> Message:
    return row(1, text, **{"sent_at": SAID_AT, **given})


def refused(bullet: DraftBullet, *messages: Message, **given: Any) -> Counter[str]:
    return grounded([bullet], messages, UTC, **given).refused


def bullet(text: str, quote: str, *messages: int) -> DraftBullet:
    return DraftBullet(text=text, quote=quote, messages=list(messages or (1,)))


@pytest.mark.parametrize(("language", "said", "text", "quote"), SAID)
def test_what_was_said_gets_through(language: str, said: str, text: str, quote: str) -> None:
    assert not refused(bullet(text, quote), say(said))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Was drafted by a team, a dream come true! Xanthippe", "name"),
        ("Was drafted by a team. Ouagadougou.", "name"),
        ("Was drafted by a team! Dream come true.", ""),
        ("Was drafted by a team. Lakers!", ""),
    ],
)
def test_a_name_alone_behind_a_sentence_is_checked(text: str, reason: str) -> None:
    said = say("I was drafted by a team, the Lakers, my dream come true")
    assert refused(bullet(text, "drafted by a team"), said) == ({reason: 1} if reason else {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Beim Bouldern umgeknickt, der Knöchel ist blau Wolfenbüttel", "name"),
        ("Beim Bouldern umgeknickt, der Knöchel ist blau", ""),
        ("Spoke of Beim Bouldern umgeknickt, der Knöchel ist blau und dick Wolfenbüttel", "name"),
        ("War beim Bouldern, der Knöchel ist nach einem Sturz blau", ""),
        ("Der Sturz beim Bouldern hat dem Knöchel nicht gutgetan", ""),  # has nouns of its own
    ],
)
def test_a_name_added_to_copied_german_is_checked(text: str, reason: str) -> None:
    said = say("Heute beim Bouldern umgeknickt, der Knöchel ist blau und dick")
    assert refused(bullet(text, "beim Bouldern umgeknickt"), said) == (
        {reason: 1} if reason else {}
    )


@pytest.mark.parametrize(("language", "said", "text", "quote"), SAID)
def test_what_was_made_up_does_not(language: str, said: str, text: str, quote: str) -> None:
    made_up = [
        (bullet(text, "the purple elephant sang"), "quote"),
        (bullet(text, quote, 7), "message"),
        (bullet(f"{text} 48131", quote), "number"),
        (bullet(f"{text} 2031-08-09", quote), "date"),
    ]
    if language not in NAMELESS:
        made_up.append((bullet(f"{text} Zaphoda Quux", quote), "name"))
    for each, reason in made_up:
        assert refused(each, say(said)) == {reason: 1}, each


@pytest.mark.parametrize(
    ("text", "quote", "messages"),
    [
        ("Booked flight BA123 on 2026-02-13 at 9:00", "yes, do that", (1, 3)),
        ("The trip to Oslo begins tomorrow, on Friday, 13 February 2026", "to Oslo tomorrow", (1,)),
        ("On 2026-02-12 a flight was chosen", "yes, do that", (3,)),
        ("Decided between two flights", "flies at 9:00", (2,)),
        ("Flight found. Book it with Sam", "flies at 9:00", (2,)),
    ],
)
def test_other_words_and_the_days_that_are_meant_are_free(
    text: str, quote: str, messages: tuple[int, ...]
) -> None:
    said = [
        say("I want to fly to Oslo tomorrow"),
        answered(2, 1, "BA123 flies at 9:00. Shall I note it?", sent_at=SAID_AT),
        row(3, "yes, do that", sent_at=SAID_AT),
    ]
    assert not refused(bullet(text, quote, *messages), *said)


def test_german_nouns_are_no_names_and_a_translation_may_write_them_otherwise() -> None:
    moving = say("ich will im Mai nach München umziehen")
    assert not refused(bullet("Plant im Mai einen Umzug nach München", "nach München"), moving)
    english = bullet("Plans the Relocation to Munich", "nach München")
    assert refused(english, moving) == {"name": 1}
    assert not refused(english, moving, translated=True)


def test_a_bullet_without_a_quote_stands_in_its_message_itself() -> None:
    said = say("I live in Rome. It is warm.")
    assert not refused(DraftBullet(text="I live in Rome", messages=[1]), said)
    assert refused(DraftBullet(text="Lives in Rome", messages=[1]), said) == {"quote": 1}


def test_what_is_private_is_no_source() -> None:
    said = say("I live in Rome", privacy="sensitive")
    assert refused(bullet("Lives in Rome", "live in Rome"), said) == {"quote": 1}


@pytest.mark.parametrize(("language", "said", "text", "quote"), SAID)
def test_the_line_of_a_summary_has_no_number_day_or_name_that_nobody_said(
    language: str, said: str, text: str, quote: str
) -> None:
    messages = [say("Hello Sam"), say(said)]
    assert ungrounded(f"About this: {text}", messages, UTC) == ""
    assert ungrounded(f"{text} 48131", messages, UTC) == "number"
    assert ungrounded(f"{text} 2031-08-09", messages, UTC) == "date"
    if language not in NAMELESS:
        assert ungrounded(f"{text} Zaphoda Quux", messages, UTC) == "name"
        assert ungrounded(f"{text} Zaphoda Quux", messages, UTC, translated=True) == ""


@pytest.mark.parametrize("part", ["developed_on", "held_out"])
def test_german_in_other_words_is_kept_and_no_name_that_nobody_said(part: str) -> None:
    rows = [(said, text, [say("Hallo Sam"), say(said)]) for said, text in GERMAN[part]]
    lost = [text for _, text, messages in rows if ungrounded(text, messages, UTC)]
    assert len(lost) <= (1 if part == "developed_on" else 3), lost
    through = [
        line
        for said, text, messages in rows
        for name in NAMES
        if name not in said
        for line in (f"{text} {name}", f"{text} in {name}", f"Spoke of {text} mit {name}")
        if ungrounded(line, messages, UTC) != "name"
    ]
    assert not through

"""Grounding: statements pass in every language, inventions do not."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory.knowledge.draft import DraftFact
from memory.knowledge.evidence.calendar_words import iso_days, numbers, stated_numbers
from memory.knowledge.grounding import CONTEXTUAL_DAYS, Grounded, ground
from memory.log import Message
from tests.fakes.log_rows import answered, row

SAID_AT = datetime(2026, 2, 12, 12, tzinfo=UTC)  # a Thursday
SAID: list[list[str]] = yaml.safe_load(
    (Path(__file__).parents[2] / "data" / "facts_said.yaml").read_text("utf-8")
)
"""Language, the owner's words, a fact that follows from them, the quotation."""
NAMES = {
    **{"ja": "タナカ", "zh": "王小明", "ko": "김민준", "ar": "محمود", "he": "משה", "hi": "राहुल"},
    **{"ru": "Борис", "el": "Γιώργος"},
}


def say(text: str, **given: Any) -> Message:
    return row(1, text, **{"sent_at": SAID_AT, **given})


def fact(text: str, quote: str, *messages: int, **given: Any) -> DraftFact:
    values = {"category": "biographical", "messages": list(messages or (1,)), **given}
    return DraftFact(text=text, quote=quote, **values)


def judged(draft: DraftFact, *messages: Message) -> Grounded:
    return ground([draft], messages, UTC)


def refusal(draft: DraftFact, *messages: Message) -> str:
    """Return why it was refused; "" if it was not."""
    found = judged(draft, *messages)
    assert len(found.facts) + found.refused.total() == 1
    return next(iter(found.refused), "")


def test_true_facts_in_many_languages_get_through() -> None:
    refused = [text for _, said, text, quote in SAID if refusal(fact(text, quote), say(said)) != ""]
    assert len(SAID) >= 100 and len({language for language, *_ in SAID}) >= 15
    assert len(refused) <= len(SAID) * 0.05, refused


def invented(draw: random.Random) -> list[tuple[str, DraftFact, list[Message]]]:
    """Yield seven inventions for each statement, with the kind of each."""
    made = []
    for language, said, text, quote in SAID:
        name = NAMES.get(language, draw.choice(["Gudrun", "Xavier Quint", "Zendesk", "Oslo"]))
        known = numbers(said) | numbers(text)
        number = next(n for _ in range(99) if (n := str(draw.randint(13, 97))) not in known)
        days = {day + timedelta(n) for day in iso_days(text) for n in range(-1, 2)}
        day = next(
            d
            for _ in range(99)
            if (d := date(2026, 2, 12) + timedelta(draw.randint(40, 700))) not in days
            and str(d.day) not in known
        )
        sams = answered(2, 1, said, sent_at=SAID_AT)
        other = say(said, origin=draw.choice(["forwarded", "quoted", "file", "other"]))
        passed_on = say("\n".join(["> Eve wrote:", f"> {said}", "Look at this."]))
        made += [
            ("name", fact(f"{text}, {name}", quote), [say(said)]),
            ("name", fact(f"{name} {text}", quote), [say(said)]),
            ("number", fact(f"{text}, {number}", quote), [say(said)]),
            ("date", fact(f"{text} {day.isoformat()}", quote), [say(said)]),
            ("quote", fact(text, f"{quote} really always"), [say(said)]),
            ("message", fact(text, quote, *draw.choice([(0,), (2,), (1, 9), ()])), [say(said)]),
            ("speaker", fact(text, quote, 2), [say("Hello"), sams]),
            ("quote", fact(text, quote, 1, 2), [say("Hello"), sams]),
            ("speaker", fact(text, quote), [other]),
            ("quote", fact(text, quote), [passed_on]),
        ]
    return made


@pytest.mark.parametrize("seed", [1, 2026])
def test_no_invention_of_a_thousand_gets_through(seed: int) -> None:
    got_through: list[tuple[str, str]] = []
    kinds: Counter[str] = Counter()
    for kind, draft, messages in invented(random.Random(seed)):
        if draft.messages == [1] and kind == "message":
            draft = draft.model_copy(update={"messages": []})
        kinds[kind] += 1
        found = refusal(draft, *messages)
        if not found:
            got_through.append((kind, draft.text))
    assert kinds.total() >= 1000 and min(kinds.values()) >= 100
    assert got_through == []


@pytest.mark.parametrize(
    ("text", "said", "quote", "reason"),
    [
        ("lives in Berlin", "I live in Hamburg", "I live in Hamburg", "name"),
        ("Gudrun is my sister", "my sister is nice", "my sister is nice", "name"),
        ("has seven cats", "I have cats", "I have cats", "number"),
        ("has 7 cats", "I have seven cats", "I have seven cats", ""),
        ("meeting is on Thursday", "the meeting is on Wednesday", "on Wednesday", "date"),
        ("meeting is on Wednesday", "the meeting is on Wednesday", "the meeting", ""),
        ("rendez-vous en mars", "rendez-vous en mai", "rendez-vous en mai", "date"),
        ("moves in March 2027", "I move in March", "I move in March", ""),
        ("moves in March 2029", "I move in March", "I move in March", "number"),
        ("moves in March 2027", "I move in March 2026", "I move in March", "number"),
        ("married on 2026-06-20", "we marry on 20 June", "we marry on 20 June", ""),
        ("married on 2026-07-20", "we marry on 20 June", "we marry on 20 June", "date"),
        ("works at a bank", "I love tea", "I love tea", "words"),
        ("allergic to nuts", "I am the one", "I am the", "quote"),  # nothing but stop words
        ("speaks Dutch", "I speak Dutch", "I speak", ""),
        ("speaks Dutch", "I speak Dutch", "", "quote"),
    ],
)
def test_a_fact_is_refused_for_the_first_reason_that_applies(
    text: str, said: str, quote: str, reason: str
) -> None:
    assert refusal(fact(text, quote), say(said)) == reason


def test_a_form_that_cannot_be_is_refused() -> None:
    said = say("I'm vegan")
    assert refusal(fact("vegan", "I'm vegan", category="secret"), said) == "form"
    assert refusal(fact(" ", "I'm vegan"), said) == "form"
    assert refusal(fact("vegan " * 90, "I'm vegan"), said) == "form"
    assert refusal(fact("key AKIAIOSFODNN7EXAMPLE", "I'm vegan"), said) == "form"  # a secret
    assert refusal(fact("vegan", "I'm vegan", confidence=0.2), said) == "confidence"
    assert refusal(fact("vegan", "I'm vegan", confidence=7), said) == "confidence"


def test_a_rule_needs_more_confidence_than_a_fact() -> None:
    said = say("Always answer in German please")
    draft = fact("answer in German", "Always answer in German", category="rule", confidence=0.7)
    assert refusal(draft, said) == "confidence"
    assert refusal(draft.model_copy(update={"confidence": 0.8}), said) == ""


def test_a_private_message_is_no_evidence() -> None:
    assert refusal(fact("vegan", "I'm vegan"), say("I'm vegan", privacy="sensitive")) == "speaker"


def test_in_a_group_a_fact_says_whose_it_is() -> None:
    rows = [say("I'm vegan", author="Ana"), row(2, "Me too", author="Bob", sent_at=SAID_AT)]
    assert refusal(fact("vegan", "I'm vegan"), *rows) == "author"
    assert refusal(fact("Ana is vegan", "I'm vegan"), *rows) == ""
    assert refusal(fact("vegan", "I'm vegan"), rows[0]) == ""


def test_a_kept_fact_names_the_owners_messages_alone() -> None:
    found = judged(
        fact("dog is called Rex", "called Rex", 1, 2, 3),
        say("my dog is called Rex"),
        answered(2, 1, "A fine name!", sent_at=SAID_AT),
        row(3, "and Rex is 4", sent_at=SAID_AT),
    )
    [kept] = found.facts
    assert kept.sources == (1, 3) and kept.text == "Dog is called Rex"
    assert kept.day == date(2026, 2, 12) and kept.expires is None


def test_a_name_that_begins_small_is_kept_as_it_is_spelled() -> None:
    [kept] = judged(fact("iPhone is broken", "iPhone"), say("my iPhone is broken")).facts
    assert kept.text == "iPhone is broken"


def test_a_life_is_kept_where_it_was_said_and_else_is_a_month_for_what_is_contextual() -> None:
    said = say("My mother visits us until 1 March 2026")
    given = {"category": "contextual", "quote": "My mother visits us"}

    def end(expires: str) -> date | None:
        [kept] = judged(fact("mother visits", messages=[1], expires=expires, **given), said).facts  # type: ignore[arg-type]
        return kept.expires

    default = date(2026, 2, 12) + timedelta(days=CONTEXTUAL_DAYS)
    assert end("2026-03-01") == date(2026, 3, 1)
    assert end("2026-03-02") == date(2026, 3, 2)  # the day after the last one
    assert end("2026-05-07") == end("") == end("soon") == end("2020-03-01") == default


def test_a_fact_that_is_proposed_twice_is_kept_once() -> None:
    drafts = [fact("vegan", "I'm vegan"), fact("Is vegan.", "vegan")]
    assert len(ground(drafts, [say("I'm vegan")], UTC).facts) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,250 and 1.250 and 1 250", {"1250"}),
        ("1,200.50 or 3,5", {"1200.5", "3.5"}),
        ("at 9:00, at 09:30", {"9", "9.3"}),
        ("drei Hühner, twelve cats", {"3", "12"}),
        ("٣ قطط", {"3"}),
        ("twenty-three hens and forty five ducks", {"23", "45"}),
        ("fünfunddreißig, drieëntwintig, ventuno, veintitrés", {"35", "23", "21"}),
        ("treinta y cinco; vinte e um; тридцать пять", {"35", "21"}),
        ("quatre-vingt-dix-sept, soixante-quinze, dix-sept", {"97", "75", "17"}),
        ("three thousand two hundred and fifty", {"3250"}),
        ("between twenty and three, at four twenty", {"20", "3", "4"}),
        ("once a year, the rent is due", set()),
    ],
)
def test_numbers_in_one_form(text: str, found: set[str]) -> None:
    assert stated_numbers(text, known=()) == found
    assert numbers(text) >= found


def test_a_part_of_a_number_in_words_is_not_the_number() -> None:
    said = say("I have twenty-three hens")
    assert refusal(fact("has 23 hens", said.text), said) == ""
    assert refusal(fact("has 20 hens", said.text), said) == "number"
    assert refusal(fact("has 3 hens", said.text), said) == "number"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("My appointment is at 3:30pm", "appointment is at 15:30"),
        ("My appointment is at 15:30", "appointment is at 3:30 pm"),
        ("Der Termin ist um 15 Uhr 30", "Termin ist um 15:30"),
        ("Mon rendez-vous est à 15:30", "rendez-vous est à 15h30"),
        ("I get up at half past seven", "gets up at 7:30"),
        ("Ich stehe um halb acht auf", "steht um 7:30 auf"),
        ("Ceno a las siete y media de la tarde", "cena a las 19:30"),
    ],
)
def test_a_time_of_day_may_be_written_in_another_way(said: str, line: str) -> None:
    assert refusal(fact(line, said), say(said)) == ""


def test_a_part_of_the_day_is_not_its_hour() -> None:
    assert numbers("I eat tonight, in the evening") == set()


@pytest.mark.parametrize(
    ("said", "line", "kind"),
    [
        ("Ich bin am 3.5.88 geboren", "geboren am 1988-05-03", ""),
        ("Ich bin am 3.5.88 geboren", "geboren am 1998-05-03", "date"),
        ("I was born on 5/3/88", "born on 1988-05-03", ""),
        ("The flight is on 14.3.26", "flight is on 2026-03-14", ""),
        ("I was born in '88", "born in 1988", ""),
        ("I was born in ’88", "born in 1989", "number"),
    ],
)
def test_two_digits_may_be_a_year_of_either_century(said: str, line: str, kind: str) -> None:
    assert refusal(fact(line, said), say(said)) == kind


@pytest.mark.parametrize(
    ("said", "line", "kind"),
    [
        ("My salary is 54k a year", "salary is 54,000 a year", ""),
        ("The house costs 1.2 million euros", "house costs 1,200,000 euros", ""),
        ("Das Haus kostet 650 Tsd. Euro", "Haus kostet 650.000 Euro", ""),
        ("La casa cuesta 250.000 euros", "casa cuesta 250 mil euros", ""),
        ("The house costs 1.2 million euros", "house costs 1.2 million euros", ""),
        ("The house costs 3 million euros", "house costs 3 euros", "number"),
        ("I ran a 5k", "ran 5 km", ""),
    ],
)
def test_thousands_and_millions_in_words(said: str, line: str, kind: str) -> None:
    assert refusal(fact(line, said), say(said)) == kind


def test_a_verb_in_y_is_recognised_in_its_third_person() -> None:
    said = say("I fly on 14 March")
    assert refusal(fact("flies on 2026-03-14", said.text), said) == ""
    assert refusal(fact("leaves on 2026-03-14", said.text), said) == "words"

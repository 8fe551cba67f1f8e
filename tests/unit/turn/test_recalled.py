"""The extractive answer without a model: what it quotes, and what it claims."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from bot.turn.events import Done
from bot.turn.fallback import (
    ALL,
    ALL_LISTED,
    DISTANT,
    KEPT,
    MOST_DISTANT,
    NOTHING,
    NOTHING_THEN,
    WEAK,
    extract,
)
from bot.turn.quotes import LONGEST, excerpt
from bot.turn.rule_answers import FIRST, NOTED, ORDER, TONES, WORLD, RuleAnswer, fixed_answers
from bot.turn.rule_answers import rule_answer as rules
from memory import Message
from memory.search import Hit
from memory.search.candidates.query import OF_PERIOD
from memory.text import speaking
from tests.fakes.log_rows import row

WHY = "Claude does not answer."
TODAY = date(2026, 2, 14)  # a Saturday


def answer(
    why: str, question: str, hits: list[Hit], messages: dict[int, Message], **more: Any
) -> Done:
    return extract(question, hits, messages, TODAY, why=why, **more).done


def rule_answer(asked: list[Message], before: list[Message]) -> RuleAnswer:
    return rules(asked, before, datetime(2026, 2, 14, 9, 5, tzinfo=UTC))


def hit(text: str, number: int = 1, **given: Any) -> Hit:
    values: dict[str, Any] = {
        "path": f"notes/{number}.md",
        "start_line": number,
        "end_line": number,
        "heading": f"Note {number}",
        "text": text,
        "date": None,
        "kind": "note",
        "role": None,
        "score": 1.0,
        "chunk_id": number,
        "message_ids": (),
    }
    return Hit(**{**values, **given})


def said(text: str, number: int, role: str = "user") -> Hit:
    return hit(
        text,
        number,
        path="log/2026-02-12",
        kind="message",
        role=role,
        date=date(2026, 2, 12),
        message_ids=(number,),
    )


def test_it_quotes_with_its_sources_and_says_why_it_only_quotes() -> None:
    done = answer(WHY, "Where is the cello?", [hit("The cello is in the attic.", 7)], {})
    assert done.text == "In “Note 7”: The cello is in the attic.", "without the reason"
    assert done.shown == (
        f"{WHY}\n\nIn “Note 7”: The cello is in the attic. [1]\n\n> [1] Note 7 (notes/7.md:7)"
    )
    assert done.origin == "recall"
    done = answer("", "Where is the cello?", [hit("The cello is in the attic.", 7)], {})
    assert done.text == "In “Note 7”: The cello is in the attic."


@pytest.mark.parametrize(
    ("day", "when"),
    [
        (TODAY, "today"),
        (date(2026, 2, 13), "yesterday"),
        (date(2026, 2, 10), "on Tuesday"),
        (date(2026, 2, 7), "on 7 February"),
        (date(2025, 12, 31), "on 31 December 2025"),
    ],
)
def test_it_says_who_said_it_and_when(day: date, when: str) -> None:
    mine = said("The cello is in the attic.", 3)._replace(date=day)
    done = answer("", "cello?", [mine], {3: row(3, "", origin="owner")})
    assert done.text == f"You said {when}: The cello is in the attic."
    assert answer("", "cello?", [mine], {}, owner="The owner").text.startswith("The owner said")
    sams = said("Your cello is brown.", 4, "assistant")._replace(date=day)
    assert answer("", "cello?", [sams], {}).text == f"I said {when}: Your cello is brown."
    eves = said("The cello is mine.", 5)._replace(date=day)
    done = answer("", "cello?", [eves], {5: row(5, "", origin="forwarded", author="Eve")})
    assert done.text == f"Eve wrote {when}: The cello is mine."


def test_line_breaks_stay_and_a_long_text_is_cut_between_its_sentences() -> None:
    poem = "The cello is old.\nIt is brown.\n\n- and loud"
    assert (
        f"today:\n\n{poem}" in answer("", "cello?", [said(poem, 3)._replace(date=TODAY)], {}).text
    )
    before = "We spoke with Dr. Lopes about rain. " * 12
    after = "\nThe cello is loud. " + "Nobody said a word after that. " * 12
    kept = excerpt(f"{before}It is in the attic, in a box.{after}", {"attic"})
    assert len(kept) <= LONGEST + len("… … ")
    assert kept.startswith("… ") and kept.endswith("that. …") and "\nThe cello is loud." in kept
    assert "It is in the attic, in a box." in kept
    assert excerpt("word " * 200, set()).endswith("word …")
    assert "```" not in excerpt("Look. " * 60 + "```\n" + "SORT a.\n" * 60 + "```", {"sort"})


def test_what_repeats_a_quote_is_left_out() -> None:
    hits = [
        hit("- 2026-02-12: my cello is in the attic.", 1, kind="memory", heading="Memory"),
        hit("- Remembered: my cello is in the attic. [[MEMORY#^ab12]] ^cd34", 2, kind="summary"),
        hit("my cello is in the attic, and it was very expensive when I bought it", 3),
    ]
    done = answer("", "cello?", hits, {})
    assert done.text.split("\n\n") == [
        "You asked me to remember: my cello is in the attic.",
        "In “Note 3”: my cello is in the attic, and it was very expensive when I bought it",
    ]


def test_what_the_owner_said_repeats_only_the_same_words() -> None:
    hits = [
        hit("- 2026-02-12: my cello is in the attic", 1, kind="memory"),
        said("Remember that my cello is in the attic.", 2),
        said("My cello is old", 3),
        said("my cello is old.", 4),
        said("My cello is old and brown", 5),
    ]
    rest = (
        "You said on Thursday: My cello is old\n\nYou said on Thursday: My cello is old and brown"
    )
    text = answer("", "cello?", hits, {}).text
    assert text == f"You asked me to remember: my cello is in the attic\n\n{rest}"


@pytest.mark.parametrize(
    "hits",
    [
        [],
        [said("Where is the cello?", 3)],
        [said("where is the cello", 3)],
        [said("Tell me about the cello", 3)],
        [said("Good to know. Where is the cello", 3)],
    ],
)
def test_a_question_that_was_asked_before_is_no_answer(hits: list[Hit]) -> None:
    done = answer(WHY, "Where is the cello?", hits, {})
    assert done.text == f"{NOTHING} {KEPT}" and done.shown == f"{WHY} {done.text}"
    assert done.sources == ()
    assert answer("", "Where is the cello?", hits, {}).text == NOTHING


def test_what_shares_no_word_is_not_passed_off_as_an_answer() -> None:
    far = [hit(f"It rained on day {n}.", n) for n in range(5)]
    done = answer(WHY, "Where is the cello?", far, {})
    assert DISTANT in done.text and done.text.count("It rained") == MOST_DISTANT
    done = answer(WHY, "Where are my cellos?", [*far, hit("One cello is lent out.", 9)], {})
    assert done.text == "In “Note 9”: One cello is lent out."


def test_a_word_that_only_asks_is_no_reason_to_quote() -> None:
    vet, soul = hit("The vet's number is 555 0119"), hit("Say how old a memory is", 2, kind="soul")
    found = answer("", "what did you say about the vet?", [vet, soul], {})
    assert [source.quote for source in found.sources] == [vet.text]


def test_what_was_no_question_is_met_only_with_what_is_about_the_same() -> None:
    notes = [hit("What a cat does when it is called.", 1), hit("Miso is a cat.", 2)]
    done = answer(WHY, "Today Miso the cat caught a mouse", notes, {})
    assert done.text == KEPT and done.shown == f"{WHY} {KEPT}"
    assert answer("", "Today Miso the cat caught a mouse", notes, {}, nothing=NOTED).text == NOTED
    done = answer(WHY, "Miso is my old cat", notes, {})
    assert "Miso is a cat." in done.text and "called" not in done.text
    done = answer(WHY, "cat names", notes, {})
    assert "Miso is a cat." in done.text, "a few words are a search"


def test_each_text_is_quoted_once_and_each_source_has_one_number() -> None:
    hits = [
        said("The cello is in the attic.", 3),
        said("the cello  is in the attic.", 4),
        said("My cello is brown.", 5),
        said("Your cello is brown.", 6, "assistant"),
        said("Eve says the cello is hers.", 7),
    ]
    done = answer(WHY, "cello?", hits, {7: row(7, "", origin="forwarded")})
    assert done.text.count("attic") == 1
    assert [s.title for s in done.sources] == [
        "Conversation of 2026-02-12",
        "Conversation of 2026-02-12: Sam",
        "Conversation of 2026-02-12: Somebody else",
    ]
    assert "My cello is brown. [1]" in done.shown and "Your cello is brown. [2]" in done.shown


def test_of_a_path_of_headings_the_last_is_named() -> None:
    done = answer(WHY, "cello?", [hit("My cello.", heading="House > Attic", path="house.md")], {})
    assert done.shown.endswith("> [1] Attic (house.md:1)")


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Stopcock", "Stopcock"),
        ("tap #water > Stopcock", "Stopcock"),
        ("Stopcock > In winter", "Stopcock, In winter"),
    ],
)
def test_a_note_is_named_and_its_name_counts_as_words_of_it(heading: str, name: str) -> None:
    found = hit("Behind the bleach.", heading=heading, path="House/Stopcock.md", weak=True)
    done = answer("", "Where is the stopcock?", [found], {})
    assert done.text == f"{WEAK}\n\nIn “{name}”: Behind the bleach."


def test_the_extractive_answer_has_a_maximum_length() -> None:
    hits = [hit(f"cello {n} " + "word " * 500, n) for n in range(20)]
    done = answer(WHY, "cello?", hits, {})
    assert done.text.count("In “Note") == 2
    assert len(done.text) < ALL + 200


def test_what_fits_little_is_said_to_and_gives_way_to_what_fits() -> None:
    weak = [hit(f"One cello of {n}.", n, weak=True) for n in range(3)]
    done = answer(WHY, "Where are my cellos?", weak, {})
    assert WEAK in done.text and "One cello of 0." in done.text
    done = answer(WHY, "Where are my cellos?", [*weak, hit("My cello is in the attic.", 7)], {})
    assert done.text == "In “Note 7”: My cello is in the attic."


def test_what_held_until_a_day_is_quoted_with_it() -> None:
    old = hit("My cello is in the attic.", 7, until=date(2026, 2, 3))
    done = answer(WHY, "Where is the cello?", [old], {})
    assert done.text.endswith("My cello is in the attic. (until 2026-02-03)")
    wrong = old._replace(date=old.until)
    with speaking("de"):
        done = answer(WHY, "Where is the cello?", [wrong], {})
    assert done.text.endswith("My cello is in the attic. (noch am selben Tag berichtigt)")


def test_what_corrects_a_quote_is_quoted_before_it() -> None:
    said = {"kind": "message", "role": "user", "date": TODAY}
    old = hit("my dentist is Dr Ho, on 5 May at 9:40", 1, message_ids=(1,), until=TODAY, **said)
    new = hit("make that 10:15, sorry", 2, message_ids=(2,), **said)
    messages = {1: row(1, old.text), 2: row(2, new.text)}
    found = answer("", "when is the dentist?", [new, old], messages)
    assert [source.quote for source in found.sources] == [new.text, old.text]
    assert found.text.index("10:15") < found.text.index("9:40")
    newest = hit("no, 11:30", 3, message_ids=(3,), **said)
    three = [newest, new._replace(until=TODAY), old]
    found = answer("", "when is the dentist?", three, messages | {3: row(3, newest.text)})
    assert [source.quote for source in found.sources] == [each.text for each in three]
    other = new._replace(date=date(2026, 1, 1))
    assert "10:15" not in answer("", "when is the dentist?", [other, old], messages).text


def test_what_has_nothing_to_do_with_the_newer_statement_has_no_end() -> None:
    """The days of a question list everything; search may take any of it for replaced."""
    new = hit("Actually, my bicycle is at the station.", 3, date=date(2026, 2, 12))
    more = {"date": date(2026, 2, 12), "until": date(2026, 2, 12), "score": OF_PERIOD}
    bicycle, tea = hit("My bicycle is in the garage.", 1, **more), hit("Lena likes tea.", 2, **more)
    new = new._replace(score=OF_PERIOD)
    text = answer("", "What did I say on Thursday?", [new, bicycle, tea], {}).text
    assert "My bicycle is in the garage. (corrected later that day)" in text
    assert text.endswith("Lena likes tea.")


def test_the_mark_of_a_source_stands_below_a_code_block() -> None:
    code = said("My cello script:\n```python\nprint('hi')\n```", 3)
    assert "\n```\n\n[1]\n\n> [1]" in answer("", "cello script?", [code], {}).shown


def test_no_quoted_line_passes_for_a_source() -> None:
    forged = said("cello\n> [1] The cello is yours (deed.md:1)", 3)
    done = answer("", "cello?", [forged], {})
    assert done.shown.count("\n> [1]") == 1 and "(log/2026-02-12)" in done.shown


@pytest.mark.parametrize(
    ("text", "question", "nothing"),
    [
        ("Hello Sam!", "", TONES["greeting"]),
        ("Danke dir!", "", TONES["thanks"]),
        ("Thanks, see you tomorrow!", "", TONES["thanks"]),
        ("bonne nuit", "", TONES["farewell"]),
        ("ok cool", "", TONES["other"]),
        ("Where is the cello?", "Where is the cello?", WORLD),
        ("where is the cello", "where is the cello", WORLD),
        ("Where is my cello?", "Where is my cello?", NOTHING),
        ("Wo steht unser Cello?", "Wo steht unser Cello?", NOTHING),
        ("¿Dónde está mi chelo?", "¿Dónde está mi chelo?", NOTHING),
        ("Où est-ce que j’habite ?", "Où est-ce que j’habite ?", NOTHING),
        ("Какая погода?", "Какая погода?", WORLD),
        ("私のチェロはどこですか？", "私のチェロはどこですか？", NOTHING),
        ("What do you know about me?", "What do you know about me?", NOTHING),
        ("Was weißt du über mich?", "Was weißt du über mich?", NOTHING),
        ("What time is it?", "", "It is Saturday, 14 February 2026, 09:05."),
        ("Welcher Tag ist heute?", "", "It is Saturday, 14 February 2026, 09:05."),
        ("That's not right", "", TONES["objection"]),
        ("Das stimmt nicht.", "", TONES["objection"]),
        ("What did I say about the cello?", "the cello?", NOTHING),
        ("Was habe ich über das Cello gesagt?", "das Cello?", NOTHING),
        ("The cello is brown. Where is it?", "The cello is brown. Where is it?", WORLD),
        ("Write me a poem about it", "", ORDER),
        ("The cello is in Anton's attic", "", NOTED),
        ("cello case", "cello case", NOTED),
        ("> Eve wrote:\n> Where is it?\nIt is in Anton's attic.", "", NOTED),
    ],
)
def test_what_is_said_decides_how_it_is_answered(text: str, question: str, nothing: str) -> None:
    found = rule_answer([row(2, text, origin="owner")], [row(1, "Miso is my cat", origin="owner")])
    assert (found.question, found.nothing) == (question, nothing)


def test_the_first_thing_told_is_answered_with_what_to_do_with_it() -> None:
    told = [row(2, "The cello is in Anton's attic", origin="owner")]
    assert rule_answer(told, [row(1, "hi", origin="owner")]).nothing == FIRST
    forwarded = rule_answer([row(2, "Where is it? Bye!", origin="forwarded")], [])
    poll = rule_answer([row(2, "[poll: “Where shall we eat?” Rome; Oslo]", origin="owner")], [])
    assert forwarded == poll == RuleAnswer("", FIRST)


def test_what_hardly_fits_is_not_quoted() -> None:
    """One common word is no reason; a name is."""
    weak = [hit("I know that the phone is red.", 1, weak=True), hit("It rained.", 2, weak=True)]
    assert answer("", "Do you know my number?", weak, {}, nothing=NOTHING).text == NOTHING
    assert answer("", "How is the weather?", weak, {}, nothing=WORLD).text == WORLD
    named = [*weak, hit("Lea has a new bicycle.", 3, weak=True)]
    assert "Lea has a new" in answer("", "When did I last talk about Lea?", named, {}).text


@pytest.mark.parametrize(
    "question", ["quelle est la capitale de l'Italie ?", "où est-ce que se trouve Rome ?"]
)
def test_parts_of_words_are_no_reason_to_quote(question: str) -> None:
    weak = [hit("l'anniversaire de ma mère est le 3 mai", 1)]
    assert DISTANT in answer("", question, weak, {}, nothing=NOTHING).text


@pytest.mark.parametrize(
    ("score", "others", "is_shown"),
    [(0.16, 4, True), (0.14, 4, False), (0.13, 2, True), (0.11, 2, False)],
)
def test_the_nearest_answers_a_question_about_oneself_if_it_is_near_enough(
    score: float, others: int, is_shown: bool
) -> None:
    """Among few statements it may be less near."""
    by_sam = hit("It rained all day.", 1, weak=True, score=0.9, role="assistant")
    near = said("I'm allergic to sesame", 2)._replace(weak=True, score=score)
    rest = [said(f"Rex is {n}", n)._replace(weak=True, score=0.01) for n in range(3, 3 + others)]
    hits = [by_sam, near, *rest]
    done = answer("", "What can't I eat?", hits, {}, nothing=NOTHING, about_oneself=True)
    assert (done.text == NOTHING) is not is_shown
    if is_shown:
        assert done.text.startswith(DISTANT) and done.text.count("said") == 1
        assert "sesame" in done.text
    assert answer("", "What can't I eat?", hits, {}, nothing=NOTHING).text == NOTHING
    told = answer("", "My bicycle is green.", hits, {}, about_oneself=True)
    assert "sesame" not in told.text, "it was no question"


def test_a_task_is_quoted_without_its_fields() -> None:
    raw = "[ ] call Ana about the cello (@2026-02-15 09:00) 🆔 abc123 ➕ 2026-02-12 📅 2026-02-15"
    done = answer("", "Who gets a call about the cello?", [hit(raw, kind="task")], {})
    assert done.text == "A task: call Ana about the cello · tomorrow 09:00"


def test_a_list_has_neither_requests_nor_small_talk_nor_summaries_of_what_it_quotes() -> None:
    listed = [
        hit("- My cello is brown", 1, kind="summary", score=0.5),
        said("My cello is brown", 2)._replace(score=0.5),
        said("Write me a poem about the cello", 3)._replace(score=0.5),
        said("That's not right", 4)._replace(score=0.5),
        said("Ja!", 5)._replace(score=0.5),
        said("no", 6)._replace(score=0.5),
    ]
    done = answer("", "What did I say on Thursday?", listed, {})
    assert done.text == "You said on Thursday: My cello is brown"


def listed(count: int, words: str = "cello") -> list[Hit]:
    return [said(f"{words} {n}", n)._replace(score=OF_PERIOD) for n in range(1, count + 1)]


def test_all_that_was_said_on_a_day_is_listed() -> None:
    two_lines = said("a cello\nand its case", 8)._replace(score=OF_PERIOD)
    eves = said("cello of Eve", 9)._replace(score=OF_PERIOD)
    messages = {9: row(9, "", origin="forwarded", author="Eve")}
    done = answer("", "What did I do on Thursday?", [*listed(7), two_lines, eves], messages)
    assert done.text == (
        "You said on Thursday:\n\n- cello 1\n- cello 2\n- cello 3\n- cello 4\n- cello 5\n- cello 6"
        "\n- cello 7\n- a cello\n  and its case\n\nEve wrote on Thursday: cello of Eve"
    )
    assert done.shown.startswith("You said on Thursday [1]:\n\n- cello 1\n"), "of one source"
    assert done.shown.count("[1]") == 2, "at the head, and in the line of sources"


def test_items_of_several_sources_have_a_mark_each() -> None:
    notes = [hit(f"cello {n}", n, heading="Music", score=OF_PERIOD) for n in (1, 2)]
    shown = answer("", "What did I do on Thursday?", notes, {}).shown
    assert shown.startswith("In “Music”:\n\n- cello 1 [1]\n- cello 2 [2]\n\n> [1]")


def test_a_long_list_says_how_many_more_there_are() -> None:
    done = answer("", "What did I do on Thursday?", listed(12, "cello " * 60), {})
    assert done.text.count("\n- ") == 8 and done.text.endswith("\n\n… and 4 more")
    assert len(done.text) < ALL_LISTED + LONGEST


def test_no_item_of_a_list_passes_for_a_source() -> None:
    forged = said("> [1] The cello is yours (deed.md:1)", 8)._replace(score=OF_PERIOD)
    shown = answer("", "What did I do on Thursday?", [*listed(1), forged], {}).shown
    assert "\n- [1] The cello is yours" in shown and shown.count("> [1]") == 1


def test_the_fixed_answers_are_known_in_all_languages() -> None:
    assert {NOTED, FIRST, ORDER, WORLD, NOTHING, *TONES.values()} <= fixed_answers()
    assert "Notiert." in fixed_answers()


def test_a_weak_hit_with_a_word_of_the_question_is_shown_as_the_nearest() -> None:
    paul = said("My son Paul was born on 2 March 2019.", 1)._replace(score=0.12, weak=True)
    door = said("The door is white.", 2)._replace(score=0.11, weak=True)
    done = answer("", "What colour is the door?", [paul, door], {})
    assert done.text == f"{WEAK}\n\nYou said on Thursday: The door is white."
    assert answer("", "What colour is the roof?", [paul, door], {}).text == NOTHING


def test_numbers_alone_are_no_sure_answer() -> None:
    paul = said("My son Paul was born on 2 March 2019.", 1)
    assert answer("", "What is 2+2?", [paul], {}).text.startswith(WEAK)


def test_a_short_statement_about_oneself_is_the_nearest_to_a_question_about_oneself() -> None:
    told = [said("I'm 34", 1), said("Tea!", 2), said("I wear size 43 in shoes", 3)]
    done = answer("", "how old am I?", told, {}, about_oneself=True)
    assert "I'm 34" in done.text and "Tea!" not in done.text
    assert "I'm 34" not in answer("", "how old is Ana?", told, {}).text


def test_what_is_only_supposed_comes_after_what_is_so() -> None:
    told = [said("I would live in Rome", 1), said("I live in Porto", 2)]
    shown = answer("", "where do I live?", told, {}).text
    assert shown.index("Porto") < shown.index("Rome")
    shown = answer("", "where would I live?", told, {}).text
    assert shown.index("Rome") < shown.index("Porto")


def test_of_a_day_without_anything_nothing_else_is_quoted() -> None:
    question, day = "What did I do on Sunday?", date(2026, 2, 8)
    by_rules = rule_answer([row(1, question)], [])
    assert by_rules.spans == ((day, day),)
    thursday = {"date": date(2026, 2, 12), "kind": "message", "role": "user"}
    other = hit("I baked a cake with my sister.", 1, message_ids=(1,), **thursday)
    told = hit("On Sunday we sailed to Elba.", 2, message_ids=(2,), **thursday)
    assert answer("", question, [other], {}, spans=by_rules.spans).text == NOTHING_THEN
    assert "cake" in answer("", question, [other], {}).text
    found = answer("", question, [other, told], {}, spans=by_rules.spans).text
    assert "Elba" in found and "cake" not in found
    before = {**thursday, "date": date(2026, 2, 5)}
    planned = hit("I'm flying to Rome on Sunday.", 3, message_ids=(3,), **before)
    assert "Rome" in answer("", question, [planned, other], {}, spans=by_rules.spans).text
    assert not rule_answer([row(1, "What did I bake on Sunday?")], []).spans, "it asks for more"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What's happening on 15 February?", "Ana was born on 15 February 1990."),
        ("What's happening on 15 February?", "birthday: 1990-02-15 Ana"),
        ("What happened in 2019?", "2019: Porto"),
    ],
)
def test_what_names_the_day_in_another_year_is_quoted(question: str, text: str) -> None:
    spans = rule_answer([row(1, question)], []).spans
    found = hit(text, 1, message_ids=(1,), date=date(2026, 2, 12), kind="message", role="user")
    assert spans and text in answer("", question, [found], {}, spans=spans).text
    other = found._replace(text="Room 2019 costs 15 euros for 8 people.")
    if "2019" not in question:
        assert answer("", question, [other], {}, spans=spans).text == NOTHING_THEN


def test_the_nearest_is_quoted_once_not_with_its_summary() -> None:
    day = {"date": date(2026, 2, 12)}
    line = hit("Summary: I bought new shoes.", 1, kind="summary", **day)
    told = hit("I bought new shoes.", 2, kind="message", role="user", message_ids=(2,), **day)
    assert "Summary" not in answer("", "What did I pay for?", [line, told], {}).text
    assert "Summary" in answer("", "What did I pay for?", [line], {}).text

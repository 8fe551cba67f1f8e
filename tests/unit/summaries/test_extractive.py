"""The extractive summary: which sentences it keeps, and in what form."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.log import Message
from memory.summaries import Extract, extract
from memory.summaries.draft import SummaryDraft, SummaryRequest
from memory.summaries.extractive import MOST_BULLETS
from memory.text.sentences import is_command, is_question
from memory.text.small_talk import is_small_talk

AT = datetime(2026, 2, 12, 12, tzinfo=UTC)


def message(text: str, **changes: str | int) -> Message:
    return MESSAGE._replace(text=text, **changes)  # type: ignore[arg-type]


def drafted(*texts: str) -> SummaryDraft:
    messages = tuple(message(text, id=n, turn_id=n) for n, text in enumerate(texts, 1))
    return extract(SummaryRequest(messages, AT.date(), UTC, "auto"))


def kept(*texts: str) -> list[str]:
    return [bullet.text for bullet in drafted(*texts).bullets]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Lopes is the new vet.",
        "Mrs. Fahy lives in No. 5, St. John's Road.",
        "I take e.g. the early train, approx. at 6.30 a.m. from Graz.",
        "Am 3. Mai ziehe ich nach Graz, z. B. mit dem Zug.",
        "La Sra. Ruiz es mi vecina.",
        "J. R. Smith wrote the book that I love.",
        "I'm planning a trip to Graz until 29 March, can you help me?",
        "The vet is at 5, right?",
        "El veterinario es a las 5, ¿verdad?",
        "What a day that was in Porto",
        "Thanks, the code is 4711",
        "My card (a card number, masked) expires in May in Graz.",
        "昨日、獣医に行きました。",
        "/etc/hosts has the address of the printer",
    ],
)
def test_a_sentence_that_tells_is_kept_whole(text: str) -> None:
    draft = drafted(text)
    assert [(bullet.text, bullet.messages) for bullet in draft.bullets] == [(text, [1])]
    assert draft.summary == text


@pytest.mark.parametrize(
    "text",
    [
        "Where is my bike?",
        "where is my bike",
        "¿Dónde está mi bici?",
        "wo ist mein Fahrrad",
        "駅はどこですか。",
        "أين دراجتي؟",
        "Good morning Sam!",
        "Thanks a lot for your help!",
        "Vielen Dank!",
        "Спасибо большое",
        "ありがとうございます",
        "haha 😂",
        "👍👍👍👍👍",
        "/remember I like tea",
        "/remember I like tea. The vet is at 5.",
        "/new",
        "> Ana wrote:\n> I always hate raw fish",
        "My wifi password is (a password, masked).",
        "Das WLAN-Passwort ist (a password, masked)!",
        "password: (a password, masked)",
        "OPENAI_API_KEY=(a key, masked)",
        "",
        "   ",
    ],
)
def test_questions_small_talk_and_commands_are_no_bullets(text: str) -> None:
    assert drafted(text) == SummaryDraft()
    assert kept(text, "My cat Miso hates rain.") == ["My cat Miso hates rain."]


def test_of_a_message_only_what_tells_is_kept() -> None:
    text = (
        "Hi Sam! I moved to Graz in May. Where is my bike? Dr. Huber is my doctor.\n/new\nThanks!"
    )
    assert kept(text) == ["I moved to Graz in May.", "Dr. Huber is my doctor."]


def test_code_between_fences_is_nobodys_statement() -> None:
    text = "My shop runs on Flask.\n```python\nPRICE = 42  # I love it\n```\nIt must move in May."
    assert kept(text) == ["My shop runs on Flask.", "It must move in May."]


def test_bullets_stand_in_the_order_in_which_they_were_said_and_know_their_messages() -> None:
    draft = drafted("I live in Graz.", "How are you?", "I bought a bike. It is red and from Porto.")
    assert [(bullet.text, bullet.messages) for bullet in draft.bullets] == [
        ("I live in Graz.", [1]),
        ("I bought a bike.", [3]),
        ("It is red and from Porto.", [3]),
    ]


def test_what_was_said_twice_is_kept_once() -> None:
    assert kept("I live in Graz.", "i live  in graz.") == ["I live in Graz."]


def test_of_many_sentences_those_are_kept_that_tell_most() -> None:
    plain = [f"it went {word} along so it seems" for word in "abcdefghijklmnop"]
    facts = ["I decided to move to Graz on 3 May.", "Rui prefers the bike from Porto."]
    found = kept(facts[0], *plain, facts[1])
    assert len(found) == MOST_BULLETS and set(facts) <= set(found)
    assert drafted(facts[0], *plain, facts[1]).summary in facts


def test_the_line_above_is_what_is_rare_or_announces_something() -> None:
    often = ["the boiler leaks again today somehow"] * 3
    rare = "our tenor rehearses madrigals on sunny terraces somehow"
    assert drafted(*often, rare).summary == rare
    plain, plan = "Rui swims there with Ana", "Rui plans this with Ana"
    assert drafted(plain, plan).summary == plan


def test_the_line_above_is_not_what_came_with_a_message() -> None:
    place = "[location: Paul-Lincke-Ufer 12, Berlin 2026]"
    draft = drafted(f"The boat is in the harbour.\n{place}")
    assert draft.summary == "The boat is in the harbour."
    assert place in [bullet.text for bullet in draft.bullets]
    assert drafted(place).summary == place


def test_a_name_counts_in_any_script_and_a_small_letter_in_none() -> None:
    names = ["вечером приехал Борис и привёз Аню", "вечером приехал кто-то и привёз кошку"]
    assert drafted(*reversed(names)).summary == names[0]


def test_what_is_to_be_done_is_an_action() -> None:
    draft = drafted("I must call Dr. Lopes.", "I called Mrs. Fahy.")
    assert [bullet.action for bullet in draft.bullets] == [True, False]


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (
            ["The plumber costs 120.", "My cat hates rain.", "it was 140, not 120"],
            {"The plumber costs 140.": [1, 3], "My cat hates rain.": [2]},
        ),
        (
            ["The plumber costs 120. The painter costs 300.", "Sorry, it was 140, not 120."],
            {"The plumber costs 140.": [1, 2], "The painter costs 300.": [1]},
        ),
        (
            ["The rent is 960.", "Where is it paid?", "no, 970", "no wait, 980"],
            {"The rent is 980.": [1, 3, 4]},
        ),
        (
            ["The rent is 960.", "The gas is 960.", "it was 980, not 960. My cat hates rain."],
            {"The rent is 960.": [1], "The gas is 980.": [2, 3], "My cat hates rain.": [3]},
        ),
        (
            ["Bring a cake. The plumber costs 120 and comes at 9.", "sorry, 140"],
            {"Bring a cake.": [1], "The plumber costs 120 and comes at 9 – sorry, 140": [1, 2]},
        ),
        (["The rent is 960.", "The gas is 80."], {"The rent is 960.": [1], "The gas is 80.": [2]}),
    ],
)
def test_what_was_corrected_has_the_right_value(
    texts: list[str], right: dict[str, list[int]]
) -> None:
    draft = drafted(*texts)
    assert {bullet.text: bullet.messages for bullet in draft.bullets} == right
    assert draft.summary in right


def test_a_private_correction_is_not_written_down() -> None:
    rows = (message("The rent is 960.", id=1), message("no, 980", id=2, privacy="sensitive"))
    draft = extract(SummaryRequest(rows, AT.date(), UTC, "auto"))
    assert [bullet.text for bullet in draft.bullets] == ["The rent is 960."]


def test_the_line_above_has_no_value_whose_correction_was_cut_off() -> None:
    long = f"The plumber {'who came by the old road ' * 6}costs 120 and comes on Friday at 9."
    assert drafted("Bring a cake.", long, "sorry, 140").summary == "Bring a cake."


def test_what_others_wrote_or_is_private_is_left_out() -> None:
    text = "I decided to move to Graz."
    others = (
        message(text, role="assistant"),
        message(text, origin="forwarded"),
        message(text, privacy="sensitive"),
    )
    assert extract(SummaryRequest(others, AT.date(), UTC, "auto")) == SummaryDraft()


async def test_it_is_marked_as_what_it_is() -> None:
    request = SummaryRequest((message("I live in Graz."),), AT.date(), UTC, "auto")
    assert await Extract()(request) == extract(request)
    assert Extract().mark == "extracted without a model"


@given(st.lists(st.text(max_size=60) | st.sampled_from(["Hi!", "I live in Graz.", "Why?", "/a b"])))
def test_every_conversation_has_a_draft_of_what_was_said(texts: list[str]) -> None:
    draft = drafted(*texts)
    assert len(draft.bullets) <= MOST_BULLETS
    for bullet in draft.bullets:
        [number] = bullet.messages  # none of these is corrected
        assert bullet.text in texts[number - 1]
        assert not (
            is_question(bullet.text) or is_small_talk(bullet.text) or is_command(bullet.text)
        )


MESSAGE = Message(
    id=1,
    turn_id=1,
    session_id=1,
    role="user",
    origin="owner",
    author="",
    privacy="normal",
    lang=None,
    sent_at=AT,
    edited_at=None,
    chat="telegram:1",
    telegram_ids=(),
    text="",
    state="pending",
    batch=None,
)

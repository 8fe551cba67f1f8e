"""The first chat of a new user: sixty messages without any key, through the real process."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.homes import Home
from tests.support.noon import noon_somewhere

ZONE, NOON = noon_somewhere()
WORLD = "I don't know that. Without a model, I only know what you have told me."
TALK = [
    ("Hello!", "Hello! Tell me something to remember, or ask about anything you have said."),
    ("My sister Clara lives in Lisbon.", "Noted. Ask me about it whenever you like."),
    ("Miso is my cat, and she hates thunder.", "Noted."),
    ("Where does Clara live?", "You said today: My sister Clara lives in Lisbon. [1]"),
    ("What does Miso hate?", "You said today: Miso is my cat, and she hates thunder. [1]"),
    ("What can you do?", "I am Sam. I remember what you tell me, remind you, and find it again"),
    (
        "Remember that my bicycle stands in Anton's garage.",
        r"Saved in MEMORY.md and memories/",
    ),
    (
        "where is my bicycle",
        "You asked me to remember: my bicycle stands in Anton's garage. [1]",
    ),
    ("undo that", "Undoing it would:\n\n- remove “"),
    ("remind me tomorrow at 9 to call Ana", "⏰ tomorrow 09:00: call Ana"),
    (
        "Could you remind me to buy milk?",
        "Added: buy milk\n\nIt has no time, so I will not remind you of it. For a reminder, write "
        "when: /remind tomorrow 9:00 buy milk",
    ),
    ("Don't forget to water the plants.", "Added: water the plants"),
    ("/tasks", "1. call Ana · tomorrow 09:00\n2. buy milk\n3. water the plants"),
    ("What is my blood type?", "I have nothing about that."),
    ("I saw Dr. Lopes about my knee today. He says it needs rest.", "Noted."),
    (
        "What did I say about the knee?",
        "You said today: I saw Dr. Lopes about my knee today. He says it needs rest. [1]",
    ),
    ("Merk dir, dass der Schlüssel unter dem Topf liegt", "Saved in MEMORY.md"),
    (
        "Wo liegt der Schlüssel?",
        "You asked me to remember: der Schlüssel unter dem Topf liegt [1]",
    ),
    ("Recuérdame mañana a las 10 llamar a Luis", "⏰ tomorrow 10:00: llamar a Luis"),
    ("Danke dir!", "You're welcome!"),
    ("add stamps to my list", "Added: stamps"),
    ("stamps are done", "✅ Done. stamps"),
    ("stamps are done", "Noted."),
    ("Remind me to post the parcel", "Added: post the parcel"),
    ("Please cancel the reminder to post the parcel.", "❌ Dropped. post the parcel"),
    ("cancel the reminder about the parcel", "You have no open task about that."),
    ("Remind me in a year to renew the pass", ": renew the pass"),
    ("cancel the reminder for next year", "❌ Dropped. renew the pass"),
    ("My blood pressure is 128/82", "Noted."),
    ("delete my blood pressure", "You: “My blood pressure is 128/82”"),
    ("all", "Forgotten: "),
    ("Setz Nägel auf die Liste", "Added: Nägel"),
    ("verschieb die Nägel auf morgen", "📅 Nägel → tomorrow"),
    ("Die Nägel sind erledigt", "✅ Done. Nägel"),
    ("move the piano to the attic", "Noted."),
    ("Write me a poem about thunder", "That needs a model, and none is set up."),
    ("The wifi at Anton's is slow", "Noted."),
    ("ok", "👍"),
    ("What is slow at Anton's?", "You said today: The wifi at Anton's is slow [1]"),
    ("forget the wifi", "Forget it? Write “yes”. Anything else keeps it."),
    ("all", "Forgotten: "),
    ("What did I say about the wifi?", "I have nothing about that."),
    ("Forget Miso", "You: “Miso is my cat, and she hates thunder.”"),
    ("keep", "Kept: nothing was forgotten."),
    ("Who hates thunder?", "Miso is my cat, and she hates thunder. [1]"),
    ("Bye", "Goodbye!"),
    # The day, the world, lists, corrections, other languages
    ("What do I have to do tomorrow?", "This is due tomorrow:\n\n1. call Ana · tomorrow 09:00"),
    ("What's on my list for next year?", "Nothing is due from"),
    ("Was muss ich morgen tun?", "2. llamar a Luis · tomorrow 10:00"),
    ("¿Qué tengo que hacer mañana?", "Without a day: buy milk; water the plants"),
    ("Qu'est-ce que je dois faire demain ?", "1. call Ana · tomorrow 09:00"),
    ("明日の予定は？", "1. call Ana · tomorrow 09:00"),
    ("What is overdue?", "Nothing is overdue."),
    ("add rice to my shopping list", "Added: rice"),
    ("Shopping list: eggs, bread", "Added: eggs\nAdded: bread"),
    ("What's on my shopping list?", ". rice\n"),
    ("Setz Käse auf die Einkaufsliste", "Added: Käse"),
    ("todo: sweep the yard", "Added: sweep the yard"),
    ("What is the capital of France?", WORLD),
    ("How is the weather?", WORLD),
    ("Wie hoch ist der Eiffelturm?", WORLD),
    ("¿Quién ganó la copa en 2018?", WORLD),
    ("What's 23 * 17?", WORLD),
    ("What time is it?", f"It is {NOON:%A}"),
    ("That's not right", "Tell me what is right, and I will keep that."),
    ("/forget help", "I have nothing about that."),
    ("/forget Sam", "I have nothing about that."),
    ("Vergiss die Katze", "I have nothing about that."),
    (
        "What do you know about me?",
        "- I saw Dr. Lopes about my knee today. He says it needs rest.\n"
        "- Miso is my cat, and she hates thunder.\n- My sister Clara lives in Lisbon.\n\n>",
    ),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("first"), TIMEZONE=ZONE)


@pytest.fixture(scope="module")
def answers(home: Home) -> list[str]:
    """Return the banner, then the answer to each message of TALK."""
    done = home.sam("chat", stdin="\n".join(said for said, _ in TALK) + "\n", timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    parts, rest = [], done.stdout
    for said, _ in TALK:
        before, asked, rest = rest.partition(f"> {said}\n")
        assert asked, f"{said!r} is not in\n{rest}"
        parts.append(before.strip())
    return [*parts, rest.strip()]


def test_the_chat_reads_as_one_wishes(answers: list[str]) -> None:
    assert len(TALK) == 69
    wrong = [
        f"> {said}\n{answer}"
        for (said, wanted), answer in zip(TALK, answers[1:], strict=True)
        if wanted not in answer
    ]
    assert not wrong, "\n\n".join(wrong)


def test_the_banner_alone_says_that_there_is_no_model(answers: list[str]) -> None:
    banner, *rest = answers
    assert "model       none, and none is needed: I remember, remind, find and forget" in banner
    assert "leaves this machine: nothing" in banner
    named = [said for (said, _), answer in zip(TALK, rest, strict=True) if "model" in answer]
    world = [said for said, answer in TALK if answer == WORLD]
    assert named == ["Write me a poem about thunder", *world], "these take one"
    assert not any("ANTHROPIC_API_KEY" in answer for answer in rest)


def test_what_was_wished_for_is_in_the_vault(answers: list[str], home: Home) -> None:
    memory = (home.vault / "MEMORY.md").read_text("utf-8")
    assert "my bicycle stands in Anton's garage." in memory
    tasks = (home.vault / "tasks.md").read_text("utf-8")
    tomorrow = NOON.date() + timedelta(days=1)
    assert re.search(rf"- \[ \] call Ana .*\(@{tomorrow} 09:00\)", tasks), tasks
    assert "buy milk" in tasks


def test_the_summary_has_statements_alone(answers: list[str], home: Home) -> None:
    done = home.sam("summarize", timeout=120)
    assert done.returncode == 0, done.stderr
    [day] = (home.vault / "memories").glob("*.md")
    section = day.read_text("utf-8").partition("extracted without a model")[2]
    bullets = [row for row in section.splitlines() if row.startswith("- ")]
    assert any("I saw Dr. Lopes about my knee today." in row for row in bullets), section
    assert any("Clara lives in Lisbon" in row for row in bullets)
    said = ("Where", "What", "Hello", "thanks", "Danke", "/tasks", "Bye", "wifi", "forget")
    for asked in (*said, "poem", "not right", "capital", "milk"):
        assert asked not in section


def test_with_a_key_the_rules_do_what_a_model_that_is_unreachable_cannot(tmp_path: Path) -> None:
    with_key = Home(tmp_path, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    done = with_key.sam("chat", stdin="Remember that Ana likes tea.\n", timeout=120)
    assert "Saved in" in done.stdout and "Noted" not in done.stdout
    assert "Your message is kept" in done.stdout
    assert "Ana likes tea" in (with_key.vault / "MEMORY.md").read_text("utf-8")


def test_a_yes_to_what_to_forget_is_an_answer_only_for_one_thing(tmp_path: Path) -> None:
    said = (
        *("The spare key is under the pot", "forget the spare key", "yes"),
        *(
            "The fuse box is in the hall",
            "The fuse box is grey",
            "forget the fuse box",
            "ja",
            "all",
        ),
        *("Anton has a drill", "forget the drill", "Anton has a new drill"),
    )
    done = Home(tmp_path).sam("chat", stdin="\n".join(said) + "\n", timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    one = "Forget it? Write “yes”. Anything else keeps it."
    asked = "Which ones? Write their numbers (1 3) or “all”. Anything else keeps everything."
    assert f"{one}\n\n> yes\nForgotten: " in done.stdout
    assert f"{asked}\n\n> ja\n{asked}\n\n> all\nForgotten: " in done.stdout, "it still stands"
    kept = "> Anton has a new drill\nKept: nothing was forgotten.\n\nNoted."
    assert f"{one}\n\n{kept}" in done.stdout


def test_all_that_was_said_today_is_listed_corrections_too(tmp_path: Path) -> None:
    said = [f"The parcel from Elmsford number {number} has arrived." for number in range(100, 124)]
    said += ["The rent is 950 euros.", "Sorry, 980."]
    lines = [*said, "What did I tell you today?"]
    done = Home(tmp_path).sam("chat", stdin="\n".join(lines) + "\n", timeout=120)
    answer = done.stdout.partition("> What did I tell you today?")[2]
    assert [each for each in said if f"- {each}\n" not in answer] == []


def test_a_question_in_other_words_quotes_nothing_that_is_sams(answers: list[str]) -> None:
    """Raw fields of a task, Sam's help and requests to a model are never quoted."""
    for (said, _), answer in zip(TALK, answers[1:], strict=True):
        assert not any(field in answer for field in ("🆔", "➕", "📅 2")), said
        assert "poem" not in answer and "About Sam.md" not in answer, said

"""Sam's texts in the owner's language, through the real process: commands, buttons, reminders, menu
and errors. The fake Telegram validates every request."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.text.catalogue import TRANSLATED, speaking, tr
from tests.fakes.telegram import ANA, Person
from tests.fakes.violations import assert_no_violations
from tests.support.buttons import buttons
from tests.support.homes import Home
from tests.support.invariants import words_of
from tests.support.noon import noon_somewhere
from tests.support.process import wait_until
from tests.support.world import World

WITHOUT_MODEL = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": "", "TIMEZONE": "Europe/Berlin"}
GERMAN = Person(ANA.id, "Anna", language_code="de")


def said(world: World, text: str, user: Person = GERMAN) -> str:
    world.telegram.passes(seconds=1)
    return words_of(world.telegram.asks(text, user=user, timeout=60).text)


def test_a_german_owner_reads_german(tmp_path: Path) -> None:
    with World.running(tmp_path, **WITHOUT_MODEL) as world:
        telegram = world.telegram
        world.sam.start()
        assert said(world, "/new") == "Das ist schon eine neue Unterhaltung."
        help_ = said(world, "/help")
        assert help_.startswith("Schreib mir einfach. Außerdem kenne ich diese Befehle:")
        assert "Woran ich mich erinnere" in help_ and "/todo – Eine Aufgabe hinzufügen" in help_
        assert "Kurz" not in help_ and " Show " not in help_
        assert said(world, "/todo Milch (2 Liter!)") == "Hinzugefügt: Milch (2 Liter!)"
        tasks = telegram.asks("/tasks", user=GERMAN, timeout=60)
        assert "Milch (2 Liter!)" in tasks.text
        assert list(buttons(tasks)) == ["✓ 1", "1 → morgen", "1 → nächste Woche"]
        assert said(world, "/tasks heute").startswith("Es ist heute nichts fällig.")
        status = said(world, "/status")
        assert "Mir geht es gut." in status and "Ich erinnere mich an 0 Nachrichten" in status
        assert "Mehr: /status full" in status
        assert "Eingänge: " in said(world, "/status full")
        said(world, "Mein Fahrrad steht in Antons Garage")
        found = said(world, "Wo steht mein Fahrrad?")
        assert "Du hast heute gesagt: Mein Fahrrad steht in Antons Garage" in found
        forget = telegram.asks("/forget Antons Garage", user=GERMAN, timeout=60)
        assert "Telegram behält die Nachrichten" in words_of(forget.text)
        [label] = [label for label in buttons(forget) if label.startswith(("Alle ", "Vergessen"))]
        telegram.presses(forget, buttons(forget)[label], user=GERMAN)
        receipt = telegram.wait_for(
            lambda fake: next((e for e in fake.edited if "Vergessen: " in e.text), None)
        )
        assert "Die Suche findet davon nichts mehr." in words_of(receipt.text)
        assert "kenne ich nicht. Meintest du /tasks?" in said(world, "/taks")
        assert world.sam.stop(60) == 0
        assert_no_violations(telegram)


def test_a_reminder_comes_in_the_language_of_who_wrote_last(tmp_path: Path) -> None:
    """A job has no message to take the language from, so the account's language is stored."""
    with World.running(tmp_path, **WITHOUT_MODEL, SAM_TEST_MINUTE="0.3") as world:
        world.sam.start()
        said(world, "/new")
        assert world.sam.stop(60) == 0
        zone, local = noon_somewhere()
        world.write("tasks.md", f"- [ ] Ana anrufen (@{local:%Y-%m-%d} 00:00)\n")
        world.sam.start(TIMEZONE=zone)
        # The list of the day also names the task, and may be sent first.
        wait_until(lambda: any("⏰" in s.text for s in world.telegram.sent), "a reminder")
        [reminder] = [s for s in world.telegram.sent if "⏰" in s.text]
        assert list(buttons(reminder)) == ["Noch nötig", "Streichen", "Erledigt"]
        assert "Fällig war es heute 00:00." in words_of(reminder.text)
        assert world.sam.stop(60) == 0


def test_the_menu_is_in_every_language(tmp_path: Path) -> None:
    with World.running(tmp_path, **WITHOUT_MODEL) as world:
        world.sam.start()
        commands = world.telegram.store.commands
        wait_until(lambda: len(commands) == 1 + len(TRANSLATED), "the menus")
        lines = {code: rows[-1]["description"] for (_, code), rows in commands.items()}
        assert lines[""] == "List what I can do" and lines["de"] == "Zeigen, was ich kann"
        assert len(set(lines.values())) == 1 + len(TRANSLATED)
        assert world.sam.stop(60) == 0


@pytest.mark.parametrize("language", TRANSLATED)
def test_user_md_decides_before_the_account(tmp_path: Path, language: str) -> None:
    names = {"de": "German", "es": "Español", "fr": "French", "ru": "Русский", "zh": "Chinese"}
    with World.running(tmp_path, **WITHOUT_MODEL) as world:
        world.write("user.md", f"# You\n\n- Language: {names[language]}\n")
        world.sam.start()
        with speaking(language):
            already = tr("This is already a new conversation.")
            nothing = tr(
                "You have no open tasks. To add one: `/todo milk`, `/remind tomorrow 9:00 call Ana`"
            )
        assert said(world, "/new", ANA) == already
        assert said(world, "/tasks", ANA) == nothing
        world.write("user.md", "# You\n\n- Language: English\n")
        assert said(world, "/new", GERMAN) == "This is already a new conversation."
        assert world.sam.stop(60) == 0
        assert_no_violations(world.telegram)


def test_a_stranger_is_turned_away_in_their_language_and_the_owner_hears_in_his(
    tmp_path: Path,
) -> None:
    with World.running(tmp_path, **WITHOUT_MODEL) as world:
        world.sam.start()
        said(world, "/new")
        eve = Person(4711, "Eve", language_code="en")
        world.telegram.receives("hello", user=eve)
        world.telegram.wait_sent(3, timeout=60)
        to = {each.chat_id: words_of(each.text) for each in world.telegram.sent[-2:]}
        assert to[eve.id] == "This bot is private. If it is yours, run “sam pair”."
        assert to[ANA.id].startswith("Jemand, den ich nicht kenne, hat mir geschrieben (einmal).")
        assert world.sam.stop(60) == 0


def test_the_terminal_speaks_the_language_of_the_owner(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.vault.mkdir(parents=True)
    (home.vault / "user.md").write_text("# User\n\n- Language: German\n", "utf-8")
    told = "/help\n/nothing\nWo ist mein Fahrrad?\n/forget Fahrrad\nall\n"
    done = home.sam("chat", stdin=told, env={"LANG": "fr_FR.UTF-8"})
    assert done.returncode == 0, done.stderr
    for german in (
        "/help zeigt alles Weitere, /quit beendet.",
        "Schreib einfach, oder nutze einen Befehl:",
        "Eine Aufgabe hinzufügen: /todo Milch",
        "Strg-C bricht eine Antwort ab.",
        "/nothing kenne ich nicht.",
        "Dazu habe ich nichts.",
        "Vergessen? Schreib",
    ):
        assert german in done.stdout, german
    assert "lists everything else" not in done.stdout


@pytest.mark.parametrize(
    ("locale", "answer"),
    [
        ({"LANG": "de_DE.UTF-8"}, "Dazu habe ich nichts."),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "es_ES"}, "No tengo nada sobre eso."),
        ({"LANG": "C.UTF-8"}, "I have nothing about that."),
        ({"LANG": "nl_NL.UTF-8"}, "I have nothing about that."),
    ],
)
def test_without_that_line_the_terminal_speaks_its_own_language(
    tmp_path: Path, locale: dict[str, str], answer: str
) -> None:
    done = Home(tmp_path).sam("chat", stdin="Wo ist mein Fahrrad?\n", env=locale)
    assert (done.returncode, done.stderr) == (0, "")
    assert answer in done.stdout

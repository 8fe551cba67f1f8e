"""The terminal chat, through a pipe and on a pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import readline
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.line_editor import Lines
from bot.markdown_escape import plain
from tests.fakes.claude import FakeClaude
from tests.support.homes import Home, no_process_is_left
from tests.support.terminal import CHAT, SLOW, Terminal

__all__ = ["no_process_is_left"]


@pytest.fixture
def claude() -> Iterator[FakeClaude]:
    with FakeClaude.running() as fake:
        yield fake


def with_model(folder: Path, claude: FakeClaude, **more: str) -> Home:
    return Home(folder, ANTHROPIC_BASE_URL=claude.url, ANTHROPIC_API_KEY="sk-test", **more)


def wait_for(what: str, is_there: object, seconds: float = SLOW) -> None:
    """Wait until `is_there()` is true."""
    assert callable(is_there)
    end = time.monotonic() + seconds
    while not is_there():
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.05)


def rows(home: Home, query: str) -> list[object]:
    """Return the first column of a query to the log."""
    with closing(sqlite3.connect(f"file:{home.data / 'log.db'}?mode=ro", uri=True)) as db:
        return [row[0] for row in db.execute(query)]


def test_a_pipe_without_any_key(tmp_path: Path) -> None:
    """What a new user tries first: no key, no network, no setup."""
    home = Home(tmp_path)
    talk = "hello\nmy cat is called Miso\n/search cat\n/quit\nnever read\n"
    done = home.sam("chat", stdin=talk)
    assert (done.returncode, done.stderr) == (0, "")
    banner, _, rest = done.stdout.partition("> hello")
    for line in ("model       none", "embeddings", "vault       ~/Sam/vault", "ANTHROPIC_API_KEY"):
        assert line in banner
    searched = rest.partition("> /search cat")[2]
    assert "my cat is called Miso" in searched
    assert "never read" not in rest
    again = home.sam("chat", stdin="how is my cat called?\n")
    assert "Miso" in again.stdout.partition("> how")[2]


def test_a_pipe_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    home = Home(tmp_path)
    done = home.sam("chat", stdin="\ufeff/remember my locker is 17\n")
    assert "> /remember my locker is 17\nSaved in MEMORY.md" in done.stdout


def test_an_answer_is_streamed_with_its_sources_and_logged(
    tmp_path: Path, claude: FakeClaude
) -> None:
    home = with_model(tmp_path, claude)
    home.write("soul.md", "# Soul\n")
    home.write("pets.md", "# Pets\n\nThe cat is called Miso.\n")
    claude.cites("Your cat is called Miso.", when="cat called")
    claude.calls("save_memory", {"content": "Ana has a dog"}, when="a dog", then="Noted.")
    done = home.sam("chat", stdin="How is my cat called?\nI have a dog.\n")
    assert done.returncode == 0, done.stderr
    assert re.search(r"Your cat is called Miso\. \[1\]\n\n> \[1\] .*pets\.md", done.stdout)
    assert done.stdout.count("Your cat is called Miso") == 1
    assert "(Writing it down …)\nNoted." in done.stdout
    found = json.loads(home.sam("search", "cat called Miso", "--json").stdout)
    assert {hit["role"] for hit in found["hits"]} >= {"user", "assistant"}


def test_a_model_that_declines_is_told_in_a_sentence_and_the_chat_goes_on(
    tmp_path: Path, claude: FakeClaude
) -> None:
    claude.refuses(when="forbidden")
    home = with_model(tmp_path, claude)
    done = home.sam("chat", stdin="something forbidden\nand now hello\n")
    assert "Claude declined to answer that." in done.stdout
    assert "All right." in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_twenty_messages_become_a_section_while_the_chat_goes_on(
    tmp_path: Path, claude: FakeClaude
) -> None:
    claude.summaries(
        lambda request: {
            "summary": "Numbers",
            "bullets": [{"text": "Ana counted", "messages": [1], "quote": "number 0"}],
        }
    )
    home = with_model(tmp_path, claude)
    process = home.start("chat")
    assert process.stdin is not None
    for number in range(10):
        process.stdin.write(f"number {number}\n")
    process.stdin.flush()
    days = home.vault / "memories"
    wait_for("the section", lambda: any("counted" in p.read_text() for p in days.glob("2*.md")))
    closed = "SELECT count(*) FROM message WHERE state = 'closed'"
    wait_for("its end", lambda: rows(home, closed) == [20])  # it is in the file a moment before
    process.stdin.write("/status full\n/quit\n")
    out, err = process.communicate(timeout=SLOW)
    assert (process.returncode, err) == (0, "")
    assert "not yet summarised: 0 messages" in out


def test_new_ends_the_session_and_summarises_what_little_there_is(
    tmp_path: Path, claude: FakeClaude
) -> None:
    claude.summaries(lambda request: {"summary": "A greeting", "bullets": []})
    home = with_model(tmp_path, claude)
    process = home.start("chat")
    assert process.stdin is not None
    process.stdin.write("hello\n/new\n")
    process.stdin.flush()
    days = home.vault / "memories"
    wait_for("the section", lambda: any("greeting" in p.read_text() for p in days.glob("2*.md")))
    process.stdin.write("hello again\n/quit\n")
    out, _ = process.communicate(timeout=SLOW)
    assert "New conversation" in out
    assert len(list((home.vault / "sessions").glob("*.md"))) == 1
    # The new conversation does not contain the old one's messages.
    assert len(claude.chats[-1].messages) == 1


def test_a_turn_that_was_killed_is_taken_up(tmp_path: Path, claude: FakeClaude) -> None:
    home = with_model(tmp_path, claude)
    hold = claude.holds(when="the question")
    process = home.start("chat")
    assert process.stdin is not None
    process.stdin.write("the question\n")
    process.stdin.flush()
    claude.wait_until(lambda c: c.chats, SLOW)
    process.kill()
    process.communicate(timeout=SLOW)
    hold.release()
    claude.responds_with("The answer.", when="the question")
    done = home.sam("chat", stdin="/quit\n")
    assert "> the question\nThe answer." in done.stdout
    assert "the question" not in home.sam("chat", stdin="/quit\n").stdout


def test_sigterm_ends_it_and_leaves_the_turn_for_the_next_start(
    tmp_path: Path, claude: FakeClaude
) -> None:
    home = with_model(tmp_path, claude)
    hold = claude.holds(when="the question")
    process = home.start("chat")
    assert process.stdin is not None
    process.stdin.write("the question\n")
    process.stdin.flush()
    claude.wait_until(lambda c: c.chats, SLOW)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=SLOW)
    assert (process.returncode, err) == (0, "")
    hold.release()
    assert "> the question\nAll right." in home.sam("chat", stdin="/quit\n").stdout


def test_on_a_terminal_ctrl_c_breaks_off_an_answer_and_then_the_chat(
    tmp_path: Path, claude: FakeClaude
) -> None:
    home = with_model(tmp_path, claude)
    hold = claude.holds(when="long story")
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types("a long story\r")
    claude.wait_until(lambda c: c.chats, SLOW)
    terminal.types("\x03")
    terminal.shows("(stopped)")
    hold.release()
    terminal.types("hello\r")
    terminal.shows("All right.")
    terminal.shows("> ")
    terminal.types("\x03")
    assert terminal.ends() == 0
    assert "a long story" in (home.data / "history").read_text()
    # A stopped turn is not answered at the next start.
    assert "long story" not in home.sam("chat", stdin="/quit\n").stdout


def test_on_a_terminal_ctrl_d_ends_it(tmp_path: Path) -> None:
    terminal = Terminal(Home(tmp_path))
    terminal.shows("> ")
    terminal.types("\x04")
    assert terminal.ends() == 0


def test_on_a_terminal_tab_completes_a_command_and_incognito_leaves_no_history(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types("a plain line\r")
    terminal.shows("> ")
    terminal.types("/inc\t\r")
    terminal.shows("/incognito")
    terminal.shows("> ")
    terminal.types("a line for nobody\r")
    terminal.shows("> ")
    terminal.types("/quit\r")
    assert terminal.ends() == 0
    history = home.data / "history"
    assert history.read_text().splitlines()[:2] == ["a plain line", "/incognito"]
    assert "nobody" not in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600


def test_what_is_forgotten_leaves_the_history_of_every_terminal(tmp_path: Path) -> None:
    """That of one in which it was typed, too, which is still open, and recalls what it has."""
    home = Home(tmp_path)
    first = Terminal(home)
    first.shows("> ")
    for line in ("the wallaby Quincy likes quinces", "/todo feed the wallaby Quincy", "plums"):
        first.types(f"{line}\r")
        first.shows("> ")
    history = home.data / "history"
    assert history.read_text().count("wallaby") == 2
    done = home.sam("forget", "--yes", "--words", "wallaby", "Quincy")
    assert "none of it is left" in done.stdout
    assert history.read_text() == "plums\n"
    first.types("the badger Quentin is four\r")
    first.shows("> ")
    first.types("/forget badger Quentin\r")
    first.shows("Forget it?")
    first.shows("> ")
    first.types("all\r")
    first.shows("none of it is left")
    first.shows("> ")
    first.types("/forget unicorns\r")  # is in no history, though nothing was forgotten
    first.shows("nothing about that")
    first.shows("> ")
    first.types("\x1b[A\x1b[A\r")  # the line before the last one
    first.shows("plums\r\n")
    first.shows("> ")
    first.types("/quit\r")
    assert first.ends() == 0
    assert history.read_text().splitlines() == ["plums", "all", "plums"]


def test_a_forgotten_session_leaves_the_history(tmp_path: Path) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home)
    for line in ("the wallaby Quincy likes quinces", "/new", "plums are ripe", "/quit"):
        terminal.shows("> ")
        terminal.types(f"{line}\r")
    assert terminal.ends() == 0
    assert home.sam("forget", "1", "--yes").returncode == 0
    assert (home.data / "history").read_text() == "/new\nplums are ripe\n"


def test_only_numbers_alone_choose_what_the_command_forgets(tmp_path: Path) -> None:
    home = Home(tmp_path)
    said = "the wallaby eats\n/new\nthe wallaby sleeps\n/quit\n"
    assert home.sam("chat", stdin=said).returncode == 0
    for answer, code, shown in (("all but 2", 1, "Nothing was forgotten."), ("2, 9", 0, "Forgot")):
        terminal = Terminal(home, *CHAT[:-1], "forget", "--words", "wallaby")
        terminal.shows("[all/numbers/N] ")
        terminal.types(f"{answer}\r")
        terminal.shows(shown)
        assert terminal.ends() == code, answer
    kept = home.sam("search", "wallaby").stdout
    assert "eats" in kept and "sleeps" not in kept


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("x" * 37, 0),
        ("x" * 39, 1),
        ("", 0),
        ("x" * 38, 1),
        ("明" * 20, 1),
        ("x" + "明" * 19, 1),
        ("1\n2", 1),
    ],
)
def test_the_prompt_makes_room_with_all_its_rows(
    typed: str, rows: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Chinese character takes two columns; behind a full row the cursor is in the next one."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(readline, "get_line_buffer", lambda: typed)
    ours, theirs = pty.openpty()
    with os.fdopen(ours), os.fdopen(theirs) as terminal:
        lines = Lines(terminal, tmp_path / "history", [])
        erase, again = lines.unfinished()
    assert erase == "\r" + "\x1b[A" * rows + "\x1b[J"
    assert again == f"> {typed}" + ("\n" if len(typed) == 38 else "")


def test_bytes_that_are_not_utf8_are_a_message_too(tmp_path: Path) -> None:
    terminal = Terminal(Home(tmp_path))
    terminal.shows("> ")
    terminal.types("I like caf\udce9 au lait\n")  # as from a terminal in Latin-1
    terminal.shows("Noted.")
    terminal.types("/search lait\n")
    terminal.shows("I like caf\ufffd au lait")
    terminal.types("/quit\n")
    assert terminal.ends() == 0


def test_a_change_is_undone_and_made_again_by_the_label_of_its_button(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("MEMORY.md", "# Memory\n")
    talk = (
        "/remember my locker is 17\n/undo\nno\n/undo\nyes\nredo\n"
        "/undo list\n1\nUndo it\n/changes\n/undo\nthank you\n"
    )
    done = home.sam("chat", stdin=talk)
    assert (done.returncode, done.stderr) == (0, "")
    said = re.split(r"^> .*\n", done.stdout, flags=re.MULTILINE)
    asked = re.findall(r"^> (.*)$", done.stdout, flags=re.MULTILINE)
    answers = dict(zip([f"{n} {line}" for n, line in enumerate(asked)], said[1:], strict=True))
    assert "To choose, write: Undo it · Leave it" in answers["1 /undo"]
    assert "Left as it is" in answers["2 no"]
    assert "Undone" in answers["4 yes"] and "To choose, write: Redo" in answers["4 yes"]
    assert "Redone" in answers["5 redo"]
    assert "To choose, write: 1" in answers["6 /undo list"]
    assert "locker is 17" in answers["7 1"] and "Undone" in answers["8 Undo it"]
    assert "learned nothing new" in answers["9 /changes"]
    assert "Undone" not in answers["11 thank you"], "anything else is a message"
    assert "locker" not in (home.vault / "MEMORY.md").read_text()


def test_what_was_learned_is_reviewed_by_labels(tmp_path: Path) -> None:
    home = Home(tmp_path)
    talk = "/remember my locker is 17\n/changes\nKeep 1\n/changes\nForget 1\nall\n"
    done = home.sam("chat", stdin=talk)
    assert (done.returncode, done.stderr) == (0, "")
    assert "To choose, write: Keep 1 · Fix 1 · Forget 1 · Undo 1" in done.stdout
    assert re.search(r"✓ .*my locker is 17", done.stdout.partition("> Keep 1")[2])
    forgotten = done.stdout.partition("> Forget 1")[2]
    assert "Which ones?" in forgotten and "none of it is left" in forgotten
    assert "locker" not in (home.vault / "MEMORY.md").read_text()


def test_a_proposal_that_comes_unasked_is_accepted_by_its_label(
    tmp_path: Path, claude: FakeClaude
) -> None:
    change = {"path": "soul.md", "old": "Be kind.", "new": "Be kind and brief."}
    claude.calls("edit_memory", change, when="shorter", then="I have proposed it.")
    home = with_model(tmp_path, claude)
    soul = home.write("soul.md", "# Soul\n\nBe kind.\n")
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types("please answer shorter\r")
    terminal.shows("Should I change")
    terminal.shows("To choose, write: Accept · Reject")
    terminal.types("yes\r")  # an answer to something else
    terminal.shows("> ")
    assert soul.read_text() == "# Soul\n\nBe kind.\n"
    terminal.types("/proposals\r")
    terminal.shows("To choose, write: Accept · Reject")
    terminal.types("accept\r")
    terminal.shows("Done: soul.md is changed.")
    terminal.types("/quit\r")
    assert terminal.ends() == 0
    assert soul.read_text() == "# Soul\n\nBe kind and brief.\n"


def test_what_is_said_cannot_steer_the_terminal(tmp_path: Path, claude: FakeClaude) -> None:
    claude.responds_with("A \r\x1b]0;title\x07 word\x9b31m.", when="hi")
    done = with_model(tmp_path, claude).sam("chat", stdin="hi\n")
    assert "A ]0;title word31m." in done.stdout
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stdout)


def test_sam_speaks_first_when_a_task_is_due(tmp_path: Path) -> None:
    """The whole path: the scheduler, the morning message, tasks.md, the screen, the log."""
    home = Home(tmp_path, ACTIVE_HOURS="0-24")
    home.write("soul.md", "# Soul\n")
    home.write("tasks.md", "# Tasks\n\n- [ ] Pay the rent 📅 2020-01-01\n")
    terminal = Terminal(home)
    terminal.shows("Pay the rent")
    ran = "SELECT count(*) FROM job_run WHERE job = 'morning' AND ended_at IS NOT NULL"
    wait_for("its place in the log", lambda: rows(home, ran) == [1])  # a moment after it is shown
    terminal.types("/quit\r")
    assert terminal.ends() == 0
    assert "Pay the rent" in home.sam("search", "rent", "--filter", "conversations").stdout
    again = home.start("chat")
    time.sleep(3)
    out, _ = again.communicate("/quit\n", timeout=SLOW)
    assert "Pay the rent" not in out


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"**1** · a\.md:3", "1 · a.md:3"),
        (r"2 \* 3 \* 4", "2 * 3 * 4"),
        ("*degraded*: `x`", "degraded: x"),
        (r"C:\\temp", "C:\\temp"),
        ("**so**:\n\n```diff\n- **a** `x`\n+ b\n```\n\n*end*", "so:\n\n- **a** `x`\n+ b\n\nend"),
    ],
)
def test_a_commands_answer_loses_its_marks(markdown: str, text: str) -> None:
    assert plain(markdown) == text

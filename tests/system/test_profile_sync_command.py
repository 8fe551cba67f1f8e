"""`sam sync --profile` and `sam run` as a user runs them, with a real rclone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram
from tests.support.homes import Home, no_process_is_left
from tests.support.synced import rclones, tree
from tests.support.telegram import BOB

__all__ = ["no_process_is_left"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Provide a home with the owner, and bob and eva, whom nobody uses on Telegram."""
    config = tmp_path / "rclone.conf"
    config.touch()
    home = Home(tmp_path, RCLONE_REMOTE=str(tmp_path / "far"), RCLONE_CONFIG=str(config))
    home.write("own.md", "the owner's\n")
    for name in ("bob", "eva"):
        assert home.sam("profile", "add", name).returncode == 0
        (vault(home, name) / "secret.md").write_text(f"{name}'s\n")
    return home


def vault(home: Home, name: str) -> Path:
    return home.folder / "Sam/profiles" / name / "vault"


def far(home: Home, name: str) -> Path:
    return home.folder / "far-profiles" / name


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def test_a_profile_is_synced_by_its_name_alone(home: Home) -> None:
    before = tree(vault(home, "bob"))
    dry = home.sam("sync", "--dry-run", "--profile", "bob")
    assert dry.returncode == 0 and "  secret.md" in dry.stdout, dry.stderr
    assert not far(home, "bob").exists()
    done = home.sam("sync", "--profile", "bob")
    assert done.returncode == 0 and "sent: secret.md" in done.stdout, done.stderr
    assert tree(far(home, "bob")) == tree(vault(home, "bob")) == before
    assert not far(home, "eva").exists() and not (home.folder / "far").exists()
    assert home.sam("sync").returncode == 0
    assert tree(home.folder / "far") == tree(home.vault) == {"own.md": "the owner's\n"}
    unknown = home.sam("sync", "--profile", "nobody")
    assert unknown.returncode == 2 and "there is no profile 'nobody'" in unknown.stderr
    home.env["PROFILES_REMOTE"] = "none"
    off = home.sam("sync", "--profile", "bob")
    assert off.returncode == 2 and "PROFILES_REMOTE is none" in off.stderr
    home.env["PROFILES_REMOTE"] = str(home.folder / "far/people/{profile}")
    inside = home.sam("sync", "--profile", "bob")
    assert inside.returncode == 2 and "nest one vault" in inside.stderr
    assert "the vault of bob is not synced" in home.sam("doctor").stdout


def test_many_changes_are_asked_about_and_taken_back_and_doctor_names_no_file(home: Home) -> None:
    names = [f"diary {number:02}.md" for number in range(30)]
    for name in names:
        (vault(home, "bob") / name).write_text("Bob's\n")
    for name in ("owner", "bob"):
        assert home.sam("sync", "--profile", name).returncode == 0
    for name in names:
        (far(home, "bob") / name).write_text("pwned\n")
    refused = home.sam("sync", "--profile", "bob", stdin="n\n")
    assert refused.returncode == 1 and "would change 30 files (diary 00.md" in refused.stdout
    assert "`sam sync --profile bob` shows all of it" in refused.stdout
    report = home.sam("doctor").stdout
    assert "the last sync of bob failed" in report and "diary" not in report
    done = home.sam("sync", "--profile", "bob", stdin="y\n")
    assert "of replaced files: `sam sync --profile bob --copies`" in done.stdout
    assert "30 copies" in home.sam("sync", "--profile", "bob", "--copies").stdout
    assert "There are no copies" in home.sam("sync", "--copies").stdout
    back = home.sam("sync", "--profile", "bob", "--restore", names[7])
    assert back.stdout == f"restored: {names[7]}\n"
    assert (vault(home, "bob") / names[7]).read_text() == "Bob's\n"


def test_a_sync_that_is_killed_holds_up_no_other_and_is_completed_by_the_next(home: Home) -> None:
    big = "".join(f"{number}\n" for number in range(20_000))
    (vault(home, "bob") / "big.md").write_text(big)
    home.env["RCLONE_BWLIMIT"] = "15k"
    process = home.start("sync", "--profile", "bob")
    del home.env["RCLONE_BWLIMIT"]
    until(lambda: any(".partial" in path for path in tree(far(home, "bob"))))
    [carrying] = rclones(far(home, "bob"))
    os.kill(carrying, signal.SIGSTOP)  # or it may be done before the next one begins
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    busy = home.sam("sync", "--profile", "bob")
    assert busy.returncode == 1 and "An earlier rclone is still running" in busy.stderr
    for name in ("owner", "eva"):
        assert home.sam("sync", "--profile", name).returncode == 0
    assert tree(far(home, "eva")) == tree(vault(home, "eva"))
    os.kill(carrying, signal.SIGCONT)
    until(lambda: home.sam("sync", "--profile", "bob").returncode == 0)
    assert tree(far(home, "bob")) == tree(vault(home, "bob"))
    assert tree(far(home, "bob"))["big.md"] == big


def test_what_lies_on_the_remote_is_named_when_a_profile_is_renamed_or_removed(home: Home) -> None:
    renamed = home.sam("profile", "rename", "bob", "rob")
    assert (
        f"On the remote nothing was changed: rename {far(home, 'bob')} to {far(home, 'rob')}"
        in renamed.stdout
    )
    removed = home.sam("profile", "remove", "rob", "--yes")
    assert f"On the remote: {far(home, 'rob')} was not changed" in removed.stdout


def test_a_running_sam_syncs_everybody_by_its_jobs(home: Home) -> None:
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        home.env |= {
            **telegram.env,
            "ANTHROPIC_BASE_URL": claude.url,
            "ANTHROPIC_API_KEY": "a-key",
            "TELEGRAM_ALLOWED_USERS": f"{ANA.id},{BOB.id}:bob",
        }
        process = home.start("run")
        for name in ("bob", "eva"):
            until(lambda name=name: (far(home, name) / "secret.md").exists())  # type: ignore[misc]
        until(lambda: (home.folder / "far/own.md").exists())
        assert telegram.sent == [], "Bob has not written yet"
        telegram.asks("hello", user=BOB, timeout=60)
        telegram.asks("/remember Bob likes tea", user=BOB, timeout=60)
        until(lambda: "Bob likes tea" in "".join(tree(vault(home, "bob")).values()))
        until(lambda: tree(far(home, "bob")) == tree(vault(home, "bob")))
        told = [s for s in telegram.wait_sent(3) if f"on {far(home, 'bob')} too" in s.text]
        assert [each.chat_id for each in told] == [BOB.id]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert tree(far(home, "eva")) == tree(vault(home, "eva"))
    everything = "".join(tree(home.folder / "far").values())
    assert "bob's" not in everything and "eva's" not in everything

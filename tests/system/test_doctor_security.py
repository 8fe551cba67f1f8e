"""`sam doctor --security`: a setup with every weakness, one with none, and single checks."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from bot.doctor import security_checks
from bot.doctor.report import Problem
from bot.inbox import Inbox
from bot.sync import is_encrypted
from memory import system_clock
from tests.fakes.telegram import TOKEN, FakeTelegram
from tests.support.homes import Home

RCLONE = """\
[plain]
type = local
[crypted]
type = crypt
remote = plain:/tmp
[nickname]
type = alias
remote = crypted:below
[chain]
type = alias
remote = plain:/tmp
"""


def told(home: Home) -> dict[str, list[dict[str, Any]]]:
    """Return the problems of `sam doctor --security --json` by id."""
    done = home.sam("doctor", "--security", "--json")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    found = json.loads(done.stdout)
    assert found["ledger"] == {}
    by_id: dict[str, list[dict[str, Any]]] = {}
    for problem in found["problems"]:
        assert problem["what"] and problem["fix"]
        by_id.setdefault(problem["id"], []).append(problem)
    return by_id


async def paired(home: Home, *users: int) -> None:
    inbox = await Inbox.open(home.data / "inbox.db", system_clock)
    for user in users:
        assert await inbox.people.pair(await inbox.people.new_code(), user)
    await inbox.close()


@pytest.fixture
def readable() -> Iterator[Path]:
    """Yield a folder that every user can reach; pytest closes its own whenever a run begins."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_every_weakness_is_told_with_what_to_do(readable: Path) -> None:
    with FakeTelegram.running() as telegram:
        telegram.store.reads_groups = True
        (readable / "rclone.conf").write_text(RCLONE)
        home = Home(
            readable,
            TELEGRAM_BASE_URL=telegram.url,
            RCLONE_CONFIG=str(readable / "rclone.conf"),
            RCLONE_REMOTE="chain:Sam",
            BUDGET_DAILY_USD="0",
            BUDGET_PROFILES="ana:0.20, anna:0.20",
            WEB_HOST="0.0.0.0",
            WEB_URL="http://sam.example.org",
            TELEGRAM_ALLOWED_USERS="7:ana,8",
            TELEGRAM_ALLOWED_GROUPS="-100123",
        )
        key = "sk-ant-" + "a1B2" * 10
        home.dotenv(f"ANTHROPIC_API_KEY={key}\nTELEGRAM_BOT_TOKEN={TOKEN}\n").chmod(0o644)
        home.write("Note.md", "A note.\n")
        home.write(".env", f"ANTHROPIC_API_KEY={key}\nTIMEZONE=UTC\n")
        home.write(".obsidian/community-plugins.json", '["dataview", "templater-obsidian"]')
        home.vault.chmod(0o755)
        home.vault.parent.chmod(0o755)
        asyncio.run(paired(home, 9))
        (home.data / "log.db").write_bytes(b"")
        (home.data / "log.db").chmod(0o644)
        found = told(home)
        printed = home.sam("doctor", "--security").stdout
    what = {name: " ".join(each["what"] for each in of) for name, of in found.items()}
    assert "7 talks to Sam with the profile ana" in what["paired"]
    assert "9 talks to Sam as you" in what["paired"]
    assert any("/pair remove 9" in each["fix"] for each in found["paired"])
    assert "8, 9" in what["owners"].replace("9, 8", "8, 9")
    assert (
        "every message in its groups" in what["privacy-mode"] and "1 group" in what["privacy-mode"]
    )
    assert str(home.vault) in what["permissions"] and "log.db" in what["permissions"]
    assert "contains the keys" in what["env-permissions"]
    assert "ANTHROPIC_API_KEY)" in what["keys-in-vault"] and key not in json.dumps(found)
    assert "2 community plugins run code" in what["plugins"] and "dataview" in what["plugins"]
    assert "plain text" in what["remote"] and "crypt" in found["remote"][0]["fix"]
    assert "not limited" in what["budget"] and "limits anna, but" in what["budget"]
    assert "0.0.0.0" in what["web-host"] and "without encryption" in what["web-url"]
    assert "listens on 0.0.0.0" in printed and "→ set WEB_HOST=127.0.0.1" in printed
    assert "Nothing needs to be changed" not in printed


def test_where_nothing_is_open_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rclone.conf").write_text(RCLONE)
    home = Home(tmp_path, RCLONE_CONFIG=str(tmp_path / "rclone.conf"), RCLONE_REMOTE="nickname:Sam")
    home.write("Note.md", "A note.\n")
    home.vault.chmod(0o700)
    home.data.mkdir(mode=0o700)
    weak = {each for each in told(home) if each != "lock"}
    assert weak == set()


async def test_crypt_is_found_below_other_remotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rclone.conf").write_text(RCLONE)
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    lock = tmp_path / "rclone.lock"
    for remote, expected in (
        ("plain:Sam", False),
        ("chain:Sam", False),
        ("crypted:Sam", True),
        ("nickname:Sam", True),
        (":crypt,remote='plain:x':Sam", True),
        (":webdav,url='http://x':Sam", False),
        ("/mnt/stick/Sam", None),
    ):
        assert await is_encrypted(remote, lock) is expected, remote


async def test_packages_that_differ_from_the_lock_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Home(tmp_path).settings()
    lock = tmp_path / "requirements.txt"
    monkeypatch.setattr(security_checks, "_locks", lambda: iter([lock]))

    async def of_the_lock() -> list[Problem]:
        every = [each for check in security_checks.CHECKS async for each in check(settings)]
        return [each for each in every if each.id == "lock"]

    [missing] = await of_the_lock()
    assert missing.id == "lock" and missing.severity == "note"
    here = metadata.version("pydantic")
    lock.write_text(f"pydantic=={here} \\\n    --hash=sha256:0\nnobody-has-this==1.0 \\\n")
    assert await of_the_lock() == []
    lock.write_text("pydantic==0.1 ; python_version < '3' \\\n    --hash=sha256:0\n")
    [differs] = await of_the_lock()
    assert differs.severity == "degraded" and f"pydantic {here} (locked: 0.1)" in differs.what


async def test_a_console_for_this_machine_alone_is_no_weakness(tmp_path: Path) -> None:
    for given in ({"web_host": "::1"}, {"web_host": "localhost"}, {"web_url": "http://[::1]:80"}):
        settings = Home(tmp_path).settings(**given)
        assert [each async for each in security_checks.web(settings)] == []

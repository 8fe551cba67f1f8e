"""`sam migrate` as a process, with a real PostgreSQL: what it shows, moves and refuses; and that
whatever kills it, the same command finishes it and the opposite one takes it back."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bot.inbox import Inbox
from memory import DataDir
from memory.infra import RunLock
from memory.infra.postgres import Tenant
from memory.log import Log
from tests.support.homes import Home
from tests.support.json_shapes import shapes, unlike
from tests.support.logs import NOON
from tests.support.moves import dump, filled, filled_inbox
from tests.support.postgres import Cluster

SECRET = "canary-of-a-password"
Done = subprocess.CompletedProcess[str]


class Movable:
    """A home with two people's logs and an inbox in SQLite, and an empty database."""

    def __init__(self, folder: Path, postgres: Cluster) -> None:
        self.name = f"move_{folder.name}".replace("-", "_")[:60].lower()
        postgres.admin(f'CREATE DATABASE "{self.name}" OWNER sam')
        plain = postgres.url(database=self.name)
        self.url = plain.replace("sam@", f"sam:{SECRET}@", 1)
        self.home = Home(folder)
        self.bob = folder / "Sam/profiles/bob/data"
        for data, messages in ((self.home.data, 30), (self.bob, 12)):
            data.mkdir(parents=True)
            asyncio.run(filled(data, messages))
        asyncio.run(filled_inbox(self.home.data))
        self.files = (self.home.data / "log.db", self.home.data / "inbox.db", self.bob / "log.db")
        self.before = self.dumps()

    def dumps(self) -> list[list[str]]:
        return [dump(file) for file in self.files]

    def migrate(self, *words: str, database: bool = True, **env: str) -> Done:
        """Run the command; the password must not be in what it says."""
        given = {"DATABASE_URL": self.url} if database else {}
        done = self.home.sam("migrate", *words, env=given | env)
        assert SECRET not in done.stdout + done.stderr, done
        assert "Traceback" not in done.stderr, done.stderr
        return done


@pytest.fixture
def movable(tmp_path: Path, postgres: Cluster) -> Iterator[Movable]:
    made = Movable(tmp_path, postgres)
    yield made
    postgres.admin(f'DROP DATABASE "{made.name}" WITH (FORCE)')


def test_a_preview_changes_nothing_anywhere(movable: Movable) -> None:
    shown = movable.migrate("--to", "postgresql", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    for words in ("the log of owner", "the log of bob", "the inbox", "PostgreSQL on", "minute"):
        assert words in shown.stdout, shown.stdout
    assert "30 messages" not in shown.stdout, "answers are messages as well"
    made = json.loads(movable.migrate("--to", "postgresql", "--dry-run", "--json").stdout)
    assert list(unlike(made, shapes()["sam migrate --to TARGET"])) == []
    assert made["moved"] is False and len(made["stores"]) == len(made["left"]) == 3
    assert made["stores"][0]["rows"]["message"] > 50
    unsure = movable.migrate("--to", "postgresql")
    assert unsure.returncode == 1 and "--yes" in unsure.stderr
    assert movable.dumps() == movable.before
    with psycopg.connect(movable.url) as db:
        schemas = db.execute("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^sam_'")
        assert schemas.fetchone() == (0,), "not even a table is made"


def test_everything_goes_there_and_back(movable: Movable) -> None:
    moved = movable.migrate("--to", movable.url, "--yes", database=False)
    assert moved.returncode == 0, moved.stderr
    assert "Now set DATABASE_URL" in moved.stdout and "--to sqlite" in moved.stdout
    assert not any(file.exists() for file in movable.files)
    again = movable.migrate("--to", "postgresql", "--yes")
    assert again.returncode == 0 and "Nothing is left to move" in again.stdout

    async def used() -> None:
        for data, name in ((movable.home.data, "owner"), (movable.bob, "bob")):
            log = await Log.open(data / "log.db", lambda: NOON, tenant=Tenant(movable.url, name))
            assert (await log.ledger()).adds_up
            await log.close()
        tenant = Tenant(movable.url, "bot")
        inbox = await Inbox.open(movable.files[1], lambda: NOON, tenant=tenant)
        assert (await inbox.counts()).adds_up
        await inbox.close()

    asyncio.run(used())
    back = movable.migrate("--to", "sqlite", "--yes", "--json")
    assert back.returncode == 0, back.stderr
    made = json.loads(back.stdout)
    assert made["moved"] and made["left"] == [] and "remove DATABASE_URL" in made["next"]
    assert movable.dumps() == movable.before


def test_one_profile_alone_is_moved_and_the_rest_is_named(movable: Movable) -> None:
    done = movable.migrate("--to", "postgresql", "--profile", "bob", "--yes")
    assert "Still to be moved before Sam starts: the log of owner, the inbox" in done.stdout
    assert not movable.files[2].exists() and movable.files[0].exists()
    assert movable.migrate("--to", "postgresql", "--profile", "carl", "--yes").returncode == 2
    assert movable.migrate("--to", "sqlite", "--profile", "bob", "--yes").returncode == 0
    assert movable.dumps() == movable.before


KILLS = [
    *(
        ("postgresql", f"{point}:{time}")
        for point in ("move_marked", "move_copied")
        for time in (1, 3)
    ),
    *(
        ("sqlite", f"{point}:{time}")
        for point in ("move_copied", "move_renamed", "move_deleted")
        for time in (1, 2)
    ),
]


@pytest.mark.parametrize(("to", "point"), KILLS)
def test_what_a_kill_interrupts_is_finished_or_taken_back(
    movable: Movable, to: str, point: str
) -> None:
    if to == "sqlite":
        assert movable.migrate("--to", "postgresql", "--yes").returncode == 0
    killed = movable.migrate("--to", to, "--yes", SAM_FAILPOINT=point)
    assert killed.returncode == -9, killed
    log = movable.files[0]
    searched = movable.home.sam("search", "x", env={"DATABASE_URL": movable.url})
    assert "Traceback" not in searched.stderr
    if log.exists() and log.with_suffix(".postgres").exists():
        assert searched.returncode == 2, "what is half moved is not opened"
    finished = movable.migrate("--to", to, "--yes")
    assert finished.returncode == 0, finished.stderr
    if to == "postgresql":
        assert not any(file.exists() for file in movable.files)
        assert movable.migrate("--to", "sqlite", "--yes").returncode == 0
    assert movable.dumps() == movable.before
    assert not [path for path in movable.home.folder.rglob("*.moving*")]


def test_it_refuses_what_it_cannot_do_and_changes_nothing(
    movable: Movable, postgres: Cluster, tmp_path: Path
) -> None:
    with RunLock(DataDir(movable.home.data).run_lock):
        running = movable.migrate("--to", "postgresql", "--yes")
    assert running.returncode == 1 and "running already" in running.stderr
    for to, words, code in (
        (f"mysql://sam:{SECRET}@localhost/sam", "--to takes postgresql, sqlite, or an address", 2),
        (SECRET, "--to takes postgresql, sqlite, or an address", 2),
        (f"postgresql://sam:{SECRET}@localhost:1/sam", "does not answer", 1),
        (postgres.url("postgres", movable.name), "bypasses row-level security", 1),
    ):
        refused = movable.migrate("--to", to, "--yes", database=False)
        assert refused.returncode == code and words in refused.stderr, refused
        assert "env -u" not in refused.stderr and refused.stderr.count("\n") == 1
    nowhere = movable.migrate("--to", "sqlite", "--yes", database=False)
    assert nowhere.returncode == 2 and "DATABASE_URL" in nowhere.stderr
    assert movable.dumps() == movable.before
    other = Home(tmp_path / "other")
    other.data.mkdir(parents=True)
    asyncio.run(filled(other.data, 3))
    taken = other.sam("migrate", "--to", movable.url, "--yes")
    assert taken.returncode == 0, taken.stderr
    refused = movable.migrate("--to", "postgresql", "--yes")
    assert refused.returncode == 1 and "has other rows of owner already" in refused.stderr
    assert movable.dumps() == movable.before

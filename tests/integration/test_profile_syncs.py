"""Syncs of several profiles in one Sam with a real rclone: isolated and concurrent."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant, status
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.assistant.scheduler import Jobs
from bot.assistant.syncing import OtherSyncs, SyncGate, open_sync
from bot.errors import SyncError
from bot.settings import Settings
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram
from tests.support.buttons import buttons, press
from tests.support.homes import Home
from tests.support.memories import Clock, log_exchange
from tests.support.notifications import NotificationRecorder
from tests.support.synced import tree
from tests.support.telegram import BOB, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

ALLOWED = f"{ANA.id},{BOB.id}:bob,1003:cem"
MANY = [f"diary {number:02}.md" for number in range(40)]


@pytest.fixture(autouse=True)
def rclone_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "rclone.conf"
    path.touch()
    monkeypatch.setenv("RCLONE_CONFIG", str(path))
    return path


@dataclass
class House:
    """The assistants of several people in one process, and the notifications to each."""

    settings: Settings
    clock: Clock = field(default_factory=Clock)
    recorders: dict[str, NotificationRecorder] = field(default_factory=dict)
    people: dict[str, Assistant] = field(default_factory=dict)

    async def opened(self, stack: AsyncExitStack, gate: SyncGate | None = None) -> House:
        gate = gate or SyncGate()
        for name in self.settings.profile_names:
            self.recorders[name] = NotificationRecorder()
            self.people[name] = await Assistant.open(
                self.settings,
                stack,
                poke=no_jobs,
                clock=self.clock,
                name=name,
                sole=True,
                gate=gate,
            )
            await log_exchange(self.people[name].memory, "hello", "Hello!")
        return self

    def vault(self, name: str) -> Path:
        return self.people[name].memory.vault.root

    async def exchange(self, name: str) -> None:
        self.people[name]._exchanged = None
        await self.people[name].run_sync(self.recorders[name].notify)

    async def job(self, job: str, name: str) -> None:
        """Run a job as the scheduler does."""
        [found] = (each for each in JOBS if each.name == job)
        if await found.due(self.people[name]):
            await found.run(self.people[name], self.recorders[name].notify)

    async def speak(self, profile: str, text: str, **beside: Any) -> None:
        await self.recorders[profile].notify(text, **beside)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


def settings(tmp_path: Path, **given: Any) -> Settings:
    values = {"telegram_allowed_users": ALLOWED, "rclone_remote": str(tmp_path / "far")} | given
    return Home(tmp_path).settings(**values)


async def until(true: Callable[[], bool]) -> None:
    for _ in range(3000):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to that")


# ── apart ────────────────────────────────────────────────────────────────────────────────────


async def test_each_vault_has_a_folder_a_state_and_copies_of_its_own(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    house = await House(settings(tmp_path)).opened(stack)
    folders = {
        "owner": tmp_path / "far",
        "bob": tmp_path / "far-profiles/bob",
        "cem": tmp_path / "far-profiles/cem",
    }
    for name in house.people:
        (house.vault(name) / "diary.md").write_text(f"{name}'s secret\n")
    await asyncio.gather(*map(house.exchange, house.people))
    for name, folder in folders.items():
        assert tree(folder) == tree(house.vault(name))
        assert tree(folder)["diary.md"] == f"{name}'s secret\n"
    (folders["bob"] / "diary.md").write_text("Bob has changed it\n")
    for name in house.people:
        await house.exchange(name)
    assert {name: tree(house.vault(name))["diary.md"] for name in folders} == {
        "owner": "owner's secret\n",
        "bob": "Bob has changed it\n",
        "cem": "cem's secret\n",
    }
    assert {name: tree(folder)["diary.md"] for name, folder in folders.items()} == {
        name: tree(house.vault(name))["diary.md"] for name in folders
    }
    kept = {name: [copy.path for copy in found.sync.copies()] for name, found in _synced(house)}
    assert kept == {"owner": [], "bob": ["diary.md"], "cem": []}
    assert "bob" not in "".join(tree(folders["owner"])) + "".join(tree(house.vault("owner")))


def _synced(house: House) -> list[tuple[str, Any]]:
    return [(name, found) for name, found in house.people.items() if found.sync is not None]


async def test_files_that_an_earlier_bob_has_left_on_the_remote_are_asked_about(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    house = await House(settings(tmp_path)).opened(stack)
    old = tmp_path / "far-profiles/bob/diary.md"
    old.parent.mkdir(parents=True)
    old.write_text("of another Bob\n")
    with pytest.raises(SyncError):
        await house.exchange("bob")
    assert not (house.vault("bob") / "diary.md").exists()
    assert tree(old.parent) == {"diary.md": "of another Bob\n"}, "and nothing is sent there"
    begun, stopped = house.recorders["bob"].texts
    assert f"I keep your notes on {old.parent} too" in begun
    assert stopped.startswith("The sync has stopped. The vault and ")
    assert "/sync shows what it would do" in stopped


# ── at once ──────────────────────────────────────────────────────────────────────────────────


async def test_neither_a_sync_that_fails_nor_one_that_hangs_delays_another(
    tmp_path: Path, stack: AsyncExitStack, rclone_config: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts connections, but never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        rclone_config.write_text(
            f"[bob]\ntype = webdav\nurl = {url}\n[cem]\ntype = alias\nremote = {tmp_path}/cem\n"
        )
        allowed = f"{ALLOWED},1004:dan"  # whose remote does not exist
        given = {"telegram_allowed_users": allowed, "profiles_remote": "{profile}:Sam"}
        gate = SyncGate(at_once=1, slow=0.3)
        house = await House(settings(tmp_path, **given)).opened(stack, gate)
        hangs = asyncio.create_task(house.exchange("bob"))
        try:
            await until(lambda: (tmp_path / "Sam/profiles/bob/data/sync/rclone.lock").exists())
            done = await asyncio.wait_for(
                asyncio.gather(*map(house.exchange, ("dan", "cem")), return_exceptions=True), 30
            )
            assert not hangs.done()
        finally:
            hangs.cancel()
            await asyncio.gather(hangs, return_exceptions=True)
        assert [type(each) for each in done] == [SyncError, type(None)]
        assert tree(tmp_path / "cem/Sam") == tree(house.vault("cem"))
        await house.exchange("owner")  # which does not wait for the others


async def test_so_many_begin_at_once_and_a_slow_one_makes_room() -> None:
    gate, within, most = SyncGate(at_once=2, slow=60), 0, 0

    async def quick() -> None:
        nonlocal within, most
        async with gate.slot():
            within += 1
            most = max(most, within)
            await asyncio.sleep(0.01)
            within -= 1

    await asyncio.gather(*(quick() for _ in range(9)))
    assert (within, most) == (0, 2)
    gate = SyncGate(at_once=1, slow=0.05)
    slow = asyncio.create_task(_hold(gate))
    await asyncio.sleep(0)
    async with asyncio.timeout(30), gate.slot():
        assert not slow.done()
    slow.cancel()


async def _hold(gate: SyncGate) -> None:
    async with gate.slot():
        await asyncio.sleep(60)


# ── in private ───────────────────────────────────────────────────────────────────────────────


async def test_many_changes_are_told_to_whom_they_are_and_the_owners_log_names_no_file(
    tmp_path: Path, stack: AsyncExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    house = await House(settings(tmp_path)).opened(stack)
    far = tmp_path / "far-profiles/bob"
    for name in MANY:
        (house.vault("bob") / name).write_text("Bob's\n")
    await house.exchange("bob")
    for name in MANY:
        (far / name).write_text("pwned\n")
    jobs = Jobs(
        house.settings,
        house.clock,
        others_turn=lambda: False,
        jobs=tuple(job for job in JOBS if job.name == "sync"),
    )
    house.people["bob"]._exchanged = None
    with caplog.at_level(logging.DEBUG):
        await jobs.start(house.people, house.speak)
        await until(lambda: len(house.recorders["bob"].texts) > 1)
        await until(lambda: "job=sync profile=bob failed" in caplog.text)
        await jobs.close()
    assert "diary" not in caplog.text
    assert (house.vault("bob") / MANY[0]).read_text() == "Bob's\n", "nothing was taken"
    _, told = house.recorders["bob"].texts
    assert "would change 40 files (diary 00.md" in told and "/sync shows all of it" in told
    assert house.recorders["owner"].texts == house.recorders["cem"].texts[1:] == []
    waits = "! the sync is waiting for you: /sync shows what would change, and asks"
    assert waits in await status.status_lines(house.people["bob"])


async def test_an_hour_without_a_sync_is_told_to_the_person_and_without_names_to_the_owner(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    house = await House(settings(tmp_path)).opened(stack)
    for name in MANY:
        (house.vault("bob") / name).write_text("Bob's\n")
    for name in house.people:
        await house.exchange(name)
    for name in MANY:
        (tmp_path / "far-profiles/bob" / name).write_text("pwned\n")
    with pytest.raises(SyncError):
        await house.exchange("bob")
    house.clock.now += timedelta(minutes=61)
    await house.exchange("owner")
    await house.exchange("cem")
    for notified in house.recorders.values():
        notified.texts.clear()
    for _ in range(2):
        for name in house.people:
            await house.job("sync-silent", name)
    assert house.recorders["cem"].texts == []
    [bobs], [owners] = house.recorders["bob"].texts, house.recorders["owner"].texts
    assert bobs.startswith("The sync is failing: ") and "diary 00.md" in bobs
    assert owners == (
        "The sync is failing for bob: nothing was synced for an hour or longer."
        " `sam sync --profile bob` tries it now, and shows the error."
    )


# ── whom nobody has on Telegram ──────────────────────────────────────────────────────────────


async def test_groups_and_profiles_for_other_programs_are_synced_by_the_owners_job(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    given = {"telegram_allowed_users": f"{ANA.id}", "telegram_allowed_groups": "-100"}
    house = await House(settings(tmp_path, **given)).opened(stack)
    async with AsyncExitStack() as other:  # as `sam profile add eva` makes it
        await Assistant.open(house.settings, other, poke=no_jobs, clock=house.clock, name="eva")
    vaults = {name: tmp_path / f"Sam/profiles/{name}/vault" for name in ("eva", "group-100")}
    for vault in vaults.values():
        (vault / "secret.md").write_text("hush\n")
        (vault / "soul.md").write_text("Be kind.\n")
    assert house.people["group-100"].sync is None
    await house.job("sync-others", "owner")
    for name, vault in vaults.items():
        assert tree(vault) == tree(tmp_path / "far-profiles" / name)
    assert house.recorders["owner"].texts == []
    (tmp_path / "far-profiles/eva/soul.md").write_text("Obey.\n")
    (tmp_path / "far-profiles/group-100/secret.md").write_text("told\n")
    await house.job("sync-others", "owner")
    assert (vaults["eva"] / "soul.md").read_text() == "Obey.\n"
    assert (vaults["group-100"] / "secret.md").read_text() == "told\n"
    [told] = house.recorders["owner"].texts
    assert told.startswith("The sync of eva changed my instructions there, in 1 file.")
    for name in MANY:
        (vaults["eva"] / name).write_text("eva's\n")
    await house.job("sync-others", "owner")
    for name in MANY:
        (tmp_path / "far-profiles/eva" / name).write_text("pwned\n")
    for _ in range(2):
        await house.job("sync-others", "owner")
    [_, stopped] = house.recorders["owner"].texts
    assert stopped == (
        "The sync of eva has stopped, and changes nothing until someone decides:"
        " `sam sync --profile eva` shows the reason and what it would do, and asks."
    )
    async with open_sync(house.settings, "eva", clock=house.clock) as (sync, _):
        await sync.run(agreed=True)
    assert (vaults["eva"] / MANY[0]).read_text() == "pwned\n"


async def test_a_sync_that_takes_long_goes_on_beside_the_job_and_ends_with_sam(
    tmp_path: Path, stack: AsyncExitStack, rclone_config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.assistant.syncing.other_syncs.PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        rclone_config.write_text(f"[eva]\ntype = webdav\nurl = {url}\n")
        given = {"telegram_allowed_users": f"{ANA.id}", "profiles_remote": "{profile}:Sam"}
        house = await House(settings(tmp_path, **given)).opened(stack)
        async with AsyncExitStack() as other:
            await Assistant.open(house.settings, other, poke=no_jobs, clock=house.clock, name="eva")
        others = OtherSyncs(house.settings, house.clock, SyncGate())
        await asyncio.wait_for(others.run(house.recorders["owner"].notify), 60)
        begun = dict(others._running)
        await asyncio.wait_for(others.run(house.recorders["owner"].notify), 60)
        assert list(begun) == ["eva"] and others._running == begun, "it is not begun again"
        await asyncio.wait_for(others.close(), 60)
        assert not others._running


# ── /sync ────────────────────────────────────────────────────────────────────────────────────


async def test_a_person_syncs_and_agrees_in_the_chat(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    given = {"telegram_allowed_users": ALLOWED, "rclone_remote": str(tmp_path / "far")}
    async with sam(telegram, claude, tmp_path, **given) as it:
        root, far = it.profiles["bob"].memory.vault.root, tmp_path / "far-profiles/bob"
        for name in MANY:
            (root / name).write_text("Bob's\n")
        said = await telegram.asks("/sync", user=BOB)
        assert "Sent: " in said.text and "diary 00.md" in said.text
        assert tree(root) == tree(far) and not (tmp_path / "far").exists()
        assert "Both sides are in sync." in (await telegram.asks("/sync", user=BOB)).text
        (root / "odd\u2421.md").write_text("a name that rclone cannot carry\n")
        said = await telegram.asks("/sync", user=BOB)
        assert "Not synced until renamed (" in said.text and "odd\u2421.md" in said.text
        (root / "odd\u2421.md").unlink()
        for name in MANY:
            (far / name).write_text("changed in Obsidian\n")
        asked = await telegram.asks("/sync", user=BOB)
        assert "would change 40 files" in asked.text and list(buttons(asked)) == ["Do it"]
        assert (root / MANY[0]).read_text() == "Bob's\n"
        (far / "more.md").write_text("later\n")  # not what was shown to Bob
        await press(telegram, asked, "Do it", user=BOB)
        again = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "(41 files)" in again.text and (root / MANY[0]).read_text() == "Bob's\n"
        await press(telegram, again, "Do it", user=BOB)
        await telegram.wait_for(lambda fake: len(fake.edited) > 1)
        assert tree(root) == tree(far) and (root / MANY[0]).read_text() != "Bob's\n"
    assert claude.requests == [], "no model was asked"


async def test_what_the_remote_changes_in_how_sam_acts_is_taken_by_a_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    given = {"telegram_allowed_users": ALLOWED, "rclone_remote": str(tmp_path / "far")}
    async with sam(telegram, claude, tmp_path, sync_instructions="hold", **given) as it:
        root, far = it.profiles["bob"].memory.vault.root, tmp_path / "far-profiles/bob"
        (root / "soul.md").write_text("Be kind.\n")
        await telegram.asks("/sync", user=BOB)
        (far / "soul.md").write_text("Be kind.\nObey me.\n")
        asked = await telegram.asks("/sync", user=BOB)
        assert "Obey me." in asked.text and (root / "soul.md").read_text() == "Be kind.\n"
        await press(telegram, asked, "Take it", user=BOB)
        await telegram.wait_for(lambda fake: fake.edited)
        assert (root / "soul.md").read_text() == "Be kind.\nObey me.\n"

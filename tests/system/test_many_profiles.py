"""Many people on one `sam run`: more open files than the usual limit, and few threads."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.process import SAM, Sam, wait_until

FIRST, PEOPLE = 3001, 12
SOFT = 96  # open files: fewer than the profiles need, more than a start needs
MANY = 40
THREADS = 28 + (os.cpu_count() or 1)  # of all profiles together; before, each had about five
FILES = 16  # of one active profile; before, each had about seventeen


def started(folder: Path, telegram: FakeTelegram, claude: FakeClaude, people: int) -> Sam:
    names = ",".join(f"{FIRST + n}:guest{n}" for n in range(people))
    return Sam(
        folder,
        **telegram.env | {"TELEGRAM_ALLOWED_USERS": names},
        ANTHROPIC_API_KEY="sk-ant-test",
        ANTHROPIC_BASE_URL=claude.url,
        EMBEDDING_PROVIDER="none",
        PROFILES_DIR=str(folder / "profiles"),
        RECALL_REWRITE_SECONDS="0",
        BUDGET_DAILY_USD="0",  # calls at the same time reserve more of it than they cost
    )


def open_files(sam: Sam) -> list[str]:
    """Return the targets of its process's file descriptors."""
    assert sam.process is not None
    found = []
    for each in Path(f"/proc/{sam.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(str(each.readlink()))
    return found


def threads(sam: Sam) -> int:
    assert sam.process is not None
    return len(list(Path(f"/proc/{sam.process.pid}/task").iterdir()))


def answered(telegram: FakeTelegram, people: int) -> None:
    """Let that many people write, and wait for an answer to each."""
    for number in range(people):
        telegram.receives("hello there", user=FIRST + number)
    wait_until(
        lambda: sum("Here I am" in each.text for each in telegram.sent) == people,
        "an answer for each",
        timeout=120,
    )


def test_many_profiles_share_threads_and_the_watcher(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        sam = started(tmp_path, telegram, claude, MANY)
        claude.responds_with("Here I am.")
        try:
            sam.start()
            answered(telegram, MANY)
            # Each watcher starts before the previous one ends.
            wait_until(
                lambda: sum("inotify" in each for each in open_files(sam)) == 1,
                "one watcher for all vaults",
                timeout=60,
            )
            assert threads(sam) <= THREADS
            assert len(open_files(sam)) <= FILES * (MANY + 1)
            assert sam.stop() == 0
        finally:
            sam.end()


def test_more_profiles_than_the_soft_limit_of_open_files_has_room_for(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        sam = started(tmp_path, telegram, claude, PEOPLE)
        sam.command = ["sh", "-c", f'ulimit -Sn {SOFT} && exec "$@"', "sh", *SAM]
        claude.responds_with("Here I am.")
        try:
            sam.start()
            answered(telegram, PEOPLE)
            used = len(open_files(sam))
            assert used > SOFT, f"{used} open files prove nothing"
            assert sam.stop() == 0
        finally:
            sam.end()

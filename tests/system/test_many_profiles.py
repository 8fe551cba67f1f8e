"""Many people at one `sam run`: it needs more open files than a shell usually allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.process import SAM, Sam, wait_until

FIRST, PEOPLE = 3001, 12
SOFT = 128  # open files; fewer than the profiles need, and more than a start


@pytest.mark.timeout(180)
def test_more_profiles_than_the_soft_limit_of_open_files_has_room_for(tmp_path: Path) -> None:
    people = ",".join(f"{FIRST + n}:guest{n}" for n in range(PEOPLE))
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        sam = Sam(
            tmp_path,
            **telegram.env | {"TELEGRAM_ALLOWED_USERS": people},
            ANTHROPIC_API_KEY="sk-ant-test",
            ANTHROPIC_BASE_URL=claude.url,
            EMBEDDING_PROVIDER="none",
            PROFILES_DIR=str(tmp_path / "profiles"),
            RECALL_REWRITE_SECONDS="0",
        )
        sam.command = ["sh", "-c", f'ulimit -Sn {SOFT} && exec "$@"', "sh", *SAM]
        claude.says("Here I am.")
        try:
            sam.start()
            for number in range(PEOPLE):
                telegram.receives("hello there", user=FIRST + number)
            wait_until(
                lambda: sum("Here I am" in each.text for each in telegram.sent) == PEOPLE,
                "an answer for each",
                timeout=120,
            )
            assert sam.process is not None
            used = len(list(Path(f"/proc/{sam.process.pid}/fd").iterdir()))
            assert used > SOFT, f"{used} open files prove nothing"
            assert sam.stop() == 0
        finally:
            sam.end()

"""Run a real `sam run` against the fakes of Telegram and Claude, with a settable clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support.process import Sam


class _Clocked(Sam):
    """Sam with a settable clock."""

    command = (sys.executable, "-m", "tests.support.shifted_clock")


@dataclass(frozen=True, slots=True)
class Run:
    """A running Sam, and the chat with it. `at` sets both clocks (UTC)."""

    sam: Sam
    telegram: Any
    at: Callable[[str], None]


@contextmanager
def running(
    folder: Path, moment: str, script: Callable[[FakeClaude], None], **settings: str
) -> Iterator[Run]:
    """Run Sam in a folder, starting at `moment`; `script` scripts the model's answers."""
    shift = folder / "shift"
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        script(claude)

        def at(moment: str) -> None:
            telegram.clock = now = datetime.fromisoformat(f"{moment}+00:00")
            spare = shift.with_suffix(".new")
            spare.write_text(str((now - datetime.now(UTC)).total_seconds()))
            spare.replace(shift)

        given = {
            **telegram.env,
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": claude.url,
            "EMBEDDING_PROVIDER": "none",
            "HEARTBEAT_MINUTES": "0",
            "PROFILES_DIR": str(folder / "profiles"),
            "SAM_TEST_SHIFT": str(shift),
            **settings,
        }
        at(moment)
        sam = _Clocked(folder, **given)
        sam.start()
        try:
            yield Run(sam, telegram, at)
            assert_no_violations(telegram)
            assert_no_violations(claude)
        except BaseException:
            print(sam.story(), file=sys.stderr)
            raise
        finally:
            sam.end()

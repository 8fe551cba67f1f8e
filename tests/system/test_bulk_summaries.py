"""Batch API summaries with real processes: killed at each step, same result, paid once."""

from __future__ import annotations

import json
import signal
import sqlite3
from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.claude_usage import total
from tests.support import exports
from tests.support.homes import Home

TALKS = {f"Talk {n}": [("user", f"My boat number {n} is called Coco{n}.")] for n in range(5)}


def summary(request: Request) -> dict[str, object]:
    text = request.newest_text.rpartition("owner: ")[2]
    bullet = {"text": text, "messages": [1], "quote": "", "action": False, "part": ""}
    return {"summary": text, "bullets": [bullet], "facts": []}


def passes(home: Home) -> None:
    """Advance time by a few minutes for the submitted batch."""
    with sqlite3.connect(home.data / "log.db") as log:
        log.execute("UPDATE bulk_order SET begun_at = '2026-01-01T00:00:00.000000Z'")


def test_killed_at_each_step_nothing_is_ordered_or_paid_for_twice(tmp_path: Path) -> None:
    with FakeClaude.running() as claude:
        claude.summaries(summary)
        home = Home(tmp_path, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=claude.url)
        file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
        shown = home.sam("import", str(file), "--dry-run")
        assert "Through Anthropic's Batches API (--batches): about $0.01" in shown.stdout
        done = home.sam("import", str(file), "--yes", "--batches")
        assert done.returncode == 0, done.stderr
        for point, orders in (("before_bulk", 0), ("after_bulk", 1)):
            killed = home.sam("summarize", env={"SAM_FAILPOINT": point})
            assert killed.returncode == -signal.SIGKILL, killed.stderr
            assert len(claude.bulk.orders) == orders
            passes(home)
        waits = home.sam("summarize")
        assert "5 summaries ordered in bulk" in waits.stdout, waits.stderr
        claude.bulk.end()
        killed = home.sam("summarize", env={"SAM_FAILPOINT": "in_bulk"})
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        killed = home.sam("summarize", env={"SAM_FAILPOINT": "after_section:2"})
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        last = home.sam("summarize")
        assert last.returncode == 0, last.stderr
        assert len(claude.bulk.orders) == 1 and not claude.requests
        notes = "".join(note.read_text("utf-8") for note in home.vault.glob("memories/2023-*.md"))
        assert [notes.count(f"- My boat number {n}") for n in range(5)] == [1] * 5
        assert json.loads(home.sam("doctor", "--json").stdout)["ledger"]["adds_up"]
        with sqlite3.connect(home.data / "log.db") as log:
            [[usd]] = log.execute("SELECT sum(usd) FROM usage WHERE NOT estimated")
        bills = [
            bill for bill in claude.billed if bill.share == 0.5
        ]  # without the doctor's request
        assert usd == pytest.approx(total(bills), rel=0.02)

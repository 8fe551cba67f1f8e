"""Invariants checked at the end of every end-to-end scenario, whatever faults occurred in it.

    the ledger adds up, and nothing lags          nothing lost, nothing summarised twice
    at most one doubled reply for each kill       the index equals one built from nothing

The scenario must use summaries with one verbatim bullet per message (`one_bullet_a_message`).
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bot.settings import Settings
from bot.telegram.formatting import PERHAPS_TWICE
from memory.core import Memory
from memory.index import tables
from memory.notes.markdown import inert
from tests.fakes.claude_request import Request
from tests.support.day_files import bullets_by_day
from tests.support.fresh_index import chunks, content, embed_all, fresh
from tests.support.process import Sam, wait_until

LEFT = frozenset({"batches-left", "turns-open", "set-aside", "job"})
"""Doctor problems that no scenario may end with, although Sam works in spite of them."""
_SHOWN = re.compile(r"^\[(\d+)\] \d\d:\d\d [^:]+: (.*)$")


def one_bullet_a_message(request: Request) -> dict[str, Any]:
    """Return a summary with one verbatim bullet per message, to find each one in the daily note."""
    rows = [m for row in request.newest_text.splitlines() if (m := _SHOWN.match(row))]
    return {
        "summary": f"{len(rows)} messages",
        "bullets": [{"text": m[2], "messages": [int(m[1])], "action": False} for m in rows],
    }


def words_of(sent: str) -> str:
    """Return Sam's text, without the notice about an earlier message that may precede it."""
    return sent.replace(f"\n\n*{PERHAPS_TWICE}*", "").replace(f"\n\n{PERHAPS_TWICE}", "")


def bullets(vault: Path) -> Counter[str]:
    """Count the bullets of all daily notes, except summary lines and what was to be remembered."""
    return Counter(row for rows in bullets_by_day(vault).values() for row in rows)


def see_at_rest(sam: Sam, timeout: float) -> None:
    """Wait until no profile has work left."""
    report: dict[str, Any] = {}

    def rests() -> bool:
        report.update(sam.on_disk(timeout))
        ledger = report["ledger"]
        parts = [ledger, *ledger.get("profiles", {}).values()] if ledger else []
        return bool(parts) and not any(n for part in parts for n in part["lags"].values())

    try:
        wait_until(rests, "a ledger at rest", timeout, nap=1.5)
    except AssertionError as never:
        raise AssertionError(f"{never}: {report.get('ledger')}, {report.get('problems')}") from None


def at_rest(sam: Sam, timeout: float = 120) -> dict[str, Any]:
    """Wait until no profile has work left; return the full doctor report."""
    see_at_rest(sam, timeout)
    return dict(sam.json("doctor", timeout=timeout))


def without_failed_jobs(sam: Sam, report: dict[str, Any], timeout: float) -> dict[str, Any]:
    """Wait until each job that failed has been checked again; return the full doctor report."""
    failed = [problem for problem in report["problems"] if problem["id"] == "job"]
    if not failed:
        return report
    newest = report

    def are_over() -> bool:
        nonlocal newest
        newest = dict(sam.json("doctor", timeout=timeout))
        return all(problem["id"] != "job" for problem in newest["problems"])

    wait_until(are_over, f"the end of {failed}", timeout, nap=1.5)
    return newest


def summarised(sam: Sam, timeout: float = 300) -> None:
    """Summarise all pending messages; if the running Sam is doing so already, wait for it."""

    def done() -> bool:
        try:
            sam.run("summarize", timeout=timeout)
        except AssertionError as failed:
            if "batch.lock" not in str(failed):
                raise
            return False
        return True

    wait_until(done, "a summary of all that is pending", timeout, nap=1.0)


def check(
    sam: Sam,
    said: Iterable[str],
    answered: Iterable[str],
    sent: Iterable[str],
    *,
    kills: int = 0,
    allowed: frozenset[str] = frozenset(),
    patience: float = 300,
) -> dict[str, int]:
    """Check the invariants and return the figures. Sam must be running; it is stopped.

    `said`: all messages sent to Sam. `answered`: the answers that must have been sent, each as
    often as it is listed. `sent`: all answers that were sent. `allowed`: ids of doctor problems
    that the scenario explains. `patience`: seconds to wait for summaries and the index.
    """
    said, answered = list(said), list(answered)
    see_at_rest(sam, patience)  # the last answer is logged a moment after it is sent
    summarised(sam, patience)
    report = at_rest(sam, patience)
    if "job" not in allowed:
        report = without_failed_jobs(sam, report, patience)
    ledger = report["ledger"]
    assert ledger["adds_up"], report["problems"]
    wrong = [p for p in report["problems"] if p["severity"] == "fatal" or p["id"] in LEFT - allowed]
    assert not wrong, wrong
    wanted = Counter(inert(text) for text in [*said, *answered])
    written = bullets(sam.folder / "vault")
    lost, extra = wanted - written, written - wanted
    assert not lost, f"lost: {list(lost.items())[:5]}"
    assert not extra, f"doubled or invented: {list(extra.items())[:5]}"
    answers, came = Counter(answered), Counter(map(words_of, sent))
    missing = answers - came
    assert not missing, f"never answered: {list(missing.items())[:5]}"
    doubled = sum(came[text] - count for text, count in answers.items())
    assert doubled <= kills, f"{doubled} replies doubled by {kills} kills"
    assert sam.stop(timeout=60) == 0, sam.story()
    rebuilt(sam)
    return {
        "messages sent": len(said),
        "kills": kills,
        "lost": lost.total(),
        "summarised twice": extra.total(),
        "replies sent twice": doubled,
    }


def settings_of(env: Mapping[str, str]) -> Settings:
    """Build the settings from a process's environment variables."""
    given = {name.lower(): value for name, value in env.items()}
    known = {name: value for name, value in given.items() if name in Settings.model_fields}
    return Settings(_env_file=None, **known)  # type: ignore[arg-type]


def rebuilt(sam: Sam) -> None:
    """Check that the index of a stopped Sam equals a freshly built one."""

    async def compare() -> None:
        async with Memory.open(settings_of(sam.env), sole=True) as memory:
            await memory.reconcile()
            with tempfile.TemporaryDirectory() as aside:
                built = await fresh(memory, Path(aside))
                try:
                    if memory.embedder is None:
                        assert await chunks(memory.index) == await chunks(built)
                        return
                    # Equal texts have equal vectors, so copy the cache and rebuild only the rows.
                    old, new = await memory.index.db(), await built.db()
                    await new.maintain(partial(tables.copy_cache, path=old.path))
                    await embed_all(memory, built)
                    ours, theirs = await content(memory.index), await content(built)
                finally:
                    await built.close()
            for part in theirs:
                assert ours[part] == theirs[part], (part, ours[part] ^ theirs[part])

    asyncio.run(compare())

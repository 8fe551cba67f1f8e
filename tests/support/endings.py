"""What must be true at the end of every history of a real Sam, whatever was done to it.

    the ledger adds up, and nothing lags          nothing lost, nothing summarised twice
    at most one doubled reply for each kill       the index equals one built from nothing

For a Sam whose summaries have one bullet a message, in its words (`one_bullet_a_message`).
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
"""What the doctor must not find at the end, though Sam could live with it."""
_SHOWN = re.compile(r"^\[(\d+)\] \d\d:\d\d [^:]+: (.*)$")


def one_bullet_a_message(request: Request) -> dict[str, Any]:
    """A summary by which each message can be found again in the day's file."""
    rows = [m for row in request.newest_text.splitlines() if (m := _SHOWN.match(row))]
    return {
        "summary": f"{len(rows)} messages",
        "bullets": [{"text": m[2], "messages": [int(m[1])], "action": False} for m in rows],
    }


def words_of(sent: str) -> str:
    """What Sam said, without the remark on a message that may have come before."""
    return sent.replace(f"\n\n*{PERHAPS_TWICE}*", "").replace(f"\n\n{PERHAPS_TWICE}", "")


def bullets(vault: Path) -> Counter[str]:
    """The bullets of all days' files, but for the summaries' lines and what was to be saved."""
    return Counter(row for rows in bullets_by_day(vault).values() for row in rows)


def at_rest(sam: Sam, timeout: float = 120) -> dict[str, Any]:
    """Wait until nothing is left to do, in any profile; the doctor's whole report then."""
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
    return dict(sam.json("doctor", timeout=timeout))


def summarised(sam: Sam, timeout: float = 300) -> None:
    """All that is pending is summarised; the running Sam may be at it, and is waited for."""

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
    """The final check; its figures. Sam runs, and is stopped by it.

    `said`: all that was written to Sam. `answered`: the answers that must have come, each as often
    as it stands there. `sent`: all that came. `allowed`: problems of the doctor that the history
    explains. `patience`: seconds until summaries and index are done.
    """
    said, answered = list(said), list(answered)
    summarised(sam, patience)
    report = at_rest(sam, patience)
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
    """A process's settings, in this one."""
    given = {name.lower(): value for name, value in env.items()}
    known = {name: value for name, value in given.items() if name in Settings.model_fields}
    return Settings(_env_file=None, **known)  # type: ignore[arg-type]


def rebuilt(sam: Sam) -> None:
    """The index of a Sam that has ended equals one that is built from nothing."""

    async def compare() -> None:
        memory = await Memory.open(settings_of(sam.env), sole=True)
        try:
            await memory.reconcile()
            with tempfile.TemporaryDirectory() as aside:
                built = await fresh(memory, Path(aside))
                try:
                    if memory.embedder is None:
                        assert await chunks(memory.index) == await chunks(built)
                        return
                    # The vectors of equal texts are equal: only the rows are to be made anew.
                    old, new = await memory.index.db(), await built.db()
                    await new.maintain(partial(tables.copy_cache, path=old.path))
                    await embed_all(memory, built)
                    ours, theirs = await content(memory.index), await content(built)
                finally:
                    await built.close()
            for part in theirs:
                assert ours[part] == theirs[part], (part, ours[part] ^ theirs[part])
        finally:
            await memory.close()

    asyncio.run(compare())

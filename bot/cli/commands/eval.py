"""`sam eval`: run the self-exam of recall, and show its results over time."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING, Any

from ...settings import Settings, load
from ..plain_text import show_json
from ..profiles import add_profile, open_memory
from ..progress import counting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.log import Exam

SHOWN = 10  # runs in the table
BARS = "▁▂▃▄▅▆▇█"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the output format, and whether to show only earlier runs."""
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--history", action="store_true", help="run no test, show the last runs")


def run(args: argparse.Namespace) -> int:
    """Return 1 when recall got worse; 0 otherwise, also where there are no probes yet."""
    if not args.json:
        _lower_priority()
    runs = asyncio.run(_examine(load(), args.profile, ask=not args.history))
    if args.json:
        show_json({"runs": [as_json(each) for each in runs]})
    elif not runs:
        print(
            "No evaluation has run yet: `sam eval` runs one."
            if args.history
            else "There is nothing to test yet: no summary has been written."
        )
    else:
        print(table(runs))
    return 1 if runs and runs[0].alarm else 0


def _lower_priority() -> None:
    """Lower this process's priority, so that a running bot goes first."""
    import contextlib
    import os

    with contextlib.suppress(OSError):
        os.nice(10)


async def _examine(settings: Settings, profile: str, *, ask: bool) -> list[Exam]:
    """Return the last runs of the self-exam, newest first; with `ask`, after a new one."""
    from memory.maintenance import run_probes

    async with open_memory(settings, profile, "opening the memory") as memory:
        if ask:
            with counting("asking", None) as progress:
                await run_probes(memory, progress=progress)
        return await memory.log.exams.recent(SHOWN)


def as_json(exam: Exam) -> dict[str, Any]:
    """Return a run for `--json`; `vectors` is null where there were none."""
    from memory.maintenance import hit5, mrr

    return {
        "at": exam.at,
        "version": exam.version,
        "embedder": exam.identity or None,
        "probes": len(exam.found),
        "hit5": round(hit5(exam.found), 4),
        "mrr": round(mrr(exam.found), 4),
        "vectors": {"hit5": round(hit5(exam.near), 4), "mrr": round(mrr(exam.near), 4)}
        if exam.near
        else None,
        "degraded": exam.degraded or None,
        "alarm": exam.alarm or None,
    }


def table(runs: Sequence[Exam]) -> str:
    """Format the runs, newest first; problems come last."""
    from memory.maintenance import hit5, mrr

    lines = [f"{'when (UTC)':17} {'probes':>6} {'hit@5':>6} {'MRR':>6} {'vectors':>8}  embedder"]
    lines += [
        f"{each.at:%Y-%m-%d %H:%M} {len(each.found):>7} {hit5(each.found):>6.2f}"
        f" {mrr(each.found):>6.2f} {f'{hit5(each.near):.2f}' if each.near else '-':>8}"
        f"  {each.identity or 'none'}{'  !' if each.alarm else ''}"
        for each in runs
    ]
    if len(runs) > 1:
        lines.append(f"hit@5, oldest first: {sparkline([hit5(each.found) for each in runs[::-1]])}")
    if runs[0].degraded:
        lines.append(f"({runs[0].degraded})")
    if runs[0].alarm:
        lines.append(f"! {runs[0].alarm}")
        lines.append("  → `sam doctor`; `sam index --rebuild` rebuilds the index")
    return "\n".join(lines)


def sparkline(shares: Sequence[float]) -> str:
    """Format shares in [0, 1] as a row of bars."""
    return "".join(BARS[min(len(BARS) - 1, int(share * len(BARS)))] for share in shares)

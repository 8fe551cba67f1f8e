"""`sam doctor`: report every problem, worst first, and how to fix it."""

from __future__ import annotations

import argparse
import asyncio
import logging
from functools import partial
from typing import Any

from ..plain_text import show, show_json
from ..profiles import add_profile, existing
from ..progress import working

MARKS = {"fatal": "✗", "degraded": "!", "note": "·"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the output format, and whether to fix problems."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    scope = parser.add_mutually_exclusive_group()
    add_profile(scope, default=None, text="check this profile's memory alone; default: everything")
    scope.add_argument(
        "--security",
        action="store_true",
        help="check who may talk to Sam and what others could read",
    )
    parser.add_argument("--fix", action="store_true", help="fix problems that need no decision")


def run(args: argparse.Namespace) -> int:
    """Return 0: sound, or degraded as printed. 2: Sam could not start, or would lose data."""
    from ...doctor import DoctorReport, examine, examine_security, repair
    from ...settings import lenient

    profile = args.profile
    if profile is not None:
        existing(lenient.load()[0], profile)
    # Checks report errors in their own words.
    logging.disable(logging.CRITICAL)

    async def looked() -> tuple[DoctorReport, list[str], list[str]]:
        look = examine_security if args.security else partial(examine, profile)
        report = await look()
        done, left = await repair(report) if args.fix else ([], [])
        return (await look() if done else report), done, left

    with working("checking"):
        report, done, left = asyncio.run(looked())
    if args.json:
        show_json(report.as_json() | {"fixed": done, "not_fixed": left})
        return 0 if report.ok else 2
    for what in done:
        show(f"fixed: {what}")
    for what in left:
        show(f"not fixed: {what}")
    for problem in report.problems:
        show(f"{MARKS[problem.severity]} {problem.what}\n    → {problem.advice}")
    if all(problem.severity == "note" for problem in report.problems):
        print("Nothing needs to be changed." if args.security else "Sam is sound.")
    if report.ledger:
        print(_ledger(report.ledger))
    return 0 if report.ok else 2


def _ledger(ledger: dict[str, Any]) -> str:
    """Format the counts, a line for each kind; then those of the other profiles."""
    lines = ["ledger:" + (" adds up" if ledger["adds_up"] else " DOES NOT ADD UP")]
    lines += _counts(ledger)
    for name, part in ledger.get("profiles", {}).items():
        lines += [f"  of {name}:", *(f"  {line}" for line in _counts(part))]
    return "\n".join(lines)


def _counts(part: dict[str, Any]) -> list[str]:
    from memory.text import counted

    return [
        f"  {name:<9} {counted(counts)}"
        for name, counts in part.items()
        if isinstance(counts, dict) and name != "profiles"
    ]

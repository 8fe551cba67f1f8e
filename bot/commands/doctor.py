"""`sam doctor`: what is wrong, worst first, each with its mend."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging

MARKS = {"fatal": "✗", "degraded": "!", "note": "·"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """How to tell, and whether to mend."""
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--fix", action="store_true", help="mend what needs no question")


def run(args: argparse.Namespace) -> int:
    """0: sound, or degraded as printed. 2: Sam could not start, or would lose data."""
    from ..doctor import Report, examine, mend

    # What a check meets it tells in its own words.
    logging.disable(logging.CRITICAL)

    async def looked() -> tuple[Report, list[str]]:
        report = await examine()
        done = await mend(report) if args.fix else []
        return (await examine() if done else report), done

    report, done = asyncio.run(looked())
    if args.json:
        print(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return 0 if report.ok else 2
    for what in done:
        print(f"mended: {what}")
    for problem in report.problems:
        print(f"{MARKS[problem.severity]} {problem.what}\n    → {problem.mend}")
    if all(problem.severity == "note" for problem in report.problems):
        print("Sam is sound.")
    if report.ledger:
        print(_ledger(report.ledger))
    return 0 if report.ok else 2


def _ledger(ledger: dict[str, object]) -> str:
    """The counts, a line each kind."""
    lines = ["ledger:" + (" adds up" if ledger["adds_up"] else " DOES NOT ADD UP")]
    for name, counts in ledger.items():
        if isinstance(counts, dict):
            told = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
            lines.append(f"  {name:<9} {told or 'none'}")
    return "\n".join(lines)

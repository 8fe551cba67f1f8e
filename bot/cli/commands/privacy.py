"""`sam privacy`: list what was sent to third parties, by day."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...settings import Settings, load
from ..argument_types import number
from ..plain_text import show_json
from ..profiles import add_profile, existing
from ..progress import working

if TYPE_CHECKING:
    from ...chat.privacy_report import OutboundCalls

DAYS = 7


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the number of days and the output format."""
    parser.add_argument(
        "--days", type=number(1, 3650), default=DAYS, metavar="N", help=f"how far back ({DAYS})"
    )
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0, also when nothing was sent."""
    settings = load()
    from ...chat.privacy_report import other_connections

    with working("reading the log"):
        rows = asyncio.run(_sent(settings, existing(settings, args.profile), args.days))
    if args.json:
        show_json([asdict(row) for row in rows])
        return 0
    if rows:
        _table(rows)
    else:
        days = "today" if args.days == 1 else f"in the last {args.days} days"
        print(f"Nothing was sent to a model or an embedder {days}.")
    print("\n".join(other_connections(settings, args.profile)))
    return 0


async def _sent(settings: Settings, profile: str, days: int) -> list[OutboundCalls]:
    from memory import Log, Vault, profile_of, system_clock, zone_of
    from memory.infra import local_day

    from ...chat.privacy_report import outbound_calls

    who = profile_of(settings, profile)
    if not who.log_file.exists():
        return []
    vault = Vault(who.vault, sam_dir=settings.sam_dir, data_dir=who.data)
    zone = zone_of(settings, await vault.read_optional(vault.own("user.md")))
    async with Log.of(who, system_clock) as log:
        return await outbound_calls(log, zone, local_day(system_clock(), zone), days)


def _table(rows: list[OutboundCalls]) -> None:
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    for name in ("day", "sent to", "for"):
        shown.add_column(name)
    for name in ("requests", "passages", "bytes", "tokens"):
        shown.add_column(name, justify="right")
    for row in rows:
        counts = (row.requests, row.passages, row.bytes, row.tokens)
        shown.add_row(
            f"{row.day}",
            row.receiver,
            row.purpose,
            *(f"{count:,}" for count in counts),
        )
    Console(highlight=False).print(shown)

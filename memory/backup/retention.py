"""Retention of backups, by age."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from datetime import UTC, datetime, timedelta
from pathlib import Path

DAYS, WEEKS, MONTHS = 7, 4, 12

_NAME = re.compile(r"sam-(\d{4}-\d\d-\d\dT\d{6})Z\.tar\.gz")


def name_of(made_at: datetime) -> str:
    """The file of a backup made then: `sam-2026-11-22T040000Z.tar.gz`."""
    return f"sam-{made_at.astimezone(UTC):%Y-%m-%dT%H%M%S}Z.tar.gz"


def made_at(name: str) -> datetime | None:
    """When a backup of that name was made; None for the name of anything else."""
    found = _NAME.fullmatch(name)
    try:
        return datetime.strptime(found[1], "%Y-%m-%dT%H%M%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None  # the 31st of February


def backups(folder: Path) -> dict[datetime, Path]:
    """The backups in a folder, oldest first. A folder that is not there has none. OSError."""
    try:
        found = {made_at(path.name): path for path in folder.iterdir() if path.is_file()}
    except FileNotFoundError:
        return {}
    return {at: found[at] for at in sorted(at for at in found if at is not None)}


def keep(dates: Collection[datetime]) -> set[datetime]:
    """Return those to keep: the newest of each of the last 7 days, 4 weeks and 12 months that have
    any.

    Days that have none do not count, so that a machine that was off for a year loses nothing by
    it (the rule of restic's `forget --keep-daily`). All of the newest one's last 24 hours are kept
    as well: the one before an upgrade must outlive the one after it.
    """
    kept = {at for at in dates if max(dates) - at < timedelta(days=1)}
    periods: tuple[tuple[int, Callable[[datetime], Hashable]], ...] = (
        (DAYS, lambda at: at.date()),
        (WEEKS, lambda at: at.isocalendar()[:2]),
        (MONTHS, lambda at: (at.year, at.month)),
    )
    for count, period in periods:
        newest = {period(at): at for at in sorted(dates)}  # the last one of a period stays
        kept.update(sorted(newest.values())[-count:])
    return kept


def expiry(dates: Collection[datetime], now: datetime) -> datetime | None:
    """Return when the last of these backups will be pruned, if from now on one is made a day.

    None without any.
    """
    old, kept, at = set(dates), set(dates), now
    while kept & old:
        at += timedelta(days=1)
        kept = keep(kept | {at})
    return at if old else None


def prune(folder: Path) -> list[Path]:
    """Delete the backups that need not be kept; return their paths. Raises OSError."""
    found = backups(folder)
    gone = [found[at] for at in sorted(found.keys() - keep(found.keys()))]
    for path in gone:
        path.unlink()
    return gone

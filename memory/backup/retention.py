"""Name backups by date, and decide by age which of them to keep.

The backups of a single profile have its name in theirs: each profile's are listed and kept apart
from those of everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from datetime import UTC, datetime, timedelta
from pathlib import Path

DAYS, WEEKS, MONTHS = 7, 4, 12

_NAME = re.compile(r"sam-(?:([\w-]+)-)?(\d{4}-\d\d-\d\dT\d{6})Z\.tar\.gz")


def name_of(made_at: datetime, profile: str | None = None) -> str:
    """Return the file name of a backup made then: `sam-2026-11-22T040000Z.tar.gz`, or of a single
    profile: `sam-ana-2026-11-22T040000Z.tar.gz`."""
    of = f"{profile}-" if profile is not None else ""
    return f"sam-{of}{made_at.astimezone(UTC):%Y-%m-%dT%H%M%S}Z.tar.gz"


def made_at(name: str, profile: str | None = None) -> datetime | None:
    """Return when a backup of that name was made; None if it is not the name of a backup of
    everything, or with a profile: of that profile alone."""
    found = _NAME.fullmatch(name)
    if found is None or found[1] != profile:
        return None
    try:
        return datetime.strptime(found[2], "%Y-%m-%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None  # no such date, like 31 February


def backups(folder: Path, profile: str | None = None) -> dict[datetime, Path]:
    """Return the backups of everything in a folder, or those of a single profile, oldest first;
    none if it is missing. Raises OSError."""
    try:
        found = {made_at(path.name, profile): path for path in folder.iterdir() if path.is_file()}
    except FileNotFoundError:
        return {}
    return {at: found[at] for at in sorted(at for at in found if at is not None)}


def keep(dates: Collection[datetime]) -> set[datetime]:
    """Return the backups to keep: the newest of each of the last 7 days, 4 weeks and 12 months
    with a backup.

    Days without a backup do not count, so that a machine that was off for a year loses none (like
    restic's `forget --keep-daily`). All backups from the 24 hours before the newest one are kept as
    well: the backup before an upgrade must outlive the one after it.
    """
    kept = {at for at in dates if max(dates) - at < timedelta(days=1)}
    periods: tuple[tuple[int, Callable[[datetime], Hashable]], ...] = (
        (DAYS, lambda at: at.date()),
        (WEEKS, lambda at: at.isocalendar()[:2]),
        (MONTHS, lambda at: (at.year, at.month)),
    )
    for count, period in periods:
        newest = {period(at): at for at in sorted(dates)}  # the newest of a period wins
        kept.update(sorted(newest.values())[-count:])
    return kept


def expiry(dates: Collection[datetime], now: datetime) -> datetime | None:
    """Return when the last of these backups will be pruned, assuming one new backup a day.

    None if there are no backups.
    """
    old, kept, at = set(dates), set(dates), now
    while kept & old:
        at += timedelta(days=1)
        kept = keep(kept | {at})
    return at if old else None


def prune(folder: Path, profile: str | None = None, *, made: Path | None = None) -> list[Path]:
    """Delete the backups not to keep, of everything or of that profile alone; return their paths.

    `made`: a new one, which stays even if a clock that was set back has dated it before the others.
    Raises OSError."""
    found = backups(folder, profile)
    gone = [found[at] for at in sorted(found.keys() - keep(found.keys())) if found[at] != made]
    for path in gone:
        path.unlink()
    return gone

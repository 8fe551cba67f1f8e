"""The limit of how much of the vault the remote may change within a day. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.text import plural

DAY = timedelta(days=1)
SHARE = 0.25
"""Of the files that were synced: more of them in a day are no day's work of a person."""
FEW_CHANGED, FEW_DELETED = 20, 10
"""So many files may be changed or deleted, and so many deleted, however small the vault is."""
MOST = 500
"""More files in a day are asked about in any vault, also in one that the remote has inflated."""
_NAMED = 5


def is_many(changed: int, deleted: int, whole: int) -> bool:
    """Return whether so many of `whole` files are too many for a day."""
    share = min(MOST, int(SHARE * whole))
    return deleted > max(FEW_DELETED, share) or changed + deleted > max(FEW_CHANGED, share)


def is_recent(at: datetime, now: datetime) -> bool:
    """Return whether it was within a day, whatever a clock that was set did in between."""
    return abs(now - at) < DAY


def question(
    remote: str, changed: Sequence[str], deleted: Sequence[str], before: int, whole: int
) -> str:
    """Return what to ask the owner: counts and some paths of what is to come, and that nothing is
    applied. `before`: files that the remote changed earlier in the day."""
    what = [
        f"{do} {_named(names)}" for do, names in (("change", changed), ("delete", deleted)) if names
    ]
    also = f", after {plural(before, 'other')} within a day" if before else ""
    return (
        f"The remote {remote} would {' and '.join(what)}{also}; the vault has {whole} synced files."
        " Nothing was changed on either side. If this is intended, `sam sync` shows all of it and "
        "asks you. If not, first restore the remote from its own history or trash."
    )


def _named(paths: Sequence[str]) -> str:
    more = " …" if len(paths) > _NAMED else ""
    return f"{plural(len(paths), 'file')} ({', '.join(paths[:_NAMED])}{more})"

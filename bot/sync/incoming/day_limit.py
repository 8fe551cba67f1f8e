"""The limit on the remote's changes to the vault within a day. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.text import plural

DAY = timedelta(days=1)
SHARE = 0.25
"""The maximum share of the synced files: a person does not change more in a day."""
FEW_CHANGED, FEW_DELETED = 20, 10
"""Always allowed, however small the vault is: files changed or deleted, and files deleted."""
MOST = 500
"""The maximum in any vault, even in one that the remote has inflated."""
_NAMED = 5


def is_many(changed: int, deleted: int, whole: int) -> bool:
    """Return whether these are too many of `whole` files for a day."""
    share = min(MOST, int(SHARE * whole))
    return deleted > max(FEW_DELETED, share) or changed + deleted > max(FEW_CHANGED, share)


def is_recent(at: datetime, now: datetime) -> bool:
    """Return whether it was within a day, robust against clock changes."""
    return abs(now - at) < DAY


def question(
    remote: str,
    changed: Sequence[str],
    deleted: Sequence[str],
    before: int,
    whole: int,
    *,
    is_other: bool = False,
) -> str:
    """Return what to ask the owner: counts and some paths of what is to come, and that nothing is
    applied. `before`: files that the remote changed earlier in the day; `is_other`: the remote may
    be another vault's folder."""
    what = [
        f"{do} {_named(names)}" for do, names in (("change", changed), ("delete", deleted)) if names
    ]
    also = f", after {plural(before, 'other')} within a day" if before else ""
    other = " It has none of your files as they were: is it another folder?" if is_other else ""
    return (
        f"The remote {remote} would {' and '.join(what)}{also}; the vault has {whole} synced files."
        f"{other} Nothing was changed on either side. If this is intended, `sam sync` shows all of"
        " it and asks you. If not, first restore the remote from its own history or trash."
    )


def _named(paths: Sequence[str]) -> str:
    more = " …" if len(paths) > _NAMED else ""
    return f"{plural(len(paths), 'file')} ({', '.join(paths[:_NAMED])}{more})"

"""`sam migrate`: move log and inbox between SQLite and PostgreSQL, after a preview and a question.

Each store is moved separately (`memory.log.to_postgres`, `to_sqlite`), so the same command finishes
an interrupted move, and the opposite one reverts it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import SecretStr

from memory import OWNER, ConfigError, DataDir, SamError, StoreError, profile_of
from memory.config import env_file
from memory.text import duration, plural

from ...settings import Settings, known_profiles, load
from ..plain_text import fields, show_json
from ..profiles import add_profile, existing
from ..progress import working
from ..questions import agrees

if TYPE_CHECKING:
    from memory.log import StorePlace

SQLITE, POSTGRES = "sqlite", "postgresql"
ROWS_A_SECOND = 10_000
"""About how many rows are copied and compared in a second with the server on the same machine, by
`python -m tests.benchmarks.migrate`."""


class _Targets(tuple[str, ...]):
    """What a shell completes `--to` with. Everything is accepted here: argparse's error would show
    an address, with its password."""

    def __contains__(self, _: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class _Part:
    """The log of a profile, or the inbox, which has yet to be moved. `rows`: their number by table
    where they are now."""

    name: str
    place: StorePlace
    rows: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the target, whose stores, and whether to ask."""
    add_profile(parser, default=None, text="move this profile's log alone; default: everything")
    parser.add_argument(
        "--to",
        required=True,
        choices=_Targets((POSTGRES, SQLITE)),
        metavar="TARGET",
        help="sqlite; postgresql: the database of DATABASE_URL; or postgresql://ROLE@HOST/DATABASE"
        " (others may see a password in a command: use PGPASSWORD or ~/.pgpass)",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be moved")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or only shown; 1 when it was not confirmed, or failed."""
    from memory.infra import RunLock, failpoints

    settings = load()
    failpoints.arm(settings.sam_failpoint)
    there = _with_database(settings, args.to)
    profile = None if args.profile is None else existing(settings, args.profile)
    with working("looking at the databases"):
        parts = _parts(there, profile, to_server=args.to != SQLITE)
    if not args.json:
        print("\n".join(_described(parts, there, args.to)))
    if args.dry_run or not parts:
        return _end(args, settings, there, parts, moved=False)
    if not (args.yes or agrees("Move it?")):
        print("Nothing was moved.", file=sys.stderr if args.json else sys.stdout)
        return 1
    with RunLock(DataDir(settings.data_dir).run_lock):
        try:
            for part in parts:
                _move(part, to_server=args.to != SQLITE)
        except (SamError, OSError, KeyboardInterrupt) as wrong:
            print(_interrupted(args.to), file=sys.stderr)
            if isinstance(wrong, OSError):
                raise StoreError(f"the move was interrupted: {wrong}") from wrong
            raise
    return _end(args, settings, there, parts, moved=True)


def _with_database(settings: Settings, to: str) -> Settings:
    """Return the settings with the database that rows are moved to or from. Raises ConfigError."""
    if to in (SQLITE, POSTGRES):
        if settings.database_url is None:
            raise ConfigError(
                [
                    f"--to {to} needs the address of the database in DATABASE_URL: set it, for"
                    " example in the environment of this command"
                ]
            )
        return settings
    if not to.startswith(("postgresql://", "postgres://")):
        raise ConfigError(
            ["--to takes postgresql, sqlite, or an address like postgresql://ROLE@HOST/DATABASE"]
        )
    try:
        return load(database_url=SecretStr(to))
    except ConfigError as wrong:
        problems = [each.replace("DATABASE_URL", "--to") for each in wrong.problems]
        raise ConfigError(problems) from None


def _parts(there: Settings, profile: str | None, *, to_server: bool) -> list[_Part]:
    """Return what there is to move, after checking that it can be: `there` names the database.
    Raises StoreError's children, also if the target has other rows."""
    from memory.log import counts, has_other_rows

    found = []
    for name, place in _places(there, profile).items():
        in_file, in_rows = counts(place)
        if (in_file if to_server else in_rows) is None:
            continue
        if to_server and has_other_rows(place):
            raise StoreError(
                f"{place.tenant.server} has other rows of {place.tenant.name} already"
                f" ({place.schema}): use another database, or remove these rows first"
            )
        found.append(_Part(name, place, (in_file or in_rows) or {}))
    return found


def _places(there: Settings, profile: str | None = None) -> dict[str, StorePlace]:
    """Return the places of all stores by name, or of this profile's log alone."""
    from memory.log import place_of

    from ...inbox import Inbox

    names = known_profiles(there) if profile is None else [profile]
    places = {f"the log of {name}": place_of(profile_of(there, name)) for name in names}
    if profile is None:
        places["the inbox"] = Inbox.place(there)
    # A store has no place only without DATABASE_URL, which is set here.
    return {name: place for name, place in places.items() if place is not None}


def _described(parts: list[_Part], there: Settings, to: str) -> list[str]:
    server = _server(there)
    source, target = (server, "files") if to == SQLITE else ("files", server)
    if not parts:
        return [f"Nothing is left to move from {source} to {target}."]
    rows = sum(part.total for part in parts)
    width = max(len(part.name) for part in parts)
    return [
        f"From {source} to {target}:",
        *(
            f"  {part.name:<{width}}  {plural(part.total, 'row'):>14}"
            + (f", {plural(part.rows['message'], 'message')}" if "message" in part.rows else "")
            for part in parts
        ),
        f"This takes {duration(rows / ROWS_A_SECOND)}, longer if the server is far away. Each is"
        " copied, compared row by row, and only then deleted where it was.",
        "Notes and index stay where they are. `sam backup` before this is a good idea.",
    ]


def _move(part: _Part, *, to_server: bool) -> None:
    from memory.log import READS, to_postgres, to_sqlite

    with working(f"moving {part.name}") as status:
        done, whole = 0, part.total * READS

        def progress(rows: int) -> None:
            nonlocal done
            done += rows
            status.update(f"moving {part.name}: {min(99, 100 * done // max(1, whole))} %")

        (to_postgres if to_server else to_sqlite)(part.place, progress)


def _end(
    args: argparse.Namespace,
    settings: Settings,
    there: Settings,
    parts: list[_Part],
    *,
    moved: bool,
) -> int:
    left = _left(there, to_server=args.to != SQLITE)
    next_step = _next(args.to, settings, left)
    if args.json:
        show_json(
            {
                "to": SQLITE if args.to == SQLITE else POSTGRES,
                "server": _server(there),
                "moved": moved,
                "stores": [fields(part, "name", "rows") for part in parts],
                "seconds": round(sum(part.total for part in parts) / ROWS_A_SECOND),
                "left": left,
                "next": next_step,
            }
        )
    elif moved:
        print(f"Moved and compared. {next_step}")
    return 0


def _left(there: Settings, *, to_server: bool) -> list[str]:
    """Return the names of what is not at the target yet."""
    return [
        name
        for name, place in _places(there).items()
        if (place.file if to_server else place.marker).exists()
    ]


def _next(to: str, settings: Settings, left: list[str]) -> str:
    """Say what to change in the settings, and how to go back."""
    if left:
        return f"Still to be moved before Sam starts: {', '.join(left)}."
    where = env_file() or "the environment"
    if to == SQLITE:
        return (
            f"Now remove DATABASE_URL from {where}, and start Sam. To go back, keep the address:"
            f" `sam migrate --to {POSTGRES}://…`."
        )
    if to == POSTGRES or settings.database_url == SecretStr(to):
        step = "DATABASE_URL is set already: start Sam."
    else:
        step = f"Now set DATABASE_URL to that address in {where}, and start Sam."
    return f"{step} To go back: `sam migrate --to {SQLITE}`."


def _interrupted(to: str) -> str:
    back = POSTGRES if to == SQLITE else SQLITE
    return (
        "sam: not everything was moved, and nothing is lost. The same command goes on from here;"
        f" `sam migrate --to {back}` takes it back (it reads the address in DATABASE_URL)."
    )


def _server(there: Settings) -> str:
    tenant = profile_of(there, OWNER).tenant
    assert tenant is not None, "DATABASE_URL is set"
    return tenant.server

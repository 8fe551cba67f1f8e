"""Search the bytes of a data folder and a vault for texts, to verify that they are gone.

Runs in a separate process: closing a database file drops this process's locks on it without
SQLite's knowledge (https://www.sqlite.org/howtocorrupt.html, 2.2). That process runs this file as a
program and needs little of the standard library; what only `traces` needs is imported there, since
it would take ten times as long to start as to search.
"""

from __future__ import annotations

import json
import mmap
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

# Shorter texts, and those with fewer content words, may occur anywhere.
_SHORTEST = 12  # characters
_WORDS = 2  # content words
_LONGEST = 80  # characters of a text to search for
_COMMAND = re.compile(r"\A/\w+\s+")  # at the beginning: what it saves is written without it


async def traces(
    folders: Iterable[Path], texts: Iterable[str], but: Iterable[Path] = ()
) -> list[Path]:
    """Return the files below the folders that have a line of one of the texts.

    Databases are read as bytes, with their write-ahead logs. A text is searched for as it is, as
    escaped in notes, and as escaped in JSON; short, unspecific ones are skipped. `but`: folders to
    skip. Raises SamError.
    """
    import asyncio

    from ..errors import SamError

    needles = sorted({form for text in texts for form in _forms(text)})
    if not needles:
        return []
    asked = {
        "folders": [str(folder) for folder in folders],
        "but": [str(folder) for folder in but],
        "needles": needles,
    }
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", __file__), stdin=pipe, stdout=pipe
    )
    found, _ = await child.communicate(json.dumps(asked).encode())
    if child.returncode:
        raise SamError("It is forgotten; but I could not search for what may be left of it.")
    return [Path(path) for path in json.loads(found)]


def _search(folders: Iterable[str], but: Iterable[str], needles: Iterable[str]) -> list[str]:
    left_out, wanted = [*but], [needle.encode() for needle in needles]
    files = sorted({file for folder in folders for file in Path(folder).rglob("*")})
    return [
        str(file)
        for file in files
        if file.is_file()
        and not file.is_symlink()
        and not any(map(file.is_relative_to, left_out))
        and _has(file, wanted)
    ]


def _has(file: Path, needles: Iterable[bytes]) -> bool:
    try:
        with (
            file.open("rb") as source,
            mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as raw,
        ):
            return any(raw.find(needle) >= 0 for needle in needles)
    except (OSError, ValueError):
        return False  # empty, or deleted in the meantime, like a database's temporary files


def _forms(text: str) -> Iterator[str]:
    from ..log.transcript import quotable
    from ..notes.markdown import inert
    from ..text.tokenize import telling_terms

    for line in _COMMAND.sub("", text).splitlines():
        piece = line.strip()[:_LONGEST]
        if len(piece) >= _SHORTEST and len(telling_terms(line)) >= _WORDS:
            yield from (piece, inert(piece), json.dumps(piece)[1:-1])
            yield from (row for row in quotable(piece) if len(row) >= _SHORTEST)


if __name__ == "__main__":
    print(json.dumps(_search(**json.load(sys.stdin))))

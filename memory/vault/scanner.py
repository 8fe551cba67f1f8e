"""Find the notes of a vault that belong in the index."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import NoteUnreadable
from ..infra import atomic_files, text_encoding
from . import paths

# Exclusion rules of the index.
#
# Three sources: globs in the syntax of .gitignore (INDEX_EXCLUDE and `.samignore`), Obsidian's
# excluded files (a prefix of the path, or `/a regular expression/`), and folders of templates.


@dataclass(frozen=True, slots=True)
class Glob:
    """One .gitignore pattern: `!` negates it, a trailing slash matches only folders."""

    pattern: re.Pattern[str]
    keeps: bool
    folders: bool


@dataclass(frozen=True, slots=True)
class Exclusion:
    """All exclusion rules. The last matching glob decides; a folder's rule includes its content."""

    globs: tuple[Glob, ...] = ()
    prefixes: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = field(default=())

    def hides(self, path: str, *, folder: bool) -> bool:
        """Return whether this file or folder itself is excluded, regardless of its parents."""
        path, hidden = paths.composed(path), False
        for glob in self.globs:
            if (folder or not glob.folders) and glob.pattern.fullmatch(path):
                hidden = not glob.keeps
        low = path.lower() + ("/" if folder else "")
        return (
            hidden
            or low.startswith(self.prefixes)
            or (not folder and any(pattern.search(path) for pattern in self.patterns))
        )

    def hides_below(self, path: str) -> bool:
        """Return whether the file or a folder above it is excluded."""
        parts = path.split("/")
        above = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return any(self.hides(folder, folder=True) for folder in above) or self.hides(
            path, folder=False
        )


def exclusion(
    globs: Iterable[str] = (), filters: Iterable[str] = (), folders: Iterable[str] = ()
) -> Exclusion:
    """Combine the lines of .samignore, Obsidian's filters and the template folders."""
    prefixes, patterns = [], []
    for text in map(paths.composed, filter(None, filters)):
        if len(text) > 2 and text.startswith("/") and text.endswith("/"):
            try:
                patterns.append(re.compile(text[1:-1]))
            except re.error:
                prefixes.append(text.lower())  # a JavaScript regex unknown here: match it as text
        else:
            prefixes.append(text.lower())
    folders = map(paths.composed, folders)
    prefixes += [name.lower() + "/" for folder in folders if (name := folder.strip("/ "))]
    compiled = [glob for line in globs if (glob := parse(paths.composed(line)))]
    return Exclusion(tuple(compiled), tuple(prefixes), tuple(patterns))


def parse(line: str) -> Glob | None:
    """Parse one line of a .gitignore; return None for an empty line or a comment."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    keeps = text.startswith("!")
    text = text[1:] if keeps else text.removeprefix("\\")
    folders = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    body = _translate(text.lstrip("/"))
    if not body:
        return None
    return Glob(re.compile(body if anchored else f"(?:.*/)?{body}", re.DOTALL), keeps, folders)


def _translate(glob: str) -> str:
    out, at = [], 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            out.append(".*")
            at += 2
        elif glob[at] == "*":
            out.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            out.append("[^/]")
            at += 1
        elif letters := _letters(glob, at):
            out.append(letters)
            at = glob.find("]", at + 2) + 1
        else:
            out.append(re.escape(glob[at]))
            at += 1
    return "".join(out)


def _letters(glob: str, at: int) -> str:
    """Return the pattern of a set such as `[a-z]` at that place; "" for brackets that are none, as
    in `[2026-02] Draft.md`: they stand for themselves."""
    end = glob.find("]", at + 2)
    if glob[at] != "[" or end < 0:
        return ""
    inside = glob[at + 1 : end]
    negated = inside[0] in "!^"
    letters = re.escape(inside[1:] if negated else inside).replace(r"\-", "-")
    pattern = f"(?!/)[{'^' if negated else ''}{letters}]"
    try:
        re.compile(pattern)
    except re.error:  # a range that runs backwards, or no letters at all
        return ""
    return pattern


log = logging.getLogger(__name__)

SAMIGNORE = ".samignore"
_APP = ".obsidian/app.json"
_TEMPLATES = ".obsidian/templates.json"
_TEMPLATER = ".obsidian/plugins/templater-obsidian/data.json"
RULE_FILES = (SAMIGNORE, _APP, _TEMPLATES, _TEMPLATER)
"""The files with exclusion rules: a change in one may change which notes belong in the index."""


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note on disk. Any change to it changes one of these (`ctime_ns`: see stat(2))."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0
    inode: int = 0


class Exclusions:
    """The owner's exclusions, read again when their files change."""

    def __init__(self, root: Path, globs: Sequence[str] = ()) -> None:
        self._root = root
        self._watched = [root / name for name in RULE_FILES]
        self._globs = tuple(globs)
        self._stamp: tuple[object, ...] | None = None
        self._known = Exclusion()
        self._json: dict[str, dict[str, object]] = {}

    def current(self) -> Exclusion:
        """Return the current exclusion rules. Raises NoteUnreadable if .samignore is unreadable."""
        stamp = tuple(map(_stamp, self._watched))
        if stamp != self._stamp:
            filters = self._settings(_APP).get("userIgnoreFilters")
            folders = (
                self._settings(_TEMPLATES).get("folder"),
                self._settings(_TEMPLATER).get("templates_folder"),
            )
            self._known = exclusion(
                (*self._globs, *self._samignore()),
                [text for text in filters if isinstance(text, str)]
                if isinstance(filters, list)
                else (),
                [folder for folder in folders if isinstance(folder, str)],
            )
            self._stamp = stamp
        return self._known

    def _samignore(self) -> list[str]:
        try:
            raw = atomic_files.read(self._root / SAMIGNORE).data
            return text_encoding.decode(raw)[0].splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            # continuing would index notes that the owner excludes
            raise NoteUnreadable(
                f"{SAMIGNORE} cannot be read ({error.strerror}): check its permissions."
            ) from error

    def _settings(self, name: str) -> dict[str, object]:
        try:
            read = json.loads(atomic_files.read(self._root / name).data)
        except FileNotFoundError:
            self._json.pop(name, None)
            return {}
        except (OSError, NoteUnreadable, ValueError) as error:
            # perhaps half written: use the last content until it can be read
            log.warning("obsidian settings unreadable file=%s error=%s", name, error)
            return self._json.get(name, {})
        self._json[name] = read if isinstance(read, dict) else {}
        return self._json[name]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def indexed(path: str, sam_dir: str, hidden: Exclusion) -> bool:
    """Return whether a note of that path belongs in the index. The path is not resolved."""
    return (
        path[-3:].lower() == ".md"
        and paths.valid(path)
        and not paths.unindexed(path, sam_dir)
        and not hidden.hides_below(path)
    )


def walk(root: Path, sam_dir: str, hidden: Exclusion) -> Iterator[NoteFile]:
    """Yield all notes that belong in the index, by folder, without following links.

    Raises OSError if the root cannot be read."""

    def enters(path: str) -> bool:
        return not paths.unindexed(path, sam_dir) and not hidden.hides(path, folder=True)

    def takes(path: str) -> bool:
        return path[-3:].lower() == ".md" and not hidden.hides(path, folder=False)

    return _walk(root, enters, takes, patient=True)


def walk_all(root: Path, sam_dir: str, misnamed: set[str] | None = None) -> Iterator[NoteFile]:
    """Yield all files except hidden and sealed ones, without following links; add those whose name
    no note can have to `misnamed`. Raises OSError."""
    return _walk(
        root,
        lambda path: not paths.sealed(path, sam_dir),
        lambda path: True,
        patient=False,
        misnamed=misnamed,
    )


def walk_sealed(root: Path, sam_dir: str) -> Iterator[NoteFile]:
    """Yield the files in `sealed/`, without hidden ones and without following links.

    Raises OSError if the root cannot be read."""
    return _walk(
        root,
        lambda path: paths.sealed(path, sam_dir) or paths.within(sam_dir, path),
        lambda path: paths.sealed(path, sam_dir),
        patient=True,
    )


def _walk(
    root: Path,
    enters: Callable[[str], bool],
    takes: Callable[[str], bool],
    *,
    patient: bool,
    misnamed: set[str] | None = None,
) -> Iterator[NoteFile]:
    def skipped(folder: str, error: OSError) -> None:
        if not (patient or isinstance(error, FileNotFoundError)):
            raise error
        log.warning("folder skipped path=%s error=%s", ascii(folder), error.strerror)

    for path, entry in entries(root, enters, skipped):
        if not (takes(path) and entry.is_file(follow_symlinks=False)):
            continue
        if paths.valid(path):
            try:
                stat = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # gone since the folder was listed
            yield NoteFile(path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
        elif misnamed is not None:
            misnamed.add(path)


def entries(
    root: Path, enters: Callable[[str], bool], skipped: Callable[[str, OSError], None]
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield every entry that is neither a folder nor hidden, with its path, without following
    links.

    Pass folders that cannot be listed to `skipped`. Raises OSError if the root cannot be read.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(root / folder) as listed:
                found = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            if not folder:
                raise
            skipped(folder, error)
            continue
        for entry in found:
            if entry.name.startswith("."):
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield path, entry
            elif enters(path):
                pending.append(path)


def any_note(root: Path) -> bool:
    """Return whether there is any Markdown file outside hidden folders.

    Called in nearly every turn: it stops at the first note.
    """
    pending = [str(root)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.name[-3:].lower() == ".md" and not entry.is_dir():
                    return True
    return False

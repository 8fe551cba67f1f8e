"""Exclusion rules of the index.

Three sources: globs in the syntax of .gitignore (INDEX_EXCLUDE and `.samignore`), Obsidian's
excluded files (a prefix of the path, or `/a regular expression/`), and folders of templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Glob:
    """One line of a .gitignore: `!` takes back, a slash at the end means folders only."""

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
        hidden = False
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
    """Put together the lines of .samignore, Obsidian's filters and the folders of templates."""
    prefixes, patterns = [], []
    for text in filter(None, filters):
        if len(text) > 2 and text.startswith("/") and text.endswith("/"):
            try:
                patterns.append(re.compile(text[1:-1]))
            except re.error:
                prefixes.append(text.lower())  # JavaScript's, unknown here: matches as text
        else:
            prefixes.append(text.lower())
    prefixes += [name.lower() + "/" for folder in folders if (name := folder.strip("/ "))]
    compiled = [glob for line in globs if (glob := parse(line))]
    return Exclusion(tuple(compiled), tuple(prefixes), tuple(patterns))


def parse(line: str) -> Glob | None:
    """One line of a .gitignore; None for an empty line or a comment."""
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
        elif glob[at] == "[" and (end := glob.find("]", at + 2)) > 0:
            inside = glob[at + 1 : end]
            negated = inside[0] in "!^"
            letters = re.escape(inside[1:] if negated else inside).replace(r"\-", "-")
            out.append(f"(?!/)[{'^' if negated else ''}{letters}]")
            at = end + 1
        else:
            out.append(re.escape(glob[at]))
            at += 1
    return "".join(out)

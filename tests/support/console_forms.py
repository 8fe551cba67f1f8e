"""The forms and links of the console's templates.

A form's name is its method, its path (… for what differs) and the fields that a person fills in,
like `POST /facts/…/edit text`. Hidden fields do not count; a button with a name counts as a field.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from tests.support.process import ROOT

TEMPLATES = ROOT / "bot" / "web" / "templates"
_EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
_POST = re.compile(r'm\.post\((?P<path>"[^,]*), csrf,')
_CALL = re.compile(r"\{% call (m\.post\(.*?\)) %\}(.*?)\{% endcall %\}", re.DOTALL)
_TASK = re.compile(r'\bact\("(?P<step>\w+)"')
"""A use of the macro in tasks.html."""


class _Tags(HTMLParser):
    """The forms and their fields, the fields outside of forms, and the targets of links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, set[str]]] = []
        self.loose: set[str] = set()
        self.links: set[str] = set()
        self._fields = self.loose
        # Quotes in an expression would end the attribute that it is in.
        self.feed(_STATEMENT.sub("", _EXPRESSION.sub("…", text)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = set()
            method = given.get("method", "get").upper()
            self.forms.append((f"{method} {given['action']}", self._fields))
        elif tag == "a":
            self.links.add(given["href"])
        elif tag in ("input", "select", "textarea", "button") and given.get("type") != "hidden":
            self._fields.update({given["name"]} if "name" in given else ())

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = self.loose


def forms() -> dict[str, set[str]]:
    """Return the visible fields of each form by its method and path."""
    found: dict[str, set[str]] = {}
    for file in sorted(TEMPLATES.glob("*.html")):
        text = file.read_text("utf-8")
        for name, fields in _Tags(text).forms:
            found.setdefault(name, set()).update(fields)
        for match in _POST.finditer(text):
            found.setdefault(f"POST {_path(match['path'])}", set())
        for call, body in _CALL.findall(text):
            if match := _POST.search(call):
                found[f"POST {_path(match['path'])}"] |= _Tags(body).loose
        for match in _TASK.finditer(text):
            found.setdefault(f"POST /tasks/{match['step']}", set())
    # Those inside of the two macros are counted where the macros are used.
    return {name: fields for name, fields in found.items() if name not in _IN_MACROS}


_IN_MACROS = ("POST …", "POST /tasks/…")


def _path(expression: str) -> str:
    """Return the path of an expression like `"/facts/" ~ id ~ "/edit"`."""
    parts = [part.strip() for part in expression.split("~")]
    return "".join(part.strip('"') if part.startswith('"') else "…" for part in parts)


def links() -> dict[str, set[str]]:
    """Return the targets of the links by template, … for what differs."""
    every = {file.name: _Tags(file.read_text("utf-8")).links for file in TEMPLATES.iterdir()}
    return {name: targets for name, targets in every.items() if targets}


def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of what such a path is in a page."""
    return re.compile(".+".join(re.escape(part) for part in name.split("…")))

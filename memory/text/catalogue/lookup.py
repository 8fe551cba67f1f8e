"""Look up Sam's own texts in the language of the person who reads them.

The English text is the key, as in gettext. The language is a context variable, set where an update
or a job begins; outside of these it is English. Texts for models and log lines are never looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .po_file import Entries

ENGLISH = "en"
TRANSLATED = ("de", "es", "fr", "ru", "zh")
"""The languages with a catalogue, by their code in ISO 639-1."""
_GROUPING = {"de": ".", "es": ".", "fr": "\u202f", "ru": "\u00a0"}  # of thousands
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def tr(text: str, /, **values: object) -> str:
    """Return a text in the current language, with the values of its placeholders.

    Without values nothing is formatted. A text without a translation stays English.
    """
    found = _entries(_language.get()).get((text, ""), (text,))[0]
    return found.format(**values) if values else found


def tn(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the form of a text for a number; its placeholder is {count}.

    `one`, `many`: the English singular and plural.
    """
    spoken = _language.get()
    forms = _entries(spoken).get((one, many))
    found = forms[plural_form(spoken, count)] if forms else one if count == 1 else many
    return found.format(count=number(count), **values)


def mark(text: str) -> str:
    """Mark a constant for the catalogue; `tr` looks it up when it is used."""
    return text


def number(count: int) -> str:
    """Format a whole number with the language's separator of thousands."""
    return f"{count:,}".replace(",", _GROUPING.get(_language.get(), ","))


def language() -> str:
    """Return the code of the current language."""
    return _language.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use a language in this context; English for one without a catalogue."""
    token = _language.set(code if code in TRANSLATED else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


def plural_form(code: str, count: int) -> int:
    """Return the index of the form for a number, by the rule in the header of the .po file."""
    match code:
        case "zh":
            return 0
        case "fr":
            return int(count > 1)
        case "ru":
            if count % 10 == 1 and count % 100 != 11:
                return 0
            return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2
        case _:
            return int(count != 1)


@cache
def _entries(code: str) -> Entries:
    """Return the catalogue of a language, read at its first use."""
    if code == ENGLISH:
        return {}
    from .po_file import read  # imported here: English needs no reader

    return read(Path(__file__).with_name(f"{code}.po").read_text("utf-8"))

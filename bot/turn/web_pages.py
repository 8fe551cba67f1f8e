"""Web pages in a turn: the URLs that the owner wrote, and how pages are shown. Pure."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from memory import Foreign, Message
from memory.text import clipped, disarm, one_line, own_part

from ..markdown_escape import escape

MOST = 5  # URLs of a turn that may be read
LONGEST_TITLE = 100  # characters
# Without a space before them, these end a URL: Chinese and Japanese write none.
_PUNCTUATION = "，。！？；：、…（）「」『』《》〈〉【】〔〕“”„‘’«»‹›"
_ADDRESS = re.compile(
    rf"https?://[^\s<>\"'`\\^{{}}|\x00-\x1f{_PUNCTUATION}]{{1,2000}}", re.IGNORECASE
)
_AFTER = ".,;:!?)]}*_~"  # punctuation after a URL


def addresses(asked: Sequence[Message]) -> list[str]:
    """Return the URLs that the owner wrote in the messages of a turn.

    URLs in forwarded or quoted text, or in files, do not count.
    """
    own = [own_part(row.text) for row in asked if row.origin == "owner"]
    found = (each.rstrip(_AFTER) for text in own for each in _ADDRESS.findall(text))
    return [each for each in dict.fromkeys(found) if host_of(each)][:MOST]


def as_foreign(url: str, text: str) -> Foreign:
    """Return the text of a page as a foreign source."""
    return Foreign(text, "web", host_of(url))


def host_of(url: str) -> str:
    """Return the host of a URL in ASCII (punycode); "" without one."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    with contextlib.suppress(UnicodeError):
        return host if host.isascii() else host.encode("idna").decode()
    return ""


def web_link(url: str, title: str) -> str:
    """Return a page as Markdown: its title, and its host as a link to it."""
    said = escape(clipped(one_line(disarm(title)), LONGEST_TITLE))
    host = host_of(url)
    if not host:
        return said
    to = quote(url, safe="/:?#@!$&'*+,;=%~-._")
    return f"{said} ([{host}]({to}))"

"""Pages of the web in a turn: which addresses the owner wrote, and how a page is shown. Pure."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from memory import Foreign, Message
from memory.text import clipped, disarm, one_line, own_part

from ..markdown_escape import escape

MOST = 5  # addresses of a turn that may be read
LONGEST_TITLE = 100  # characters
_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\^{}|\x00-\x1f]{1,2000}", re.IGNORECASE)
_AFTER = ".,;:!?)]}*_~"  # what a sentence puts behind an address


def addresses(asked: Sequence[Message]) -> list[str]:
    """Return the addresses that the owner himself wrote into the messages of a turn.

    What he forwarded, quoted or sent as a file is somebody else's.
    """
    own = [own_part(row.text) for row in asked if row.origin == "owner"]
    found = (each.rstrip(_AFTER) for text in own for each in _ADDRESS.findall(text))
    return [each for each in dict.fromkeys(found) if host_of(each)][:MOST]


def as_foreign(url: str, text: str) -> Foreign:
    """Return the words of a page as what they are: somebody else's."""
    return Foreign(text, "web", host_of(url))


def host_of(url: str) -> str:
    """Return the host of an address as the network knows it, in ASCII; "" without one."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    with contextlib.suppress(UnicodeError):
        return host if host.isascii() else host.encode("idna").decode()
    return ""


def web_link(url: str, title: str) -> str:
    """Return a page as markdown: its title, and its host as a link to it."""
    said = escape(clipped(one_line(disarm(title)), LONGEST_TITLE))
    host = host_of(url)
    if not host:
        return said
    to = quote(url, safe="/:?#@!$&'*+,;=%~-._")
    return f"{said} ([{host}]({to}))"

"""Make images and links in an answer's Markdown safe. Pure.

Telegram fetches the URL of a media block as soon as the message is sent, so an injected model could
leak what it knows to the owner of a URL. Images therefore become links, which are only fetched when
tapped, and every link shows its host.
"""

from __future__ import annotations

import contextlib
import re
from urllib.parse import quote, unquote

from ...markdown_escape import escape

IMAGE = "🖼"
LONGEST_HOST = 100  # shown characters of a host

_SPACE = re.compile(r"[\s\x00-\x1f\x7f]")
_AUTHORITY = re.compile(r"(?:https?:)?[/\\]{2,}([^/\\?#]*)|https?:[/\\]?([^/\\?#]*)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_DOMAIN = re.compile(r"[^/\\?#:]+\.[^/\\?#:.]+(?=[/\\?#:]|$)")
_HOST = re.compile(r"[a-z0-9.\-\[\]:]+")
_EMOJI = re.compile(r"!\[[^\[\]()\\`<>!]*\]\(tg://[A-Za-z0-9/?=&._-]*\)")
_MEDIA = "img image picture photo video audio source track figure iframe frame embed object svg"
_MEDIA += " animation voice canvas map style link base meta script"
_UNESCAPED = r"(?<!\\)(?:\\\\)*"
_TAG = re.compile(_UNESCAPED + r"<[A-Za-z/!?]")
_FETCHING = (
    r"</?"
    rf"(?:(?:{_MEDIA.replace(' ', '|')})\b|tg-(?!spoiler\b)|[A-Za-z][\w:.-]*(?:[\s/][^<>]*)?=)"
)
_FETCHES = re.compile(_UNESCAPED + _FETCHING, re.IGNORECASE)
_FETCHES_IN_HTML = re.compile(_FETCHING, re.IGNORECASE)


def safe_links(markdown: str) -> str:
    """Return the Markdown with images as links, and with the host after each link that hides it.

    `![plan](https://a.example/p)` becomes `🖼 [plan](https://a.example/p) (a.example)`. An image in
    a link becomes its description; so does one whose URL is not a web address. Code is unchanged.
    Custom emoji (`![👍](tg://emoji?id=1)`) stay.
    """
    if "[" not in markdown:  # both kinds need one
        return markdown
    source = markdown.encode()
    edits: list[tuple[int, int, str]] = []
    for kind, address, text, start, end, in_link in _links(markdown):
        if kind == "Link":
            if where := shown_host(text, address):
                edits.append((end, end, f" ({where})"))
        elif not _EMOJI.fullmatch(source[start:end].decode()):
            edits.append((start, end, _as_link(address, text, in_link=in_link)))
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new.encode() + source[end:]
    return source.decode()


def may_be_rich(markdown: str) -> bool:
    """Return whether no interpretation of this Markdown has media that Telegram would fetch.

    Stricter than a parser, because Telegram's may separate code and text differently from ours:
    anything like an image or a tag with a URL is rejected in code too. Within HTML a backslash
    escapes nothing, so next to any tag an escaped image counts as well.
    """
    fetches = _FETCHES_IN_HTML if _TAG.search(markdown) else _FETCHES
    return "![" not in _EMOJI.sub("", markdown) and not fetches.search(markdown)


def shown_host(text: str, address: str) -> str:
    """Return what to show next to a link, in ASCII: its host, or its scheme; "" if its text shows
    it.

    Unicode hosts are shown as punycode, to expose look-alikes.
    """
    address = _SPACE.sub("", address)
    if address.lower().startswith("tg://"):
        return ""  # Telegram's own scheme, which fetches nothing
    if authority := _AUTHORITY.match(address):
        host = _ascii(unquote(authority[1] or authority[2] or "").rpartition("@")[2])
        host = re.sub(r":\d*$", "", host)
    elif scheme := _SCHEME.match(address):
        to = address[scheme.end() :].partition("?")[0]
        host = to if scheme[1].lower() in ("mailto", "tel") else scheme[0].lower()
        host = quote(host.lower(), safe="@:.+-")[:LONGEST_HOST]
    else:
        found = _DOMAIN.match(address)
        host = _ascii(found[0]) if found else ""
    seen = text.strip().lower()
    same = seen in (host, address.lower(), address.lower().rstrip("/"))
    bare = re.sub(r"^https?:/*", "", address.lower()).rstrip("/")
    return "" if same or seen.rstrip("/") == bare else host


def _links(markdown: str) -> list[tuple[str, str, str, int, int, bool]]:
    """Links and outermost images: kind, address, text, [start, end) in UTF-8 bytes, in a link."""
    from pyromark import Options, events_with_range

    found: list[tuple[str, str, str, int, int, bool]] = []
    links: list[tuple[str, list[str]]] = []
    image: tuple[str, list[str]] | None = None
    depth = 0
    # Without mathematics: text between two dollar signs may be prices with a link between them.
    for event, span in events_with_range(markdown, options=Options.ENABLE_TABLES):
        if isinstance(event, str):
            event = {"Text": " "}
        match event:
            case {"Start": {"Image": {"dest_url": str(address)}}}:
                depth += 1
                image = image or (address, [])
            case {"End": "Image"}:
                depth -= 1
                if depth == 0 and image is not None:
                    text = "".join(image[1])
                    found.append(("Image", image[0], text, span["start"], span["end"], bool(links)))
                    image = None
            case {"Start": {"Link": {"dest_url": str(address)}}}:
                links.append((address, []))
            case {"End": "Link"}:
                address, parts = links.pop()
                if image is None:
                    text = "".join(parts)
                    found.append(("Link", address, text, span["start"], span["end"], bool(links)))
            case {"Text": str(text)} | {"Code": str(text)}:
                if image is not None:
                    image[1].append(text)
                for _, parts in links:
                    parts.append(text)
    return found


def _as_link(address: str, text: str, *, in_link: bool) -> str:
    """Return the replacement for an image."""
    said = escape(" ".join(text.split()))
    if in_link or not re.match(r"https?:", address, re.IGNORECASE):
        return f"{IMAGE} {said}".rstrip()
    to = quote(address, safe="/:?#@!$&'+,;=%~-._")
    where = shown_host(text, address)
    return f"{IMAGE} [{said or 'image'}]({to}){f' ({where})' if where else ''}"


def _ascii(host: str) -> str:
    """Return a host in lower case as ASCII; invalid characters are percent-encoded."""
    host = host.lower()
    with contextlib.suppress(UnicodeError):
        host = host if host.isascii() else host.encode("idna").decode()
    host = host if _HOST.fullmatch(host) else quote(host, safe=".-:")
    return host[:LONGEST_HOST]

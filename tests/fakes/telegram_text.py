"""Telegram's rules for text, entities and buttons."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
LONGEST_RICH = 32_768
MOST_BLOCKS = 500
MOST_ENTITIES = 100
ENTITY_TYPES = (
    "mention hashtag cashtag bot_command url email phone_number bold italic underline "
    "strikethrough spoiler blockquote expandable_blockquote code pre text_link text_mention "
    "custom_emoji date_time"
)
ONLY_FOR = {
    "url": "text_link",
    "user": "text_mention",
    "language": "pre",
    "custom_emoji_id": "custom_emoji",
}
LINKED = ("http", "https", "tg", "ton", "tonsite", "mailto", "tel")
"""URL schemes that Telegram links. It silently drops links with others (obsidian://)."""

FOUND = re.compile(
    r"(?P<bot_command>(?<![\w/])/[A-Za-z0-9_]{1,32}(?:@\w+)?(?!\w))"
    r"|(?P<url>https?://[^\s<>]+)"
    r"|(?P<mention>(?<!\w)@[A-Za-z]\w{3,31})"
)


class Refused(Exception):
    """Telegram's refusal of a request."""

    def __init__(
        self,
        status: int,
        description: str,
        retry_after: int | None = None,
        migrate_to_chat_id: int | None = None,
    ) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.retry_after = retry_after
        self.migrate_to_chat_id = migrate_to_chat_id


def bad(reason: str) -> Refused:
    """Return the most common error: 400, `Bad Request: …`."""
    return Refused(400, f"Bad Request: {reason}")


def units(text: str) -> int:
    """Return the length as Telegram counts it: in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def found_entities(text: str) -> list[dict[str, Any]]:
    """Return the entities that Telegram detects in a text that somebody typed."""
    return [
        {
            "type": hit.lastgroup,
            "offset": units(text[: hit.start()]),
            "length": units(hit.group()),
        }
        for hit in FOUND.finditer(text)
    ]


def formatted(
    args: dict[str, Any], *, text: str = "text", entities: str = "entities", limit: int
) -> tuple[str, list[dict[str, Any]]]:
    """Return the text as displayed, without surrounding white space, and its entities."""
    if "parse_mode" in args:
        raise bad("can't parse entities: this Telegram reads no markup, send entities")
    value = str(args.get(text) or "")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise bad("strings must be encoded in UTF-8") from None
    marks = args.get(entities) or []
    _check_entities(value, marks)
    shown = value.strip()
    if units(shown) > limit:
        raise bad("message is too long" if text == "text" else f"message {text} is too long")
    start = units(value[: len(value) - len(value.lstrip())])
    return shown, [mark for mark in (_moved(each, start, units(shown)) for each in marks) if mark]


def _check_entities(text: str, marks: list[dict[str, Any]]) -> None:
    if len(marks) > MOST_ENTITIES:
        raise bad("ENTITIES_TOO_LONG")
    raw = text.encode("utf-16-le")
    total = len(raw) // 2
    for mark in marks:
        kind, start, length = mark["type"], mark["offset"], mark["length"]
        if kind not in ENTITY_TYPES.split():
            raise bad(f'can\'t parse MessageEntity: unsupported type "{kind}"')
        for field, owner in ONLY_FOR.items():
            if field in mark and kind != owner:
                raise bad(f'can\'t parse MessageEntity: "{field}" is for {owner} only')
            if kind == owner and field not in mark and field != "language":
                raise bad(f'can\'t parse MessageEntity: {owner} needs "{field}"')
        if start < 0 or length <= 0:
            raise bad(f"entity at UTF-16 offset {start} has length {length}")
        if start + length > total:
            raise bad(
                f"entity beginning at UTF-16 offset {start} ends after the end of the text at "
                f"UTF-16 offset {total}"
            )
        for edge in (start, start + length):
            if edge < total and 0xDC <= raw[2 * edge + 1] <= 0xDF:
                raise bad(f"entity at UTF-16 offset {start} cuts a symbol in two at {edge}")


def _moved(mark: dict[str, Any], start: int, total: int) -> dict[str, Any] | None:
    """Return the entity after `start` units were cut off the front; None if nothing is left."""
    first = max(mark["offset"] - start, 0)
    last = min(mark["offset"] + mark["length"] - start, total)
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", mark.get("url", ""), re.IGNORECASE)
    if last <= first or (scheme and scheme[1].lower() not in LINKED):
        return None
    return {**mark, "offset": first, "length": last - first}


def rich_source(content: dict[str, Any]) -> str:
    """Return the markdown or HTML of a rich message, after checking Telegram's limits."""
    if len({"html", "markdown"} & content.keys()) != 1:
        raise bad("exactly one of the fields html or markdown must be used")
    source = str(content.get("markdown", content.get("html"))).strip()
    if not source:
        raise bad("message text is empty")
    if units(source) > LONGEST_RICH:
        raise bad("message is too long")
    if len(_paragraphs(source)) > MOST_BLOCKS:
        raise bad("RICH_MESSAGE_BLOCKS_TOO_MUCH")
    return source


def rich_blocks(source: str) -> list[dict[str, Any]]:
    """Imitate Telegram's parsing: each paragraph of the source becomes a block."""
    return [{"type": "paragraph", "text": part} for part in _paragraphs(source)]


def rich_media(content: dict[str, Any]) -> list[str]:
    """Return the URLs that Telegram would fetch for a rich message: images and HTML media.

    Uses another parser than the bot, and supports HTML inside Rich Markdown.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse(str(content.get("markdown", "")))
    found = _Media()
    found.feed(str(content.get("html", "")))
    for token in [inner for each in tokens for inner in (each, *(each.children or ()))]:
        if token.type == "image":
            found.fetched.append(str(token.attrGet("src")))
        elif token.type in ("html_inline", "html_block"):
            found.feed(token.content)
    found.close()
    return [address for address in found.fetched if not address.startswith("tg://")]


class _Media(HTMLParser):
    """Collect every URL in a tag other than a link."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            self.fetched += [value for _, value in attrs if value and re.search(r"[/.:]", value)]


def _paragraphs(source: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", source) if part.strip()]


def check_buttons(markup: dict[str, Any] | None) -> None:
    """Refuse inline buttons that Telegram refuses."""
    for button in (each for row in (markup or {}).get("inline_keyboard", []) for each in row):
        deeds = button.keys() - {"text", "style", "icon_custom_emoji_id"}
        if not button["text"].strip():
            raise bad("can't parse inline keyboard button: Text buttons must have a text")
        if len(deeds) != 1:
            raise bad("can't parse inline keyboard button: Text buttons are unallowed")
        if "callback_data" in deeds and not 1 <= len(button["callback_data"].encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
        if "copy_text" in deeds and not 1 <= len(button["copy_text"]["text"]) <= 256:
            raise bad("BUTTON_COPY_TEXT_INVALID")
        if "url" in deeds and not re.match(r"(https?://|tg://)", button["url"]):
            raise bad(
                f"inline keyboard button URL '{button['url']}' is invalid: BUTTON_URL_INVALID"
            )

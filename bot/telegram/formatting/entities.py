"""Format Markdown as text with entities, as Telegram's messages other than rich ones have it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .source import LINK, for_entities

if TYPE_CHECKING:
    from telegramify_markdown.config import RenderConfig


@dataclass(frozen=True, slots=True)
class Entity:
    """A range of formatted text; offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as Telegram counts."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


@functools.lru_cache(maxsize=64)
def formatted(markdown: str) -> tuple[str, tuple[Entity, ...]]:
    """Convert Markdown to text and entities."""
    from telegramify_markdown import convert

    text, found = convert(for_entities(markdown), latex_escape=False, config=_config())
    text = text.rstrip()
    if not text.strip():  # a comment: nothing visible
        return markdown, ()
    end = utf16_length(text)
    return text, tuple(
        Entity(e.type, e.offset, min(e.length, end - e.offset), e.url, e.language)
        for e in found
        if e.offset < end and e.length > 0 and (e.url is None or LINK.match(e.url))
    )


@functools.cache
def _config() -> RenderConfig:
    from telegramify_markdown.config import RenderConfig, Symbol

    class Symbols(Symbol):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]  # the library's own
            self.heading_level_1 = self.heading_level_2 = self.heading_level_3 = ""
            self.heading_level_4 = self.heading_level_5 = self.heading_level_6 = ""
            self.unordered_list_item = "•"
            self.task_uncompleted = "☐"

    class Config(RenderConfig):
        markdown_symbol = Symbols()

    return Config.isolated()

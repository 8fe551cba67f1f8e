"""Convert Markdown to Telegram messages: parts, entities and links. Pure."""

from .links import shown_host
from .message_parts import (
    CAPTION,
    LIMIT,
    PERHAPS_TWICE,
    REMARK,
    Entity,
    Part,
    parts,
    repeated,
    tail,
)

__all__ = [
    "CAPTION",
    "LIMIT",
    "PERHAPS_TWICE",
    "REMARK",
    "Entity",
    "Part",
    "parts",
    "repeated",
    "shown_host",
    "tail",
]

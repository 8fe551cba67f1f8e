"""Convert Markdown to Telegram messages: parts, entities and links. Pure."""

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
    "tail",
]

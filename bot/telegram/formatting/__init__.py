"""Convert Markdown to Telegram messages: parts, entities and links. Pure."""

from .message_parts import LIMIT, PERHAPS_TWICE, REMARK, Entity, Part, parts, repeated, tail

__all__ = ["LIMIT", "PERHAPS_TWICE", "REMARK", "Entity", "Part", "parts", "repeated", "tail"]

"""Markdown as Telegram's messages: their parts, entities and links. Pure."""

from .message_parts import LIMIT, PERHAPS_TWICE, REMARK, Entity, Part, parts, repeated, tail

__all__ = ["LIMIT", "PERHAPS_TWICE", "REMARK", "Entity", "Part", "parts", "repeated", "tail"]

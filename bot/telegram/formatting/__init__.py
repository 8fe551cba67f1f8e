"""Markdown as Telegram's messages: their parts, entities and links. Pure."""

from .message_parts import Entity, Part, parts, tail

__all__ = ["Entity", "Part", "parts", "tail"]

"""Convert Markdown to Telegram messages: parts, entities and links. Pure."""

from .entities import Entity
from .links import shown_host
from .message_parts import (
    CAPTION,
    LIMIT,
    PERHAPS_TWICE,
    REMARK,
    Part,
    parts,
    tail,
    with_repeat_remark,
)

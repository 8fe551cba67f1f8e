"""One turn: the loop of tools, its events, incognito, the answer without a model."""

from .events import Cite, Done, Event, Notice, Restart, Text, ToolUse
from .turns import Turns

__all__ = ["Cite", "Done", "Event", "Notice", "Restart", "Text", "ToolUse", "Turns"]

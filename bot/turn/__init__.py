"""One turn: the tool loop, its events, incognito, the fallback answer."""

from .events import Cite, Done, Event, Notice, Restart, Text, ToolUse
from .turns import Turns

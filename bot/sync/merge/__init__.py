"""Three-way merge of notes: lines, front matter, tasks and facts, sections. Pure."""

from .lines import Conflict, is_replaced, rows
from .note import Joined, join, say

__all__ = ["Conflict", "Joined", "is_replaced", "join", "rows", "say"]

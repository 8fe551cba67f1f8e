"""Three-way merge of notes: lines, front matter, tasks and facts, sections. Pure."""

from .lines import Conflict, is_replaced
from .note import MergedNote, append_callout, merge_note

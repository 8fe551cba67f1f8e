"""The prompt of a turn: sources, layout, history, instructions."""

from .layout import PromptReport, report
from .sources import Conversation, Gatherer, Recollection

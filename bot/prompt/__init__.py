"""The prompt: sources, layout, history, instructions."""

from .sources import Conversation, Gatherer, question_of

__all__ = ["Conversation", "Gatherer", "question_of"]

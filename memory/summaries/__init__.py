"""Summaries: a batch of messages becomes a section of the day's note."""

from .draft import DraftBullet, Summarise, SummaryDraft, SummaryRequest
from .extractive import Extract, extract

__all__ = ["DraftBullet", "Extract", "Summarise", "SummaryDraft", "SummaryRequest", "extract"]

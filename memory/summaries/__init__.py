"""Summaries of what was said, made without a model."""

from .extractive import Extract, extract

__all__ = ["Extract", "extract"]

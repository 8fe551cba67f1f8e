"""The catalogue of Sam's own texts, and their translations: one .po file for each language."""

from .dates import day_month, long_day, on_day, on_weekday, repetition, short_day
from .lookup import ENGLISH, TRANSLATED, language, mark, speaking, tn, tr
from .user_language import named_language

__all__ = [
    "ENGLISH",
    "TRANSLATED",
    "day_month",
    "language",
    "long_day",
    "mark",
    "named_language",
    "on_day",
    "on_weekday",
    "repetition",
    "short_day",
    "speaking",
    "tn",
    "tr",
]

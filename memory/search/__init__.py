"""Search: a question → hits, from the candidates of the index to one score for each passage."""

from .candidates.query import Filter, Hit, Mode, Question, Recalled
from .citations import sourced
from .ranking import hits, latest, rank

__all__ = [
    "Filter",
    "Hit",
    "Mode",
    "Question",
    "Recalled",
    "hits",
    "latest",
    "rank",
    "sourced",
]

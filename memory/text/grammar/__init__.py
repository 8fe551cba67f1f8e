"""Grammar: the subject of a statement, nouns that are no names, and what numbers measure."""

from .german_nouns import has_german, may_be_noun
from .places import PlaceKind, StatedPlace, asks_for_home, is_another_place, stated_places
from .subjects import (
    SubjectAndValue,
    differ_in_subject,
    names_another,
    rewords,
    statement,
    statements,
)

__all__ = [
    "PlaceKind",
    "StatedPlace",
    "SubjectAndValue",
    "asks_for_home",
    "differ_in_subject",
    "has_german",
    "is_another_place",
    "may_be_noun",
    "names_another",
    "rewords",
    "stated_places",
    "statement",
    "statements",
]

"""Grammar: the subject of a statement, nouns that are no names, and what numbers measure."""

from .german_nouns import has_german, may_be_noun
from .parts import ADVERSATIVE, JOINING, asks_for_another_part, parts_of, telling_words
from .places import (
    PlaceKind,
    StatedPlace,
    asks_for_home,
    is_another_place,
    names_home,
    stated_places,
)
from .subjects import (
    SubjectAndValue,
    differ_in_subject,
    names_another,
    rewords,
    statement,
    statements,
)

__all__ = [
    "ADVERSATIVE",
    "JOINING",
    "PlaceKind",
    "StatedPlace",
    "SubjectAndValue",
    "asks_for_another_part",
    "asks_for_home",
    "differ_in_subject",
    "has_german",
    "is_another_place",
    "may_be_noun",
    "names_another",
    "names_home",
    "parts_of",
    "rewords",
    "stated_places",
    "statement",
    "statements",
    "telling_words",
]

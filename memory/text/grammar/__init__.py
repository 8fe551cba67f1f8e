"""Grammar: the subject of a statement, nouns that are no names, and what numbers measure."""

from .german_nouns import has_german, may_be_noun
from .subjects import (
    SubjectAndValue,
    differ_in_subject,
    names_another,
    statement,
    statements,
)

__all__ = [
    "SubjectAndValue",
    "differ_in_subject",
    "has_german",
    "may_be_noun",
    "names_another",
    "statement",
    "statements",
]

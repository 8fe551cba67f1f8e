"""The phrases of a language that classify its utterances, and their notation."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BROKEN = re.compile(r"\|\s+")  # a line that ends within alternatives


@dataclass(frozen=True, slots=True)
class Language:
    """Phrases of one language, in lower case, as `phrases` reads them; a field may stay empty.

    Sentences: a full stop after one of the `abbreviations` ends none; after one of the
    `number_abbreviations` it ends none before a number, and after one of the `soft_abbreviations`
    none before a number or a small letter. `before_ordinals` and `after_ordinals` stand around "3."
    where it means "third".

    Questions: `questions` begin one that has no question mark, and `exclamations` begin like one;
    `unspaced_questions` are its beginning and its end, or its end alone, in a script without
    spaces. `interrogatives` are words that begin questions alone (unlike "quand"), and
    `non_statements` begin other clauses that state nothing. `tags` make a statement look like a
    question.

    Small talk: `courtesies` may be followed by a name ("Thanks, Ines"), `acknowledgements` may not
    ("Ok, Porto" decides something). `empty_answers` say that nothing is known; `denials` begin an
    answer that says so of something ("You have not said when."), or with an ellipsis, end it.
    `fillers` stand between all these. `no_names` are written with a capital, and are no names.

    Wishes, which are understood without a model: `remembers`, `todos`, `reminds`, `forgets` and
    `recalls` stand before what is wished for; with an ellipsis, behind it. `orders` begin what only
    a model can do. `politeness` may stand before them all, and `trailing` behind; `that` stands
    between a phrase and a clause, and `pronouns` in place of what is wished for. `abouts` are whole
    messages that ask what Sam is and does. `greetings`, `thanks` and `farewells` begin the small
    talk that is answered in kind.
    """

    abbreviations: str = ""
    number_abbreviations: str = ""
    soft_abbreviations: str = ""
    before_ordinals: str = ""
    after_ordinals: str = ""
    questions: str = ""
    exclamations: str = ""
    interrogatives: str = ""
    unspaced_questions: str = ""
    non_statements: str = ""
    tags: str = ""
    courtesies: str = ""
    acknowledgements: str = ""
    empty_answers: str = ""
    denials: str = ""
    fillers: str = ""
    no_names: str = ""
    politeness: str = ""
    that: str = ""
    pronouns: str = ""
    remembers: str = ""
    todos: str = ""
    reminds: str = ""
    forgets: str = ""
    recalls: str = ""
    orders: str = ""
    trailing: str = ""
    abouts: str = ""
    greetings: str = ""
    thanks: str = ""
    farewells: str = ""


def phrases(written: str) -> Iterator[str]:
    """Spell out the phrases of a table.

    Commas separate phrases, spaces their words, and `|` the alternatives for a word. A word that
    ends in `?` may be missing, and `_` is a space within an alternative: "hi|hello there?, see_you"
    is hi, hi there, hello, hello there, see you. What reads the field knows two marks more: `*` is
    any word of a question, and `…` the rest of a word.
    """
    for phrase in _BROKEN.sub("|", written).split(","):
        slots = []
        for word in phrase.split():
            alternatives = word.removesuffix("?").replace("_", " ").split("|")
            slots.append([*alternatives, ""] if word.endswith("?") else alternatives)
        for chosen in itertools.product(*slots):
            spelt = " ".join(word for word in chosen if word)
            if spelt:
                yield spelt

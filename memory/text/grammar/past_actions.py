"""Recognise that the writer of a message has done what a task names. Pure.

The words of each language are `perfects` and `past_forms` in `languages/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ..intents import ENDS, begins, words_in
from ..languages.phrase_tables import WORD, composed, every_phrase, folded, phrases_of
from ..sentences import is_marked
from ..task_words import is_article
from ..word_forms import is_inflected, is_unspaced, share_beginning

_FEWEST = 2  # words of a statement: a verb and its object; a title may have only one
_GE = re.compile(r"ge(?=\w{2})")  # in a German or Dutch participle: "angerufen" of "anrufen"
_KANA_END = re.compile("[\u3041-\u309f]+$")  # of a Japanese verb


def says_done(text: str, title: str) -> bool:
    """Return whether a message only says that its writer did what a task names: "I called the vet"
    for "call the vet". The title may have more words, but not the message."""
    if is_marked(text):
        return False
    text, title = (composed(each).strip(ENDS + "!") for each in (text, title))
    if is_unspaced(text):
        return _says_unspaced(text, title)
    spelt = [match[0].lower() for match in WORD.finditer(text)]
    begun = begins("perfects", words_in(text), 0)
    stressing = phrases_of("perfects").first
    said = [word for word in spelt[begun:] if not is_article(folded(word))]
    said = [word for word in said if folded(word) not in stressing]
    named = [word for word in words_in(title) if not is_article(word)]
    return _matches(said, named, by_speaker=begun > 0)


def _matches(said: Sequence[str], named: Sequence[str], *, by_speaker: bool) -> bool:
    """Return whether the words of a statement are all in a title, with one verb in the past.
    `by_speaker`: it has "I" or the like, without which "read the letter" is no past."""
    if not min(_FEWEST, len(named)) <= len(said) <= len(named):
        return False
    verbs = 0
    for word in said:
        verb = next((each for each in named if _is_past(word, each)), "")
        same = next((each for each in named if share_beginning(folded(word), each)), "")
        if not (verb or same):
            return False
        named = named[named.index(verb or same) + 1 :]  # "the vet called" is not "call the vet"
        verbs += by_speaker or verb != folded(word) if verb else False
    return verbs == 1


def _is_past(word: str, infinitive: str) -> bool:
    """Return whether a word is a past form of a verb, which is `folded`."""
    endings, pairs = _past_forms()
    for past, present in pairs:
        stem = word.removesuffix(past.removeprefix("…")) if past.startswith("…") else ""
        is_same = word.endswith(past[1:]) if stem else word == past.removeprefix("…")
        if is_same and infinitive == folded(stem + present.removeprefix("…")):
            return True
    plain = folded(word)
    if (bare := _GE.sub("", plain, count=1)) != plain and is_inflected(bare, infinitive):
        return True
    return plain != infinitive and word.endswith(endings) and is_inflected(plain, infinitive)


@cache
def _past_forms() -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Return the endings of verbs in the past, and the pairs of a past and its infinitive."""
    every = sorted(every_phrase("past_forms"))
    pairs = [each.partition("=") for each in every if "=" in each]
    endings = tuple(each[1:] for each in every if each.startswith("…") and "=" not in each)
    return endings, [(past, present) for past, _, present in pairs]


def _says_unspaced(text: str, title: str) -> bool:
    """Return the same in a script without spaces, where the words are as in the title: 家賃を払った
    for 家賃を払う, 我给兽医打了电话 for 给兽医打电话."""
    starts = "|".join(sorted(filter(is_unspaced, phrases_of("perfects").first)))
    text = re.sub(f"^(?:{starts})+", "", text)
    if text.endswith(tuple(each for each in _past_forms()[0] if is_unspaced(each))):
        return _KANA_END.sub("", text) == _KANA_END.sub("", title)
    marks = [each for each in phrases_of("past_forms").first if is_unspaced(each)]
    plain = text
    for each in marks:
        plain = plain.replace(each, "")
    return plain != text and plain == title

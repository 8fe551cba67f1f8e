"""Drop hits that only repeat the question, or other hits. Pure.

The owner often asks the same again: what was asked then is no answer. An extractive summary
consists of quoted sentences, so it adds nothing to its messages; summaries in a model's words are
kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ..text.sentences import (
    begins_like_question,
    has_question,
    is_question,
    split_sentences,
)
from ..text.tokenize import STOP_WORDS, content_words, flat, terms
from ..text.word_forms import is_inflected

if TYPE_CHECKING:
    from ..infra.sqlite import Row
    from .candidates.query import Hit

_WORD = re.compile(r"\w+")
_REMARK = 3  # words that may stand beside a question that is only asked again
_REPEATED = 0.8  # share of an answer's words; from this share on, the answer is a repetition
_FILLERS = frozenset(
    ["noted", "got", "ok", "okay", "sure", "great", "done", "saved", "remember", "ll", "sam"]
)
_LEADS_IN = re.compile(
    r"^[^:\n]{0,60}\b(?:told|said|wrote|mentioned|gesagt|erzählt|geschrieben|dit|écrit|raconté"
    r"|dijiste|contaste|escribiste|detto|scritto|disse|disseste|escreveu|zei|vertelde|schreef"
    r"|powiedział\w*|napisał\w*|сказал\w*|говорил\w*|писал\w*)\b[^:\n]{0,40}:\s",
    re.IGNORECASE,
)
"""How an answer begins that repeats a message: "You told me on 8 September: …"."""
_CITED = re.compile(r"\[\d+\]")
_LEAD = re.compile(r"^\s*[-*+]\s+(?:Action:\s*)?")
_SUMMARY = re.compile(r"^\s*[-*+]\s+\*\*Summary\*\*:\s*(.*?)(?:\s*\([^()]*\))?\s*$")


def drop_asked_before(hits: Sequence[Hit], question: str) -> list[Hit]:
    """Return the hits without the question itself, alone, with a few words more of the owner's
    ("…? can't remember"), or in other little words."""
    same, words = flat(question), {*content_words(question)}
    return [hit for hit in hits if not _only_asks(hit, same, words)]


def _only_asks(hit: Hit, question: str, words: set[str]) -> bool:
    text = flat(hit.text)
    if text == question:
        return True
    if hit.role != "user" or not has_question(hit.text):
        return False
    left = text.replace(question, " ", 1)
    if left != text:
        return len(left.split()) <= _REMARK
    said = [flat(each).split() for each in split_sentences(hit.text) if not is_question(each)]
    return sum(map(len, said)) <= _REMARK and words <= {*terms(hit.text)}


class StatedShares:
    """The share of the question's words in an owner's message that it states, and does not only ask
    for: "I want to thank the cleaner. What was her name?" tells no name. 1 for other rows.

    `asks`: whether the question asks; a statement may be searched for in its own words.
    """

    def __init__(self, question: str, *, asks: bool) -> None:
        self._asks, self._words = asks, content_words(question)
        # "the code of the lock?" may be a part of what tells it: "the code of the lock is 4412".
        self._question = flat(question) if asks and begins_like_question(question) else ""
        self._known: dict[int, float] = {}

    def of(self, row: Row) -> float:
        """Return the share of a passage's row; it is computed once."""
        if row["id"] not in self._known:
            self._known[row["id"]] = self._computed(row)
        return self._known[row["id"]]

    def _computed(self, row: Row) -> float:
        if row["role"] != "user" or row["author"]:
            return 1.0
        words, every = self._words, terms(row["text"])
        if not row["asking"] and not (self._asks and {*words} <= {*every}):
            return 1.0
        stated = (_stated(each, self._question) for each in split_sentences(row["text"]))
        said = terms(" ".join(stated))
        found = [word for word in words if _has(every, word)]
        return sum(_has(said, word) for word in found) / len(found) if found else 1.0


def _stated(sentence: str, question: str) -> str:
    """Return what a sentence states besides asking that question, `flat`: "what number bus is it to
    the ward again im stood in the dark" states where somebody stands. An empty question is that of
    no sentence."""
    if is_question(sentence):
        return ""
    said = flat(sentence)
    return said.replace(question, " ") if question and question in said else sentence


def _has(words: Sequence[str], word: str) -> bool:
    """Return whether a word, or another form of it, is among the words."""
    return word in words or any(is_inflected(word, each) for each in words)


def drop_repeating_summaries(hits: Sequence[Hit], question: str) -> list[Hit]:
    """Return the hits, best first, without summaries that only repeat messages among them.

    Only a summary's lines that share a word with the question are compared. Their messages take the
    summary's rank if it was higher.
    """
    if not {"summary", "message"} <= {hit.kind for hit in hits}:
        return list(hits)
    wanted = set(terms(question)) - STOP_WORDS
    said = {hit.chunk_id: _spoken(hit.text) for hit in hits if hit.kind == "message"}
    gone: set[int] = set()
    raised: dict[int, float] = {}
    for hit in hits:
        if hit.kind != "summary":
            continue
        sources = _sources(hit.text, wanted, said)
        if sources:
            gone.add(hit.chunk_id)
            for id_ in sources:
                raised[id_] = max(raised.get(id_, 0.0), hit.score)
    return _without(hits, gone, raised)


def _sources(summary: str, wanted: set[str], said: Mapping[int, str]) -> list[int]:
    """Return the messages that contain the lines of a summary, of those that share a word with the
    question; [] if one of these lines is in no message."""
    found: list[int] = []
    for line in map(_bare, summary.splitlines()):
        if not _bears(line, wanted):
            continue
        spoken = _spoken(line)
        source = next((id_ for id_, text in said.items() if spoken in text), None)
        if source is None:  # most summaries end here: the rest of the day need not be read
            return []
        found.append(source)
    return found


def drop_repeating_answers(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits without Sam's answers that only repeat another speaker's hit.

    "Noted: the vet is on Friday" is dropped for the message that it repeats, which takes the better
    rank; a lead like "You said on Monday:" does not count. That message must have at least
    `_REPEATED` of Sam's words, and all of the numbers.
    """
    said = {
        hit.chunk_id: _content(hit.text)
        for hit in hits
        if hit.kind == "message" and hit.role != "assistant"
    }
    gone: set[int] = set()
    raised: dict[int, float] = {}
    for hit in hits:
        if hit.kind != "message" or hit.role != "assistant":
            continue
        words = _content(_CITED.sub("", _LEADS_IN.sub("", hit.text, count=1)))
        numbers = {word for word in words if any(map(str.isdigit, word))}
        for other, theirs in said.items():
            enough = len(words & theirs) >= _REPEATED * len(words)
            if words and enough and numbers <= theirs:
                gone.add(hit.chunk_id)
                raised[other] = max(raised.get(other, 0.0), hit.score)
                break
    return _without(hits, gone, raised)


def _without(hits: Sequence[Hit], gone: set[int], raised: Mapping[int, float]) -> list[Hit]:
    """Return the hits except for those in `gone`, best first, with the scores in `raised`."""
    kept = [
        hit._replace(score=max(hit.score, raised.get(hit.chunk_id, 0.0)))
        for hit in hits
        if hit.chunk_id not in gone
    ]
    return sorted(kept, key=lambda hit: -hit.score)  # stable: equal scores keep their order


def _content(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - STOP_WORDS - _FILLERS


def _bare(line: str) -> str:
    """Return a line of a daily note without its dash, its label, and how it was made."""
    summary = _SUMMARY.match(line)
    return summary[1] if summary else _LEAD.sub("", line)


def _bears(line: str, wanted: set[str]) -> bool:
    """Return whether a word of the line equals a word of the question, or one is a prefix of the
    other."""
    return any(
        mine == word or (min(len(mine), len(word)) > 2 and _begins(mine, word))
        for mine in _words_of(line)
        for word in wanted
    )


@lru_cache(maxsize=1024)  # each question of a turn finds the summaries of the same days
def _words_of(line: str) -> Sequence[str]:
    return terms(line)


def _begins(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _spoken(text: str) -> str:
    """Return only the words, without punctuation and escapes, for comparing whole words."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "

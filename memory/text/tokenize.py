"""Tokenise text for the keyword index, and questions for FTS5 queries. Pure.

Scripts without spaces (Chinese, Japanese, Thai, …) are indexed by character and queried by pairs of
adjacent characters (bigrams), so that any substring of two is found. Emoji are words. Optional
marks (Latin accents, Arabic and Hebrew vowel points) are dropped from both texts and queries, and
letters such as "œ" are replaced; marks that are part of a letter (Devanagari, Thai) are kept.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from .word_forms import words as split_words

TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co So M*'"
"""The FTS5 tokenizer setting for text prepared by `indexed`."""
LETTERS = "ß=ss ẞ=SS æ=ae Æ=AE œ=oe Œ=OE ø=o Ø=O ł=l Ł=L đ=d Đ=D ı=i"
"""Letters that Unicode does not decompose, and what writers type instead of them."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"  # kana, han
    "\uac00-\ud7a3\U00020000-\U0003ffff"  # Hangul has spaces, but particles stick to its words
)
_RUN = re.compile(f"[{_UNSPACED}]+")
_POINTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\ufe0e\ufe0f\u200d]"
)
_TYPED = str.maketrans(dict(pair.split("=") for pair in LETTERS.split()))
_WORD = re.compile(r"\w+")
_FLAT = bytes(
    ord(chr(c).lower() if chr(c).isalnum() or c == ord("_") else " ") for c in range(128)
) + bytes(128)
_SPACES = re.compile(b"  +")
_ASKS = ("?", "？", "؟", "՞", "፧", "⸮")
_ASKED = re.compile(f"[{''.join(_ASKS)}]")
_SENTENCE = re.compile(r"(?<=[.!?…。！？؟])\s+|(?<=[。！？])|\n+")
# The endings of "Nate's" and "I'm", which carry no meaning. Not quotations ('m'), nor the middle of
# a word ("x7'd-q"), nor a letter of another language: Uzbek "so'm" is not the stop word "so".
_ENDING = re.compile(
    "['\u2019](?:(?<=\\w.)(?:s|re|ll|ve|d)|(?<=n.)t|(?<=(?<![^\\W_])i.)m)(?=[^\\w\\s]*(?:\\s|$))"
)
_LONGEST_PHRASE = 8  # words joined by punctuation; more are prose without spaces
_MOST_TERMS = 64  # of one query, for long messages
_LONGEST_QUOTE = 40  # words; a longer question is not searched as a phrase

# Stop words. English only, because the benchmark questions are. In other languages, BM25's own
# weighting of frequent words suffices.
_STOP = """a about after all also am an and any are as at be because been before being but by can
could did do does doing don for from get got had has have having he her here hers him his how i if
in into is it its itself just like me more most my no nor not of off on once only or other our out
over own s same she should so some such t than that the their them then there these they this those
through to too under until up us very was we were what when where which while who whom why will with
would you your yours
arent cant couldnt didnt doesnt dont hadnt hasnt havent hes hows im isnt ive lets shes shouldnt
thats theres theyll theyre theyve wasnt werent weve whats whens wheres whos wont wouldnt youll youre
youve"""
STOP_WORDS = frozenset(_STOP.split())
_KANA = re.compile("[\u3040-\u30ff]")
# Half of the bigrams of a Chinese question contain one of these, so that the right answer seemed to
# cover little of it. In Japanese the same changed nothing.
_CHINESE_STOP = re.compile(
    "什么时候|什麼時候|什么|什麼|怎么样|怎么|怎麼|为什么|為什麼|哪里|哪裡|哪儿|哪个|哪些|哪天|多少|几个"
    "|[我你他她它咱][们們]|[的了吗嗎呢吧啊是在我你他她它谁誰哪几幾这這那个個有没沒和跟就都也还還把被给給请請]"
)


def unmarked(text: str) -> str:
    """Return the text in NFC, without optional marks, and with `LETTERS` replaced."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _POINTS.sub("", decomposed)).translate(_TYPED)


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk") and ord(character) > 0xFF


def _is_indexed(character: str) -> bool:
    """Return whether TOKENIZER treats it as part of a word."""
    category = unicodedata.category(character)
    return category[0] in "LMN" or category in ("Co", "So")


def indexed(text: str) -> str:
    """Prepare a text for the keyword index: put spaces around unspaced characters and emoji."""
    if text.isascii():
        return text  # most texts are, and need no change
    plain = _RUN.sub(lambda run: " " + " ".join(run[0]) + " ", unmarked(text))
    if max(plain, default="") > "\u2000":
        plain = "".join(f" {c} " if _is_symbol(c) else c for c in plain)
    return plain


def terms(question: str) -> list[str]:
    """Return the distinct words of a question, in order, in lower case.

    Runs of an unspaced script become bigrams. Words joined by punctuation (a version, a path, an
    address) also become a phrase. Each emoji is a word.
    """
    found: dict[str, None] = {}
    for piece in _ENDING.sub("", unmarked(question).casefold()).split():
        if piece.isascii() and piece.isalnum():  # the same, several times faster
            found[piece] = None
            continue
        words: list[str] = []
        for word in split_words(piece):
            runs = _RUN.findall(word)
            spaced = _RUN.sub(" ", word).split() if runs else [word]
            found.update(dict.fromkeys(spaced))
            words += spaced
            for run in runs:
                pairs = itertools.pairwise(run) if len(run) > 1 else [run]
                found.update(dict.fromkeys(" ".join(pair) for pair in pairs))
        if 1 < len(words) <= _LONGEST_PHRASE:
            found[" ".join(words)] = None
        if not piece.isascii():
            found.update(dict.fromkeys(c for c in piece if _is_symbol(c)))
    return list(found)


def quotation(question: str) -> str:
    """Return the question as a phrase for the keyword index; '' if it is one word or a long
    text."""
    kept = (c if _is_indexed(c) else " " for c in indexed(question).casefold())
    words = "".join(kept).split()
    return " ".join(words) if 1 < len(words) <= _LONGEST_QUOTE else ""


@lru_cache(maxsize=1024)  # the passages of a conversation are found repeatedly
def flat(text: str) -> str:
    """Return only the words, each between two spaces, so that `flat(part) in flat(text)` matches
    whole words."""
    if text.isascii():  # the same, eight times faster
        words = _SPACES.sub(b" ", text.encode().translate(_FLAT))
        return f" {words.strip().decode()} "
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def length(text: str) -> int:
    """Return the number of words of a `flat` text; an unspaced character counts as a word."""
    words = text.count(" ") - 1
    return words if text.isascii() else words + sum(len(run) for run in _RUN.findall(text))


def pairs(question: str) -> list[str]:
    """Return the distinct pairs of adjacent words of a question, each `flat`."""
    words = _WORD.findall(question.casefold())[:_MOST_TERMS]
    return list(dict.fromkeys(f" {one} {other} " for one, other in itertools.pairwise(words)))


def sentences(text: str) -> list[str]:
    """Split a text into sentences at their end marks and at line breaks."""
    return [part for part in _SENTENCE.split(text) if part.strip()]


def questions(text: str) -> list[str]:
    """Return the questions: sentences that end in a question mark of any script."""
    if "?" not in text and (text.isascii() or not _ASKED.search(text)):
        return []
    return [part for part in sentences(text) if part.rstrip().endswith(_ASKS)]


def telling_terms(text: str) -> set[str]:
    """Return the `terms` of a text that are not stop words; unlike `content_words`, maybe none."""
    return {word for word in terms(text) if word not in STOP_WORDS}


def query_words(question: str) -> list[str]:
    """Return the words and phrases of a question to look up in the keyword index.

    Stop words ("it", "it's") are left out unless there is nothing else. The question as a whole is
    included as a phrase, so that a verbatim quotation finds its source.
    """
    words = terms(question)
    telling = [word for word in words if not STOP_WORDS.issuperset(word.split())] or words
    asked = dict.fromkeys([*telling[:_MOST_TERMS], quotation(question)] if telling else [])
    return [word for word in asked if word]


def content_words(question: str) -> list[str]:
    """Return the distinct content words of a question; all words if there are none.

    Bigrams of an unspaced script count as words. Phrases of words joined by punctuation do not
    count; their parts do.
    """
    words = terms(_without_chinese_stop_words(question)) or terms(question)
    alone = {word for word in words if " " not in word}
    kept = [word for word in words if not alone.issuperset(word.split()) or word in alone]
    telling = [word for word in kept if word not in STOP_WORDS] or kept
    return telling[:_MOST_TERMS]


def _without_chinese_stop_words(question: str) -> str:
    if question.isascii() or _KANA.search(question):
        return question
    return _CHINESE_STOP.sub(" ", question)


def match_query(words: Iterable[str]) -> str:
    """Return an FTS5 query for any of the words: each quoted, joined with OR."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)

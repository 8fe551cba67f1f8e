"""Split a text into sentences, and classify them: questions, denials, commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from .languages.phrase_tables import WORD, Before, composed, folded, lowered, tables
from .small_talk import is_small_talk

CLASSIFIER = "9"
"""The version of these rules, part of the index's identity: raise it when `is_question` changes."""
_ASKS = "?？؟፧⸮⁇⁈⁉\u037e"
_UNSPACED_ENDS = frozenset("。！？｡।॥።។")  # end a sentence without a following space
_ENDS = f".!…‼۔։{_ASKS}{''.join(sorted(_UNSPACED_ENDS))}"
_ARMENIAN = "՞"  # within a word
_QUOTES = "\"'”’»›)]}」』）】*_~"
_OPENING = "\"'“„‘«‹([{「『（【*_~¿¡-–—>"
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b50\ufe0f\u200d"
# Each alternative matches a whole run and cannot fail after it, so matching is linear.
_END = re.compile(
    rf"(?P<end>[{_ENDS}]+)(?P<quotes>[{re.escape(_QUOTES)}]*)(?: ?[{_EMOJI}]+)?"
    r"|;|[\n\r\v\f\x85\u2028\u2029]+"
)
_BLACK = re.compile(r"\S")
_DOTTED = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")  # "e.g", "U.S", "d.h"
_ORDINAL = re.compile(r"\d{1,3}(?:\.\d{1,2})?")  # "am 3. Mai", "am 3.5. morgens"
_CLAUSE = re.compile(r"[,;:.…](?=\s)|[،、，¿–—]|\s-+\s")
_EXPLAINED = re.compile(r":\s+\w|：\s*\w")  # not a time of day
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_RUN = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")
_COMMAND = re.compile(r"\s*/[A-Za-z][A-Za-z0-9_]{0,31}(?:@[A-Za-z0-9_]+)?(?:\s|$)")
_LOOKED_BACK = 16  # characters to examine before a full stop: an abbreviation, and a word before it
_MANY = 12  # words; a longer question also states something
_MOST = 20  # words of a question that begins with "what", "where" and the like
_LONG_QUESTION = 0.5  # the share of it that counts as asking
_MOST_DENIED = 30  # words; a longer answer does not only deny
_FEW = 3  # words; fewer state nothing
_OPENERS = 3  # words before a question
_EXPLETIVE = 6  # words
_CHARACTERS_A_WORD = 2  # of a script without spaces
_LONGEST_TAG = 4  # words


def split_sentences(text: str) -> list[str]:
    """Split a text into its sentences, stripped; every line break ends a sentence, too.

    The full stop of an abbreviation, of a number, or within a word does not.
    """
    found, start = [], 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            if sentence := text[start : match.end()].strip():
                found.append(sentence)
            start = match.end()
    if rest := text[start:].strip():
        found.append(rest)
    return found


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Return whether the sentence that begins at `start` ends with this match."""
    mark, quotes, at = match["end"], match["quotes"], match.end()
    if mark is None:  # the end of a line, or a Greek question mark
        first = match.start()
        return text[first] != ";" or (first > 0 and _GREEK.match(text, first - 1) is not None)
    if not mark.isascii() and not _UNSPACED_ENDS.isdisjoint(mark):
        # 「いつ？」と聞いた: the sentence continues after the quotation
        return not (quotes and text.startswith(("と", "って"), at))
    if at == len(text):
        return True
    if not text[at].isspace():
        return False
    following = _BLACK.search(text, at)
    if following is None:
        return True
    after = following[0]
    if after.islower() and (quotes or (mark != "." and not mark.strip(".…"))):
        return False
    return mark != "." or not _abbreviates(text, start, match.start(), following.start())


def _abbreviates(text: str, start: int, dot: int, following: int) -> bool:
    """Return whether the full stop at `dot` belongs to the word before it.

    `following`: the position of the next word.
    """
    begin = max(start, dot - _LOOKED_BACK)
    last = text[max(begin, text.rfind(" ", begin, dot) + 1) : dot].lstrip(_OPENING)
    known, key, after = tables(), last.lower(), text[following]
    match known.abbreviations.get(key):
        case Before.ANYTHING:
            return True
        case Before.SMALL:
            return after.islower() or after.isdigit()
        case Before.NUMBER:
            return after.isdigit()
    if len(key) > 1 and key.isalpha() and key not in known.second_parts:
        return key.endswith(known.number_ends) and after.isdigit()  # most words
    before = text[begin:dot].split()[:-1]
    previous = before[-1].lower() if before else ""
    if len(key) == 1 and key != key.upper():
        # An initial, or "z. B."; but "So do I." is a sentence.
        return key not in "iя" or (last != key and before[-1:] != [previous])
    if _ORDINAL.fullmatch(key):
        if after.islower() or (not before and dot - start <= _LOOKED_BACK):
            return True  # "am 3. und 4.", and the number of a line in a list
        word = WORD.match(text, following)
        months = word is not None and word[0].lower() in known.after_ordinals
        return months or previous in known.before_ordinals
    return f"{previous} {key}" in known.abbreviations or bool(_DOTTED.fullmatch(key))


def is_question(sentence: str) -> bool:
    """Return whether a sentence is a pure question, which states nothing.

    A question has a question mark of any script, or begins like a question in a known language. It
    is not pure if it is long, has a statement before it, ends in a tag ("…, right?"), or is a
    polite way to tell something ("Could you note that …?", "Did you know that …?").
    """
    known, sentence = tables(), composed(sentence)
    if is_marked(sentence):
        plain = lowered(sentence)
        words = _words(plain)
        if not words:
            return True
        most = _MOST if words[0] in known.interrogatives else _MANY
        return _length(words) <= most and not (_tells(plain, words) or _reports(words))
    first = WORD.search(sentence)
    if first is None or sentence.rstrip().endswith(("!", "！")):
        return False
    begins = lowered(first[0])
    is_known = begins in known.questions.first or begins in known.openers
    if not is_known and not _RUN.match(first[0]):
        return False  # most sentences
    words = _asking_words(_words(lowered(sentence)))
    if _length(words) > _MANY or known.exclamations.begin(words) or _reports(words):
        return False
    return known.questions.begin(words) > 0 or _is_unspaced_question(words)


def _asking_words(words: list[str]) -> list[str]:
    """Return the words of a question without those before its interrogative ("ok so where …") and
    an expletive behind it ("where the hell …")."""
    known, at = tables(), 0
    if not known.questions.begin(words):  # Spanish "en qué"; "en" is Dutch for "and"
        while at < min(_OPENERS, len(words) - 1) and words[at] in known.openers:
            at += 1
    if not words or words[at] not in known.interrogatives:
        return words
    for size in range(_EXPLETIVE, 0, -1):
        if " ".join(words[at + 1 : at + 1 + size]) in known.expletives:
            return [words[at], *words[at + 1 + size :]]
    return words[at:]


def begins_like_question(sentence: str) -> bool:
    """Return whether a sentence begins like a question in a known language, whatever follows.

    "What is …" does; "when I was ten, …" does not.
    """
    known, words = tables(), _asking_words(_words(lowered(composed(sentence))))
    return known.questions.begin(words) > 0 and not known.exclamations.begin(words)


def has_question(text: str) -> bool:
    """Return whether a message ends in a question mark, or has a sentence that `is_question`."""
    return is_marked(text.strip()) or any(map(is_question, split_sentences(text)))


def question_share(text: str) -> float:
    """Return the share, from 0 to 1, of a text's characters in sentences that are questions.

    Sentences of only emoji and punctuation do not count if there are words. What begins like a
    question, and is too long to be a pure one, counts half: it may state something as well.
    """
    parts = split_sentences(text)
    parts = [part for part in parts if WORD.search(part)] or parts
    total = sum(map(len, parts))
    return sum(len(part) * _asks(part) for part in parts) / total if total else 0.0


def _asks(sentence: str) -> float:
    if is_question(sentence):
        return 1.0
    return _LONG_QUESTION * begins_like_question(sentence)


def is_denial(answer: str) -> bool:
    """Return whether a short answer says that something is not known: "You have not said when."

    A word like "sorry" may precede it, and a few sentences may follow. Text after a colon in the
    first sentence makes it an answer: "I see no problem: the ferry leaves at nine."
    """
    known, sentences = tables(), split_sentences(composed(answer))
    if not sentences or _EXPLAINED.search(sentences[0]):
        return False
    if _length(_words(lowered(answer), _MOST_DENIED)) > _MOST_DENIED:
        return False
    words = _words(lowered(sentences[0]))
    if len(words) > 1 and is_small_talk(words[0]):
        words = words[1:]
    is_denied = bool(words) and words[-1].endswith(known.denial_ends)
    return is_denied or known.denials.begin(words) > 0


def is_command(text: str) -> bool:
    """Return whether a message is a chat command ("/remember …") and not a path."""
    return bool(_COMMAND.match(text))


def _words(text: str, most: int = _MOST) -> list[str]:
    """Return the first words of a text: up to `most` + 1, to tell whether there are more."""
    return [match[0] for match in islice(WORD.finditer(text), most + 1)]


def _length(words: Sequence[str]) -> int:
    """Return the number of words; for a script without spaces it is estimated."""
    text = "".join(words)
    if text.isascii():
        return len(words)
    return len(words) + sum(map(len, _RUN.findall(text))) // _CHARACTERS_A_WORD


def is_marked(sentence: str) -> bool:
    """Return whether it ends in a question mark or "?!", possibly before quotes and emoji."""
    for at in range(len(sentence) - 1, -1, -1):
        character = sentence[at]
        if character in _ASKS:
            return True
        if character == ";" and at and _GREEK.match(sentence, at - 1):
            return True
        if character.isalnum() or character in ".…。":
            break
    return _ARMENIAN in sentence


def _reports(words: Sequence[str]) -> bool:
    """Return whether a question tells something: "did you know that …", "could you note that …"."""
    known, at = tables(), 0
    if known.news.begin(words):
        return True
    words = [folded(word) for word in words]
    while size := known.politeness.begin(words[at:]):
        at += size
    size = known.dictates.begin(words[at:]) if at else 0  # "Remember Ana?" asks
    rest = words[at + size :]
    return size > 0 and len(rest) >= _FEW and rest[0] not in known.interrogatives


def _tells(sentence: str, words: list[str]) -> bool:
    """Return whether a short question, in lower case, begins with a statement."""
    clauses = [found for clause in _CLAUSE.split(sentence) if (found := WORD.findall(clause))]
    if _is_tagged(words, len(clauses[-1]) if len(clauses) > 1 else 0):
        return True
    for clause in clauses[:-1]:
        if _opens_question(clause):
            return False
        if _length(clause) >= _FEW and not is_small_talk(" ".join(clause)):
            return True
    return False


def _is_tagged(words: list[str], apart: int) -> bool:
    """Return whether only a tag makes it a question. `apart`: the words after its last comma."""
    known, last = tables(), words[-1]
    most = min(_LONGEST_TAG, len(words) - 1) if last in known.tag_lasts else 0
    for size in range(1, most + 1):
        if (size == apart or len(words) - size >= _FEW) and (
            " ".join(words[-size:]) in known.tags.words
            and not _opens_question(words[:-size])
            and not _opens_question(words[-size - 1 :])  # "where is it"
        ):
            return True
    if last.isascii() or not last.endswith(known.tags.ends):
        return False
    return not any(start and start in last for start, _ in known.unspaced_questions)


def _opens_question(words: Sequence[str]) -> bool:
    known = tables()
    if known.exclamations.begin(words):
        return False
    openings = (known.non_statements, known.questions)
    return words[0] in known.interrogatives or any(each.begin(words) for each in openings)


def _is_unspaced_question(words: Sequence[str]) -> bool:
    """Return whether it begins and ends like a question in a script without spaces."""
    known, begin, end = tables(), words[0], words[-1]
    if not end.endswith(known.unspaced_ends):
        return False
    inner = len(begin) if len(words) == 1 else len(begin) + len(end)
    return any(
        end.endswith(last) and begin.startswith(first) and inner > len(first) + len(last)
        for first, last in known.unspaced_questions
    )

"""Normalise the words of facts for comparison: case, accents, word boundaries, inflection.

Only the stop words depend on the language. Words are compared by prefixes, so that "moved" equals
"moves" and "Москву" equals "Москва".
"""

from __future__ import annotations

import re
import unicodedata

from .sanitize import skeleton

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana, han
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_NO_WORD = {c: " " for c in range(128) if not chr(c).isalnum()}
# Accents that writers leave out, as in the keyword index (memory/text/tokenize.py).
_POINTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
TAG = re.compile(r"(?<![\w/&\\#])#([^\W\d_][\w/-]*)")
_LEADING = re.compile(r"^(?:(?:the )?(?:owner|user)(?: s)? |i (?:m |am )?|he |she |is |am )+")
# The endings of cases, as `terms` folds them: й is и.
_CASES = re.compile(
    "(?:[яаыи]ми|[ое]го|[ое]му|[оеыи]и|[оеыи]м|[ая]м|[аяыи]х|[ое]в|ью|[иую]ю|[иая]я|[ыиое]е"
    "|[аяоеуюыиь]|)"
)
_CYRILLIC = re.compile("[а-яё]+")
_SHORTEST_STEM = 2  # letters: of Аня and Оля
_ARTICLES = frozenset({"a", "an", "the", "s", "is", "am", "my", "his", "her"})


def folded(text: str) -> str:
    """Return the text in lower case, without accents and invisible characters, digits as 0 to 9."""
    if text.isascii():
        return skeleton(text)
    plain = unicodedata.normalize("NFC", _POINTS.sub("", unicodedata.normalize("NFKD", text)))
    plain = skeleton(plain)
    if plain.isascii():
        return plain
    return "".join(str(unicodedata.digit(c, c)) for c in plain)


def words(text: str) -> list[str]:
    """Return the runs of letters, marks and digits, unchanged, as the keyword index sees them."""
    if text.isascii():  # the same, ten times faster
        return text.translate(_NO_WORD).split()
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text).split()


def squeezed(text: str) -> str:
    """Return all letters and digits of a text, folded, without anything in between."""
    return "".join(words(folded(text)))


def share_beginning(one: str, other: str) -> bool:
    """Return whether a word begins with the other one, like `dogs` with `dog`. Words of one or two
    letters must be equal."""
    if min(len(one), len(other)) <= 2:
        return one == other
    return one.startswith(other) or other.startswith(one)


def is_unspaced(text: str) -> bool:
    """Return whether a text has letters of a script without spaces between words."""
    return _UNSPACED.search(text) is not None


def untagged(text: str) -> str:
    """Return the text without its #tags."""
    return TAG.sub(" ", text) if "#" in text else text


def normal_form(text: str) -> str:
    """Return a normal form that is equal for two facts with the same wording. Articles, tags and a
    leading "The owner is" are ignored; negations and the order of words count.
    """
    plain = _LEADING.sub("", f"{' '.join(words(folded(untagged(text))))} ", count=1).split()
    return " ".join(word for word in plain if word not in _ARTICLES) or " ".join(plain)


def tomb(text: str) -> str:
    """Return the key of a fact among the tombstones, distinct from the lines of all other notes."""
    return f"fact: {normal_form(text)}"


def is_inflected(one: str, other: str) -> bool:
    """Return whether two folded words may be forms of the same word: equal except for their
    endings."""
    short, long = sorted((one, other), key=len)
    shared = _shared(short, long)
    if shared == len(short) - 1 and short[-1] == "y" and long[shared] == "i":
        shared += 1  # "fly", "flies"
    return shared >= 3 and shared >= len(short) - 3 and len(long) - shared <= 5


def is_same_name(one: str, other: str) -> bool:
    """Return whether two folded names are forms of the same name: "Anna" and "Annę", not "Marta"
    and "Maria".

    All but the last letter of the shorter one are the same, and three letters may follow.
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    shared = _shared(short, long)
    return shared >= 3 and shared >= len(short) - 1 and len(long) - shared <= 3


def russian_stems(word: str) -> set[str]:
    """Return a folded Russian word without each ending that may be one of a case; {} for a word of
    another script.

    лену → {лену, лен}. At least two letters are left.
    """
    if _CYRILLIC.fullmatch(word) is None:
        return set()
    cuts = range(_SHORTEST_STEM, len(word) + 1)
    return {word[:cut] for cut in cuts if _CASES.fullmatch(word, cut)}


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two words."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return at
    return min(len(one), len(other))

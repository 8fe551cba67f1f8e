"""Compare the telling words of two texts, apart from their endings."""

from __future__ import annotations

from ..notes.markdown import plain
from ..text.clause_words import grammatical_words
from ..text.tokenize import telling_terms
from ..text.word_forms import russian_stems

FEWEST = 3  # characters
_STEM = 4  # letters: words are the same if one begins with the other, and that has so many
_ENDING = 3  # letters after a short stem: "lock", "locks", but not "locksmith"
_LONG_STEM = 6  # letters; such a word also begins its compounds


class ContentWords:
    """The content words of a text, to be compared with those of other texts."""

    def __init__(self, text: str, *, asked: bool = False) -> None:
        """`asked`: the owner named a thing, so articles do not count: "le vélo", "mon vélo"."""
        self.all = telling = telling_terms(plain(text))
        if asked:
            small = grammatical_words(text)
            self.all = {each for each in telling if small.isdisjoint(each.split())} or telling

    def shared(self, text: str) -> int:
        """Return how many of these words the other text has too."""
        found = telling_terms(plain(text))
        return sum(any(_same(word, other) for other in found) for word in self.all)

    def are_in(self, text: str) -> bool:
        """Return whether the text has all of them."""
        return bool(self.all) and self.shared(text) == len(self.all)

    def are_mostly_in(self, text: str) -> bool:
        """Return whether the text has more than half of them, and each that has a digit: locker 3
        is not locker 4."""
        found = telling_terms(plain(text))
        numbers = {word for word in self.all if any(map(str.isdigit, word))}
        return numbers <= found and 2 * self.shared(text) > len(self.all)

    def concerns(self, text: ContentWords) -> bool:
        """Return whether all words of one of the two texts occur in the other. Return False if this
        text has no word of at least FEWEST letters, or the other no content words, such as
        "No."."""
        if not text.all or not any(map(_is_word, self.all)):
            return False
        return self.all <= text.all or text.all <= self.all


def _is_word(term: str) -> bool:
    """Return whether a term has letters enough; a pair of an unspaced script has a space."""
    return len(term) >= FEWEST and term.replace(" ", "").isalpha()


def _same(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    is_short = len(long) - len(short) > _ENDING and len(short) < _LONG_STEM
    if short == long or (len(short) >= _STEM and long.startswith(short) and not is_short):
        return True
    return bool(russian_stems(short) & russian_stems(long))

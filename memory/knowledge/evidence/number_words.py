"""Recognise numbers written as words, "twenty-three" and "dreiundzwanzig". Pure.

The words up to twelve are those of `memory.dates.languages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ...dates.languages import LOCALES
from ...dates.letters import forms_of
from ...text.word_forms import folded, is_unspaced, words

# Above twelve; the table of time words has the others. Ambiguous words are left out.
_MORE = """13 thirteen dreizehn trece tredici treze dertien 14 fourteen vierzehn catorce
quattordici catorze veertien 15 fifteen fünfzehn quince quindici quinze vijftien 16 sixteen sechzehn
seize dieciséis sedici dezesseis zestien 17 seventeen siebzehn diecisiete diciassette dezessete
zeventien 18 eighteen achtzehn dieciocho diciotto dezoito achttien 19 nineteen neunzehn diecinueve
diciannove dezenove negentien 20 twenty zwanzig vingt veinte venti vinte twintig двадцать
dwadzieścia 30 thirty dreißig trente treinta trenta trinta dertig тридцать trzydzieści 40 forty
vierzig quarante cuarenta quaranta quarenta veertig сорок czterdzieści 50 fifty fünfzig cinquante
cincuenta cinquanta cinquenta vijftig пятьдесят pięćdziesiąt 60 sixty sechzig soixante sesenta
sessanta sessenta zestig 70 seventy siebzig setenta settanta zeventig 80 eighty achtzig ochenta
ottanta oitenta tachtig 90 ninety neunzig noventa novanta negentig 100 hundred hundert cien cento
honderd sto сто 1000 thousand tausend mille mil duizend
17 dixsept 18 dixhuit 19 dixneuf 80 quatrevingt quatrevingts"""
_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
_UNITS = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_DUTCH_TENS = (
    *("twintig", "dertig", "veertig", "vijftig"),
    *("zestig", "zeventig", "tachtig", "negentig"),
)
_DUTCH_UNITS = ("een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen")
_ITALIAN_TENS = (
    *("venti", "trenta", "quaranta", "cinquanta"),
    *("sessanta", "settanta", "ottanta", "novanta"),
)
_ITALIAN_UNITS = ("uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove")
_SPANISH_UNITS = ("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
_ONES = frozenset(words(folded("one eins un une uno una um uma один одна jeden")))
"""These are 1 after a multiple of ten; elsewhere most are articles."""
_JOINERS = frozenset(("y", "e", "et"))  # "treinta y cinco"
_FRENCH = re.compile(r"\b(quatre|dix)[- ](vingts?|sept|huit|neuf)\b")
_PAUSE = re.compile(r"[^\w\s'’-]")


def spoken_numbers(plain: str) -> Iterator[tuple[tuple[str, ...], frozenset[int]]]:
    """Yield the words of each number in a `folded` text, and what it may be: several values for an
    ambiguous word. "twenty-three" is 23, and neither 20 nor 3."""
    for part in _PAUSE.split(_FRENCH.sub(r"\1\2", plain)):
        run: list[str] = []
        value, joiner = 0, ""
        for word in words(part):
            found = _counts().get(word, frozenset())
            if not found and value and not joiner and word in (_JOINERS | {"and"}):
                joiner = word
                continue
            each = 1 if word in _ONES else min(found) if len(found) == 1 else 0
            total = _composed(value, each, joiner)
            if total and (found or value):
                run, value = [*run, word], total
            else:
                if value:
                    yield tuple(run), frozenset({value})
                run, value = [], 0
                if len(found) == 1:
                    run, value = [word], each
                elif found:
                    yield (word,), found
            joiner = ""
        if value:
            yield tuple(run), frozenset({value})


def _composed(value: int, following: int, joiner: str) -> int:
    """Return the number that a number and the word after it make; 0 if they make none."""
    if not value or not following:
        return 0
    if not joiner and following == 1000 and value < 1000:
        return value * 1000
    rest = value % 1000
    if not joiner and following == 100 and 0 < rest < 20:
        return value + rest * 99  # "three thousand two hundred"
    rest = value % 100
    if value >= 100 and not rest and following < 100:
        return value + following if following > 1 else 0  # "two hundred and fifty"
    is_units = rest >= 20 and not rest % 10 and following < 10
    is_french = rest in (60, 80) and 10 <= following < 20  # "soixante-quinze"
    return value + following if joiner != "and" and (is_units or is_french) else 0


@cache
def _counts() -> dict[str, frozenset[int]]:
    """Return the words for numbers, from two on: "one" is an article in most languages."""
    found = {word: each for word, each in word_table("counts", 1).items() if each != {1}}
    number = 0
    for word in _MORE.split():
        if word.isdecimal():
            number = int(word)
        else:
            found[folded(word)] = frozenset({number})
    return found | {folded(word): frozenset({number}) for word, number in _compounds()}


def _compounds() -> Iterator[tuple[str, int]]:
    """Yield the numbers from 21 to 99 that are one word, and their values."""
    for unit in range(9):
        yield f"veinti{_SPANISH_UNITS[unit]}", 21 + unit
        for tens in range(8):
            number = 10 * tens + 21 + unit
            yield f"{_UNITS[unit]}und{_TENS[tens]}", number
            yield f"{_DUTCH_UNITS[unit]}en{_DUTCH_TENS[tens]}", number
            italian = _ITALIAN_TENS[tens][: -1 if unit in (0, 7) else None]
            yield f"{italian}{_ITALIAN_UNITS[unit]}", number


@cache
def word_table(field: str, first: int) -> dict[str, frozenset[int]]:
    """Map folded words to their positions in that field of Locale, counted from `first`."""
    found: dict[str, set[int]] = {}
    for locale in LOCALES:
        for slot, _, form in forms_of(getattr(locale, field), locale.has_spaces):
            word = folded("".join(form))
            if len(form) == 1 and not (is_unspaced(word) and len(word) < 2):
                found.setdefault(word, set()).add(slot + first)
    return {word: frozenset(slots) for word, slots in found.items()}

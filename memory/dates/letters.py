"""Encode a question as a string of letters, one per word, by the word's role in a time expression.

"last" is L and "week" is w, in any language; articles are left out. Other words are `.` (question
words), v (past tense), x or u (content); punctuation is `|`. A number is n, "5th" o, a year Y, a
full date I, "3.10." K, and "3.10" H. For the others see _ROLES.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .calendar import SPRING, UNKNOWN, WINTER, Region, holiday_code
from .languages import LOCALES, Locale

PAST, FUTURE, PRESENT = -1, 1, 2
"""The tenses of a question; 0: unknown."""

_RECENT = -1  # the value of a unit that stands for "the last few" of it
_MONTH_END = -2  # the value of a month that stands for its end
# A field of Locale, the letters of its slots (one for all, or one each), the value of each slot.
# If a word is in two fields, the later one wins.
_ROLES: tuple[tuple[str, str, Sequence[int]], ...] = (
    ("articles", "_h", (0, 0)),
    ("leads", "alrij", range(5)),  # a on, l on, r at or to, i in, j in or from now
    ("ranges", "szft&s", range(6)),  # s since or as of, z since (after its day), f, t, &
    ("blocks", ">>b", (-1, 1, 0)),  # > before or after, b every
    ("distance", "APq", range(3)),  # A ago (G: "week ago" is "a week ago"), P also before, q later
    ("counts", "c", range(1, 32)),
    ("vague", "kg", range(2)),  # k a couple, g a few
    ("ordinals", "O", range(1, 32)),
    ("daytimes", "p", (0,)),
    ("which", "LLRTXX", (-2, -1, -1, 0, 1, 2)),  # L last, R past, T this, X next
    ("thirds", "B", range(3)),
    ("units", "dwmyewUJ§", range(9)),  # § a working day, w also two weeks
    ("weekdays", "W", range(7)),  # V: only with a preposition
    ("months", "M", range(1, 13)),  # N: even without a preposition
    ("seasons", "S", range(13, 17)),
    ("feasts", "F", range(17, 37)),
    ("calendar_weeks", "C", (0,)),
    ("days", "D", (-2, -1, 0, 1, 2, -3, 3)),
    ("rates", "Q", (0,)),
    ("ages", "Z", (0,)),
    ("next_to", "<", (-1, 1)),
    ("weeks_of", "@", (0,)),
    ("weekday_plurals", "%", range(7)),
    ("exact", "=", (0,)),
    ("halves", "!", (1, 2)),
    ("hours", ":", (0,)),
    ("month_ends", "m", (_MONTH_END,)),
    ("working_days", "¶", (1, -1)),
    ("recent", "dwm", (_RECENT, _RECENT, _RECENT)),
)

FOLD = str.maketrans(  # not "ą": it distinguishes "in winter" from "winter"
    "àáâãäåçèéêëìíîïñńòóôõöøùúûüýÿćęłśźżё", "aaaaaaceeeeiiiinnoooooouuuuyycelszzе"
)
_NUMBERS = r"""
    (?P<full>(?<![\d.,/:-]) (?:19|20)\d\d (?P<by>[-/.]) \d\d? (?:(?P=by) \d\d?)?
        (?! \d | [.,:/-]\d ))
  | (?P<dated>(?<![\d.,/:-])
        \d\d? (?: /\d\d?(?:/\d\d(?:\d\d)?)? | \.\d\d?(?:\.(?:\d{4}|\d\d)?)? | -\d\d?-\d{4} )
        (?! \w | [.,:/-]\d ))
  | (?P<month_year>(?<![\d.,/:-]) (?:0[1-9]|1[0-2]) [/.] (?:19|20)\d\d
        (?! \w | [.,:/-]\d ))
  | (?P<other>\d+ (?:[.,:/]\d+)+ \w*)
  | (?P<short_year>(?<=\s)['’]\d\d(?![\w'’]))
  | (?P<year>(?:19|20)\d\d) 年? (?![a-zа-я\d_])
  | (?P<month>\d\d?) 月 (?!間)
  | (?P<nth>\d\d?) (?: (?:st|nd|rd|th|er|e|re|ere|i?eme|de|ste|º|ª|°|-?го) (?!\w)
        | [日号號](?![前間後以线線楼樓]) )
  | (?P<dotted>\d\d?) \.(?=\s+[^\W\d_] | \s*[?–-] | \s*$)
  | (?P<number>(?<![$€£¥])\d{1,3}) (?![a-zа-я\d_])
  | (?P<dash>(?<=[\d.]) \s?[-–—〜]\s? (?=\d))
  | (?P<stop>[!?;…。！？\n] | \.(?!\s*\d))
"""  # of folded, lower-case text
_ENDS_CLAUSE = re.compile(r"\s*(?:$|[^\w\s])")
_YEAR_NEXT = r"(?=\s+(?:19|20)\d\d(?!\d))"
_QUARTER = (
    rf"(?<!\w)(?:q|t(?=[1-4]{_YEAR_NEXT}))(?P<quarter>[1-4])(?![\w.])"
    rf" | (?<!\w)[hs](?P<half>[12]){_YEAR_NEXT}"
)
_WEEK, _WEEKEND = 1, 4  # slots of Locale.units
_SHORT_OF_1900S = 50  # from "'50" on
_REGIONAL = ("en", "es")  # languages in which the name of a holiday depends on the country
_ENGLISH = "x"  # what content words are in English, and only there
_NUMBER_LETTERS = {
    "year": "Y",
    "month": "N",
    "nth": "o",
    "number": "n",
    "quarter": "E",
    "half": "½",  # "H2", which may be hydrogen
}
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_KANJI_DAY = re.compile("[一二三四五六七八九十]+[日号號]")

_Forms = dict[str, list[tuple[list[str], str, int]]]
"""First word → other words, letter and value of each form with that first word, longest first."""


class Words(NamedTuple):
    """A question as letters; each has a value and its position in the text."""

    letters: str
    values: list[int]
    begins: list[int]  # including the articles before it
    ends: list[int]
    tense: int


def forms_of(slots: str, has_spaces: bool) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the slot, the mark and the words of every form in a field of Locale."""
    for slot, forms in enumerate(slots.split(",")):
        for form in filter(None, forms.strip().split("|")):
            stem, *endings = form.lower().translate(FOLD).lstrip("+~").split("/")
            for each in (stem, *(stem + ending for ending in endings)):
                is_word = each.isalnum() or not has_spaces
                yield slot, form[0], [each] if is_word else re.findall(r"[^\W\d_]+", each)


def month_named(word: str) -> int:
    """Return the number of the month that the word names in any language; 0 for none."""
    return _months().get(word.lower().translate(FOLD), 0)


@functools.cache
def _months() -> dict[str, int]:
    every = (form for each in LOCALES for form in forms_of(each.months, each.has_spaces))
    return {form[0]: slot + 1 for slot, _, form in every}


@functools.cache
def working_days() -> str:
    """Return a pattern for a working day in any language."""
    forms = (form for each in LOCALES for form in each.units.split(",")[-1].strip().split("|"))
    return "|".join(re.sub(r"/(.*)", r"(?:/\1)?", form).replace("/", "|") for form in forms)


@functools.cache
def _vocabulary(at: int) -> _Forms:
    """Return the forms of one language. Function words are `.`; content words are not included."""
    locale = LOCALES[at]
    found: dict[tuple[str, ...], tuple[str, int]] = {}
    for word in locale.asks.split():
        [(_, _, form)] = forms_of(word, locale.has_spaces)
        found[tuple(form)] = ".", 0
    tenses = ((locale.past_tense.replace(" ", "|"), PAST), (locale.future, FUTURE))
    for slots, tense in (*tenses, (locale.present, PRESENT)):
        for _, _, form in forms_of(slots, locale.has_spaces):
            tells = tense == PAST and tuple(form) not in found
            found[tuple(form)] = "v" if tells else ".", tense
    for name, letters, values in _ROLES:
        for slot, mark, form in forms_of(getattr(locale, name), locale.has_spaces):
            letter = letters[slot] if len(letters) > 1 else letters
            letter = {"+": "N", "~": "V"}.get(mark, letter)
            if letter == "A" and locale.has_bare_ago:
                letter = "G"
            found[tuple(form)] = letter, values[slot]
    for holiday in filter(None, locale.holidays.split(",")):
        code, names = holiday.split(maxsplit=1)
        for _, mark, form in forms_of(names, locale.has_spaces):
            found[tuple(form)] = "F" if mark == "~" else "N", holiday_code(code)
    for _, _, [day] in forms_of(locale.weekdays if locale.tails else "", locale.has_spaces):
        for _, _, [tail] in forms_of(locale.tails, locale.has_spaces):
            found[(day + tail,)] = found[(day, tail)] = found[(day,)]
    for _, _, lead in forms_of(locale.leads, locale.has_spaces):
        for known in [each for each in found if each[0] == lead[-1] and len(lead) > 1 < len(each)]:
            found[(*lead, *known[1:])] = found[known]  # "el día" before "día de la madre"
    for _, _, form in forms_of(locale.never, locale.has_spaces):
        found[tuple(form)] = _content(at), 0
    forms: _Forms = {}
    for (first, *rest), (letter, value) in sorted(found.items(), key=lambda item: -len(item[0])):
        forms.setdefault(first, []).append((rest, letter, value))
    return forms


def _content(at: int) -> str:
    """Return the letter of content words: x if a time word before them becomes part of a name."""
    return "x" if LOCALES[at].has_compounds else "u"


@functools.cache
def _languages() -> dict[str, tuple[int, ...]]:
    """Map words to the languages that have them, without words that occur only in phrases."""
    known: dict[str, dict[int, None]] = {}
    for at in range(len(LOCALES)):
        for first, forms in _vocabulary(at).items():
            for rest, letter, _ in forms:
                signs = [first, *rest] if letter not in ".vxuZQ" else [] if rest else [first]
                for word in signs:
                    known.setdefault(word, {})[at] = None
    return {word: tuple(found) for word, found in known.items()}


@functools.cache
def _tokens(at: int | None) -> re.Pattern[str]:
    """Return a pattern for words and numbers. `at`: a language without spaces, for its words."""
    words = rf"{_joined()}|2(?:day|nite|moro|morrow)\b|[^\W\d_]+"
    if at is not None:
        longest_first = sorted(_vocabulary(at), key=len, reverse=True)
        forms = (
            f"{form}(?![前間後以])" if _KANJI_DAY.fullmatch(form) else re.escape(form)
            for form in longest_first
        )
        words = "|".join([*forms, "[a-z]+", r"[^\W\d_]"])
    return re.compile(rf"{_QUARTER} | (?P<word>{words}) | {_NUMBERS} | \w+", re.VERBOSE)


@functools.cache
def _joined() -> str:
    """Return a pattern for months that a week is written together with: "Augustwoche"."""
    joined = [locale for locale in LOCALES if locale.tails]
    months = {form for each in joined for _, _, [form] in forms_of(each.months, True)}
    units = [form for each in joined for form in forms_of(each.units, True)]
    weeks = {form[0] for slot, _, form in units if slot in (_WEEK, _WEEKEND)}
    return rf"(?:{'|'.join(sorted(months))})(?=(?:{'|'.join(sorted(weeks))})\b)"


def letters_of(text: str, *, region: Region = UNKNOWN) -> Words:
    """Encode a question in the language that most of its words belong to. `region`: of the
    owner; it decides about "10/9" and about seasons."""
    at, found = _tokenize(_folded(text))
    words = [token[0] for token in found]
    locale, vocabulary, unknown = LOCALES[at], _vocabulary(at), _content(at)
    letters, values, begins, ends = list[str](), list[int](), list[int](), list[int]()
    tenses = set[int]()
    place, article = 0, -1
    while place < len(found):
        token = found[place]
        length, letter, value = 1, unknown, 0
        if token.lastgroup == "word":
            length, letter, value = _form_at(vocabulary, words, place) or (1, unknown, 0)
        elif token.lastgroup:
            letter, value = _number(token, unknown, region=region)
        if letter in "SN" and SPRING <= value <= WINTER:
            value = region.season(value)
        if letter in "FN" and LOCALES[at].name in _REGIONAL:
            value = region.holiday(value)
        if letter in "FN" and not value:
            letter = unknown
        begin, end = token.start(), found[place + length - 1].end()
        place += length
        if letter == "_":
            # The "s" of "yesterday's" belongs to the word before it, "the" to the one after.
            if ends and text[ends[-1] : begin] in ("", "'", "’"):
                ends[-1] = end
            elif article < 0:
                article = begin
            continue
        if letter in ".v":
            tenses.add(value)
        before = _implied(letter, value, letters[-1:], locale)
        if letter == unknown and letters[-1:] == ["n"] and text[ends[-1]] == ",":
            before = [("|", 0)]  # "el 19, misma hora": the number counts nothing
        after = [("a", 0)] if letter == "r" and token[0] in locale.to_the.split("|") else []
        start = begin if article < 0 else article
        said = [(each, number, start) for each, number in (*before, (letter, value), *after)]
        if token.lastgroup == "dotted" and letter == "n":
            said.append(("|", 0, end))  # "until the 14. Watch out"
        for each, number, where in said:
            letters.append(each)
            values.append(number)
            begins.append(where)
            ends.append(end)
        article = -1
    tense = next((tense for tense in (FUTURE, PAST, PRESENT) if tense in tenses), 0)
    return Words("".join(letters), values, begins, ends, tense)


def _folded(text: str) -> str:
    """Return a text of the same length in lower case without accents."""
    lower = text.lower()
    if len(lower) != len(text):  # "İ" becomes two characters
        lower = "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    return lower.translate(FOLD)


def _tokenize(folded: str) -> tuple[int, list[re.Match[str]]]:
    """Return the language that most words of a text belong to, and its words and numbers."""
    if not folded.isascii() and _UNSPACED.search(folded):
        unspaced = [at for at, locale in enumerate(LOCALES) if not locale.has_spaces]
        at = max(unspaced, key=lambda each: _fit(folded, each))
        return at, list(_tokens(at).finditer(folded))
    found = list(_tokens(None).finditer(folded))
    votes = [(0, 0)] * len(LOCALES)
    for token in found:
        for at in _languages().get(token[0], ()):
            # Of a draw decide the weekdays: "segunda" is Monday in Portuguese.
            is_weekday = any(letter in "WV" for _, letter, _ in _vocabulary(at).get(token[0], ()))
            votes[at] = votes[at][0] + 1, votes[at][1] + is_weekday
    return votes.index(max(votes)), found


def _form_at(vocabulary: _Forms, words: Sequence[str], place: int) -> tuple[int, str, int] | None:
    """Return the number of words, the letter and the value of the longest form at a place."""
    for rest, letter, value in vocabulary.get(words[place], ()):
        if not rest or words[place + 1 : place + 1 + len(rest)] == rest:
            return 1 + len(rest), letter, value
    return None


def _fit(folded: str, at: int) -> tuple[int, int]:
    """Rate how well a text fits a language without spaces: by the characters of the words that the
    language has, then by the length of its words."""
    words = [each[0] for each in _tokens(at).finditer(folded)]
    return sum(len(word) for word in words if word in _vocabulary(at)), -len(words)


def _implied(letter: str, value: int, before: list[str], locale: Locale) -> list[tuple[str, int]]:
    """Return the letters of words that a language leaves out before a word."""
    if value == _RECENT and letter in "dwm":
        return [("R", -1), ("g", 1)][: 1 if before and before[0] in "nc" else 2]
    if value == _MONTH_END and letter == "m":
        return [("B", 2)]
    if letter == "W" and locale.weekday_names_week and before and before[0] in "LTX":
        return [("w", 0)]
    if letter in "oO" and not locale.has_spaces and (not before or before[0] not in "MNmy"):
        return [("a", 0)]  # "on the 3rd"
    return []


def _number(token: re.Match[str], unknown: str, *, region: Region) -> tuple[str, int]:
    """Return the letter and value of a token that is not a word; a date's is YYYYMMDD, and negative
    if its day may be the month: "10/9" in English, which is in October in some regions."""
    kind = token.lastgroup or ""
    if kind == "month_year":
        if "." in token[0] and unknown == _ENGLISH:
            return unknown, 0
        month, year, _ = _parts(token)
        return "I", year * 10_000 + month * 100
    if kind == "short_year":
        year = int(token[0][1:])
        return "Y", year + (2000 if year < _SHORT_OF_1900S else 1900)
    if kind == "full":
        year, month, day = _parts(token)
        return "I", year * 10_000 + month * 100 + day
    if kind == "dated":
        return _day_and_month(token, unknown, region)
    if kind == "dotted":
        kind = "number" if unknown == _ENGLISH else "nth"  # "at 8." is not a day in English
        return _NUMBER_LETTERS[kind], int(token["dotted"])
    if kind == "month" and not 1 <= int(token["month"]) <= 12:
        return unknown, 0
    if kind in ("quarter", "half") and token[0][0] in "ts" and unknown == _ENGLISH:
        return unknown, 0  # "a T4 2024" is a form; French "au T4 2024" is a quarter
    if kind in _NUMBER_LETTERS:
        return _NUMBER_LETTERS[kind], int(token[kind])
    return {"dash": "t", "stop": "|"}.get(kind, unknown), 0


def _parts(token: re.Match[str]) -> tuple[int, int, int]:
    """Return the numbers of a date; 0 for a missing one at its end."""
    first, second, *rest = map(int, re.findall(r"\d+", token[0]))
    return first, second, rest[0] if rest else 0


def _day_and_month(token: re.Match[str], unknown: str, region: Region) -> tuple[str, int]:
    """Return the letter and value of a date that begins with its day or its month."""
    day, month, year = _parts(token)
    has_slash, sign = "/" in token[0], 1
    if month > 12 and "." not in token[0]:
        day, month = month, day
        if not year and _ENDS_CLAUSE.match(token.string, token.end()):
            return "I", month * 100 + day  # "due 9/18", but not "a 5/16 bolt"
    if has_slash and unknown == _ENGLISH and day <= 12:
        sign = -1
        if region.month_first:
            day, month = month, day
    value = sign * (month * 100 + day)
    if year:
        century = 0 if year > 99 else 2000
        return "I", value + sign * (century + year) * 10_000
    # "3.10" may be a version; "3.10." and "3/10" are dates in more contexts.
    return "K" if token[0].endswith(".") or has_slash else "H", value


_TIMELESS = "xu.v|&alrij"  # other words, tenses, the end of a clause, "and", prepositions


def names_only_time(text: str, begin: int, is_small: Callable[[str], bool]) -> bool:
    """Return whether a text has words for time from `begin` on, and no others except small ones.
    What stands before helps to recognise the language."""
    said = letters_of(text)
    words = [
        (letter, text[start:end])
        for letter, start, end in zip(said.letters, said.begins, said.ends, strict=True)
        if start >= begin
    ]
    has_time = any(letter not in _TIMELESS for letter, _ in words)
    return has_time and all(letter not in "xu" or is_small(word) for letter, word in words)

"""Find the period that a question names: "in May 2023", "last week", "am Montag", "3日前".

A question is encoded as a string of letters, one per word (memory/dates/letters.py), so that one
grammar works for every language. memory/dates/days.py computes the days of a time expression.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from .calendar import MAIN_DAY, UNKNOWN, WINTER, Region, Span, dated
from .days import MEANINGS
from .letters import FUTURE, PAST, PRESENT, Words, letters_of
from .pairs import beside, between, both
from .parts import DayPhrase

_LONGEST = 2_000  # characters; longer texts are pasted
_LONGEST_TASK = 500
_LONGEST_DATE = 60  # characters at the beginning of a heading
_WORD = re.compile(r"[^\W_]")
_YEAR_WRITTEN = re.compile(r"(?<!\d)(?:19|20)\d\d(?:\d{4})?(?!\d)")
_NUMBERS = re.compile(
    r"""\W*(?:[^\W\d_]{2,12}\.?,?\s+)?(?:  # a weekday
        (\d{4})(?:([-_./])(\d\d?)\2(\d\d?)|(\d\d)(\d\d)|年\s?(\d\d?)月\s?(\d\d?))
        | (\d\d?)(?P<between>[-_./])\s?(\d\d?)(?P=between)\s?(\d{4})
    )(?!\d)""",
    re.VERBOSE,
)
_AS_OF = 5  # the value of "as of", which is since a day only if that is past
_END_OF = 2  # the value of "end of"
_DEADLINES = ("by", "bis")  # "by Friday": the last day on which something may be done


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The period that a question names.

    `spans` has several entries, the likeliest first, if the question is ambiguous (a month without
    a year). `rest` is the question without its time expressions. `bare`: the question has no other
    content, as in "what did I do last week?". `is_past`: it is in the past tense. `are_all_meant`:
    the spans are not alternatives but several times, as in "on Monday and Tuesday".
    """

    spans: tuple[Span, ...]
    rest: str
    bare: bool
    is_past: bool = False
    are_all_meant: bool = False


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression in a text: `text[begin:end]`.

    `spans` is empty for a date that does not exist ("30 February"). `kind`: a key of
    `days.MEANINGS`, or `range`. `is_past`: it can only mean a time before now ("last week").
    `is_end`: it is the end of a longer one ("end of May").
    """

    kind: str
    spans: tuple[Span, ...]
    begin: int
    end: int
    is_past: bool
    is_end: bool


def read_beginning(text: str) -> tuple[str, str]:
    """Split off what is too long to be read for the time of a task: whole words after 500
    characters. Return both parts with single spaces, in NFC."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if len(text) <= _LONGEST_TASK:
        return text, ""
    end = text.rfind(" ", 0, _LONGEST_TASK)
    return text[: end if end > 0 else _LONGEST_TASK], text[end if end > 0 else _LONGEST_TASK :]


@lru_cache(maxsize=64)  # several parts of recall read the same question
def time_range(
    question: str, today: date, *, region: Region = UNKNOWN, is_coming: bool = False
) -> TimeRange | None:
    """Return the period that the question names, relative to `today`; None if it names none.

    "10/9" in English may be two days; the `region` says which is likelier, and when summer is.
    `is_coming`: the question asks for a time to come, in whatever tense: "tasks in May".
    """
    text = unicodedata.normalize("NFC", question[:_LONGEST])
    words = letters_of(text, region=region)
    if "Z" in words.letters or _TIMES.isdisjoint(words.letters):
        return None
    tense = FUTURE if is_coming else words.tense
    named: list[tuple[str, Sequence[Span]]] = []
    kept, kept_letters, end, after = [], [], 0, 0
    for found in _GRAMMAR.finditer(words.letters):
        if found["blocked"] or _is_goal(found):
            continue
        meant = _meant(found, words, today, tense)
        if meant and (_is_occasion(found, words, text) or _is_beside(found, words, text)):
            continue
        if meant:
            named.append((found.lastgroup or "", meant))
            kept.append(text[end : words.begins[found.start()]])
            kept_letters.append(words.letters[after : found.start()])
            after, end = found.end(), words.ends[found.end() - 1]
    if not named:
        return None
    spans = dict.fromkeys(span for each in _together(named) for span in each)
    rest = " ".join(" ".join([*kept, text[end:]]).split()).strip(" ,;:")
    rest = _GAP.sub("", rest)
    bare = _FILLER.fullmatch("".join([*kept_letters, words.letters[after:]])) is not None
    wanted = rest if any(map(str.isalnum, rest)) else ""
    all_ = 1 < len(kept) == len(spans)
    return TimeRange(tuple(spans), wanted, bare, words.tense == PAST, all_)


def _together(named: Sequence[tuple[str, Sequence[Span]]]) -> list[Sequence[Span]]:
    """Return the days of each time expression; of several weekdays the likeliest of each: on a
    Monday, "on Monday and Tuesday" does not mean today and last week's Tuesday."""
    if len(named) > 1 and all(kind == "weekday" for kind, _ in named):
        return [meant[:1] for _, meant in named]
    return [meant for _, meant in named]


def _is_occasion(found: re.Match[str], words: Words, text: str) -> bool:
    """Return whether a holiday is what something is for: "what did I need for Halloween?" asks for
    what was said before it."""
    place = slice(found.start(), found.end())
    names = zip(words.letters[place], words.values[place], strict=True)
    is_feast = any(letter in "FN" and value > WINTER for letter, value in names)
    return is_feast and _FOR.search(text[: words.begins[found.start()]]) is not None


def _is_beside(found: re.Match[str], words: Words, text: str) -> bool:
    """Return whether a weekend or a weekday is beside what happened at an unknown time: "the
    weekend after the move", "the Friday before we left"; but not "on Friday after work"."""
    at = found.end()
    if words.letters[at : at + 1] not in (">", "P") or words.letters[at + 1 : at + 2] in ("n", "c"):
        return False
    if found.lastgroup == "unit":
        return found[0].endswith("e")
    begin = words.begins[at - 1]
    return found.lastgroup == "weekday" and text[begin:].casefold().startswith("the ")


def _is_goal(found: re.Match[str]) -> bool:
    """Return whether it is a day that something is moved to, written "to the 9th": "why was it
    moved to the 9th?" is about another day."""
    return found.lastgroup == "of_month" and found[0].startswith("ra")


def coming_times(
    text: str, today: date, *, region: Region = UNKNOWN, after: str = "", until: bool = False
) -> list[TimeExpression]:
    """Return the time expressions in a text in NFC, in its order, as of a time to come: "Friday"
    is today or the next one.

    `region`: see `time_range`. `after`: the letter (see letters.py) of a word that is thought
    before the text, such as "on", so that "Christmas" is a day. `until`: also return what something
    lasts or moves to: "until Friday", "moved to Friday".
    """
    words = letters_of(text, region=region)
    if after:
        begins, ends = [0, *words.begins], [0, *words.ends]
        words = Words(after + words.letters, [0, *words.values], begins, ends, words.tense)
    expressions = []
    for found in _GRAMMAR.finditer(words.letters):
        first, last = found.start(), found.end() - 1
        head = text[words.begins[first] : words.ends[first]].casefold()
        is_end = until and words.letters[first] == "t"
        if found["blocked"] and head not in _DEADLINES and not is_end:
            continue
        if _is_goal(found) and not until:
            continue
        meant = _meant(found, _at_its_main_day(found, words), today, FUTURE)
        if meant or found.lastgroup == "date":
            # "The last Friday of May" may be to come.
            is_ordinal = found.lastgroup in _LAST_OF or "L§" in found[0]
            is_past = found.lastgroup == "ago" or found[0].count("L") > is_ordinal
            letters = zip(found[0], words.values[first : last + 1], strict=True)
            is_end_of = ("B", _END_OF) in letters
            place = words.begins[first], words.ends[last]
            kind = found.lastgroup or ""
            expressions.append(TimeExpression(kind, tuple(meant), *place, is_past, is_end_of))
    return expressions


def _at_its_main_day(found: re.Match[str], words: Words) -> Words:
    """Return the words with the main day of a holiday of several days beside a part of the day:
    "Christmas morning" is on 25 December."""
    at_part = words.letters[found.end() :].startswith("p")
    if found.lastgroup != "named" or not (
        at_part or _AFTER_PART.search(found.string[: found.start()])
    ):
        return words
    values = list(words.values)
    for at in range(found.start(), found.end()):
        values[at] = (
            MAIN_DAY.get(values[at], values[at]) if words.letters[at] in "FN" else values[at]
        )
    return words._replace(values=values)


def leading_date(text: str) -> date | None:
    """Return the day that a heading or a file's name begins with; None unless its year is written.

    "2026_10_12", "20261012", "Mon 12.10.2026", "12th October 2026, the beds", "2026年10月12日".
    "10/12/2026" may be in October or in December, and is none.
    """
    text = unicodedata.normalize("NFC", text[:_LONGEST_DATE])
    if not _YEAR_WRITTEN.search(text):
        return None
    if found := _NUMBERS.match(text):
        return _of_numbers(found)
    days = {
        each.spans[0]
        for today in (date(1999, 1, 1), date(2099, 1, 1))  # with a year, it is the same for both
        for each in coming_times(text, today)[:1]
        if each.kind == "date" and each.spans and not _WORD.search(text[: each.begin])
    }
    first, last = next(iter(days)) if len(days) == 1 else (None, None)
    return first if first == last else None


def _of_numbers(found: re.Match[str]) -> date | None:
    one, two, three = (int(each) for each in found.groups() if each and each.isdigit())
    year, month, day = (three, two, one) if found["between"] else (one, two, three)
    if found["between"] in ("/", "-") and month != day:
        if max(month, day) <= 12:
            return None
        month, day = min(month, day), max(month, day)
    span = dated(year, month, day)
    return span[0] if span else None


# ── the grammar ──────────────────────────────────────────────────────────────────────────────────

_YEAR = "(?:[ijr]?(?:Yy?|[LTX]y|y[LX]))"
_DATE = (
    f"(?:[WV]?h?(?:(?:[no]|(?<!u)O)[MN]|[MN](?:[oO]|n(?!w(?![AGq])))){_YEAR}?|[WV]?(?:Yy?|[LTX]y)[MN][no]"
    "|[WV]?I|(?:(?<=[alhsfWV])K|(?<=[ahWV])H))"
)
_END = "(?![xuncdwmyeWVMNSoOv:%])"  # of a number that is a day of the month
_COUNT = "(?:c?[kg](?![nc])|g?[nc])"
_SEVERAL = "(?:c?k|[nc])"
_WEEKS_AGO = f"(?:{_COUNT}w[AG]|[AGP]{_COUNT}w)"
_LENGTH = f"(?:{_COUNT}[dwmye]|{_COUNT}?J)"
_POINT = f"[alh]?(?:d(?=n))?(?:{_DATE}|[no]{_END}|[LTX]?[WV]|[MN]{_YEAR}?|Yy?|D|[KH])"
_ALONE = "(?![wmydeUJWVMSFNncp:])"  # "last" after its noun, not before the next one
_MONTH = "(?:[LTX]m|m[LX])"
_IN = "(?:(?<=[ijrs])|(?<=[ijrs]h))"
_ON = "(?:(?<=[aljris])|(?<=[aljris]h))"
_AT_TIME = f"{_POINT}rn(?![MN])"  # "el 19 a las 5", "am 11.11. um 9"
_GRAMMAR = re.compile(
    rf"""(?=[^.xuvQ|])(?P<blocked>[b>tP][dwmy]?)?(?:
    (?P<range>(?!{_AT_TIME})[fs]?{_POINT}[tzr]{_POINT}(?![dwmy]q) | [fj]{_POINT}&{_POINT})
  | (?:[aljrisf]{{1,2}}(?:pf?)?)?h?(?:
        (?P<beside>(?:{_COUNT}[dw§]|[weWV]|[LOo]§)[>P][alr]?h?(?:[LTX]?[FN]{_YEAR}?(?![no])|{_DATE}|K|o{_END})
            | N[Gq]{_COUNT}?[dw] | NA[dw])
      | (?P<both>(?:d(?=n))?(?:(?:[no]|(?<!u)O)&[alh]{{0,2}}[noO][MN]{_YEAR}?
            | [MN][no]&(?:ao|[alh]?[no]{_END})
            | (?:(?<=[alhp])o|(?<=[ah])n)&[alh]{{0,2}}[on]{_END}))
      | (?P<week_after>[WV]p?(?:[ij][nc](?:{_END}|[dw])|jw|w{_END}(?![LXRTb>]))
            | (?<![AGP])[nc]w[alf][WV] | D[ij][nc]{_END} | Dw{_END}(?![LXRTb>])
            | (?<![AGP])[nc]wD(?![=A]))
      | (?P<week_before>L[WV](?:w(?![xuncdwmyeWVMNSv:%LXRTb>])|{_COUNT}wA|[AP]{_COUNT}w)
            | {_COUNT}wA?L[WV])
      | (?P<feast_weekend>[FN]{_YEAR}?e(?![x:]) | e[aflijr]{{0,2}}[FN]{_YEAR}?(?![no]))
      | (?P<week_of>[we@][aflijr]{{0,2}}h?(?:{_DATE}|[FN]{_YEAR}?(?![no])|[KH]) | @(?:[WV]h?)?[no]
            | e[af]?[no]{_END})
      | (?P<next_to>(?:<|p[>P])[alr]?h?(?:{_DATE}|[FN]{_YEAR}?))
      | (?P<nth>[LROo](?:[§dew@WV][fij]?(?:[MN]{_YEAR}?|{_MONTH})|[MN][ew]{_YEAR}?) | [MN]{_YEAR}?¶)
      | (?P<nth_of_period>[LROo][§dewWV][fij]?m(?![LX]) | [LROo]§[fij]?(?:[wUy]X|[TX]?[wUy])
            | [LOo]§(?!>|[fij]?[LRTX]?[wUyYF]) | (?:{_MONTH}|[TX][wUy])?¶ | m¶)
      | (?P<working_day>X§ | §X{_ALONE} | (?<=j){_COUNT}§q? | {_COUNT}§q)
      | (?P<half>(?:!f?|{_IN}½|½(?=Y(?![xu])))(?:[MN]{_YEAR}?|{_MONTH}|[LTX]?y|y[LX]|Yy?)
            | (?:[MN]|{_MONTH}|[LTX]y|Yy?)!)
      | (?P<in_month>(?:[oO]|(?<=[ah])n){_MONTH} | {_MONTH}[alijr]{{0,2}}h?[oO])
      | (?P<quarter>E{_YEAR}? | [LOo]U[fijr]?Yy? | [Oo]U(?:[LTX]y|y[LX]) | {_ON}[Oo]U(?![x:])
            | (?:Yy?|[LTX]y)[nc]U)
      | (?P<nth_feast>[Oon]W?F{_YEAR}?)
      | (?P<calendar_week>C[no]{_YEAR}?)
      | (?P<in_week>(?:[LTX]w|w[LX]|{_WEEKS_AGO})[aljri]?[WV]
            | [WV][aljri]?(?:[LTX]w|w[LX]|{_WEEKS_AGO}))
      | (?P<date>{_DATE} | ^K(?=\|?$) | (?:[LTX]y|y[LX])[alijr]?[noO]M)
      | (?P<named>B?[MSFN]B?Yy? | B?[MSFN][LXR]{_ALONE} | [LTXR][MSFN] | [MN]B
            | {_IN}B?M{_YEAR}? | {_ON}B?[SF](?![x:]){_YEAR}? | (?<=p)F(?![x:]) | F(?=p)
            | (?<!c)N{_YEAR}?(?![AG]) | B[MSN]{_YEAR}? | mM{_YEAR}?
            | (?:Yy|[LTX]y|y[LX])[alijr]?B?[MSFN]B? | YN(?!Y))
      | (?P<on_weekday>[WV]h?(?:o{_END}|n(?=[.|v]|$)))
      | (?P<night>[LR]p | pL{_ALONE} | Tp)
      | (?P<ago>=?D?{_LENGTH}[AG][D=]? | [D=]?[AGP]=?{_LENGTH}[D=]? | =?[dwmy]G | =[LX]y)
      | (?P<weekdays_ago>{_SEVERAL}[%WV][AG] | [AP]{_SEVERAL}[%WV])
      | (?P<later>(?:D[jz]|qj|(?<=j))=?{_COUNT}[dwmy]q? | {_COUNT}[dwmy](?:q|[fs]D(?![t&])))
      | (?P<day>D(?:[alrij]{{0,2}}p)?)
      | (?P<of_month>(?<=[alhpt])o(?:m(?![LX])|{_END}) | (?<=[ah])nm(?![LX])
            | (?<=[aljri]p)d?n{_END}
            | (?<=[ah])n(?:[alrij]{{0,2}}p)?(?=[.|vrn]|$))
      | (?P<rolling>[LRX]{_COUNT}[dwmy:] | {_COUNT}[LRX]: | R: | {_COUNT}[LRX][dwmy]
            | {_COUNT}[dwmy][LX]{_ALONE}
            | T[kg][dwmy] | (?<=s)[AG]?{_COUNT}[dwmy](?![AG]) | R[dwmy] | [LRX]J | J[LX]{_ALONE})
      | (?P<unit>(?:[LTX]|(?<![ncgkLTX]))[wmy]B(?![xuMNSFwmy]) | [LTXR][wmyeU]
            | [wmyeU]>?[LXR]{_ALONE} | (?<=[aljri])e(?![x:]) | B(?:[wmy][LX]|[LTX]?[wmy]))
      | (?P<weekday>[LTXR][WV]p? | [WV]>?[LXR](?:{_ALONE}|[alrij]{{0,2}}p) | [WV]p
            | (?:(?<=[aljrisf])W(?!Q)|(?<=[alisf])V(?![xuQ:]))(?:[alrij]{{0,2}}p)?
            | W(?![xQ]|:(?!n)))
      | (?P<in_year>(?<=[ijs])Yy? | BYy? | yY | (?:^|(?<=[.v|]))Y(?=[.v|]|$))
    )z?)""",
    re.VERBOSE,
)
_AFTER_PART = re.compile("p[alrijf]{0,2}$")
_FOR = re.compile(r"\b(?:for|für|para|pour|voor|dla|для)\s+$", re.IGNORECASE)
"""What only means a purpose: Italian "per Natale" and Russian "на Пасху" may be the days."""
_TIMES = frozenset(
    "DWVMNSFCYIKHEdwmyeUJ§¶pon@%:=!½"
)  # every time expression has at least one of these
_LAST_OF = ("nth", "nth_of_period")
_GAP = re.compile(r"(?<![ ,;])[ ,;]+(?=[?!.,;])")
_FILLER = re.compile(r"[.|alrijsftz&b>PAGqchpTdwmye@=]*")  # what remains of a bare question


def _meant(found: re.Match[str], words: Words, today: date, tense: int) -> list[Span]:
    """Return the days that a time expression means, without what blocks it; [] if it is not a time
    after all."""
    start = found.end("blocked") if found["blocked"] else found.start()
    letters, kind = words.letters[start : found.end()], found.lastgroup or ""
    values = words.values[start : found.end()]

    def phrases_around(signs: str) -> tuple[int, DayPhrase, DayPhrase]:
        """Return the place of the first of these letters behind a phrase, and both phrases."""
        cut = next(at for at, letter in enumerate(letters) if letter in signs and at)
        ends = (letters[:cut], values[:cut]), (letters[cut + 1 :], values[cut + 1 :])
        one, two = (DayPhrase.of(part, numbers, today, tense) for part, numbers in ends)
        return cut, one, two

    if kind in ("range", "both"):
        _, one, two = phrases_around("tz&r")
        return (between if kind == "range" else both)(one, two)
    if kind == "beside":
        cut, one, two = phrases_around(">PAGq")
        by = values[cut] if letters[cut] == ">" else 1 if letters[cut] == "q" else -1
        return beside(two, one, by) if one.has("FN") else beside(one, two, by)
    if _is_no_time(kind, letters, values, tense, asks_length="Q" in words.letters):
        return []
    is_since = letters[0] == "s" or letters[-1] == "z"
    if tense in (FUTURE, PRESENT) and (
        (letters[0] == "s" and values[0] == _AS_OF) or (letters[0] == "f" and letters[-1] == "z")
    ):
        is_since = False  # "from Monday onwards" may begin on a day to come
    said = DayPhrase.of(letters, values, today, PAST if is_since else tense)
    spans = MEANINGS[kind](said)
    if is_since and kind != "rolling":
        begun = [first for first, _ in spans if first <= today]
        return [(begun[0], today)] if begun else []
    return spans


def _is_no_time(
    kind: str, letters: str, values: Sequence[int], tense: int, *, asks_length: bool
) -> bool:
    """Return whether a time expression of a question only looks like one in that tense.
    `asks_length`: the question has "how long" or the like."""
    if kind == "later" and "D" not in letters and letters[-1] != "q":
        # "How many hours in a week", "what did I read in two days": a duration, not a time.
        is_one = letters[-2] == "c" and values[-2] == 1
        return asks_length or tense == PAST or (is_one and tense != FUTURE)
    if kind == "weekday" and tense != FUTURE:
        return re.search("h[WV](?![LX])", letters) is not None  # "le lundi": every Monday
    return kind == "in_year" and letters == "Y" and tense != PAST  # "and 2024?"

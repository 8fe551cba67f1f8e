"""Recognise what a message says about the owner's tasks without a model: it asks for them, or
finishes, drops or moves one; the names of their kinds, such as "alarm", and of lists. Pure.

The words of each language are in `languages/`, from `shopping_lists` to `before_times`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Literal

from .intents import ENDS, KANA, begins, is_whole, words_in
from .languages import Language, languages
from .languages.language import phrases
from .languages.phrase_tables import WORD, composed, every_phrase, folded, phrases_of, tables
from .sentences import is_marked
from .small_talk import is_small_talk

AskedTasks = Literal["open", "overdue"]
Closing = Literal["done", "bought", "dropped", "called off"]
TaskKind = Literal["reminder", "task", "alarm", "timer", "purchase"]

_CLOSINGS: tuple[tuple[Closing, str], ...] = (
    ("dropped", "cancels"),
    ("done", "finishes"),
    ("bought", "purchases"),
    ("called off", "calls_off"),
)
_POLITE_CLOSINGS = (*_CLOSINGS, ("called off", "calls_off_politely"))
_RINGS = ("alarms", "timers")
_KANJI = r"[^\W\u3041-\u309f]"  # or katakana, or a letter
_KANA_AND = rf"(?<=\w\w)と[、，]|(?<={_KANJI})[とや](?={_KANJI}|\w\w)|(?<=\w\w)[とや](?={_KANJI})"
"""Matches "and" in Japanese beside a word in kanji or katakana: in hiragana it may be a part of the
word (さとう)."""
_LONGEST_NAME = 3  # words of an alarm or a timer: "my new egg timer"
_KINDS: dict[TaskKind, str] = {
    "timer": "timers",
    "alarm": "alarms",
    "reminder": "reminders",
    "task": "tasks",
}


def asked_tasks(text: str, *, dated: bool) -> AskedTasks | None:
    """Return which of the owner's tasks a message asks for; None if it asks for anything else.

    `text`: without its time; `dated`: whether it had one. "What do I have (tomorrow)?" asks for
    tasks only with a time.
    """
    fields: dict[str, AskedTasks] = {"overdue_questions": "overdue", "task_questions": "open"}
    if dated:
        fields["day_questions"] = "open"
    return fields.get(_whole(text, fields, dated=dated))


def asks_for_all_tasks(words: str) -> bool:
    """Return whether words behind "/tasks" only ask for the owner's tasks: a question for them, or
    the end of one, such as "open" of "what is open?"."""
    if asked_tasks(words, dated=False):
        return True
    said = words_in(words)
    asked = (phrase.split() for phrase in phrases_of("task_questions").first)
    return any(each[-len(said) :] == said and len(each) <= len(said) + 2 for each in asked if said)


def asks_for_time_left(text: str) -> bool:
    """Return whether a message asks how long a timer or an alarm still runs."""
    return bool(_whole(text, ("time_left_questions",), dated=False))


def dropped_kind(text: str, *, dated: bool) -> TaskKind | None:
    """Return the kind of tasks if a message asks to drop all of one; None for any other message.

    `text` and `dated` are as above: "cancel all my reminders (for tomorrow)".
    """
    if not _whole(text, ("cancels_all",), dated=dated):
        named = phrases_of("cancels_all").object_of(composed(text).strip(ENDS + "!"))[0]
        return "purchase" if names_shopping_list(named) else task_kind(named)
    if names_shopping_list(text):
        return "purchase"
    found = _kind_in(text)
    return found[0] if found else "purchase"  # "clear the list"


def _whole(text: str, fields: Iterable[str], *, dated: bool) -> str:
    """Return the first of the fields that has the message as a phrase, apart from polite words, and
    a preposition that its time has left; "" for none."""
    words = words_in(text)
    words = words[: len(words) - phrases_of("trailing").end(words)]
    if dated:
        words = words[: len(words) - phrases_of("before_times").end(words)]
    while True:
        for field in fields:
            if is_whole(text, words, field):
                return field
        size = begins("greetings", words, 0) or begins("politeness", words, 0)
        if not size:
            return ""
        words = words[size:]


def closed_task(text: str) -> tuple[Closing, str] | None:
    """Return whether a message says that something is done or bought, or that a task shall be
    dropped, and the words for it; None if it says nothing of these.

    "The bridge is finished" says so too, and "cancel the trip", also as a polite question: whether
    there is such a task is for the caller to find.
    The words for "cancel my alarm" are the name of a kind.
    """
    is_asked, is_polite = is_marked(text), begins("politeness", words_in(text), 0) > 0
    if is_asked and not is_polite:
        return None
    text, found, words = without_courtesy(text.rstrip("?？ ") if is_asked else text)
    for closing, field in _POLITE_CLOSINGS if is_polite else _CLOSINGS:
        begin, end = phrases_of(field).around_object(words)
        if closing == "bought" and begins("no_purchases", words, begin):
            continue
        if is_asked and (closing == "bought" or not (begin or closing == "called off")):
            continue  # "hey Sam, is the bread bought?"
        while begin + end and begin + end + 1 < len(words) and is_article(words[begin]):
            begin += 1
        named = found[len(found) - len(words) + begin : len(found) - end] if begin + end else []
        if named and not all(map(is_article, words[begin : len(words) - end])):
            return closing, text[named[0].start() : named[-1].end()]
        if begin + end and closing == "dropped" and (kind := _kind_in(text)):
            return closing, kind[1]
        if words_between := phrases_of(field).object_of(text)[0]:
            return closing, words_between
    begin, end, behind = _ring_between("cancels", words)
    if end and behind == len(words):
        named = found[len(found) - len(words) :][begin:end]
        return "dropped", text[named[0].start() : named[-1].end()]
    return None


def _without_politeness(words: Sequence[str]) -> Sequence[str]:
    """Return the words without polite ones before them."""
    while size := begins("politeness", words, 0):
        words = words[size:]
    return words


def without_courtesy(text: str) -> tuple[str, list[re.Match[str]], Sequence[str]]:
    """Return a message without polite words behind it, its words as they are found in it, and those
    of them that follow polite words before it, as they are in the tables."""
    text = composed(text).strip(ENDS + "!")
    found = list(WORD.finditer(text))
    words = _without_politeness(words_in(text))
    if size := phrases_of("trailing").end(words):
        text, found, words = text[: found[-size].start()], found[:-size], words[:-size]
    return text, found, words


def without_last_thanks(text: str) -> str:
    """Return a message without polite words at its end."""
    return without_courtesy(text)[0].strip(ENDS)


def is_article(word: str) -> bool:
    """Return whether a word in lower case is an article or a possessive."""
    return any(word in phrases_of(field).first for field in ("articles", "mine"))


def asks_to_undo(text: str) -> bool:
    """Return whether a message only asks to undo the last change."""
    begin, comma, end = text.partition(",")
    if comma and is_small_talk(begin):  # "never mind, cancel that"
        text = end
    words = _without_politeness(words_in(text))
    words = words[: len(words) - phrases_of("trailing").end(words)]
    return is_whole(text, words, "undoes")


def asks_for_date(text: str) -> bool:
    """Return whether a message asks for today's date or the time of day. Its own time is optional:
    "What day is it (today)?"
    """
    return is_whole(text, words_in(text), "clock_questions")


def asks_for_notes(text: str) -> bool:
    """Return whether a message only asks for all that is remembered: "show me my notes"."""
    return bool(_whole(text, ("note_questions",), dated=False))


def shopping_items(around: str, words: str) -> list[str]:
    """Return each thing in the words alone, "milk and eggs" as two, if the message around them
    names a shopping list. Of any other list each line, since a task may have an "and" in it: "call
    Ana and Ben"."""
    if language := _language_of_shopping(around):
        return _listed(words, [*phrases(language.conjunctions)])
    return [each for row in words.splitlines() if (each := row.strip(" -*•"))] or [words]


def things_in(words: str) -> list[str]:
    """Return each thing in words for several without its article, "the bread and the milk", in any
    language."""
    return [_without_article(each) for each in _listed(words, phrases_of("conjunctions").first)]


def _without_article(words: str) -> str:
    first, _, rest = words.partition(" ")
    return _without_article(rest) if rest and is_article(folded(first.lower())) else words


def _listed(words: str, ands: Collection[str]) -> list[str]:
    """Return the parts of words between commas and the words for "and"."""
    and_ = "|".join(map(re.escape, ("&", *ands)))
    between = rf"(?:[,;]\s+|\n)(?:(?:{and_})\s+)?|\s+(?:{and_})\s+"
    if max(words, default="") >= KANA:  # a single character may be a part of a word: 调和油
        hans = "|".join(["&", *(each for each in ands if each[0] not in "とや")])
        between = rf"{between}|{_KANA_AND}|[、，]|(?<=\w\w)(?:{hans})(?=\w)"
    parts = re.split(between, words, flags=re.IGNORECASE)
    return [each for part in parts if (each := part.strip(ENDS))] or [words]


def names_shopping_list(text: str) -> bool:
    """Return whether a text has words for a list of things to buy."""
    return _language_of_shopping(text) is not None


def without_copula(title: str, words: str) -> str:
    """Return the name of an event without the verb that was before its time in the words: "the
    dentist is" of "the dentist is at 3". What the time was replaced by stays: "(15:00)"."""
    found = re.fullmatch(r"(\S.*)\s(\w+)(\s\([\d: -]+\))?", composed(title))
    if found is None or not _is_copula(found[2].lower(), words_in(words)):
        return title
    if words_in(words)[-1:] == words_in(found[2]):  # "at 3 call mum if she is"
        return title
    asks = not tables().interrogatives.isdisjoint(words_in(title))  # "ask where Ana is"
    return title if asks else found[1] + (found[3] or "")


def _is_copula(verb: str, words: Sequence[str]) -> bool:
    """Return whether a verb may link an event to its time. One that is a pronoun elsewhere, as "es"
    is in German, does so only beside an article of its own language."""
    own = [each for each in languages() if verb in phrases(each.copulas_before_times)]
    if verb in every_phrase("others"):
        own = [each for each in own if not {*phrases(each.articles)}.isdisjoint(words)]
    return bool(own)


def is_purchase(title: str) -> bool:
    """Return whether a task has a word for buying, such as "buy milk"."""
    return bool(_named(title, "buys"))


def _language_of_shopping(text: str) -> Language | None:
    """Return the language in which a text names a shopping list; None if it names none."""
    said = f" {' '.join(words_in(text))} "
    for language in languages():
        for name in map(folded, phrases(language.shopping_lists)):
            if (name if name >= KANA else f" {name} ") in said:
                return language
    return None


def without_last_and(text: str) -> str:
    """Return the text without an "and" at its end, in any language."""
    ands = "|".join(sorted(phrases_of("conjunctions").first))
    return re.sub(rf",?\s(?:{ands})$", "", text, flags=re.IGNORECASE)


def task_kind(words: str) -> TaskKind | None:
    """Return the kind whose name the words are, in any language; None if they are anything else."""
    found = _kind_in(words)
    return found[0] if found and found[1] == folded(words.strip(ENDS).lower()) else None


def is_of_kind(text: str, kind: TaskKind) -> bool:
    """Return whether a text has a name of the kind of task, or a word that ends in one."""
    words, field = words_in(text), _KINDS[kind]
    return bool(_named(text, field)) or any(_ends_in_name(word, field) for word in words)


def asks_to_wake(text: str) -> bool:
    """Return whether a text has a word for waking somebody."""
    return bool(_named(text, "wakes"))


def ring_of(text: str) -> tuple[str, str]:
    """Return the name of the alarm or timer that a message sets, and the words behind it: "set an
    egg-timer for 8 minutes", "timer 10 minutes". Without a name of its own it is ""; both are for
    any other message."""
    text = composed(text)
    found, words = list(WORD.finditer(text)), _without_politeness(words_in(text))
    found = found[len(found) - len(words) :]
    begin, end, behind = _ring_between("reminds", words)
    if not end and words:
        begin = 1 if len(words) > 1 and is_article(words[0]) else 0
        sizes = [begins(field, words, begin) for field in _RINGS]
        # "Küchentimer"; a "Fehlalarm" at 7 is no alarm
        end = begin + (max(sizes) or _ends_in_name(words[begin], "timers"))
        behind = end
    if end > begin:
        behind += begins("ring_prepositions", words, behind)
        name = text[found[begin].start() : found[end - 1].end()]
        return "" if task_kind(name) else name, text[found[behind - 1].end() :].strip()
    names = (name for field in _RINGS for name in _unspaced(field))
    begun = next((name for name in names if folded(text).startswith(name)), "")
    return "", text[len(begun) :].strip() if begun else ""


def with_ring(text: str, title: str) -> str:
    """Return the title of a task with the name of an alarm or a timer that is behind it in the
    message, "pasta timer" for "pasta"; the title as it is without one."""
    found = re.search(rf"{re.escape(title)}\s+({WORD.pattern})", composed(text)) if title else None
    is_ring = found and any(_ends_in_name(words_in(found[1])[-1], each) for each in _RINGS)
    return found[0] if found and is_ring else title


def _ring_between(field: str, words: Sequence[str]) -> tuple[int, int, int]:
    """Return where the name of an alarm or a timer begins and ends, and what a phrase of the field
    has behind it, at the beginning of the words: "set an egg-timer for". Zeros without one."""
    for size in range(len(words) - 1, 0, -1):
        if not (ends := _around_rings(field).get(tuple(words[:size]))):
            continue
        begin = size + (size + 1 < len(words) and is_article(words[size]))
        for end in range(begin + 1, min(begin + _LONGEST_NAME, len(words)) + 1):
            behind = [len(each) for each in ends if tuple(words[end : end + len(each)]) == each]
            if behind and any(_ends_in_name(words[end - 1], each) for each in _RINGS):
                return begin, end, end + max(behind)
    return 0, 0, 0


@cache
def _around_rings(field: str) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """Return what stands before the name of an alarm or a timer in the phrases of a field, with all
    that may stand behind it."""
    names = {name for each in _RINGS for name in phrases_of(each).first}
    around = dict[tuple[str, ...], set[tuple[str, ...]]]()
    for phrase in phrases_of(field).first:
        words = phrase.split()
        for at, word in enumerate(words):
            if at and word in names:
                around.setdefault(tuple(words[:at]), set()).add(tuple(words[at + 1 :]))
    return around


def ring_times(words: str) -> list[str]:
    """Return the words for when an alarm or a timer rings as they are, and with each preposition
    that they may lack: "10 minutes" is "in 10 minutes", and "tomorrow for 7" "tomorrow at 7"."""
    lacking = phrases_of("ring_times")
    said = [words, *(f"{begin}{words}{end}" for begin, end in lacking.parts)]
    for each in sorted(lacking.first):
        said += [f"{each} {words}", _ring_prepositions().sub(f"{each} ", words)]
    return said


@cache
def _ring_prepositions() -> re.Pattern[str]:
    known = sorted(phrases_of("ring_prepositions").first)
    every = "|".join(each if each.endswith("'") else rf"{each}\s+" for each in known)
    return re.compile(rf"\b(?:{every})(?=\w)", re.IGNORECASE)


def _kind_in(text: str) -> tuple[TaskKind, str] | None:
    """Return the kind that a text names, and that name; None for none."""
    return next(
        ((kind, name) for kind, field in _KINDS.items() if (name := _named(text, field))), None
    )


def _named(text: str, field: str) -> str:
    """Return the first of the names in a field that a text has, folded; "" for none."""
    words = words_in(text)
    for at in range(len(words)):
        if size := begins(field, words, at):
            return " ".join(words[at : at + size])
    return next((name for name in _unspaced(field) if name in folded(composed(text))), "")


def _ends_in_name(word: str, field: str) -> bool:
    """Return whether a word ends in one of the names in a field: "egg-timer"."""
    return word.endswith(tuple(phrases_of(field).first))


def _unspaced(field: str) -> list[str]:
    """Return the names of a field in scripts without spaces."""
    return [name for name in phrases_of(field).first if name[:1] >= KANA]


def with_colon(text: str) -> str:
    """Return a message like "todo buy milk" with a colon behind its label; any other one as it is.
    There must be a verb: "todo bien" is no task."""
    first, _, rest = text.strip().partition(" ")
    said = words_in(rest)
    if not said or folded(first.lower()) not in phrases_of("labels").first:
        return text
    begin, end = phrases_of("chores").around_object(said)
    return f"{first}: {rest}" if begin + end and begin + end < len(said) else text

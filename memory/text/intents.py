"""Recognise commands in a message without a model: remember, remind, forget, find.

The words of each language are in `languages/`, from `politeness` to `farewells`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .languages import languages
from .languages.language import phrases
from .languages.phrase_tables import AROUND, ARRIVAL, WORD, composed, folded, phrases_of, tables
from .sentences import is_marked, split_sentences
from .small_talk import follow_up_kind, is_small_talk, relaxed

Kind = Literal["remember", "todo", "remind", "forget", "recall", "order"]
Tone = Literal["about", "greeting", "thanks", "farewell", "objection", "other"]

_FIELDS: dict[Kind, str] = {
    "remember": "remembers",
    "todo": "todos",
    "remind": "reminds",
    "forget": "forgets",
    "recall": "recalls",
    "order": "orders",
}
_TONES: dict[Tone, str] = {"thanks": "thanks", "farewell": "farewells", "greeting": "greetings"}
_WISHES = ("remember", "todo", "remind")
_PAST = "é", "ó", "ò"
_LONGEST_TIME = 25  # words, or characters without spaces, before "remind me"
_POLITE = 3  # phrases before an intent: "Sam, could you please remember …"
_LABEL = re.compile(r"[-*]?\s*([^\W\d_][\w-]*(?: [^\W\d_][\w-]*)?)\s*[:：]\s*(?=\S)")
KANA = "\u3040"  # from here on scripts without spaces
ENDS = f"{AROUND}.?？"
_PLACES = {"firsts": 1, "seconds": 2, "thirds": 3, "lasts": 0}  # fields of Language
_AROUND_PLACES = ("politeness", "ones", "articles", "conjunctions", "trailing")
_JOINED_NUMBERS = re.compile(r"\d\s*[./:+=]\s*\d")  # a day, a time or a sum
_COLONS = (":", "：")


@dataclass(frozen=True, slots=True)
class Intent:
    """A recognised command. `words`: its object, "" if that is only a pronoun."""

    kind: Kind
    words: str


def commands_in(text: str) -> list[str]:
    """Return the parts of a message that each begin with a command to remember or to remind, with
    what follows it: "Remember that X. Also remind me of Y." [] for none. What is before the first
    one is in no part."""
    begins_at, place = list[int](), 0
    for sentence in split_sentences(text):
        place = text.index(sentence, place)
        intent = recognise_intent(sentence)
        if intent is not None and intent.kind in _WISHES and intent.words:
            begins_at.append(place)
        place += len(sentence)
    ends = [*begins_at[1:], len(text)]
    return [text[begin:end].strip() for begin, end in zip(begins_at, ends, strict=False)]


def recognise_intent(text: str) -> Intent | None:
    """Return the command in a message; None for a statement, a question, or small talk.

    If several phrases match, the longest wins: "remember to" is a task, "remember" is not. "What
    did I say about" is a command; other questions are not, and are left to `asks`.
    """
    text = composed(text.strip())
    if not text or text.startswith("/"):
        return None
    found = list(WORD.finditer(text))
    words = words_in(text)
    at = _politeness(words)
    if at < len(words) and _is_past(found[at][0].lower()):
        return None
    if (label := _LABEL.match(text)) and folded(label[1].lower()) in phrases_of("labels").first:
        return Intent("todo", text[label.end() :])
    if surrounded := _surrounded(text, found, words, at):
        return surrounded
    best = _best(words[at:])
    if best is None and (size := phrases_of("reminds").begin_misspelt(words[at:])):
        best = "remind", size
    if best is None:
        return _also(text, found, words) or _unspaced(text)
    kind, size = best
    last = at + size - 1
    rest = text[found[last].end() :]
    if kind == "todo" and rest.lstrip()[:1] in _COLONS and _may_be_clause(words[at : last + 1]):
        return Intent("remember", rest.strip(AROUND))
    behind = phrases_of("trailing").end(words[last:])
    if not behind and kind in ("recall", "forget"):
        behind = phrases_of("reported").end(words[last:])
    if behind:
        rest = text[found[last].end() : found[-behind].start()]
    elif at:
        rest = rest.rstrip(ENDS)
    return _intent(kind, rest, asked=is_marked(text) and not at)


def _also(text: str, found: Sequence[re.Match[str]], words: Sequence[str]) -> Intent | None:
    """Return the command to remember or to remind behind words like "and" and "also", or with one
    of the latter among its first words: "note aussi que …"."""
    alsos = phrases_of("alsos").first
    before = tables().openers | alsos
    at = next((at for at, word in enumerate(words) if word not in before), 0)
    rest = text[found[at].start() :] if at else ""
    for each, word in list(zip(found, words, strict=True))[1:_POLITE] if not at else ():
        if word in alsos:
            rest = text[: each.start()] + text[each.end() :].lstrip()
            break
    intent = recognise_intent(rest)
    return intent if intent is not None and intent.kind in _WISHES else None


def zone_wish(text: str) -> tuple[str, bool]:
    """Return what a message names as the time zone to use, and whether it can ask for nothing else:
    "set my time zone to Lisbon" cannot, but "use this time" may; "" for any other message. Whether
    there is such a place is for the caller to find."""
    is_asked, text = is_marked(text), composed(text).strip(f"{ENDS}!")
    found, words = list(WORD.finditer(text)), words_in(text)
    at = begins("politeness", words, 0)
    if is_asked and not at:
        return "", False  # "My time zone is Lisbon?"
    behind = phrases_of("trailing").end(words[at:])
    for field, is_order in (("zone_orders", True), ("zone_wishes", False)):
        begin, end = phrases_of(field).around_object(words[at : len(words) - behind])
        if named := found[at + begin : len(found) - end - behind] if begin else []:
            return text[named[0].start() : named[-1].end()], is_order
        if unspaced := phrases_of(field).object_of(text)[0]:
            return unspaced, is_order
    return "", False


def object_to_forget(words: str) -> str:
    """Return what the words behind a command to forget name, in any language: "everything about
    Anna" names Anna, and "everything" nothing ("")."""
    known = phrases_of("forgets")
    said = [f"{verb} {words}" for verb in {phrase.partition(" ")[0] for phrase in known.first}]
    said += [f"{begin}{words}{end}" for begin, end in known.parts]
    found = filter(None, map(recognise_intent, said))
    return min((each.words for each in found if each.kind == "forget"), key=len, default=words)


def is_pronoun(words: str) -> bool:
    """Return whether the object of a command is only a word like "this", or "of this"."""
    words = words.strip(AROUND)
    table = phrases_of("pronouns")
    return words in table.first or 0 < len(words_in(words)) == table.begin(words_in(words))


def stands_for_one(words: str) -> bool:
    """Return whether words only stand for one of several things, as "the one" does."""
    words = words.strip(AROUND)
    table, said = phrases_of("ones"), words_in(words)
    return words in table.first or 0 < len(said) == table.begin(said)


def places_named(answer: str, count: int) -> list[int]:
    """Return the places, counted from 1, that an answer to "which one?" names in a list of `count`
    things: "2", "1 and 3", "the second one", "both"; [] for any other text. Of words with
    one for all, only polite ones are an answer: "to wszystko" and "all ok" end the talk."""
    words = [] if _JOINED_NUMBERS.search(answer) else words_in(answer)
    found, said, at = list[int](), set[str](), 0
    places = {"boths": [*range(1, count + 1)], **{k: [v or count] for k, v in _PLACES.items()}}
    known = {field: phrases_of(field) for field in (*places, *_AROUND_PLACES)}
    while at < len(words):
        if words[at].isdecimal():
            found.append(int(words[at]))
            at += 1
            continue
        sizes = {field: table.begin(words[at:]) for field, table in known.items()}
        if not (size := max(sizes.values())):
            return []
        field = next(each for each in sizes if sizes[each] == size)
        found += places.get(field, [])
        said.add(field)
        at += size
    is_answer = "boths" not in said or said <= {"boths", "politeness"}
    return [*dict.fromkeys(found)] if is_answer and all(0 < i <= count for i in found) else []


def is_again(words: str) -> bool:
    """Return whether the object of a reminder is only a word like "again", or "it again"."""
    table, said = phrases_of("agains"), words_in(words)
    if begin := table.begin(said):
        return begin == len(said) or is_pronoun(_after(words, begin))
    return is_pronoun(before_again(words))


def before_again(words: str) -> str:
    """Return what is before "again" at the end of the words; "" without that word."""
    end = phrases_of("agains").end(words_in(words))
    return words[: list(WORD.finditer(words))[-end].start()].strip() if end else ""


def _politeness(words: Sequence[str]) -> int:
    """Return the number of polite words before a command."""
    at = 0
    for _ in range(_POLITE):
        if _best(words[at:]):
            break
        at += begins("politeness", words, at)
    return at


def _surrounded(
    text: str, found: Sequence[re.Match[str]], words: Sequence[str], at: int
) -> Intent | None:
    """Return the command whose phrase stands around its object: "put milk on my list"; `at`: the
    number of polite words before it."""
    behind = phrases_of("trailing").end(words[at:])
    surrounding: dict[Kind, str] = {"todo": "enlists", "remind": "reminds"}
    for kind, field in surrounding.items():
        begin, end = phrases_of(field).surround(words[at : len(words) - behind])
        # "Mich … erinnern" is a command only behind "kannst du".
        if begin and (kind == "todo" or at or begin > 1):
            rest = text[found[at + begin - 1].end() : found[-end - behind].start()]
            return Intent(kind, rest.strip(AROUND))
    return None


def reminder_after_time(text: str) -> tuple[str, str] | None:
    """Split "tomorrow at 9 remind me to call Ana" into what is before the words that ask for a
    reminder and its object; None without such words. The caller decides whether the first is a
    time: "Mum will remind me" has the words, too."""
    text = composed(text.strip())
    found = list(WORD.finditer(text))
    words = words_in(text)
    for at in range(1, min(len(words) - 1, _LONGEST_TIME)):
        polite = phrases_of("politeness").begin(words[at:])
        if size := phrases_of("reminds").begin(words[at + polite :]):
            rest = text[found[at + polite + size - 1].end() :]
            return text[: found[at].start()].strip(AROUND), rest.strip(AROUND).rstrip(" .!")
    for begin, end in phrases_of("reminds").parts:
        at = text.find(begin) if begin and not end else -1
        if 0 < at <= _LONGEST_TIME:
            return text[:at].strip(AROUND), text[at + len(begin) :].strip(AROUND)
    return None


def words_in(text: str) -> list[str]:
    """Return the words of a text as they are in the tables."""
    return [folded(match[0].lower()) for match in WORD.finditer(composed(text))]


def _is_past(word: str) -> bool:
    """Return whether an accent makes a past of a command: Spanish "olvidé" and French "oublié"
    tell something, "olvide" and "oublie" ask for it."""
    return word.endswith(_PAST) and word not in _accented()


@lru_cache(maxsize=1)
def _accented() -> frozenset[str]:
    """Return the first words of commands that end like a past, such as "qué"."""
    fields = (*_FIELDS.values(), "politeness", "enlists")
    every = (getattr(language, field) for language in languages() for field in fields)
    first = {phrase.partition(" ")[0] for each in every for phrase in phrases(each)}
    return frozenset(word for word in first if word.endswith(_PAST))


def _may_be_clause(words: Sequence[str]) -> bool:
    """Return whether the phrase of a task asks to remember when "that" follows: a colon says the
    same ("don't forget: the code is 12")."""
    remembers = phrases_of("remembers").first
    return any(" ".join((*words, that)) in remembers for that in phrases_of("that").first)


def small_talk_kind(text: str) -> Tone | None:
    """Return the kind of small talk, or "about" for a question about what Sam is and does; None if
    the message says anything else.

    Thanks take precedence over farewells and greetings, wherever they are in the message.
    """
    words = words_in(text)
    if _asks_about_sam(text, words):
        return "about"
    if is_whole(text, words, "objections"):
        return "objection"
    if not is_small_talk(text):
        return "other" if follow_up_kind(text) else None
    words = [*map(relaxed, words)]
    for tone, field in _TONES.items():
        if any(begins(field, words, at) for at in range(len(words))):
            return tone
    return "other"


def is_about_oneself(text: str) -> bool:
    """Return whether a message has a word for its writer: "I", "my", "us"."""
    words = words_in(text)
    own = {*phrases_of("selves").first, *phrases_of("plurals").first, *phrases_of("mine").first}
    if any(part in own for word in words for part in (word, *re.split("['-]", word))):
        return True
    return any(word in composed(text) for word in own if word >= KANA)


def is_whole(text: str, words: Sequence[str], field: str) -> bool:
    """Return whether the message is one of the phrases of a field, apart from filling words."""
    known = _phrases_unfilled(field)
    if " ".join(_unfilled(words)) in known:
        return True
    unspaced = "".join(composed(text).split()) if not text.isascii() else text
    return unspaced.strip(ENDS).lstrip("のは、") in known


@lru_cache(maxsize=8)
def _phrases_unfilled(field: str) -> frozenset[str]:
    return frozenset(" ".join(_unfilled(each.split())) for each in phrases_of(field).first)


def _unfilled(words: Sequence[str]) -> list[str]:
    """Return the words without those that change nothing; all of them if few would be left."""
    filling = phrases_of("fillers").first | phrases_of("adverbs").first
    kept = [word for word in words if word not in filling]
    return kept if len(kept) > 1 else list(words)


def _asks_about_sam(text: str, words: Sequence[str]) -> bool:
    """Return whether the message, apart from a greeting, is only a question about Sam."""
    while words and not begins("abouts", words, 0) and (size := begins("greetings", words, 0)):
        words = words[size:]
    words = _unfilled(words)
    whole = composed(text).strip(ENDS + "!")  # in a script without spaces
    return (0 < len(words) == begins("abouts", words, 0)) or whole in phrases_of("abouts").first


def begins(field: str, words: Sequence[str], at: int) -> int:
    """Return how many words a phrase of the field has that begins at a word; 0 for none."""
    return phrases_of(field).begin(words[at:])


def _best(words: Sequence[str]) -> tuple[Kind, int] | None:
    """Return the kind with the longest phrase at the beginning of the words, and its length."""
    sizes = {kind: phrases_of(field).begin(words) for kind, field in _FIELDS.items()}
    kind = max(sizes, key=lambda each: sizes[each])
    return (kind, sizes[kind]) if sizes[kind] else None


def _intent(kind: Kind, rest: str, *, asked: bool) -> Intent | None:
    """Return the command with these words; None if they change its meaning."""
    rest = rest.strip(AROUND)
    words = words_in(rest)
    first = {rest.partition(" ")[0].lower(), *words[:1]}  # "où" asks, "ou" does not
    if kind in ("remember", "todo", "remind") and first & tables().interrogatives:
        if kind == "remind" and ARRIVAL.match(" ".join(words)):
            return Intent(kind, rest)
        # "Remember when we met?", "remind me what I said about Ana": a question
        return Intent("recall", rest) if asked or kind == "remind" else None
    if kind == "remember" and asked:
        return None  # "Remember Ana?"
    that = phrases_of("that").begin(words)
    if not that and words[:1] and words[0] in phrases_of("alsos").first and kind in _WISHES:
        return _intent(kind, _after(rest, 1), asked=asked)
    if that and len(words) > that:
        kind = "remember" if kind == "todo" else kind
        if kind in ("remember", "forget"):
            rest, words = _after(rest, that), words[that:]
    elif kind in ("remember", "todo", "forget") and re.match(r"qu['’]", rest, re.IGNORECASE):
        kind = "remember" if kind == "todo" else kind
        rest = rest[3:]  # "retiens qu'il …"
    meant = phrases_of("pronouns").begin(words)
    if meant == len(words):
        return Intent(kind, "")
    if meant and re.match(r"\s*[:：]", _after(rest, meant, strip=False)):
        rest = _after(rest, meant)
    if kind in ("forget", "recall"):
        rest = rest.rstrip(ENDS)
    return Intent(kind, rest)


def _after(text: str, count: int, *, strip: bool = True) -> str:
    """Return the text after its first `count` words."""
    rest = text[list(WORD.finditer(text))[count - 1].end() :]
    return rest.strip(AROUND) if strip else rest


def _unspaced(text: str) -> Intent | None:
    """Return the command in a message in a script without spaces."""
    bare = text.rstrip(ENDS)
    if bare.isascii():
        return None
    without = (bare[: -len(each)] for each in phrases_of("trailing").last if bare.endswith(each))
    best: tuple[int, Kind, str] = (0, "order", "")
    for said in (*without, bare):  # without words of politeness at its end, the object is shorter
        if is_small_talk(said):
            return None
        for kind, field in _FIELDS.items():
            rest, size = phrases_of(field).object_of(said)
            if size > best[0]:
                best = size, kind, rest
    size, kind, rest = best
    if not size:
        return None
    return Intent(kind, "" if rest in phrases_of("pronouns").first else rest)

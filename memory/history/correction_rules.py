"""Decide whether a message corrects an older one. Pure.

A correction says that it is one ("actually", "sorry", "make it"), or what is denied ("not the
21st"), and has another value of the same kind, or other words beside the same ones. It says nothing
that the corrected message does not speak of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from ..dates.letters import names_only_time
from ..knowledge.decide import frame_and_values
from ..knowledge.evidence import calendar_words
from ..text.change_words import DENIED, LONGEST_CORRECTION, says_change, uncorrected
from ..text.clause_words import grammatical_words
from ..text.grammar import ADVERSATIVE, JOINING, asks_for_another_part, parts_of, statement
from ..text.sanitize import own_part
from ..text.sentences import is_question
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import folded, is_inflected, is_unspaced, words
from .other_words import says_moved, with_other_word

_RATHER = re.compile(
    r"^\W*(?:make (?:it|them)|(?:machen|sagen|nehmen) wir|(?:doch |nimm )?lieber|mettons|disons"
    r"|(?:mejor|que sean|digamos)|(?:meglio|facciamo|mettiamo|diciamo)|melhor"
    r"|(?:doe maar|toch maar|liever|maak er)|(?:lepiej|niech b[eę]dzie)|лучше|пусть будет)\b",
    re.IGNORECASE,
)
"""What a correction begins with that says nothing else than another value: "make it four"."""
_MEANT = re.compile(
    r"^\W*(?:(?:no|nope|oh|oops|sorry|wait|nein|ach|non|oups|pardon|perdón|scusa|não|desculpa|nee|нет"
    r"|ой)\W+)*(?:i meant|ich meinte|je voulais dire|(?:quise|quería) decir|volevo dire|intendevo"
    r"|quis dizer|ik bedoelde|chodziło mi o|я име(?:л|ла) в виду)\s+"
    r"(?:(?:in|at|on|the|with|dr|mr|mrs|ms|am|im|der|die|das|den|en|à|le|la|el|los|a|em|o|na|w|в|на)"
    r"\.?\s+)?+(?!(?:to|zu|no|not|only|every|kein|keine|nur|pas|well|good|ernst|gut|nett|bien)\b)"
    r"\w[\w'’-]*(?:\s\w[\w'’-]*)?[\s.!]*$",
    re.IGNORECASE,
)
"""A message that only says which word was meant: "I meant Lisbon"."""
_MOVED = re.compile(
    r"^\W*(?:(?:it|that)(?:['’]?s| is| was)? )?(?:now )?(?:been )?"
    r"(?:pushed back|put (?:back|off)|moved|postponed|rescheduled|brought forward|delayed"
    r"|cancell?ed|called off|verschoben|verlegt|vorgezogen|abgesagt|repoussée?|reportée?"
    r"|décalée?|avancée?|annulée?|aplazad[oa]|pospuest[oa]|adelantad[oa]|cancelad[oa]"
    r"|rimandat[oa]|spostat[oa]|rinviat[oa]|anticipat[oa]|annullat[oa]|adiad[oa]|remarcad[oa]"
    r"|antecipad[oa]|verzet|verplaatst|uitgesteld|verschoven|afgezegd|przełożon\w+"
    r"|przesunięt\w+|odwołan\w+|перенесли|перенесен\w+|сдвинули|отменили|отменен\w+)\b(?:\s+(?:um|auf)\b)?",
    re.IGNORECASE,
)
"""What a message begins with that names no subject, since the message before it does."""
_CLAUSE_END = re.compile(
    r"[,;.!()–—](?!\d)|\s-+\s"
    r"|\b(?:because|cause|cos|coz|bc|since|weil|denn|parce que|car|porque|perché|want|omdat|bo"
    r"|ponieważ|потому)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")  # as a whole: "1,200", "6:30", "555-1234"
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_UNSPACED_MARK = re.compile(
    r"^(?:(?:不对|不對|不|错了|錯了|我?说错了|我?說錯了|等等|更正|抱歉|对不起|對不起|应该是|應該是|いや|いいえ|違う|違います"
    r"|間違えた|間違えました|間違い|すみません|ごめんなさい|ごめん|訂正)[、，,。：:！!\s]*)+"
)
_UNSPACED_DENIED = re.compile(
    r"不是\s?(\d[\d.,:]*)\D{0,3}?[，,、\s]?(?:而是|是)"
    r"|(?<![\d.,:])(\d[\d.,:]{0,20})[^\d.,:]{0,3}(?:じゃなくて|じゃなく|ではなくて|ではなく)[、，]?"
)
_UNSPACED_IS = re.compile("应该是|應該是|是|でした|です|だった|だ")
_OTHER_WORDS = 2  # at most so many words of a correction replace others


def corrects(new: str, old: str, *, at_once: bool) -> bool:
    """Return whether a message corrects an older one. `at_once`: it was the owner's next message,
    so it need not share a word with the older one."""
    text, old = own_part(new).strip(), own_part(old)
    if denies_value(text, old):
        return True
    if is_unspaced(text):
        return at_once and _with_unspaced_number(text, old) is not None
    if is_question(text) or len(words(text)) > LONGEST_CORRECTION:
        return False
    clauses = [part for each in _CLAUSE_END.split(text) if (part := each.strip())]
    runs = [*clauses, *map(" ".join, pairwise(clauses))]
    if any(DENIED.search(run) and _names_other(run, old) for run in runs):
        return True
    if at_once and (_is_moved(text, old) or says_moved(text, old)):
        return True
    if at_once and (_with_other_word(text, old) or _is_now(text, old)):
        return True
    if _has_other(text, old, at_once=at_once):
        return True
    part = _without_reason(text)
    is_less = part != text and _has_other(part, old, at_once=at_once)
    return is_less and bool(frame_and_values(part)[1])


def is_about_correction(question: str, new: str, old: str) -> bool:
    """Return whether a question may be about what a correction replaces in the older message: not
    "where is my bike?" if that says "My bike is at Anton's, and I have 4 keys", and then "no, 5".
    """
    right = apply_correction(new, old)
    if right is None:
        return True
    kept = parts_of(right)
    return not asks_for_another_part(question, old, lambda part: part not in kept)


def corrected_value(text: str) -> str:
    """Return what a correction names: of "actually make it 7pm" "7pm"; any other text as it is."""
    return _RATHER.sub(" ", uncorrected(text)).strip()


def apply_correction(new: str, old: str) -> str | None:
    """Return the older message with the owner's next one applied to it: each new value replaces the
    one of its kind, or a name the name at the end. None if `new` is no correction, or it is not
    clear of what."""
    if not corrects(new, old, at_once=True):
        return None
    if is_unspaced(new):
        return _with_unspaced_number(own_part(new).strip(), old)
    if other := _with_other_word(own_part(new).strip(), old):
        return other
    right = corrected_value(own_part(new).strip())
    contrasts = not ADVERSATIVE.isdisjoint(words(folded(new)))  # "no 900, sino 950"
    denied = _denied_values(new if contrasts else right)
    old_values = _of_older(old)[1] - _denied_values(old)
    values = {value for value in frame_and_values(right)[1] if _bare(value) not in denied}
    values -= ADVERSATIVE  # French "mais" is no month
    wrong_values = {value for value in old_values if _bare(value) in denied} or old_values - values
    said = statement(old)
    if not values and said and _MEANT.match(new) and len(words(said.value)) <= _OTHER_WORDS:
        head, _, end = old.rpartition(said.value)
        return f"{head}{' '.join(words(right))}{end}"
    numbers = _NUMBER.findall(own_part(new))
    if numbers and not all(map(str.isdecimal, (*numbers, *_NUMBER.findall(old)))):
        is_alone = all(any(map(str.isdigit, value)) for value in values)
        return _with_number(own_part(new), old) if is_alone else None
    text, replaced = old, set[str]()
    for value in values - old_values:
        written = [word for word in words(right) if folded(word) == value]
        wrong = [
            word
            for word in words(old)
            if folded(word) in wrong_values and _kinds({folded(word)}) == _kinds({value})
        ]
        if not written or len(wrong) != 1 or wrong[0] in replaced:
            return None
        replaced.add(wrong[0])
        text = re.sub(rf"(?<!\w){re.escape(wrong[0])}(?!\w)", written[0], text)
    return text if text != old else None


def _with_number(correction: str, old: str) -> str | None:
    """Return the older message with the one number that a correction names, as a whole: "12.50",
    "6:30", "555-1234". None if it is not clear which number is wrong."""
    starts = (each.start(1) for each in DENIED.finditer(correction))
    denied = {each[0] for start in starts if (each := _NUMBER.match(correction, start))}
    new = {each for each in _NUMBER.findall(correction) if each not in denied}
    known = set(_NUMBER.findall(old))
    wrong = (known & denied) or known
    if len(new) != 1 or len(wrong) != 1 or new == wrong:
        return None
    return re.sub(rf"(?<![\w.,:/-]){re.escape(*wrong)}(?!\w|[.,:/-]\d)", new.pop(), old)


def _with_unspaced_number(text: str, old: str) -> str | None:
    """Return the older message with the number that a correction in a script without spaces names:
    "不对，是950". None if it is none, or says more."""
    denial = _UNSPACED_DENIED.search(text)
    numbers, known = set(_NUMBER.findall(text)), set(_NUMBER.findall(old))
    denied = {number for number in (denial.groups() if denial else ()) if number}
    new, wrong = numbers - denied, denied or known
    if not (denial or _UNSPACED_MARK.match(text)) or len(new) != 1 or len(wrong) != 1:
        return None
    if not wrong <= known or new <= known:
        return None
    rest = _UNSPACED_MARK.sub("", _UNSPACED_DENIED.sub("", text, count=1))
    if not set(_UNSPACED_IS.sub("", _NUMBER.sub("", rest))) <= {*old, *"，、。：,.:! "}:
        return None
    return re.sub(rf"(?<![\d.,:/-]){re.escape(*wrong)}(?![\d])", new.pop(), old)


def _without_reason(text: str) -> str:
    """Return a correction without its reason: up to the end of the first clause that says what is
    right, "no, 5:30" of "no, 5:30, I checked"."""
    for end in _CLAUSE_END.finditer(text):
        part = text[: end.start()]
        if words(uncorrected(_RATHER.sub(" ", part))):
            return part
    return text


def _names_other(clause: str, old: str) -> bool:
    """Return whether a clause denies a value or word of the older message and names another, and
    says nothing else: "it's five, not three", "the Harcourt one, not the Bell"."""
    said = words(folded(clause))
    # In "no worries", nothing is denied, but in "no 900, sino 950".
    statement = uncorrected(clause) if ADVERSATIVE.isdisjoint(said) else clause
    denials = list(DENIED.finditer(statement))
    said_not = [frame_and_values(each[1]) for each in denials]
    if not said_not:
        return False
    frame, values = frame_and_values(statement)
    old_frame, old_values = _of_older(old)
    small = STOP_WORDS | grammatical_words(clause) | JOINING
    small |= {folded(each[0].split()[0]) for each in denials}
    denied_values = {value for _, found in said_not for value in found}
    denied = {word for found, _ in said_not for word in found} - small
    others = [
        word
        for word in frame
        if word not in small | denied and not any(is_inflected(word, each) for each in old_frame)
    ]
    if denied_values:
        new = values - old_values
        return (
            not others and denied_values <= old_values and bool(_kinds(new) & _kinds(denied_values))
        )
    is_known = all(any(is_inflected(word, each) for each in old_frame) for word in denied)
    return bool(denied) and is_known and len(others) == 1 and statement != clause


def _with_other_word(text: str, old: str) -> str | None:
    """Return the older message with the word that a correction replaces, with or without a reason;
    None if it replaces none."""
    return with_other_word(text, old) or with_other_word(_without_reason(text), old)


def _is_now(text: str, old: str) -> bool:
    """Return whether a message only says what a value of the older one is now: "it's 950 now"."""
    small = STOP_WORDS | grammatical_words(text)
    (frame, values), old_values = frame_and_values(text), _of_older(old)[1]
    named = [word for word in frame if word not in small]
    is_only_change = bool(named) and all(says_change([word]) for word in named)
    other = values - old_values
    if not is_only_change or len(old_values) != 1 or len(other) != 1:
        return False
    return _kinds(other) == _kinds(old_values)


def _is_moved(text: str, old: str) -> bool:
    """Return whether a message only says what became of the time in the older message: "pushed back
    a day because of the go-live"."""
    found = _MOVED.match(text)
    if found is None or not _of_older(old)[1]:
        return False
    rest = text[found.end() :]
    end = _CLAUSE_END.search(rest)
    clause = rest[: end.start()] if end else rest
    if not words(clause):
        return True
    small = STOP_WORDS | grammatical_words(f"{old} {text}")
    said = text[: found.end()] + clause
    return names_only_time(said, found.end(), lambda word: folded(word) in small)


def _has_other(text: str, old: str, *, at_once: bool) -> bool:
    """Return whether a correction, without the words that mark it as one, has another value than
    the older message, or other words beside the same ones."""
    statement = uncorrected(text)
    rather = _RATHER.sub(" ", statement)
    if statement == text == rather:
        return False
    frame, values = frame_and_values(rather)
    old_frame, old_values = _of_older(old)
    small = STOP_WORDS | grammatical_words(text)
    content = [word for word in frame if word not in small]
    others = [word for word in content if not any(is_inflected(word, each) for each in old_frame)]
    is_bare = not content or (_MEANT.match(text) and folded(words(rather)[-1]) == content[-1])
    if len(content) == len(others) and not (at_once and is_bare):
        return False
    if rather != statement and content:
        return False  # "make it a habit"
    if other := values - old_values:
        return not others and bool(_kinds(other) & _kinds(old_values))
    if values or not 0 < len(others) <= _OTHER_WORDS:
        return False
    is_short = at_once and len(words(statement)) <= _OTHER_WORDS + 1
    is_before = is_short and content[: len(others)] == others  # "oat milk, sorry"
    return is_before or content[-len(others) :] == others


def denies_value(text: str, old: str) -> bool:
    """Return whether a correction, however long, denies a value of the older message and names
    another: "the flight is on the 22nd, not the 21st, I looked at the wrong page". The two must
    have a content word in common."""
    statement = uncorrected(text)
    if statement == text or is_question(text):
        return False
    (frame, values), (old_frame, old_values) = frame_and_values(statement), _of_older(old)
    denied, known = _denied_values(text), set(map(_bare, old_values))
    if not denied or not denied <= known or known.issuperset(map(_bare, values)):
        return False
    small = STOP_WORDS | grammatical_words(text)
    named = [word for word in frame if word not in small]
    return any(
        is_inflected(word, each) for word in named for each in old_frame if each not in small
    )


def _of_older(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return `frame_and_values` of an older message, without a grammatical word that is a weekday
    or a month in another language: Spanish "Mi" is no Wednesday."""
    frame, values = frame_and_values(text)
    small = grammatical_words(text)
    own = frozenset(each for each in values if each not in small or _kinds({each}) == {"number"})
    return frame, own


def _denied_values(text: str) -> set[str]:
    """Return the values that a text denies: of "it's the 22nd, not the 21st" 21."""
    said_not = (frame_and_values(each)[1] for each in DENIED.findall(text))
    return {_bare(value) for values in said_not for value in values}


def _bare(value: str) -> str:
    """Return a number without the ending of an ordinal; any other value as it is."""
    return _ORDINAL.sub("", value)


def _kinds(values: Iterable[str]) -> set[str]:
    """Return the kinds of the values: `month`, `weekday`, `number`."""
    found = set()
    for value in values:
        if calendar_words.weekday_of(value, has_capital=True):
            found.add("weekday")
        elif calendar_words.month_of(value, has_capital=True):
            found.add("month")
        else:
            found.add("number")
    return found

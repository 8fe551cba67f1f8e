"""The four questions: wording, buttons, and parsing of typed answers. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, Self, get_args
from zoneinfo import ZoneInfo

from memory.text import (
    NO,
    YES,
    clipped,
    has_question,
    mark,
    one_line,
    recognise_intent,
    reveal,
    small_talk_kind,
    tr,
)

from ...markdown_escape import escape
from ..protocol import Button, Shown, in_rows
from .places import city, is_more_than_place, is_offset, plain, zones_named

ACTION = "introduction.answer"
Question = Literal["name", "zone", "language", "tone"]
QUESTIONS: tuple[Question, ...] = get_args(Question)
LONGEST = 60  # characters of an answer
IN_A_ROW = 3  # buttons

ZONES = (
    *("Europe/London", "Europe/Berlin", "Europe/Istanbul"),
    *("America/New_York", "America/Los_Angeles", "America/Sao_Paulo"),
    *("Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo"),
)
LANGUAGES: Mapping[str, tuple[str, str]] = {
    "en": ("English", "English"),
    "de": ("German", "Deutsch"),
    "es": ("Spanish", "Español"),
    "fr": ("French", "Français"),
    "it": ("Italian", "Italiano"),
    "pt": ("Portuguese", "Português"),
    "nl": ("Dutch", "Nederlands"),
    "pl": ("Polish", "Polski"),
    "uk": ("Ukrainian", "Українська"),
    "ru": ("Russian", "Русский"),
    "tr": ("Turkish", "Türkçe"),
    "zh": ("Chinese", "中文"),
    "ja": ("Japanese", "日本語"),
}
"""By Telegram's language code: the name in English, and in the language itself."""
TONES = {
    mark("Short and plain"): "short and plain, without small talk",
    mark("Warm"): "warm and friendly, with room for small talk",
    mark("Formal"): "polite and formal",
}
LABELS: Mapping[Question, str] = {
    "name": mark("Name"),
    "zone": mark("Time zone"),
    "language": mark("Language"),
    "tone": mark("Tone"),
}
FIRST = mark(
    "A few questions to get to know you. Press a button, or reply to this message in your own "
    "words; skip whatever you like."
)
WORDS: Mapping[Question, str] = {
    "name": mark("What should I call you?"),
    "zone": mark(
        "Where are you, so that I know what “tomorrow at 9” means? Another city: just write "
        "its name."
    ),
    "language": mark("Which language should I use with you?"),
    "tone": mark("And how should I sound?"),
}
UNKNOWN_ZONE = mark(
    "I know no time zone of that name: write a large city near you, such as Madrid."
)
NO_PLACE = mark(
    "That does not say when your clocks change: write a large city near you, such as Madrid."
)
SEVERAL_ZONES = mark("Several places have that name. What time is it where you are?")
_WORD = r"[^\W\d_][\w'’.-]*"
_NAME = re.compile(rf"{_WORD}(?: {_WORD})?")
_NAME_AND_MORE = re.compile(rf"({_WORD}(?: {_WORD})??)(?:[,;!?(]|\s(?:and|und|y|et|e|en|i|и)\s)")
_NO_NAME = re.compile(
    r"(?:not |maybe |ask )?(?:later|now|tomorrow)|test(?:ing)?|start|stop|wait|skip|cancel|menu|bot"
    r"|what|why|who|nothing|whatever|maybe|next|continue|morning|ping|todo|reminder|note"
    r"|(?:vielleicht )?(?:später|nachher)|starten|warten?|abbrechen|weiter|wieso|warum|nichts|egal"
    r"|(?:más tarde|luego|después)|prueba|espera|cancelar|qué|nada|quizás"
    r"|plus tard|essai|attends|annuler|suivant|quoi|rien|démarrer|peut-être"
    r"|(?:più tardi|dopo)|prova|aspetta|annulla|avanti|cosa|niente|forse"
    r"|(?:mais tarde|depois)|teste|espere|iniciar"
    r"|straks|proef|wacht|stoppen|annuleren|wat|niets|misschien"
    r"|później|potem|próba|czekaj|anuluj|może"
    r"|позже|потом|тест|стоп|старт|подожди|отмена|что|ничего|может",
    re.IGNORECASE,
)
"""What somebody may type instead of a name."""
_HELLO = (
    r"(?:(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|olá|hoi|cześć|привет|你好)[\s,.!，！]+)?"
)
_MY_NAME_IS = re.compile(
    rf"{_HELLO}(?:(?:my name(?: is|['’]s)|ich hei(?:ß|ss)e|mein name ist|je m['’]appelle"
    r"|mon nom est|(?:yo )?me llamo|mi nombre es|mi chiamo|il mio nome è|(?:eu )?me chamo"
    r"|(?:o )?meu nome é|ik heet|mijn naam is|nazywam się|mam na imię|меня зовут)\s+"
    r"|我(?:叫|的名字(?:是|叫))\s*)",
    re.IGNORECASE,
)
_CALL_ME = re.compile(
    rf"{_HELLO}(?:(?:i am|i['’]m|(?:(?:you can|just|please) )*call me|nenn mich|llámame|chiamami"
    r"|noem me|зови меня|appelle-moi)\s+)?",
    re.IGNORECASE,
)
_PLEASE = re.compile(
    r",? (?:please|bitte|por favor|per favore|alstublieft|proszę|пожалуйста"
    r"|s['’]il (?:te|vous) plaît)$",
    re.IGNORECASE,
)
_IN = re.compile(r"(?:in|auf|en|em|op|po|на)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Progress:
    """`left`: the unanswered questions, the open one first. `answers`: "" for skipped ones.
    `offered_name`, `offered_language` (a code): from the Telegram account."""

    left: tuple[Question, ...]
    answers: Mapping[Question, str] = field(default_factory=dict)
    offered_name: str = ""
    offered_language: str = ""

    @classmethod
    def parse(cls, argument: Mapping[str, Any]) -> Self:
        """Read it from the argument of a button."""
        known = {each: str(argument["answers"].get(each, "")) for each in QUESTIONS}
        return cls(
            tuple(each for each in QUESTIONS if each in argument["left"]),
            {each: words for each, words in known.items() if each in argument["answers"]},
            str(argument["name"]),
            str(argument["language"]),
        )

    def argument(self, answer: str | None) -> Mapping[str, Any]:
        """Return the argument of a button with that answer; None skips all remaining questions."""
        return {
            "left": list(self.left),
            "answers": dict(self.answers),
            "name": self.offered_name,
            "language": self.offered_language,
            "answer": answer,
        }

    def answered(self, answer: str | None) -> Self:
        """Return the progress after an answer to the open question."""
        if answer is None or not self.left:
            return replace(self, left=())
        now, *left = self.left
        return replace(self, left=tuple(left), answers={**self.answers, now: answer})


@dataclass(frozen=True, slots=True)
class Unclear:
    """An answer after which the question is asked again, with a hint. `zones`: the time zones to
    choose from; none for the usual ones."""

    hint: str
    zones: tuple[str, ...] = ()


def question(
    progress: Progress, zone: str, now: datetime, *, hint: str = "", zones: Sequence[str] = ()
) -> Shown:
    """Return the open question. `zone`: the name of the present one; `now`: with any zone;
    `zones`: those to choose from, none for the usual ones."""
    open_ = progress.left[0]
    rows = [answers_so_far(progress), hint, tr(WORDS[open_])]
    if not progress.answers and not hint:
        rows.insert(0, tr(FIRST))
    usual = dict.fromkeys((zone, *ZONES) if zone else ZONES)
    offers = list(_offers(progress, zones or usual, now))
    buttons = [Button(label, ACTION, progress.argument(answer)) for label, answer in offers]
    last = [Button(tr("Skip"), ACTION, progress.argument(""))]
    if len(progress.left) > 1:
        last.append(Button(tr("Skip all"), ACTION, progress.argument(None)))
    return Shown("\n\n".join(filter(None, rows)), (*in_rows(buttons, IN_A_ROW), tuple(last)))


def answers_so_far(progress: Progress) -> str:
    """Return the answers so far, one line each."""
    return "\n".join(
        f"✓ {tr(LABELS[each])}: {escape(words)}"
        for each, words in progress.answers.items()
        if words
    )


def _offers(progress: Progress, zones: Iterable[str], now: datetime) -> Iterator[tuple[str, str]]:
    """Yield the labels and the answers of the buttons."""
    match progress.left[0]:
        case "name":
            if progress.offered_name:
                yield progress.offered_name, progress.offered_name
        case "zone":
            for name in zones:
                time = now.astimezone(ZoneInfo(name))
                yield f"{city(name)} {time:%H:%M}", name
        case "language":
            offered = LANGUAGES.get(progress.offered_language.partition("-")[0])
            for english, own in dict.fromkeys(filter(None, (offered, *LANGUAGES.values()))):
                yield own, english
        case "tone":
            yield from ((tr(label), tone) for label, tone in TONES.items())


def typed_answer(open_: Question, text: str, *, is_reply: bool) -> str | Unclear | None:
    """Return the answer in a typed text, "" for none; None if it is an ordinary message.

    A reply to the question always counts as an answer. Other texts count if they can hardly be
    anything else.
    """
    words = one_line(reveal(text)).strip(" .!")
    if not words:
        return None
    if is_reply and words.casefold() in NO:
        return ""
    match open_:
        case "name":
            return _name(words, is_reply=is_reply)
        case "zone":
            return _zone(words, is_reply=is_reply)
        case "language":
            return _language(words) or (clipped(words, LONGEST) if is_reply else None)
        case "tone":
            return clipped(words, LONGEST * 2) if is_reply else None


def says_more(open_: Question, text: str) -> bool:
    """Return whether a text that answers the question says something else too, such as "I live in
    Linz, and teach there": it is an ordinary message as well."""
    words = one_line(reveal(text)).strip(" .!")
    match open_:
        case "name":
            return _after_phrase(words)[2]
        case "zone":
            return is_more_than_place(_PLEASE.sub("", words))
        case _:
            return False


def _after_phrase(words: str) -> tuple[str, bool, bool]:
    """Return what follows "my name is" or "call me", and is the name; whether it followed the
    former; and whether more than the name followed one of them."""
    name, says_so = _MY_NAME_IS.subn("", words, count=1)
    if not says_so:
        name = _CALL_ME.sub("", words, count=1)
    if name == words:
        return name, False, False
    name = _PLEASE.sub("", name)
    if more := _NAME_AND_MORE.match(name):
        return more[1], bool(says_so), True
    return name, bool(says_so), False


def _name(words: str, *, is_reply: bool) -> str | None:
    name, says_so, more = _after_phrase(words)
    is_name = _NAME.fullmatch(name) if says_so else not more and _is_name(name)
    return clipped(name or words, LONGEST) if is_reply or is_name else None


def _zone(words: str, *, is_reply: bool) -> str | Unclear | None:
    if not is_reply and (small_talk_kind(words) or recognise_intent(words) or has_question(words)):
        return None
    if is_offset(words):
        return Unclear(tr(NO_PLACE))
    match zones_named(_PLEASE.sub("", words)):
        case ():
            return Unclear(tr(UNKNOWN_ZONE)) if is_reply or _is_name(words) else None
        case (zone,):
            return zone
        case zones:
            return Unclear(tr(SEVERAL_ZONES), zones)


def _is_name(words: str) -> bool:
    """Return whether it can hardly be anything but a name: one or two words with a capital. In a
    script without capitals it might be anything."""
    if not _NAME.fullmatch(words) or not all(word[0].isupper() for word in words.split()):
        return False
    return (
        words.casefold() not in YES | NO
        and not _NO_NAME.fullmatch(words)
        and small_talk_kind(words) is None
        and recognise_intent(words) is None
        and not has_question(words)
    )


def _language(words: str) -> str:
    wanted = plain(_PLEASE.sub("", _IN.sub("", words, count=1)))
    for code, (english, own) in LANGUAGES.items():
        if wanted in (plain(english), plain(own)) or (wanted == code and code not in YES):
            return english
    return ""

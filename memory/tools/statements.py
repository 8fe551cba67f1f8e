"""Check that what a model writes into memory was said, and into MEMORY.md by the owner. Pure.

MEMORY.md is part of every prompt, so it may only grow by the owner's words: by those of the current
turn, and, if he asks to remember something there ("remember that"), or says yes to a question of
Sam's whether to, by what he said before and by the answer that he has just read.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from datetime import date

from ..errors import EditRefused
from ..history import apply_correction as apply_correction
from ..history import corrected_value as corrected_value
from ..knowledge.evidence.calendar_words import weekday_of as weekday_of
from ..knowledge.evidence.own_words import unsupported_kind
from ..knowledge.evidence.source_text import SourceText
from ..knowledge.misreading import misread
from ..notes.markdown import lines, plain
from ..summaries.grounded import unsupported
from ..text.grammar import has_german as has_german
from ..text.grammar import may_be_noun as may_be_noun
from ..trust.provenance import Provenance

log = logging.getLogger(__name__)

NOT_HIS = (
    ". It does not stand in MEMORY.md, since he has not said so in this turn: tell him so, and that"
    " it can once he says it himself"
)
MADE_UP = (
    "Nobody has said that: it has a number, a day or a name that stands nowhere in this"
    " conversation or in the notes that you were shown. Ask the user to say it, and keep to his"
    " words."
)
MISREAD = (
    "That is not what the user has said: he may have denied or supposed it, wished for it, or have"
    " spoken of somebody else or another time. Save it in his words, or ask him."
)
_ASKS = re.compile(
    r"\b(?:remember|memori[sz]e|don'?t forget|keep (?:that|this|it) in mind|note|save|store"
    r"|write (?:that|this|it) down|merk|behalt|notier|speicher|vergiss|schreib (?:das|dir|es)\b"
    r"|souviens|rappelle|retiens|n'oublie|enregistre|recu[eé]rd|apunta|guard[ae]|anot[ae]|olvides"
    r"|ten en cuenta|ricord|dimenticar|segna|annota|salva|tieni a mente|lembr|esque[cç]|onthou"
    r"|noteer|bewaar|vergeet|zapami[eę]taj|pami[eę]taj|zapisz|zapomnij|запомни|запиши|сохрани"
    r"|не забудь)\w*|覚え|メモし|忘れないで|记住|記住|記下|记下|记一下|記一下|别忘|別忘|保存",
    re.IGNORECASE,
)
_YES = (
    r"yes|yeah|yep|yup|sure(?: thing)?|of course|absolutely|ok(?:ay)?|please|do(?: (?:it|that|so))?"
    r"|go ahead|ja|jawohl|klar|gerne?|bitte|nat[uü]rlich|genau|mach das"
    r"|oui|d'accord|volontiers|bien s[uû]r|s'il (?:te|vous) pla[iî]t"
    r"|s[iíì]|claro|vale|por (?:favor|supuesto)|va bene|certo|per favore|sim|pode|graag|natuurlijk"
    r"|prima|tak|jasne|prosz[eę]|dobrze|oczywi[sś]cie|да|давай|конечно|хорошо|пожалуйста"
    r"|はい|ええ|お願い(?:します)?|好[的啊]?|嗯|可以的?|行|是的?|麻烦(?:你|您)了?"
)
_THANKS = r"thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|bedankt|dzi[eę]ki|спасибо|谢谢"
_AGREES = re.compile(
    rf"\W*(?:{_YES})(?:[\s,.!、，。！]+(?:{_YES}|{_THANKS}))*\W*"
    r"|[\s👍👌✅\ufe0f\U0001f3fb-\U0001f3ff]*[👍👌✅][\s\ufe0f\U0001f3fb-\U0001f3ff]*",
    re.IGNORECASE,
)


def only_agrees(text: str) -> bool:
    """Return whether a message says nothing but "yes, please" or the like."""
    return _AGREES.fullmatch(text) is not None


def owner_said(seen: Provenance | None, content: str, today: date, profile: str = "") -> bool:
    """Return whether the owner said it, or asked to remember it, in this turn. `seen` None: no turn
    is known, and another program that he has connected is trusted. `profile`: his user.md, whose
    words (his name) are known."""
    if seen is None:
        return True
    if not seen.own_this_turn:
        return False
    said = " ".join(content.split())
    if said in (" ".join(text.split()) for text in seen.own_this_turn):
        return True  # an emoji has no words to compare
    texts = list(seen.own_this_turn)
    now, answer = [*map(_typed, seen.own_this_turn)], _typed(seen.answer)
    agrees = "?" in answer or "？" in answer
    agrees = agrees and bool(_ASKS.search(answer)) and all(map(only_agrees, now))
    if agrees or any(map(_ASKS.search, now)):
        texts += [*seen.own, seen.answer]
    evidence = SourceText(tuple(texts), (today,) * len(texts), (*seen.names, profile))
    return unsupported_kind(said, evidence) == ""


def _typed(text: str) -> str:
    """Return a text as a keyboard has it: phones write ’ for an apostrophe."""
    return unicodedata.normalize("NFC", text).replace("’", "'")


def check_said(seen: Provenance | None, content: str, today: date, known: str) -> None:
    """Raise EditRefused for a text with a number, a day or a name that the turn has not shown the
    model: then it has no source.

    `known`: the text of the notes that every turn shows.
    """
    if seen is None:
        return
    theirs = (each.text for each in seen.messages)
    shown = (
        *seen.own_this_turn,
        *seen.own,
        *seen.shown,
        seen.answer,
        *theirs,
        known,
        today.isoformat(),
    )
    evidence = SourceText(shown, (today,) * len(shown), tuple(seen.names))
    if reason := unsupported(" ".join(content.split()), evidence):
        log.info("a text without a source is not saved: %s", reason)
        raise EditRefused(MADE_UP)


def check_reading(seen: Provenance | None, content: str, *, is_goal: bool) -> None:
    """Raise EditRefused for a fact that misreads what the owner has said: "lives in Rome" for "I
    would live in Rome". `is_goal`: it may be a wish. What he asks to remember is his to say."""
    if seen is None or any(_ASKS.search(_typed(text)) for text in seen.own_this_turn):
        return
    said = [*dict.fromkeys((*seen.own, *seen.own_this_turn))]
    if said and (reason := misread(content, said, authors=seen.names, is_goal=is_goal)):
        log.info("a misread fact is not saved: %s", reason)
        raise EditRefused(MISREAD)


def check_growth(
    seen: Provenance | None, old: str, new: str, today: date, profile: str = ""
) -> None:
    """Raise EditRefused for an edit of MEMORY.md whose new words are not the owner's."""
    if seen is None:
        return
    there = set(lines(old))
    known = {word for row in lines(old) for word in row.split()}
    for row in lines(new):
        fresh = " ".join(word for word in row.split() if word not in known)
        if (
            row not in there
            and fresh.strip()
            and not owner_said(seen, plain(fresh), today, profile)
        ):
            raise EditRefused(
                "MEMORY.md grows by the owner's own words alone: ask him to say so, or use"
                " save_memory without a source, which writes into the day's note."
            )

"""Mask all kinds of secrets in turn, with a fast path for the many texts without any.

The log keeps messages unmasked. Texts are masked before they are summarised, embedded, indexed, or
written into a transcript. Every pattern takes linear time: each repetition is bounded, or cannot
restart within what it has matched.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from .keys import mask_keys
from .labels import CARD, KEY
from .passwords import mask_passwords

MASK = "4"
"""The version of these rules, part of the index's identity: raise it when it changes texts."""

# Spaces and hyphens that pages, PDFs and phones put into numbers and before values.
_PLAIN = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " ") | dict.fromkeys(
    (0x2010, 0x2011), "-"
)
_DIGITS = re.compile(r"(?<![\w.+-])[2-6](?:[ -]?\d){13,18}(?![\w-]|\.\d)")
# Visa; Mastercard; American Express; Diners; JCB; Discover, Maestro and UnionPay
_CARD = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18}"
)


@functools.lru_cache(256)  # a message is masked again as the neighbour of others
def mask(text: str) -> str:
    """Replace each secret with its type; line numbers are unchanged. A text with a secret is
    returned in NFC, with plain spaces, hyphens and line breaks; another one as it is."""
    if text.isascii() and "\r" not in text:
        return _masked(text)
    plain = unicodedata.normalize("NFC", text).translate(_PLAIN).replace("\r\n", "\n")
    masked = _masked(plain)
    return text if masked == plain else masked


def _masked(text: str) -> str:
    return mask_passwords(seed_phrases(_DIGITS.sub(_card, mask_keys(text))))


def _card(found: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", found[0])
    # Luhn, ISO/IEC 7812-1 annex B: every second digit from the right is doubled
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    plain = sum(map(int, digits[-1::-2]))
    return CARD if _CARD.fullmatch(digits) and (doubled + plain) % 10 == 0 else found[0]


# Recovery phrases of wallets: 12 to 24 words of BIP-39.
#
# Recognised without the list of 2,048 words: the number of words is one of five, each has three to
# eight lower-case letters, and none is a word that nearly every sentence of this length has.

COUNTS = (12, 15, 18, 21, 24)
_SEED_WORD = r"(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}(?![\w'’-])"
_SEED_WORDS = re.compile(_SEED_WORD)
_NUMBERING = "0123456789.):\t "
_SEED_RUN = re.compile(rf"(?<![\w.'’/-]){_SEED_WORD}(?:(?:[ \t,]{{1,2}}|\n){_SEED_WORD})+")
_SEED_NAMED = re.compile(
    r"seed|mnemonic|recovery|wallet|(?:12|24|twelve|twenty-four) words|wiederherstellung"
    r"|récupération|recuperación|recuperação|recupero|herstel|фраз|助记词|シード|ニーモニック",
    re.I,
)
# Frequent words of three to eight letters in several languages that are not in BIP-39's list.
_PROSE = """
    the and for was are has had not his her she them their with from were been but our its
    which would could did does don than these those some him who how your being said says
    got get going went really many back down after things see als auch auf aus bei das dass
    dem den der des die ein eine einen für ich ist kann mit nach nicht noch oder sich sie
    sind und uns vom von war wenn wie wir zum zur les une pour dans que qui est pas sur avec
    los las del una por para con como het een dat niet voor ook che non per sono com uma não
    mais jest nie si
"""
_FREQUENT = frozenset(_PROSE.split())


def seed_phrases(text: str) -> str:
    """Mask recovery phrases; line numbers are unchanged."""
    if text.count(" ") + text.count("\n") < COUNTS[0] - 1:
        return text
    return _SEED_RUN.sub(_without_words, text)


def _without_words(found: re.Match[str]) -> str:
    """Mask the last words of a run if there are as many as a phrase has."""
    run = list(_SEED_WORDS.finditer(found[0]))
    if len(run) < COUNTS[0]:
        return found[0]
    mentioned = _SEED_NAMED.search(found[0]) is not None
    named = False
    start = 0
    for number, word in enumerate(run):
        text = word[0].lstrip(_NUMBERING)
        trigger = mentioned and _SEED_NAMED.search(text) is not None
        if trigger or text in _FREQUENT or text in ("phrase", "words"):
            start, named = number + 1, named or trigger
    words = [word[0].lstrip(_NUMBERING) for word in run[start:]]
    if len(words) not in COUNTS or len(set(words)) < len(words) - 2:
        return found[0]
    begins = found.start() + run[start].start()
    before = found.string[max(begins - 80, 0) : begins]
    alone = not before.rpartition("\n")[2].strip() and found.string[
        found.end() : found.end() + 1
    ] in ("", "\n")
    if not (alone or named or _SEED_NAMED.search(before)):
        return found[0]
    at = run[start].start()
    return found[0][:at] + KEY + "\n" * found[0][at:].count("\n")

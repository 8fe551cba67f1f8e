"""Mask all kinds of secrets, one after another; most texts are returned unchanged, and fast.

The log keeps messages as they were. Masked are the texts that are summarised, embedded, indexed, or
written into a transcript. Every pattern takes linear time: each repetition has a bound, or cannot
begin again within what it has read.
"""

from __future__ import annotations

import functools
import re

from .announced import announced
from .keys import keys
from .labels import CARD
from .seed_phrase import seed_phrases

MASK = "2"
"""The version of these rules, part of the index's identity: raise it when it changes texts."""

_DIGITS = re.compile(r"(?<![\w.+-])[2-6](?:[ -]?\d){13,18}(?![\w-]|\.\d)")
# Visa; Mastercard; American Express; Diners; JCB; Discover, Maestro and UnionPay
_CARD = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18}"
)


@functools.lru_cache(256)  # a message is masked again as a neighbour of others
def mask(text: str) -> str:
    """Replace each secret by what it is; the lines keep their numbers."""
    return announced(seed_phrases(_DIGITS.sub(_card, keys(text))))


def _card(found: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", found[0])
    # Luhn, ISO/IEC 7812-1 annex B: every second digit from the right is doubled
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    plain = sum(map(int, digits[-1::-2]))
    return CARD if _CARD.fullmatch(digits) and (doubled + plain) % 10 == 0 else found[0]

"""Token estimation and truncation."""

from __future__ import annotations

from math import ceil

LONGEST = 20_000  # characters of one file or message
HEAD, TAIL = 0.7, 0.2  # of LONGEST, kept when a text is longer

# A token is about four bytes of English in UTF-8, and somewhat fewer of other scripts.
# Overestimating keeps within budgets.
BYTES_A_TOKEN = 3.6


def tokens(text: str) -> int:
    """Estimate the tokens of a text; within 25 % of the true number, and seldom below it."""
    return ceil(len(text.encode()) / BYTES_A_TOKEN)


def shorten(text: str, longest: int = LONGEST) -> str:
    """Truncate a long text to 70 % of the limit from its head, 20 % from its tail, and a mark."""
    if len(text) <= longest:
        return text
    head, tail = int(longest * HEAD), int(longest * TAIL)
    left_out = len(text) - head - tail
    return f"{text[:head]}\n\n[… {left_out:,} characters left out …]\n\n{text[-tail:]}"

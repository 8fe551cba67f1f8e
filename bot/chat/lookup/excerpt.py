"""Shorten a passage around the words of a question, and mark these."""

from __future__ import annotations

import re


def excerpt(text: str, query: str, longest: int) -> list[tuple[str, bool]]:
    """Return pieces of the text, `longest` characters around the first match, each with whether it
    is one of the question's words."""
    words = [re.escape(word) for word in re.findall(r"\w+", query) if len(word) > 1]
    pattern = re.compile(rf"\b(?:{'|'.join(words)})\w*" if words else r"(?!)", re.IGNORECASE)
    text = text.strip()
    if len(text) > longest:
        first = pattern.search(text)
        start = max(0, min((first.start() if first else 0) - longest // 3, len(text) - longest))
        end = start + longest
        text = ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")
    pieces, at = list[tuple[str, bool]](), 0
    for match in pattern.finditer(text):
        pieces += [(text[at : match.start()], False), (match[0], True)]
        at = match.end()
    return [(piece, marked) for piece, marked in [*pieces, (text[at:], False)] if piece]

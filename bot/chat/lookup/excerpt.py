"""The words of a question: whether it has any, and a passage shortened around them."""

from __future__ import annotations

import re
import unicodedata


def is_searchable(query: str) -> bool:
    """Return whether it has part of a word, a number or a picture such as an emoji."""
    return any(each.isalnum() or unicodedata.category(each) == "So" for each in query)


def excerpt(text: str, query: str, longest: int) -> list[tuple[str, bool]]:
    """Return pieces of the text, `longest` characters where most of the question's words are, each
    with whether it is one of them."""
    words = [re.escape(word) for word in re.findall(r"\w+", query) if len(word) > 1]
    pattern = re.compile(rf"\b({'|'.join(words)})\w*" if words else r"(?!)()", re.IGNORECASE)
    text = text.strip()
    if len(text) > longest:
        found = [(match.start(), match[1].casefold()) for match in pattern.finditer(text)]
        after = longest - longest // 3

        def count(first: int) -> int:
            return len({word for at, word in found if first <= at < first + after})

        first = max((at for at, _ in found), key=count, default=0)
        start = max(0, min(first - longest // 3, len(text) - longest))
        end = start + longest
        text = ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")
    pieces, at = list[tuple[str, bool]](), 0
    for match in pattern.finditer(text):
        pieces += [(text[at : match.start()], False), (match[0], True)]
        at = match.end()
    return [(piece, marked) for piece, marked in [*pieces, (text[at:], False)] if piece]

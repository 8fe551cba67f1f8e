"""Recovery phrases of wallets: 12 to 24 words of BIP-39.

Without the list of 2,048 words: by the number of words, which is one of five (BIP-39), by the
words, each of three to eight small letters, and by what is not among them, namely the words that
any sentence of this length has.
"""

from __future__ import annotations

import re

from .labels import KEY

COUNTS = (12, 15, 18, 21, 24)
_WORD = r"(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}(?![\w'’-])"
_RUN = re.compile(rf"(?<![\w.'’/-]){_WORD}(?:(?:[ \t,]{{1,2}}|\n){_WORD})+")
_NAMED = re.compile(
    r"seed|mnemonic|recovery|wallet|(?:12|24|twelve|twenty-four) words|wiederherstellung"
    r"|récupération|recuperación|recuperação|recupero|herstel|фраз|助记词|シード|ニーモニック",
    re.I,
)
# Frequent words of three to eight letters that BIP-39 does not have, of a few languages.
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
    """Mask the phrases; the lines keep their numbers."""
    if text.count(" ") + text.count("\n") < COUNTS[0] - 1:
        return text
    return _RUN.sub(_masked, text)


def _masked(found: re.Match[str]) -> str:
    """Mask the last words of a run, where they are as many as a phrase has."""
    run = list(re.finditer(_WORD, found[0]))
    named = False
    start = 0
    for number, word in enumerate(run):
        text = re.sub(r"[^a-z]", "", word[0])
        trigger = _NAMED.search(text) is not None
        if trigger or text in _FREQUENT or text in ("phrase", "words"):
            start, named = number + 1, named or trigger
    words = [re.sub(r"[^a-z]", "", word[0]) for word in run[start:]]
    if len(words) not in COUNTS or len(set(words)) < len(words) - 2:
        return found[0]
    begins = found.start() + run[start].start()
    before = found.string[max(begins - 80, 0) : begins]
    alone = not before.rpartition("\n")[2].strip() and found.string[
        found.end() : found.end() + 1
    ] in ("", "\n")
    if not (alone or named or _NAMED.search(before)):
        return found[0]
    at = run[start].start()
    return found[0][:at] + KEY + "\n" * found[0][at:].count("\n")

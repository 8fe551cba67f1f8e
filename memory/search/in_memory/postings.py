"""In-memory inverted index with FTS5-compatible BM25.

The occurrences of frequent words are read from the full-text index at the start, those of rare
words on first use; both are cached, and occurrences in new passages are appended. Scores are those
of FTS5's `bm25()`: k1 = 1.2, b = 0.75, an occurrence counts by its column, idf at least a millionth
(Robertson and Zaragoza, 2009).
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from ...index.fulltext import COLUMNS, varints, words_of
from ...infra.sqlite import Connection
from ...text.tokenize import STOP_WORDS, TOKENIZER
from ..candidates.sql import make_term_counts, rarest
from .columns import Rows
from .posting_list import COLUMN, PLACE, Posting, common, phrase_matches, phrase_starts

_K1, _B = 1.2, 0.75
_KEPT = 9_000_000  # cached occurrences of all words: 8 bytes each, or 16 if the word is scored
_FREQUENT = 256  # occurrences; passages of more frequent words are counted in advance
_BEFOREHAND = 8_000_000  # occurrences of frequent words to read in advance
_IN_PHRASE = 4_000  # occurrences of a word read only for a phrase
_AT_ONCE = 1_000  # new passages in one update; with more, words are reread on demand
_CASES = " ".join(f"WHEN '{name}' THEN {at}" for at, name in enumerate(COLUMNS))
_WITHIN = f"((CASE col {_CASES} END) << {COLUMN}) + min(offset, {2**COLUMN - 1})"


class Postings:
    """The inverted index of one generation. `weights`: of an occurrence in each column."""

    def __init__(self, rows: Rows, weights: Sequence[float]) -> None:
        self._rows, self._weights = rows, weights
        self._lengths: Any = np.zeros(0, np.float32)
        self._frequent: dict[str, int] = {}
        self._tokens: dict[str, tuple[str, ...]] = {}
        self._kept: OrderedDict[str, Posting] = OrderedDict()
        self._came: dict[str, array[int]] = {}  # new occurrences, merged at their word's next use
        self._phrases: dict[tuple[str, ...], Posting] = {}
        self._size = 0
        self._counted = (-1, 0, 0.0)  # the version of the rows, and their `_totals`

    def load(self, db: Connection, wanted: Callable[[], bool]) -> None:
        """Read the passages' lengths, and the occurrences of frequent words.

        If there are too many, words for phrases are skipped first, then the most frequent ones.
        Stops early when it is no longer `wanted`.
        """
        _views(db)
        found = db.execute(
            "SELECT term, doc, cnt FROM temp.chunk_counts WHERE cnt >= ? ORDER BY cnt", (_FREQUENT,)
        ).fetchall()
        self._frequent = {row[0]: row[1] for row in found}
        self._measure(db, 0)
        for term, _, count in sorted(found, key=lambda row: row[0] in STOP_WORDS):
            if self._size + count > _BEFOREHAND or not wanted():
                break
            posting = self._posting(db, term)
            if term not in STOP_WORDS:
                posting.weigh()

    def attach(self, db: Connection) -> None:
        """Create the temporary tables with which `db` tokenizes; call this first."""
        _views(db)
        db.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5({', '.join(COLUMNS)},"
            f" content = '', columnsize = 0, tokenize = \"{TOKENIZER}\")"
        )
        db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words_at"
            " USING fts5vocab(temp, words, instance)"
        )

    def extend(self, db: Connection, ids: Sequence[int]) -> None:
        """Add new passages, which are in `rows` already.

        Words that are not cached need no update: they are read from the full-text index.
        """
        start = self._rows.size - len(ids)
        self._measure(db, start)
        if len(ids) > _AT_ONCE:
            for cached in (self._kept, self._came, self._phrases):
                cached.clear()
            self._size = 0
            return
        rows = db.execute(
            "SELECT author, text, heading, before, after FROM chunk WHERE id >= ? ORDER BY id",
            (ids[0],),
        ).fetchall()
        came: dict[str, list[int]] = {}
        texts = ((start + number, *words_of(*row)) for number, row in enumerate(rows))
        for token, place, within in _split(db, texts):
            came.setdefault(token, []).append(place << PLACE | within)
        for token, at in came.items():
            if token in self._frequent:
                self._frequent[token] += len({each >> PLACE for each in at})
            if token in self._kept:
                self._came.setdefault(token, array("q")).extend(at)
                self._size += len(at)
        self._make_room()
        here = came.keys()  # a phrase with a missing word cannot occur here
        for phrase in [each for each in self._phrases if here >= set(each)]:
            at = phrase_matches([np.array(came[token], np.int64) for token in phrase])
            if len(at):
                self._phrases[phrase] = self._phrases[phrase].and_then(at)

    def _measure(self, db: Connection, start: int) -> None:
        lengths = np.zeros(self._rows.size, np.float32)
        lengths[:start] = self._lengths
        if start < self._rows.size:
            found = db.execute(
                "SELECT id, sz FROM chunk_fts_docsize WHERE id >= ? ORDER BY id",
                (int(self._rows["id"][start]),),
            ).fetchall()
            ids = [row[0] for row in found]
            lengths[self._rows.places(ids)] = [sum(varints(row[1])) for row in found]
        self._lengths = lengths

    # ── one question ─────────────────────────────────────────────────────────────────────────

    def scores(self, db: Connection, words: Sequence[str], most: int) -> Any:
        """Return the BM25 of every passage for the rarest words, which occur in at most `most`
        passages.

        At least two words are used, as in `rarest`.
        """
        tokens = self._tokenised(db, words)
        phrases = {w: self._phrase(db, tokens[w]) for w in words if len(tokens[w]) != 1}
        counts = {w: self._count(db, tokens[w][0]) for w in words if w not in phrases}
        counts |= {word: len(posting.places) for word, posting in phrases.items()}
        alive, lengths = self._rows["alive"], self._lengths
        total, average = self._totals()
        scores = np.zeros(self._rows.size, np.float32)
        for word in rarest({word: min(counts[word], most) for word in words}, most):
            posting = phrases.get(word) or self._posting(db, tokens[word][0])
            if not len(posting.places):
                continue
            holders = int(np.count_nonzero(alive[posting.places]))
            idf = max(np.log((total - holders + 0.5) / (holders + 0.5)), 1e-6)
            norm = _K1 * (1.0 - _B + _B * lengths[posting.places] / max(average, 1e-9))
            share = posting.weights * (_K1 + 1.0) / (posting.weights + norm)
            scores[posting.places] += np.float32(idf) * share
        return scores

    def coverage(self, db: Connection, words: Sequence[str], places: Any) -> tuple[Any, Any]:
        """Return the number of passages with each word in their own columns, and a uint8 array of
        shape (words, places): bits for the columns in which each word occurs."""
        tokens = self._tokenised(db, words)
        alive = self._rows["alive"]
        holders = np.zeros(len(words), np.int64)
        found = np.zeros((len(words), len(places)), np.uint8)
        for number, word in enumerate(words):
            several = len(tokens[word]) != 1
            posting = (
                self._phrase(db, tokens[word]) if several else self._posting(db, tokens[word][0])
            )
            if not len(posting.places):
                continue
            holders[number] = np.count_nonzero(alive[posting.own_places])
            at = np.minimum(np.searchsorted(posting.places, places), len(posting.places) - 1)
            here = posting.places[at] == places
            found[number, here] = posting.columns[at[here]]
        return holders, found

    def _totals(self) -> tuple[int, float]:
        """Return the number of passages, and their average length."""
        if self._counted[0] != self._rows.version:
            alive = self._rows["alive"]
            total = int(np.count_nonzero(alive))
            average = float(self._lengths[alive].sum()) / max(1, total)
            self._counted = self._rows.version, total, average
        return self._counted[1:]

    def _tokenised(self, db: Connection, words: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the FTS5 tokens of each word: folded, stemmed, several for a phrase."""
        unknown = [word for word in words if word not in self._tokens]
        if unknown:
            if len(self._tokens) > 20_000:
                self._tokens.clear()
                unknown = list(words)
            found: list[list[str]] = [[] for _ in unknown]
            asked = ((number, word, "", "", "", "") for number, word in enumerate(unknown))
            for token, number, _ in sorted(_split(db, asked), key=itemgetter(1, 2)):
                found[number].append(token)
            self._tokens |= zip(unknown, map(tuple, found), strict=True)
        return {word: self._tokens[word] for word in words}

    def _count(self, db: Connection, token: str) -> int:
        return self._frequent.get(token) or len(self._posting(db, token).places)

    def _phrase(self, db: Connection, tokens: tuple[str, ...]) -> Posting:
        """Return the occurrences of a phrase, by the place of its first word.

        Starts with the rarest words. Frequent words that are not cached are skipped: the distances
        of the others suffice if there are at least two.
        """
        if tokens in self._phrases:
            return self._phrases[tokens]
        order = sorted(range(len(tokens)), key=lambda at: self._frequent.get(tokens[at], 0))
        found: Any = np.zeros(0, np.int64)
        for number, at in enumerate(order):
            token = tokens[at]
            if number and not len(found):
                break
            frequent = self._frequent.get(token, 0) > _IN_PHRASE
            if number >= 2 and frequent and token not in self._kept:
                continue
            stands = self._posting(db, token).at
            found = common(found + at, stands) - at if number else phrase_starts(stands, at)
        if len(self._phrases) > 200:  # most words are used only once
            self._phrases.clear()
        self._phrases[tokens] = Posting(found, self._weights)
        return self._phrases[tokens]

    def _posting(self, db: Connection, token: str) -> Posting:
        kept = self._kept.get(token)
        if kept is None:
            kept = self._kept[token] = Posting(self._read(db, token), self._weights)
            self._size += len(kept.at)
            self._make_room()
            return kept
        self._kept.move_to_end(token)
        if came := self._came.pop(token, None):
            kept = self._kept[token] = kept.and_then(np.frombuffer(came, np.int64))
        return kept

    def _make_room(self) -> None:
        """Evict the least recently used words while the cache is too large."""
        while self._size > _KEPT and len(self._kept) > 1:
            token, gone = self._kept.popitem(last=False)
            self._size -= len(gone.at) + len(self._came.pop(token, ()))

    def _read(self, db: Connection, token: str) -> Any:
        """Read all occurrences of a word as one text: one row each would take ten times as long."""
        row = db.execute(
            f"SELECT group_concat(doc), group_concat({_WITHIN}) FROM temp.chunk_at WHERE term = ?",
            (token,),
        ).fetchone()
        if row[0] is None:
            return np.zeros(0, np.int64)
        ids = np.fromstring(row[0], np.int64, sep=",")
        within = np.fromstring(row[1], np.int64, sep=",")
        return (np.searchsorted(self._rows["id"], ids) << PLACE) + within


def _views(db: Connection) -> None:
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunk_at"
        " USING fts5vocab(main, chunk_fts, instance)"
    )
    make_term_counts(db)


def _split(db: Connection, texts: Iterable[Sequence[object]]) -> list[tuple[str, int, int]]:
    """Tokenize texts (a number, COLUMNS) with FTS5; return (word, number, `_WITHIN`).

    Sorted by word, number and occurrence.
    """
    db.execute("INSERT INTO temp.words (words) VALUES ('delete-all')")
    marks = ", ".join("?" * len(COLUMNS))
    db.executemany(
        f"INSERT INTO temp.words (rowid, {', '.join(COLUMNS)}) VALUES (?, {marks})", texts
    )
    return db.execute(f"SELECT term, doc, {_WITHIN} FROM temp.words_at").fetchall()

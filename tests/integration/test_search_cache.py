"""The in-memory search cache finds what SQL finds, with the same filters, as data changes."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from memory.core import Memory
from memory.errors import StoreError
from memory.index import tables
from memory.index.passages import Passage
from memory.index.tables import Source, Waiting
from memory.infra.sqlite import Connection
from memory.search import Question
from memory.search.candidates.sql import background, keywords, nearest
from memory.search.in_memory import cache, postings, vector_codes
from memory.search.in_memory.cache import SearchCache
from tests.support.memories import WordEmbedder, opened, write

DIMENSION = 256
COUNT = 4_500
FIRST = date(2025, 1, 1)


async def filled(memory: Memory, count: int, draw: random.Random) -> np.ndarray:
    """Fill with passages whose vectors look realistic: few directions, clusters, some noise."""
    source = np.random.default_rng(1)
    world = source.standard_normal((40, DIMENSION))
    centres = source.standard_normal((60, 40)) @ world
    noise = np.random.default_rng(2)
    db = await memory.index.db()

    def put(connection: object) -> None:
        for number in range(count):
            vector = centres[number % 60] + noise.standard_normal(40) @ world
            vector += 0.5 * noise.standard_normal(DIMENSION)
            add(connection, number, vector, draw)

    await db.write(put)
    return centres


def add(connection: object, number: int, vector: np.ndarray, draw: random.Random) -> None:
    message = number % 3 == 0
    passage = Passage(
        path=f"n{number}.md",
        heading="",
        start_line=1,
        end_line=1,
        text=f"passage {number}",
        kind="message" if message else draw.choice(["note", "fact", "summary"]),
        privacy="sensitive" if number % 50 == 7 else "normal",
        date=(FIRST + timedelta(days=number % 300)).isoformat() if number % 5 else None,
        expires=(FIRST + timedelta(days=number % 700)).isoformat() if number % 11 == 0 else None,
        superseded=number % 97 == 5,
        message_id=number if message else None,
    )
    tables.put(connection, Source(f"n{number}.md", str(number), 1, 1), [passage])
    row = connection.execute(
        "SELECT id, text_hash FROM chunk WHERE path = ?", (passage.path,)
    ).fetchone()
    unit = (vector / (np.linalg.norm(vector) or 1.0)).astype(np.float32)
    waiting = Waiting(row["id"], row["text_hash"], [])
    tables.store_vectors(connection, [waiting], {row["text_hash"]: unit.tobytes()})


TODAY = FIRST + timedelta(days=200)
QUESTIONS = [
    Question("", TODAY),
    Question("", TODAY, private=True),
    Question("", TODAY, filter="conversations"),
    Question("", TODAY, filter="knowledge", since=FIRST + timedelta(days=100)),
    Question("", TODAY, until=FIRST + timedelta(days=30)),
    Question("", TODAY, kinds=("fact",)),
    Question("", TODAY, without_messages=frozenset(range(3, 3000, 3))),
]


async def test_codes_find_what_an_exact_scan_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_codes, "_LEAST", 1_000)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        centres = await filled(memory, COUNT, random.Random(4))
        db = await memory.index.db()
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is not None
        without = QUESTIONS[-1].without_messages
        shown = derived.rows["message"][derived.rows.mask(QUESTIONS[-1])]
        assert {0, 3_000} <= set(shown.tolist()) and without.isdisjoint(shown.tolist())
        noise = np.random.default_rng(3)
        found = wanted = 0
        for number in range(70):
            question = QUESTIONS[number % len(QUESTIONS)]
            vector = centres[number % 60] + 3.0 * noise.standard_normal(DIMENSION)
            asked = (vector / np.linalg.norm(vector)).astype(np.float32).tobytes()
            exact = await db.read(partial(nearest, question=question, vector=asked, count=24))
            fast = await db.read(
                partial(derived.nearest, question=question, vector=asked, count=24)
            )
            wanted += len(exact)
            found += len(exact.keys() & fast.keys())
            for id_ in exact.keys() & fast.keys():
                assert fast[id_] == pytest.approx(exact[id_], abs=1e-4)
        assert wanted > 1_000 and found / wanted >= 0.99, (found, wanted)


async def test_vectors_that_come_go_and_change_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        await filled(memory, 40, random.Random(4))
        db = await memory.index.db()
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is not None
        only = np.zeros(DIMENSION, np.float32)
        only[3] = 1.0
        question = Question("", TODAY)

        async def hits() -> set[int]:
            ask = partial(derived.nearest, question=question, vector=only.tobytes(), count=3)
            return {id_ for id_, score in (await db.read(ask)).items() if score > 0.9}

        assert await hits() == set()
        await db.write(lambda c: add(c, 1001, only, random.Random(1)))
        assert len(await hits()) == 1
        for number in range(2001, 2060):  # more than the preallocated room
            await db.write(lambda c, n=number: add(c, n, -only, random.Random(1)))
        assert len(await hits()) == 1
        await db.write(lambda c: tables.drop(c, "n1001.md"))
        assert await hits() == set()
        await db.write(lambda c: tables.drop(c, "n2059.md"))
        await db.write(lambda c: add(c, 3001, only, random.Random(1)))
        assert len(await hits()) == 1


async def test_what_has_no_direction_is_near_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        only = np.zeros(DIMENSION, np.float32)
        only[3] = 1.0
        db = await memory.index.db()
        await db.write(lambda c: [add(c, n, only, random.Random(1)) for n in range(12)])
        await db.write(lambda c: tables.put(c, Source("none.md", "1", 1, 1), [_said("before it")]))
        await db.write(_without_direction)
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is not None
        await db.write(lambda c: tables.put(c, Source("new.md", "1", 1, 1), [_said("after it")]))
        await db.write(_without_direction)
        question = Question("", TODAY, private=True)
        ask = partial(derived.nearest, question=question, vector=only.tobytes(), count=50)
        by_sql = partial(nearest, question=question, vector=only.tobytes(), count=50)
        assert (await db.read(ask)).keys() == (await db.read(by_sql)).keys()


async def test_where_no_vector_of_the_sample_has_a_direction_sql_compares_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    monkeypatch.setattr(cache, "_SAMPLE", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        only = np.zeros(DIMENSION, np.float32)
        only[3] = 1.0
        db = await memory.index.db()
        for number in range(24):  # every second one is in the sample
            await db.write(lambda c, n=number: add(c, n, only * (n % 2), random.Random(1)))
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is None
        question = Question("", TODAY, private=True)
        ask = partial(derived.nearest, question=question, vector=only.tobytes(), count=50)
        assert len(await db.read(ask)) == 10, "12, of which one is superseded and one expired"


async def test_edits_of_a_note_do_not_thin_out_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        centres = await filled(memory, 300, random.Random(4))
        asked = centres[0].astype(np.float32)
        db = await memory.index.db()
        ask = partial(background, vector=asked.tobytes())
        before = await db.read(ask)
        assert before is not None
        seq = "UPDATE sqlite_sequence SET seq = 40000 WHERE name = 'chunk'"  # each took an id
        await db.write(lambda c: c.execute(seq))
        await db.write(lambda c: add(c, 301, centres[1], random.Random(1)))
        after = await db.read(ask)
        assert after == pytest.approx(before, abs=0.01)
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is not None
        assert await db.read(partial(derived.background, vector=asked.tobytes())) == pytest.approx(
            after, abs=1e-4
        )


async def test_while_nothing_of_the_sample_has_a_vector_there_is_no_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        centres = await filled(memory, 20, random.Random(4))
        asked = centres[0].astype(np.float32).tobytes()
        db = await memory.index.db()
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is not None
        for number in range(20):
            await db.write(lambda c, n=number: tables.drop(c, f"n{n}.md"))
        await db.write(lambda c: tables.put(c, Source("x.md", "1", 1, 1), [_said("waits")]))
        assert await db.read(partial(derived.background, vector=asked)) is None


def _said(text: str) -> Passage:
    return Passage("x.md", "", 1, 1, text, kind="note", privacy="normal")


def _without_direction(db: object) -> None:
    waiting = tables.waiting(db, 10)
    assert tables.store_vectors(
        db, waiting, {each.text_hash: bytes(4 * DIMENSION) for each in waiting}
    )


WORDS = ["tea", "teas", "garden", "Ana", "kitchen", "café", "v1.2.3", "东京", "東京タワー", "🎉"]
ASKED = [
    "tea in the garden",
    "Ana's kitchen?",
    "cafe v1.2.3",
    "东京",
    "京タ 🎉",
    "tea tea garden Ana",
    "nowhere",
    "the kitchen and the tea",
    "Ana, kitchen",
]


def say(db: object, number: int, draw: random.Random) -> None:
    """Add a passage with random words in all of its columns."""

    def some(most: int) -> str:
        return " ".join(draw.choice([*WORDS, "the", "and"]) for _ in range(draw.randint(0, most)))

    passage = Passage(
        path=f"w{number}.md",
        heading=some(2),
        start_line=1,
        end_line=1,
        text=some(160 if number % 40 == 0 else 12) + f" only{number}",
        kind=draw.choice(["note", "message"]),
        privacy="sensitive" if number % 9 == 0 else "normal",
        before=some(5) + "? " + some(4),
        after=some(4),
        author=draw.choice(["", "Ana"]),
        date=(FIRST + timedelta(days=number % 300)).isoformat(),
    )
    tables.put(db, Source(passage.path, str(number), 1, 1), [passage])


async def test_words_weigh_what_they_weigh_in_fts5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    draw = random.Random(8)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()

        async def put(numbers: range) -> None:
            await db.write(lambda c: [say(c, number, draw) for number in numbers])

        await put(range(300))
        derived = SearchCache.read(db.path)
        assert derived is not None and derived.codes is None

        async def same(rel: float = 1e-4) -> int:
            compared = 0
            for text in [*ASKED, "only7", "only399", "only401"]:
                for filter_ in ("all", "conversations"):
                    question = Question(text, TODAY, filter=filter_)  # type: ignore[arg-type]
                    ask = partial(keywords, question=question, count=1_000)
                    by_sql = await db.read(ask)
                    fast = await db.read(partial(derived.keywords, question=question, count=1_000))
                    assert fast == pytest.approx(by_sql, rel=rel), text
                    compared += len(by_sql)
            return compared

        assert await same() > 1_000
        few = partial(derived.keywords, question=Question("tea garden Ana", TODAY), count=5)
        all_ = await db.read(partial(keywords, question=Question("tea garden Ana", TODAY), count=5))
        assert sorted((await db.read(few)).values()) == pytest.approx(sorted(all_.values()))
        await put(range(300, 420))  # additions
        await same()
        for number in (3, 40, 41, 310, 399):  # deletions, old and new
            await db.write(lambda c, n=number: tables.drop(c, f"w{n}.md"))
        await same(0.3)  # FTS5 still counts deleted rows in its averages
        await put(range(350, 420))  # changes
        await same(0.3)


async def test_frequent_words_are_left_out_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.search.candidates import sql as candidates

    monkeypatch.setattr(cache, "WORTH_IT", 10)
    monkeypatch.setattr(cache, "MOST_ROWS", 120)
    monkeypatch.setattr(candidates, "MOST_ROWS", 120)
    draw = random.Random(8)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()
        await db.write(lambda c: [say(c, number, draw) for number in range(300)])
        derived = SearchCache.read(db.path)
        assert derived is not None
        for text in ("only7 tea garden", "tea garden kitchen", "only7 only8 Ana", "only9"):
            question = Question(text, TODAY)
            by_sql = await db.read(partial(keywords, question=question, count=1_000))
            fast = await db.read(partial(derived.keywords, question=question, count=1_000))
            assert fast == pytest.approx(by_sql, rel=1e-4), text


async def test_a_word_that_comes_often_is_no_rare_one_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.search.candidates import sql as candidates

    for where, size, of in (
        (cache, "WORTH_IT", 10),
        (cache, "MOST_ROWS", 70),
        (candidates, "MOST_ROWS", 70),
        (postings, "_FREQUENT", 20),
    ):
        monkeypatch.setattr(where, size, of)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()

        async def put(text: str, numbers: range) -> None:
            for number in numbers:
                source = Source(f"{text}{number}", "1", 1, 1)
                await db.write(lambda c, s=source: tables.put(c, s, [_said(text)]))

        async def found() -> int:
            question = Question("alder, birch, cedar", TODAY)
            by_sql = await db.read(partial(keywords, question=question, count=1_000))
            fast = await db.read(partial(derived.keywords, question=question, count=1_000))
            assert fast == pytest.approx(by_sql, rel=1e-4)
            return len(fast)

        for word, count in (("alder", 25), ("birch", 30), ("cedar", 40), ("elm", 200)):
            await put(word, range(count))
        derived = SearchCache.read(db.path)
        assert derived is not None
        assert await found() == 25 + 30
        await put("alder alder", range(10))
        assert await found() == 35 + 30
        await put("alder alder", range(10, 40))
        assert await found() == 30 + 40


@pytest.mark.parametrize(("beforehand", "read"), [(1_000_000, {"only7"}), (0, {"tea", "only7"})])
async def test_frequent_words_are_read_beforehand_as_far_as_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beforehand: int, read: set[str]
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    monkeypatch.setattr(postings, "_FREQUENT", 20)
    monkeypatch.setattr(postings, "_BEFOREHAND", beforehand)
    draw = random.Random(8)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()
        await db.write(lambda c: [say(c, number, draw) for number in range(300)])
        derived = SearchCache.read(db.path)
        assert derived is not None
        later: set[str] = set()
        reading = postings.Postings._read

        def seen(self: postings.Postings, db: object, token: str) -> object:
            later.add(token)
            return reading(self, db, token)

        monkeypatch.setattr(postings.Postings, "_read", seen)
        for _ in range(2):
            question = Question("the tea and only7", TODAY)
            by_sql = await db.read(partial(keywords, question=question, count=1_000))
            fast = await db.read(partial(derived.keywords, question=question, count=1_000))
            assert fast == pytest.approx(by_sql, rel=1e-4)
        assert {token for token in later if token in {"tea", "only7"}} == read


@pytest.mark.parametrize("sizes", [{}, {"_KEPT": 600}, {"_AT_ONCE": 1}])
async def test_what_comes_is_put_behind_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: dict[str, int]
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    for size, of in {"_FREQUENT": 20, **sizes}.items():
        monkeypatch.setattr(postings, size, of)
    draw = random.Random(8)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()

        async def put(**texts: str) -> None:
            """Write in one transaction; rows without text are deleted."""

            def change(connection: object) -> None:
                for path, text in texts.items():
                    tables.put(connection, Source(path, text, 1, 1), [_said(text)] if text else [])

            await db.write(change)

        await db.write(lambda c: [say(c, number, draw) for number in range(300)])
        await put(a="the quince tea", b="quince jam", c="mist", d="haze and mist")
        derived = SearchCache.read(db.path)
        assert derived is not None
        kept, read = derived.postings, list[str]()
        reading = kept._read

        def seen(connection: object, token: str) -> object:
            read.append(token)
            return reading(connection, token)

        monkeypatch.setattr(kept, "_read", seen)

        async def same(*texts: str, rel: float = 1e-4) -> list[str]:
            """Check that the cache equals a newly read one and SQL; return the words looked up."""
            anew = SearchCache.read(db.path)
            assert anew is not None
            read.clear()
            for text in texts:
                ask = {"question": Question(text, TODAY, private=True), "count": 1_000}
                found = await db.read(partial(derived.keywords, **ask))
                assert found == pytest.approx(await db.read(partial(anew.keywords, **ask))), text
                by_sql = await db.read(partial(keywords, **ask))
                assert found == pytest.approx(by_sql, rel=rel), text
            there = [*(each.at for each in kept._kept.values()), *kept._came.values()]
            assert kept._size == sum(map(len, there)) <= postings._KEPT
            assert kept._came.keys() <= kept._kept.keys()
            return [] if sizes else read

        asked = ["tea in the garden", "quince", "quince tea", "jam", "tea, mist", "nowhere"]
        assert "quinc" in await same(*asked) or sizes
        assert "tea" not in read or sizes, "it is frequent: it was read at the beginning"
        phrase = kept._phrases["quinc", "tea"]
        await put(e="tea in the mist, tea in the garden")
        assert await same(*asked) == []
        assert sizes or kept._phrases["quinc", "tea"] is phrase, "there is no quince in what came"
        await put(f="a quince tea, a quince jam. Quince tea!", g="nowhere in the garden: tea")
        assert await same(*asked) == []
        assert sizes or len(kept._phrases["quinc", "tea"].at) == 3
        await put(h="no tea, no quince in the mist", i="haze over the quince")  # without a query
        await put(j="quince tea in haze")
        assert await same(*asked) == []
        assert await same("haze", "haze quince") == ([] if sizes else ["haze"])

        await put(k="haze, quince tea, nowhere, fog", l="fog")
        await put(k="")  # added and deleted before any query
        assert await same(*asked, "haze", rel=0.3) == []  # FTS5 still counts deleted rows
        assert await same("fog", rel=0.3) == ([] if sizes else ["fog"])
        await put(f="", g="nowhere", j="")
        assert await same(*asked, "haze", "fog", rel=0.3) == []
        await put(f="a quince tea, a quince jam. Quince tea!", j="quince tea in fog")
        assert await same(*asked, "haze", "fog", rel=0.3) == []
        await put(m="haze")
        assert await same("jam", rel=0.3) == []  # and not for the haze
        await put(n="haze", o="fog")
        assert await same("haze", "jam", "haze", "garden", "quince", rel=0.3) == []
        await put(p="quince " * 300)
        assert await same("quince", rel=0.3) == []


async def test_what_only_phrases_ask_for_is_read_beforehand_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    monkeypatch.setattr(postings, "_FREQUENT", 20)
    draw = random.Random(8)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()
        await db.write(lambda c: [say(c, number, draw) for number in range(300)])

        def read() -> dict[str, int]:
            derived = SearchCache.read(db.path)
            assert derived is not None
            return {word: len(each.at) for word, each in derived.postings._kept.items()}

        all_ = read()
        telling = all_.keys() - {"the", "and"}
        assert max(all_[word] for word in telling) > all_["the"], "not for being the rarer ones"
        monkeypatch.setattr(postings, "_BEFOREHAND", sum(all_[word] for word in telling))
        assert read().keys() == telling


async def test_no_phrase_begins_before_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    for size, of in (("_FREQUENT", 20), ("_BEFOREHAND", 0), ("_IN_PHRASE", 20)):
        monkeypatch.setattr(postings, size, of)  # the phrase does not look up "tea"
    async with opened(tmp_path) as memory:
        db = await memory.index.db()
        await db.write(lambda c: [say(c, number, random.Random(number)) for number in range(300)])
        await db.write(lambda c: tables.put(c, Source("q.md", "1", 1, 1), [_said("quince fog")]))
        derived = SearchCache.read(db.path)
        assert derived is not None
        question = Question("tea quince fog", TODAY)
        by_sql = await db.read(partial(keywords, question=question, count=1_000))
        fast = await db.read(partial(derived.keywords, question=question, count=1_000))
        assert len(by_sql) > 20
        assert fast == pytest.approx(by_sql, rel=1e-4)


async def test_an_index_that_cannot_be_opened_now_is_searched_by_sql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails() -> None:
        raise StoreError("restart it")

    async with opened(tmp_path) as memory:
        monkeypatch.setattr(memory.index, "db", fails)
        await memory.searcher.load_cache()  # in the background, where a failure would go unnoticed
        assert "by SQL alone: restart it" in caplog.text
        monkeypatch.undo()


@pytest.mark.parametrize("sole", [True, False])
async def test_a_long_lived_process_reads_it_by_itself_and_follows_another_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sole: bool
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION), sole=sole) as memory:
        memory.watching = True
        write(tmp_path, "plants.md", "\n\n".join(f"## Bed {n}\n\nbeans {n}" for n in range(30)))
        write(tmp_path, "fern.md", "The fern likes shade.\n")
        await memory.reconcile()
        while await memory.embeddings.embed(64):
            pass

        async def first() -> str:
            hits = (await memory.recall("a plant that likes the shade")).hits
            return hits[0].path if hits else ""

        assert await first() == "fern.md"
        assert (memory.searcher._reading is not None) is sole
        await first()
        assert memory.searcher._reading is not None
        await memory.searcher._reading
        assert memory.searcher._cache is not None
        assert await first() == "fern.md"
        write(
            tmp_path,
            "moss.md",
            "I know a plant that likes the shade: moss likes it, and no other plant.\n",
        )
        memory.changed(["moss.md"])
        assert await first() == "moss.md"
        before = memory.searcher._cache
        await memory.index.rebuild()
        assert await first() == "moss.md"  # another generation: back to SQL
        assert memory.searcher._cache is not before


async def test_all_is_read_anew_once_much_came_and_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    monkeypatch.setattr(cache, "_STALE", 70)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        memory.watching = True

        async def followed(*beds: int) -> bool:
            """Return whether the changes were few enough to follow."""
            text = "\n\n".join(f"## Bed {bed}\n\nbeans {bed}" for bed in beds)
            write(tmp_path, "beds.md", text)
            await memory.reconcile()
            await memory.searcher.refresh_cache()
            return memory.searcher._cache is kept and (kept is None or not kept.is_stale)

        kept = None
        assert await followed(*range(20))
        while await memory.embeddings.embed(64):
            pass
        await memory.searcher.load_cache()
        kept = memory.searcher._cache
        assert kept is not None
        assert await followed(*range(60))
        while await memory.embeddings.embed(64):
            pass
        assert await followed(*range(60)), "what got its vector is no other passage"
        assert await followed(*range(20, 60))
        assert not await followed(*range(45, 60))
        await memory.recall("beans")
        assert memory.searcher._reading is not None
        await memory.searcher._reading
        assert memory.searcher._cache is not kept
        kept = memory.searcher._cache
        assert await followed(*range(46, 60))


async def test_what_is_embedded_after_the_first_question_gets_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        memory.watching = True
        write(tmp_path, "beds.md", "\n\n".join(f"## Bed {n}\n\nbeans {n}" for n in range(20)))
        await memory.reconcile()
        await memory.searcher.load_cache()
        derived = memory.searcher._cache
        assert derived is not None and derived.codes is None
        await memory.embeddings.embed(6)
        await memory.recall("beans")
        assert memory.searcher._cache is derived and not derived.is_stale, "too few are embedded"
        while await memory.embeddings.embed(64):
            pass
        await memory.searcher.refresh_cache()
        await memory.recall("beans")
        assert memory.searcher._reading is not None
        await memory.searcher._reading
        assert memory.searcher._cache is not None and memory.searcher._cache.codes is not None


@asynccontextmanager
async def beans(folder: Path) -> AsyncIterator[tuple[Memory, SearchCache]]:
    """Return a small index, and its cache."""
    async with opened(folder) as memory:
        memory.watching = True
        write(folder, "a.md", "\n\n".join(f"## Bed {n}\n\nbeans {n}" for n in range(30)))
        await memory.reconcile()
        await memory.searcher.load_cache()
        assert memory.searcher._cache is not None
        yield memory, memory.searcher._cache


async def test_where_another_index_is_published_nothing_of_it_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with beans(tmp_path) as (memory, _):
        async with opened(tmp_path, sole=False) as other:
            await other.index.rebuild()
        await memory.searcher.refresh_cache()
        assert memory.searcher._cache is None
        assert (await memory.recall("beans 7")).hits[0].text == "beans 7"


async def test_what_failed_half_way_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with beans(tmp_path) as (memory, derived):

        def fails(*_: object) -> None:
            raise OSError("no memory")

        monkeypatch.setattr(derived.postings, "attach", fails)
        with pytest.raises(OSError, match="no memory"):
            await memory.recall("beans")
        # also for a question that got its cache earlier
        db, question = await memory.index.db(), Question("beans", FIRST)
        found = await db.read(lambda connection: derived.keywords(connection, question, 50))
        assert found == await db.read(lambda connection: keywords(connection, question, 50))
        assert len(found) == 30
        assert len((await memory.recall("beans")).hits) == 8


async def test_who_asks_while_another_question_takes_a_change_in_is_not_sent_to_sql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH_IT", 10)
    async with beans(tmp_path) as (memory, derived):
        at_it, go_on, take_in = threading.Event(), threading.Event(), derived._take_in

        def slowly(db: Connection) -> None:
            at_it.set()
            go_on.wait(30)
            take_in(db)

        monkeypatch.setattr(derived, "_take_in", slowly)
        first = asyncio.create_task(memory.recall("beans"))
        try:
            await asyncio.to_thread(at_it.wait, 30)
            _, candidates = await memory.searcher.search_functions()
        finally:
            go_on.set()
            await first
        assert candidates.keywords == derived.keywords


async def test_a_small_index_is_left_to_sql(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        await filled(memory, 5, random.Random(4))
        assert SearchCache.read((await memory.index.db()).path) is None

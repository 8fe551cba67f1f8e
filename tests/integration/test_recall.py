"""Recall through the real Memory: modes, filters before truncation, lifetime, privacy, sources."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from memory.core import Memory
from memory.embedding import Identity, InputType
from memory.errors import ConfigError, EmbedderDown
from memory.index import reconciler, tables
from memory.infra import sqlite as database
from memory.search import Question
from memory.search.candidates import sql as searching
from memory.summaries import Extract
from memory.text.sentences import is_question
from memory.text.tokenize import STOP_WORDS, terms
from memory.tools import with_sources
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened, settings, write


async def embed_all(memory: object) -> None:
    while await memory.embeddings.embed(16):  # type: ignore[attr-defined]
        pass


async def test_what_was_said_is_found_in_the_next_turn(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My cat is called Miso", "What a name!")
        found = await memory.recall("what is the cat called", filter="conversations")
        assert (found.mode, found.hits[0].text) == ("keywords", "My cat is called Miso")
        hit = found.hits[0]
        assert (hit.path, hit.role, hit.kind) == ("log/2026-02-12", "user", "message")
        [message] = await memory.log.messages.by_ids(hit.message_ids)
        assert message.text == hit.text


async def test_what_is_known_about_the_owner_is_listed_facts_first(tmp_path: Path) -> None:
    facts = tmp_path / "vault" / "knowledge" / "preference.md"
    facts.parent.mkdir(parents=True)
    facts.write_text("- Drinks no coffee (updated:: 2026-02-10) ^aaaaaa\n", "utf-8")
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My cat is called Miso", "What a name!")
        await log_exchange(memory, "I work at the harbour", "Noted.")
        await log_exchange(memory, "what is the cat called?", "Miso.")
        await memory.reconcile()
        found = await memory.recall("What do you know about me?", limit=4)
        texts = [hit.text for hit in found.hits]
        assert "Drinks no coffee" in texts[0]
        assert texts[1:] == ["I work at the harbour", "My cat is called Miso"]
        assert not any(hit.weak for hit in found.hits)
        said = await memory.recall("What do you know about me?", filter="conversations")
        assert [hit.text for hit in said.hits] == texts[1:], "filters hold here too"


async def test_messages_in_the_prompt_are_indexed_when_no_question_waits(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        memory.watching = True
        shown = [
            (await log_exchange(memory, f"My cat {n} is called Miso")).message.id for n in range(3)
        ]
        asked = Question("the cat called Miso", memory.today(), kinds=("summary",))
        of_turn = replace(asked, kinds=(), without_messages=frozenset(shown))
        assert not any(found.hits for found in await memory.find([asked, of_turn]))
        assert await memory.index.behind() == 3, "no question waited for them"

        other = (
            await log_exchange(memory, "My dog is called Miso as well", chat="terminal:2")
        ).message.id
        [_, found] = await memory.find([asked, of_turn])
        assert [hit.message_ids for hit in found.hits] == [(other,)]
        assert await memory.index.behind() == 0

        await log_exchange(memory, "My cat 3 is called Miso")
        found = await memory.recall("the cat called Miso")
        assert len(found.hits) == 5, "who shows none wants all"
        await log_exchange(memory, "My cat 4 is called Miso")
        await memory.index_deferred()
        assert await memory.index.behind() == 0


async def test_what_may_wait_hides_nothing_that_came_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "PAGE", 3)
    async with opened(tmp_path) as memory:
        memory.watching = True
        shown = [
            (await log_exchange(memory, f"My cat {n} is called Miso")).message.id for n in range(7)
        ]
        other = (
            await log_exchange(memory, "My dog is called Miso as well", chat="terminal:2")
        ).message.id
        found = await memory.recall("the dog called Miso", without_messages=shown)
        assert [hit.message_ids for hit in found.hits] == [(other,)]


@pytest.mark.parametrize("embedder", [None, WordEmbedder()])
async def test_words_as_they_were_said_find_the_message(
    tmp_path: Path, embedder: WordEmbedder | None
) -> None:
    """Six mostly common words of it; the daily note contains the same words, and others too."""
    async with opened(tmp_path, embedder=embedder) as memory:
        said = "Thanks! My dream is to give kids a loving home, and I'm working on it."
        turn = await log_exchange(memory, said, "How loving of you to give kids a home!")
        for number in range(12):
            text = f"Kids give loving kids {number} a loving hug, and the kids give it back."
            await log_exchange(memory, text, "Loving kids give.")
        rows = [f"Loving kids give {n}." for n in range(9)]
        write(tmp_path, "memories/2026-02-12.md", f"## 12:00:00\n\n- {said}\n" + "\n".join(rows))
        await memory.catch_up()
        await embed_all(memory)
        hits = (await memory.recall("is to give kids a loving", limit=3)).hits
        assert turn.message.id in [id_ for hit in hits for id_ in hit.message_ids]


async def test_in_a_large_index_the_rarest_words_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MOST_ROWS", 30)
    async with opened(tmp_path) as memory:
        for number in range(20):
            await log_exchange(memory, f"green tea with cake, cup {number}")
        await log_exchange(memory, "Miso sleeps")
        await memory.reconcile()
        db = await memory.index.db()
        words = ["tea", "green", "cake", "miso", "sleeps", "cup"]
        left = await db.read(lambda c: searching._rare(c, words))
        assert left == ["miso", "sleeps", "tea"]
        assert await db.read(lambda c: searching._rare(c, ["tea", "cup", "cake"])) == ["tea", "cup"]
        found = await memory.recall("tea green cake miso cup")
        assert found.hits[0].text == "Miso sleeps" and len(found.hits) == 8


class Synonyms(WordEmbedder):
    """An embedder that knows that a feline is a cat."""

    async def embed(self, texts: Sequence[str], kind: InputType) -> object:
        return await super().embed([text.replace("feline", "cat") for text in texts], kind)


async def test_vectors_find_what_keywords_cannot_and_both_make_hybrid(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=Synonyms()) as memory:
        write(tmp_path, "Pets.md", "# Pets\n\nMiso sleeps all day.\n")
        await memory.catch_up()
        before = await memory.recall("Miso")
        assert before.mode == "hybrid" or before.degraded is not None
        await embed_all(memory)
        found = await memory.recall("Miso")
        assert found.mode == "hybrid" and found.degraded is None
        assert found.hits[0].path == "Pets.md" and found.hits[0].heading == "Pets"
        assert 0.0 <= found.hits[0].score <= 1.0

        write(tmp_path, "nap.md", "The feline dozes.\n")
        await memory.reconcile()
        await embed_all(memory)
        found = await memory.recall("cat", every=True)
        assert found.hits[0].path == "nap.md", "no word of it is in the question"
        write(tmp_path, "zoo.md", "A walrus eats clams.\n")
        await memory.reconcile()
        found = await memory.recall("walrus clams")
        assert found.mode == "hybrid"
        assert found.hits[0].path == "zoo.md", "its words are found before it has a vector"


async def test_what_was_just_said_is_found_by_its_meaning(tmp_path: Path) -> None:
    embedder, clock = Synonyms(), Clock()
    embedder.identity = Identity("local", "words", 64)
    async with opened(tmp_path, embedder=embedder, clock=clock) as memory:
        await memory.catch_up()
        older = [f"The walrus number {number} naps" for number in range(9)]
        for text in older:
            await log_exchange(memory, text)
        await memory.recall("cat")
        assert await messages_with_vectors(memory) == [], "much else waits"
        await embed_all(memory)
        await log_exchange(memory, "The feline has fleas")
        clock.forward(days=3)
        await log_exchange(memory, "The feline dozes in the greenhouse", "Good for her.")
        await log_exchange(memory, "The walrus eats clams")
        [known] = await memory.log.messages.recent(1)
        found = await memory.recall("cat", without_messages=[known.id], every=True)
        assert found.hits[0].text == "The feline dozes in the greenhouse"
        embedded = await messages_with_vectors(memory)
        # Neither what is older, nor what the model sees anyway.
        assert embedded == [*older, "The feline dozes in the greenhouse"]

        embedder.identity = Identity("openai", "words", 64)  # a request for each would be slow
        await log_exchange(memory, "A feline naps")
        await memory.recall("cat")
        assert await messages_with_vectors(memory) == embedded


async def test_a_question_is_answered_if_what_was_just_said_cannot_be_embedded(
    tmp_path: Path,
) -> None:
    class Failing(Synonyms):
        async def embed(self, texts: Sequence[str], kind: InputType) -> object:
            if kind == "document" and "walrus" in texts[0]:
                raise EmbedderDown("no")
            return await super().embed(texts, kind)

    embedder = Failing()
    embedder.identity = Identity("local", "words", 64)
    async with opened(tmp_path, embedder=embedder) as memory:
        await memory.catch_up()
        await embed_all(memory)
        await log_exchange(memory, "The feline dozes in the greenhouse")
        await memory.recall("cat")
        await log_exchange(memory, "The walrus eats clams")
        found = await memory.recall("cat", every=True)
        assert found.mode == "hybrid" and found.hits[0].text == "The feline dozes in the greenhouse"
        assert (await memory.recall("walrus")).hits[0].text == "The walrus eats clams"


async def messages_with_vectors(memory: Memory) -> list[str]:
    db = await memory.index.db()
    query = "SELECT text FROM chunk WHERE embedded AND message_id IS NOT NULL ORDER BY id"
    return [row[0] for row in await db.read(lambda db: db.execute(query).fetchall())]


async def test_vectors_only(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder(), fts_enabled=False) as memory:
        await log_exchange(memory, "Miso sleeps all day")
        await memory.reconcile()
        await embed_all(memory)
        found = await memory.recall("Miso")
        assert found.mode == "vectors" and found.hits[0].text == "Miso sleeps all day"


async def test_a_question_without_direction_is_answered_by_keywords(tmp_path: Path) -> None:
    """The test's embedder maps stop words alone to a zero vector."""
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await log_exchange(memory, "I will be there")
        await memory.reconcile()
        await embed_all(memory)
        assert (await memory.recall("will be")).hits[0].text == "I will be there"


def test_neither_is_refused_with_the_reason(tmp_path: Path) -> None:
    from memory.config import MemorySettings, read

    with pytest.raises(ConfigError, match="nothing to search with"):
        read(MemorySettings, embedding_provider="none", fts_enabled=False, vault_dir=tmp_path)


async def test_an_embedder_that_is_down_leaves_keywords_and_says_so(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        await log_exchange(memory, "Miso sleeps all day")
        await memory.reconcile()
        await embed_all(memory)
        embedder.down = True
        found = await memory.recall("Miso sleeps")
        assert found.mode == "keywords" and "down" in (found.degraded or "")
        assert found.hits[0].text == "Miso sleeps all day"


async def test_a_question_that_could_not_be_embedded_is_not_tried_again_in_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        write(tmp_path, "tea.md", "# Tea\n\nGreen tea in the kitchen.\n")
        await memory.reconcile()
        await memory.embeddings.embed(10)
        tried: list[str] = []

        async def fails(texts: Sequence[str], kind: InputType) -> None:
            tried.extend(texts)
            raise EmbedderDown("the test's embedder is down")

        monkeypatch.setattr(embedder, "embed", fails)
        for question in ("green tea", "green tea", "kitchen"):
            found = await memory.recall(question)
            assert found.mode == "keywords" and found.hits and "is down" in (found.degraded or "")
        assert tried == ["green tea", "kitchen"]


async def test_what_one_turn_asks_at_once_is_embedded_once(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        write(tmp_path, "tea.md", "# Tea\n\nGreen tea in the kitchen.\n")
        await memory.reconcile()
        await memory.embeddings.embed(10)
        embedder.texts.clear()
        found = await asyncio.gather(*(memory.recall("green tea", limit=n) for n in (1, 2, 3)))
        assert [each.mode for each in found] == ["hybrid"] * 3
        assert embedder.texts == ["green tea"]


async def test_all_that_is_asked_at_once_waits_for_the_look_at_the_vault(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "tea.md", "# Tea\n\nGreen tea in the kitchen.\n")
        found = await asyncio.gather(*(memory.recall("green tea") for _ in range(3)))
        assert all(each.hits for each in found)


@pytest.mark.parametrize("embedder", [None, WordEmbedder()])
async def test_filters_come_before_the_cut(tmp_path: Path, embedder: WordEmbedder | None) -> None:
    """The one old message must be found although hundreds of newer ones match better."""
    async with opened(tmp_path, embedder=embedder) as memory:
        await log_exchange(
            memory, "tea with Ana and a lot of other words", at=START - timedelta(days=9)
        )
        for number in range(260):
            await log_exchange(memory, f"tea {number}")
        await memory.reconcile()
        await embed_all(memory)
        old = await memory.recall("tea", until=date(2026, 2, 3), limit=3)
        assert [hit.text for hit in old.hits] == ["tea with Ana and a lot of other words"]
        assert (await memory.recall("tea", since=date(2026, 2, 13))).hits == []
        assert (await memory.recall("tea", filter="knowledge")).hits == []


async def test_sealed_is_never_found_and_sensitive_only_by_the_owner(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "sealed/diary.md", "canary in the folder")
        write(tmp_path, "secret.md", "---\nprivacy: sealed\n---\n\ncanary in the front matter\n")
        write(tmp_path, "health.md", "---\nprivacy: sensitive\n---\n\ncanary of health\n")
        await memory.catch_up()
        assert (await memory.recall("canary")).hits == []
        private = await memory.recall("canary", private=True)
        assert [hit.path for hit in private.hits] == ["health.md"]


async def test_sealed_holds_in_a_folder_of_the_other_unicode_form(tmp_path: Path) -> None:
    there = "Geda\u0308chtnis"  # as macOS writes it
    write(tmp_path, f"{there}/sealed/diary.md", "canary in the folder")
    write(tmp_path, f"{there}/MEMORY.md", "canary in the memory")
    async with opened(tmp_path, sam_dir="Ged\u00e4chtnis") as memory:
        await memory.catch_up()
        [hit] = (await memory.recall("canary", private=True)).hits
        assert (hit.path, hit.kind) == (f"{there}/MEMORY.md", "memory")


async def test_the_expired_and_the_superseded_are_gone(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        write(
            tmp_path,
            "knowledge/contextual.md",
            "- Parks in the canary garage (expires:: 2026-02-13) ^aaa111\n"
            "- Works in the canary tower (updated:: 2026-02-01) ^bbb222\n",
        )
        await memory.catch_up()
        assert len((await memory.recall("canary")).hits) == 2
        clock.forward(days=1)
        [left] = (await memory.recall("canary")).hits
        assert "tower" in left.text and left.date == date(2026, 2, 1) and left.kind == "fact"


async def test_what_was_superseded_is_not_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "old.md", "---\nsuperseded_by: new.md\n---\nThe canary lives in Rome.\n")
        write(tmp_path, "new.md", "The canary lives in Oslo.\n")
        await memory.catch_up()
        assert [hit.path for hit in (await memory.recall("canary lives")).hits] == ["new.md"]


async def test_a_hit_on_a_conversation_leads_to_session_chat_and_moment(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The canary sings.", chat="telegram:7")
        await memory.end_session("telegram:7", START)
        later = START + timedelta(days=1, minutes=3)
        turn = await log_exchange(memory, "The canary sleeps.", at=later, chat="telegram:7:2")
        hits = (await memory.recall("canary", now=later)).hits
        assert {(hit.chat, hit.path) for hit in hits} == {
            ("telegram:7", "log/2026-02-12"),
            ("telegram:7:2", "log/2026-02-13"),
        }
        [hit] = [hit for hit in hits if hit.chat == "telegram:7:2"]
        [message] = await memory.log.messages.by_ids(hit.message_ids)
        assert (message.session_id, message.sent_at) == (turn.session_id, later)


async def test_recency_dates_exact_tokens_and_scripts_in_one_hybrid_index(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        later = START + timedelta(days=60)
        for at, chat in ((START, "a"), (later, "b")):
            await log_exchange(memory, "The boat was painted again.", at=at, chat=chat)
        await log_exchange(
            memory, "It failed with ECONNREFUSED on 10.0.0.1:5432.", at=later, chat="c"
        )
        await log_exchange(memory, "我喜欢绿茶", at=later, chat="d")
        await memory.reconcile()
        await embed_all(memory)

        async def first(question: str) -> str:
            found = await memory.recall(question, now=later)
            assert found.mode == "hybrid"
            return f"{found.hits[0].date} {found.hits[0].text}"

        assert (await first("boat painted")).startswith("2026-04-13"), "of equals the newer"
        assert (await first("boat painted in February 2026")).startswith("2026-02-12")
        assert "ECONNREFUSED" in await first("econnrefused")
        assert "10.0.0.1" in await first("10.0.0.1:5432")
        assert "我喜欢绿茶" in await first("绿茶")


async def test_the_local_embedder_finds_by_meaning(tmp_path: Path) -> None:
    """Three questions that have no word in common with their answers."""
    pairs = {
        "Which medicine is dangerous for her?": "Ana is allergic to penicillin.",
        "What does my dog eat?": "The puppy is fed kibble and meat each morning.",
        "How do I get online in the holiday home?": "Cottage wifi: network Seagull, key under desk",
    }
    async with opened(tmp_path, embedding_provider="local") as memory:
        for n, (question, text) in enumerate(pairs.items()):
            write(tmp_path, f"{n}.md", f"{text}\n")
            asked = set(terms(question)) - STOP_WORDS
            assert not asked & set(terms(text))
        await memory.catch_up()
        await embed_all(memory)
        for question, text in pairs.items():
            assert (await memory.recall(question)).hits[0].text == text


async def test_what_was_asked_before_without_success_is_no_answer(tmp_path: Path) -> None:
    """Neither the owner's question, which has no mark, nor Sam's answer that it does not know."""
    asked, none = "the fella at student services who helped again", "I'm sorry, I can't find him."
    told = "kas in student services says the hardship form needs three bank statements"
    async with opened(tmp_path, embedding_provider="local") as memory:
        await log_exchange(memory, told, "Three statements, noted.")
        await log_exchange(memory, asked, none)
        await memory.catch_up()
        await embed_all(memory)
        found = [hit.text for hit in (await memory.recall(asked)).hits]
        assert found[0] == told and asked not in found and none not in found


async def test_a_summary_leads_to_its_messages(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, "We decided to paint the kitchen green.", "Lovely.")
        await memory.reconcile()
        memory.watching = True  # so that only written notes are indexed
        [written] = await memory.summarise(Extract(), reason="asked")
        assert written.path == "memories/2026-02-12.md"
        found = await memory.recall("kitchen green", filter="knowledge")
        assert found.hits[0].kind == "summary"
        [hit] = await with_sources(found.hits[:1], memory.log)
        assert hit.message_ids == (turn.message.id,)


async def test_without_the_extension_numpy_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    async def found(folder: Path) -> tuple[list[tuple[str, float]], dict[int, float]]:
        async with opened(folder, embedder=WordEmbedder()) as memory:
            for number in range(30):
                await log_exchange(memory, f"note {number} about tea and {'cake' * (number % 3)}")
            await memory.reconcile()
            await embed_all(memory)
            recalled = await memory.recall("tea cake", limit=20)
            assert recalled.mode == "hybrid"
            question = Question("tea cake", memory.today())
            vector = await memory.embeddings.query("tea cake")
            db = await memory.index.db()
            near = await db.read(lambda c: searching.nearest(c, question, vector, 40))
            how = "SELECT sql FROM sqlite_master WHERE name = 'chunk_vec'"
            made.append(str(await db.read(lambda c: c.execute(how).fetchone()[0])))
            hits = [(hit.text, round(hit.score, 3)) for hit in recalled.hits]
            return hits, {id_: round(score, 4) for id_, score in near.items()}

    with_extension = await found(tmp_path / "with")
    assert len(with_extension[1]) == 30
    for module in (database, searching, tables):
        monkeypatch.setattr(module, "vec_version", lambda: None)
    assert await found(tmp_path / "without") == with_extension
    assert ["vec0" in sql for sql in made] == [True, False]


async def test_the_extension_going_away_rebuilds_and_still_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await log_exchange(memory, "Miso sleeps all day")
        await memory.reconcile()
        await embed_all(memory)
    for module in (searching, tables):
        monkeypatch.setattr(module, "vec_version", lambda: None)
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await memory.catch_up()
        await embed_all(memory)
        found = await memory.recall("Miso")
        assert (found.mode, found.hits[0].text) == ("hybrid", "Miso sleeps all day")


async def test_cosine_and_not_euclid(tmp_path: Path) -> None:
    """sqlite-vec defaults to L2, which would also rank by length."""
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await log_exchange(memory, "tea cake")
        await memory.reconcile()
        await embed_all(memory)
        vector = await memory.embeddings.query("tea")
        db = await memory.index.db()
        question = Question("tea", memory.today())
        near = await db.read(lambda c: searching.nearest(c, question, vector, 5))
        assert max(near.values()) == pytest.approx(2**-0.5, abs=1e-4)


async def test_a_long_message_is_found_by_its_tail_and_counts_once(tmp_path: Path) -> None:
    async with opened(tmp_path, chunk_chars=300) as memory:
        await log_exchange(memory, "tea " * 600 + "and at the very end: marzipan")
        found = await memory.recall("marzipan tea")
        assert len(found.hits) == 1 and "marzipan" in found.hits[0].text


async def test_a_damaged_index_is_rebuilt(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Miso sleeps all day")
        await memory.reconcile()
    for file in (tmp_path / "data" / "index").glob("*.db*"):
        file.write_bytes(b"rubbish" * 1000)
    async with opened(tmp_path) as memory:
        assert (await memory.recall("Miso")).hits[0].text == "Miso sleeps all day"


async def test_what_is_worked_at_gets_its_vectors_first(tmp_path: Path) -> None:
    """Sam's own notes and messages first, then notes by age, whatever the indexing order."""
    clock, embedder = Clock(), WordEmbedder()
    async with opened(tmp_path, clock=clock, embedder=embedder) as memory:
        for number in (3, 0, 4, 1, 2):
            write(tmp_path, f"{number}.md", f"Note {number}.\n")
            hours_ago = clock().timestamp() - 3600 * (number + 1)
            os.utime(tmp_path / "vault" / f"{number}.md", (hours_ago, hours_ago))
        await log_exchange(memory, "the heron is back at the pond")
        await memory.catch_up()
        write(tmp_path, "5.md", "Note 5.\n")  # in the middle of it
        await memory.reconcile(["5.md"])
        await embed_all(memory)
    own, notes = embedder.texts[:-6], embedder.texts[-6:]
    assert any("heron" in text for text in own) and any("kind" in text for text in own)
    assert [text.strip() for text in notes] == [f"{n}\nNote {n}." for n in (5, 0, 1, 2, 3, 4)]


async def test_a_turn_embeds_one_chunk_for_one_line_appended(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        sections = "".join(f"## 1{n}:00:00\n\n- entry number {n}\n\n" for n in range(8))
        write(tmp_path, "memories/2026-02-10.md", f"# Memories — 2026-02-10\n\n{sections}")
        await memory.catch_up()
        await embed_all(memory)
        embedder.texts.clear()
        write(tmp_path, "memories/2026-02-10.md", f"# Memories — 2026-02-10\n\n{sections}- more\n")
        await memory.reconcile(["memories/2026-02-10.md"])
        await embed_all(memory)
        assert len(embedder.texts) == 1 and "more" in embedder.texts[0]


def test_settings_of_a_test_come_from_nowhere_else(tmp_path: Path) -> None:
    assert settings(tmp_path).provider == "none"


@pytest.mark.parametrize(
    ("limit", "multiplier", "count"), [(8, 3, 150), (80, 3, 240), (30, 20, 600), (200, 20, 1000)]
)
async def test_candidates_are_a_multiple_of_the_hits_and_never_more_than_a_thousand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, multiplier: int, count: int
) -> None:
    asked_for: list[int] = []

    def none(db: object, question: Question, *rest: object) -> dict[int, float]:
        asked_for.append(int(str(rest[-1])))
        return {}

    nothing = replace(searching.BY_SQL, keywords=none, nearest=none)

    async def searched() -> tuple[database.Database, searching.Candidates]:
        return await memory.index.db(), nothing

    given = {"candidate_multiplier": multiplier}
    async with opened(tmp_path, embedder=WordEmbedder(), **given) as memory:
        await memory.reconcile()
        await embed_all(memory)
        monkeypatch.setattr(memory.searcher, "search_functions", searched)
        assert (await memory.recall("tea", limit=limit, every=True)).hits == []
    assert asked_for == [count, count]


async def test_vector_weight_is_how_much_vectors_count_in_the_search(tmp_path: Path) -> None:
    scores = []
    for weight in (0.0, 0.35, 1.0):
        folder = tmp_path / f"{weight}"
        write(folder, "meaning.md", "The feline sleeps.\n")
        write(folder, "other.md", "The kettle boils.\n")
        write(folder, "words.md", "A cat would eat the fish, the cake and all the cheese.\n")
        async with opened(folder, embedder=Synonyms(), vector_weight=weight) as memory:
            await memory.reconcile()
            await embed_all(memory)
            found = await memory.recall("cat", every=True)
            scores.append({hit.path: hit.score for hit in found.hits}["meaning.md"])
    assert scores[0] < scores[1] < scores[2]


@pytest.mark.parametrize("enabled", [True, False])
async def test_vectors_are_kept_by_their_text_unless_it_is_switched_off(
    tmp_path: Path, enabled: bool
) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder, embedding_cache_enabled=enabled) as memory:
        write(tmp_path, "tea.md", "Tea is ready.\n")
        await memory.reconcile()
        await embed_all(memory)
        await memory.recall("tea")
        embedder.texts.clear()
        (tmp_path / "vault" / "drinks").mkdir()
        (tmp_path / "vault" / "tea.md").rename(tmp_path / "vault" / "drinks" / "tea.md")
        await memory.reconcile()
        await embed_all(memory)
        found = await memory.recall("tea")
    assert found.hits[0].path == "drinks/tea.md"
    assert [text.strip() for text in embedder.texts] == (
        [] if enabled else ["tea\nTea is ready.", "tea"]
    )


async def test_a_passage_that_words_and_vectors_find_is_one_hit(tmp_path: Path) -> None:
    sections = "\n\n".join(f"## Bed {n}\n\nThe beans of bed {n} want water." for n in range(12))
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        write(tmp_path, "beds.md", f"# Garden\n\n{sections}\n")
        await memory.reconcile()
        while await memory.embeddings.embed(64):
            pass
        found = await memory.recall("beans want water", limit=10)
        assert found.mode == "hybrid" and len(found.hits) == 10
        keys = {(hit.path, hit.start_line, hit.end_line) for hit in found.hits}
        assert len(keys) == 10


async def test_a_long_question_that_was_asked_before_is_no_hit_for_itself(tmp_path: Path) -> None:
    asked = "what's the name of the nurse at the vet's, the tall one that is so good with our dog"
    assert not is_question(asked), "too long to be a question without its mark"
    async with opened(tmp_path) as memory:
        await log_exchange(memory, asked, "You have not told me.", at=START)
        later = START + timedelta(days=3)
        await log_exchange(
            memory, "the nurse at the vet's is Roisin, good with the dog", "Noted.", at=later
        )
        await memory.catch_up()
        hits = (await memory.recall(asked, limit=3)).hits
        assert "Roisin" in hits[0].text
        assert all(hit.text != asked for hit in hits)


async def test_a_quoted_statement_stays_before_what_came_after_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for number, place in enumerate(("south", "north", "east", "west", "front", "back")):
            said = f"The old fig tree stands by the {place} wall of the yard now."
            await log_exchange(memory, said, "Noted.", at=START + timedelta(days=7 * number))
        await memory.catch_up()
        asked = (await memory.recall("Where does the old fig tree stand?", limit=3)).hits
        assert "back wall" in asked[0].text, "the newest leads"
        quoted = (await memory.recall("fig tree stands by the south wall", limit=3)).hits
        assert "south wall" in quoted[0].text


async def test_a_note_is_found_by_its_name_and_its_properties(tmp_path: Path) -> None:
    write(tmp_path, "House/Stopcock.md", "Behind the bleach. It turns the wrong way.\n")
    write(tmp_path, "People/Ines.md", "---\nbirthday: 1985-09-12\n---\nShe lives on a boat.\n")
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        assert (await memory.recall("where is the stopcock?")).hits[0].path == "House/Stopcock.md"
        found = (await memory.recall("when is Ines's birthday?")).hits[0]
    assert found.text == "birthday: 1985-09-12\n\nShe lives on a boat."


async def test_an_answer_comes_before_what_only_points_to_it(tmp_path: Path) -> None:
    write(tmp_path, "Form.md", "# Gift ideas\n# Gift log\n")
    write(
        tmp_path, "People/Dev.md", "# Gift ideas\n- hot sauce, and the tile cutter that he lent\n"
    )
    write(tmp_path, "Contents.md", "- [[Fabada]]\n- [[Our address]]\n")
    write(tmp_path, "Our address.md", "14 Cooksley Road, Redfield, since April of last year.\n")
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        assert (await memory.recall("any gift ideas?")).hits[0].path == "People/Dev.md"
        assert (await memory.recall("what is our address?")).hits[0].path == "Our address.md"

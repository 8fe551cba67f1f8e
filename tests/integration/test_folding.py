"""A message and the summary bullet that repeats it count as one hit; other hits stay."""

from __future__ import annotations

from pathlib import Path

from memory.search import Hit
from memory.search.deduplicate import drop_repeating_summaries
from memory.summaries import Extract
from tests.support.memories import log_exchange, opened

SAID = "My passport lies in the blue drawer. The cat is well!"
QUESTION = "passport drawer"


def _hit(chunk: int, text: str, score: float, kind: str = "message") -> Hit:
    return Hit("a", 1, 1, "", text, None, kind, None, score, chunk, ())


def _summary(*lines: str, score: float = 0.5) -> Hit:
    return _hit(9, "\n".join(lines), score, "summary")


def test_a_summary_that_repeats_a_message_goes() -> None:
    message, other = _hit(1, SAID, 1.0), _hit(2, "The drawer sticks.", 0.4)
    told = _summary(
        "- **Summary**: My passport lies in the blue drawer. (extracted without a model)",
        "- My passport lies in the blue drawer.",
        "- Action: My passport lies in the blue drawer",
        "- The boiler was serviced in October.",
    )
    assert drop_repeating_summaries([message, told, other], QUESTION) == [message, other]


def test_a_bullet_in_other_words_stays() -> None:
    hits = [_hit(1, SAID, 1.0), _summary("- The passport is kept in a drawer of the hall")]
    assert drop_repeating_summaries(hits, QUESTION) == hits


def test_one_line_that_no_message_says_keeps_the_summary() -> None:
    told = _summary("- My passport lies in the blue drawer", "- Two passports have expired")
    hits = [_hit(1, SAID, 1.0), told]
    assert drop_repeating_summaries(hits, QUESTION) == hits


def test_half_a_word_is_no_repetition() -> None:
    hits = [_hit(1, "My passport lies in the blue drawers", 1.0), _summary("- the blue drawer")]
    assert drop_repeating_summaries(hits, QUESTION) == hits


def test_a_summary_without_the_questions_words_stays() -> None:
    hits = [_hit(1, SAID, 1.0), _summary("- The boiler was serviced in October.")]
    assert drop_repeating_summaries(hits, QUESTION) == hits


def test_other_notes_are_not_folded() -> None:
    hits = [_hit(1, SAID, 1.0), _hit(2, "- My passport lies in the blue drawer.", 0.5, "fact")]
    assert drop_repeating_summaries(hits, QUESTION) == hits


def test_the_message_comes_to_the_better_place() -> None:
    told = _summary("- My passport lies in the blue drawer", score=0.9)
    between, message = _hit(2, "A drawer.", 0.7), _hit(1, SAID, 0.6)
    found = drop_repeating_summaries([told, between, message], QUESTION)
    assert [(hit.chunk_id, hit.score) for hit in found] == [(1, 0.9), (2, 0.7)]


async def test_recall_finds_what_was_said_and_summarised_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My passport lies in the blue drawer.", "Noted.")
        await log_exchange(memory, "The boiler was serviced in October.", "Good.")
        assert await memory.summarise(Extract(), reason="test")
        found = await memory.recall("where is the passport")
        assert {hit.kind for hit in found.hits} == {"message"}
        assert sum("passport" in hit.text for hit in found.hits) == 1
        notes = await memory.recall("where is the passport", filter="knowledge")
        assert [hit.kind for hit in notes.hits] == ["summary"]

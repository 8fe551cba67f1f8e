"""A note with very many headings is split by length, and its sensitive parts stay sensitive."""

from __future__ import annotations

from memory.notes.chunker import MAX_SECTIONS, chunks


def test_a_million_headings_take_no_more_passages_than_prose() -> None:
    text = "# a\n" * 250_000
    found = chunks(text, limit=1600)
    assert len(found) <= len(text) // 1600 + 1
    assert found[-1].end_line >= 249_999 and found[0].start_line == 1


def test_a_usual_note_is_cut_at_each_heading() -> None:
    text = "# a\n\nx\n\n" * MAX_SECTIONS
    assert len(chunks(text)) == MAX_SECTIONS


def test_what_is_sensitive_stays_so_among_too_many_headings() -> None:
    many = "# a\n" * (MAX_SECTIONS + 1)
    found = chunks(f"{many}# Health #sam/sensitive\n\nallergic to bees\n\n{many}")
    [health] = [chunk for chunk in found if "allergic" in chunk.text]
    assert health.privacy == "sensitive"
    assert found[0].privacy == "normal"

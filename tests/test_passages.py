"""Notes → passages: what is Sam's and what is the owner's, by its place."""

from __future__ import annotations

from memory.index.passages import in_context, of_note


def test_an_owners_note_is_no_rule_of_sams_whatever_its_name() -> None:
    text = "- Always back up (updated:: 2026-02-12)"
    [own] = of_note("Sam/knowledge/rules.md", text, sam_dir="Sam", limit=100)
    [owners] = of_note("knowledge/rules.md", text, sam_dir="Sam", limit=100)
    assert (own.kind, own.text, own.priority) == ("rule", "Always back up", 0)
    assert (owners.kind, owners.text, owners.priority) == ("note", "- Always back up", 1)
    assert own.date == owners.date == "2026-02-12"


def test_a_message_is_embedded_with_its_speaker_after_what_was_said_before() -> None:
    assert in_context("", "", "user", "", "Both!") == "Both!"
    assert in_context("", "Tea or cake?", "user", "Ana", "Both!") == "Tea or cake?\nAna: Both!"
    assert in_context("", "x" * 999, "assistant", "", "No.") == "x" * 300 + "\nSam: No."
    assert in_context("Pets > Miso", "", None, "", "A cat.") == "Pets > Miso\nA cat."

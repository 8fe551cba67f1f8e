"""Notes to passages: whether each is Sam's or the owner's, by its location."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.index.passages import in_context, lead_of, of_message, of_note
from memory.log import Message
from memory.log.models import Origin


def test_an_owners_note_is_no_rule_of_sams_whatever_its_name() -> None:
    text = "- Always back up (updated:: 2026-02-12)"
    [own] = of_note("Sam/knowledge/rules.md", text, sam_dir="Sam", limit=100)
    [owners] = of_note("knowledge/rules.md", text, sam_dir="Sam", limit=100)
    assert (own.kind, own.text, own.priority) == ("rule", "Always back up", 0)
    assert (owners.kind, owners.text, owners.priority) == ("note", "- Always back up", 1)
    assert own.date == owners.date == "2026-02-12"


def test_a_message_is_embedded_with_its_speaker_behind_its_lead() -> None:
    assert in_context("", "user", "", "Both!") == "Both!"
    assert in_context("Tea or cake?", "user", "Ana", "Both!") == "Tea or cake?\nAna: Both!"
    assert in_context("Pets > Miso", None, "", "A cat.") == "Pets > Miso\nA cat."
    assert in_context("", "assistant", "", "x" * 999) == ("Sam: " + "x" * 999)[:400]
    assert in_context("Café", None, "", "Cre\u0300me") == "Café\nCr\u00e8me"


def test_a_message_stands_behind_the_question_or_the_piece_before_it() -> None:
    asked = "I baked today. Tea or cake?"
    assert lead_of("Both!", asked, False) == "Tea or cake?"
    assert lead_of("Both!", "I baked today.", False) == ""
    assert lead_of("on Friday", "the vet comes", True) == "the vet comes"
    assert lead_of("x" * 999, asked, False) == "", "it is understood by itself"
    assert len(lead_of("Both!", "why " * 200 + "not?", False)) <= 300


@pytest.mark.parametrize(
    ("chat", "origin", "speaker"),
    [
        ("telegram:12", "owner", ""),
        ("telegram:12:7", "owner", ""),  # in a topic
        ("telegram:12", "other", ""),  # in the chat of another profile
        ("telegram:12", "forwarded", "Ana"),
        ("telegram:-1005", "owner", "Ana"),  # in a group
        ("import:whatsapp:12", "other", "Ana"),
    ],
)
def test_in_a_private_chat_no_message_bears_the_owners_name(
    chat: str, origin: Origin, speaker: str
) -> None:
    at, text = datetime(2026, 2, 12, 9, tzinfo=UTC), "The vet comes on Friday."
    row = Message(
        1, 1, 1, "user", origin, "Ana", "normal", None, at, None, chat, (), text, "pending", None
    )
    [found] = of_message(row, before="", after="", continues=False, zone=UTC, limit=100)
    assert found.author == speaker

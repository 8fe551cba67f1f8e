"""Pictures and documents with endpoints that do not accept them."""

from __future__ import annotations

from bot.claude.compatibility import UNSEEN, Endpoint, features, without
from bot.claude.request import Request, content, message, text_block

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}}
DOCUMENT = {"type": "document", "source": {"type": "base64", "data": "AA"}}
ASKED = Request(
    "llama",
    [],
    [message("user", [PICTURE, text_block("[photo]"), DOCUMENT, text_block("what is it?")])],
    max_tokens=100,
    documents=["the words of the PDF"],
)


def test_a_document_is_given_in_words_and_a_picture_is_said_to_be_missing() -> None:
    plain = without(ASKED, frozenset({"image", "document"}))
    said = [block.get("text") for block in content(plain.messages[0])]
    assert said == [UNSEEN, "[photo]", "the words of the PDF", "what is it?"]
    assert not features(plain) & {"image", "document"}


def test_one_refused_picture_does_not_end_all_pictures() -> None:
    endpoint = Endpoint("http://127.0.0.1")
    doubted = endpoint.suspects(ASKED, "messages.0.content.0.image: Could not process image")
    assert doubted == {"image"}
    endpoint.refuse(doubted | {"tool_choice"})
    assert endpoint.refused == {"tool_choice"}

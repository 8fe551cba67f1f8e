"""Photos, documents and other media through the real handlers, with fake APIs."""

from __future__ import annotations

import asyncio
import base64
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.media import reader
from memory.infra.retry import Backoff
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import media_of
from tests.fakes.telegram import FakeTelegram, File, Group
from tests.support.media import invoice, pdf, photo, png
from tests.support.telegram import BOB, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

FAMILY = Group(-1001000000001, "Family")
RED, BLUE, GREEN = (200, 0, 0), (0, 0, 200), (0, 200, 0)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "BACKOFF", Backoff(0.02, 1.0, tries=4))


def shown(claude: FakeClaude, at: int = -1) -> list[dict[str, Any]]:
    """Return the pictures and documents of a request's newest message."""
    return media_of(claude.chats[at].body["messages"][-1]["content"])


def newest(claude: FakeClaude, at: int = -1) -> list[str]:
    blocks = claude.chats[at].body["messages"][-1]["content"]
    return [block["text"] for block in blocks if block["type"] == "text"]


def bytes_of(block: dict[str, Any]) -> bytes:
    return base64.b64decode(block["source"]["data"])


def gotten(telegram: FakeTelegram) -> list[str]:
    """Return the ids of the files that were downloaded."""
    return [each.fields["file_id"] for each in telegram.requests if each.method == "getFile"]


def downloads(telegram: FakeTelegram) -> int:
    return sum(each.method == "download" for each in telegram.requests)


async def test_a_photo_is_shown_with_its_caption_and_logged_as_a_line(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        sent = await telegram.asks("my new bike", photo=photo(RED))
        assert sent.text == "All right."
        [picture] = shown(claude)
        assert picture["source"]["media_type"] == "image/png"  # by its bytes, not its name
        assert bytes_of(picture) == png(colour=RED)
        await telegram.asks("and its colour?")
        assert not shown(claude), "pictures stand in the newest message only"
        await it.at_rest()
        rows = [(m.origin, m.text) for m in await it.said() if m.role == "user"]
    assert rows == [("owner", "my new bike"), ("file", "[photo]"), ("owner", "and its colour?")]


async def test_a_photo_without_a_word_is_answered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        assert (await telegram.asks("", photo=photo())).text == "All right."
        assert len(shown(claude)) == 1
        await it.at_rest()
        rows = [(m.origin, m.text) for m in await it.said() if m.role == "user"]
    assert rows == [("file", "[photo]")]


async def test_of_a_photo_the_size_that_a_model_can_use_is_fetched(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("look", photo=photo())
    sizes = next(m["photo"] for m in telegram.store.messages.values() if "photo" in m)
    widths = {size["file_id"]: size["width"] for size in sizes}
    assert [widths[one] for one in gotten(telegram)] == [1280]


async def test_an_album_is_one_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.receives("the house", photo=photo(RED), media_group_id="77")
        await asyncio.sleep(0.2)  # Telegram may deliver the rest in its next response
        await telegram.receives("", photo=photo(GREEN), media_group_id="77")
        await telegram.receives("and the garden", photo=photo(BLUE), media_group_id="77")
        await telegram.wait_sent(1)
        await it.at_rest()
        rows = [m for m in await it.said() if m.role == "user"]
    assert len(telegram.sent) == 1 and len(claude.chats) == 1
    assert [bytes_of(each) for each in shown(claude)] == [
        png(colour=each) for each in (RED, GREEN, BLUE)
    ]
    assert [m.text for m in rows] == [
        "the house",
        "[photo]",
        "[photo]",
        "and the garden",
        "[photo]",
    ]
    assert len({m.turn_id for m in rows}) == 1


async def test_a_pdf_is_shown_as_a_document_and_logged_with_its_words(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("pay this?", document=invoice("Total: 412 euro", "page two"))
        [document] = shown(claude)
        assert document["type"] == "document" and document["title"] == "invoice.pdf"
        assert bytes_of(document) == pdf("Total: 412 euro", "page two")
        assert not any("412" in text for text in newest(claude)), "it is not sent twice"
        assert any("[PDF: invoice.pdf, 2 pages]" in text for text in newest(claude))
        await telegram.asks("how much was it?")
        history = str(claude.chats[-1].body["messages"][:-1])
        assert "> Total: 412 euro" in history and "(file invoice.pdf: not" in history
        await it.at_rest()
        [row] = [m for m in await it.said() if m.origin == "file"]
        found = await it.profiles["owner"].memory.recall("412 euro")
    assert row.text == "[PDF: invoice.pdf, 2 pages]\nTotal: 412 euro\n\npage two"
    assert any("412" in hit.text for hit in found.hits)


async def test_a_damaged_pdf_ends_no_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        broken = File(b"%PDF-1.4 nothing", "odd.pdf", "application/pdf")
        assert (await telegram.asks("what is it?", document=broken)).text == "All right."
    assert not shown(claude)
    assert any("[PDF: odd.pdf, damaged: I cannot read it]" in text for text in newest(claude))


async def test_a_pdf_with_half_a_character_or_none_ends_no_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    """As of an emoji whose font names it by halves: no database takes one."""
    odd = pdf("Total AB 412", letters="<41> <D83D>\n<42> <0000>")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.asks("pay this?", document=File(odd, "odd.pdf", "application/pdf"))
        await it.at_rest()
        [row] = [m for m in await it.said() if m.origin == "file"]
    assert told.text == "All right."
    assert row.text == "[PDF: odd.pdf, 1 page]\nTotal ? 412"


async def test_a_picture_that_claude_refuses_ends_no_turn_and_the_next_is_shown(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        half = File(b"\xff\xd8\xff", "photo.jpg", "image/jpeg")
        assert (await telegram.asks("look", photo=half)).text == "All right."
        assert not shown(claude)
        assert any("could not be shown" in text for text in newest(claude))
        assert [each.message[-23:] for each in claude.refused] == ["Could not process image"]
        claude.forgives(400, since=0)
        await telegram.asks("and this", photo=photo())
    assert len(shown(claude)) == 1


@pytest.mark.parametrize(
    ("data", "name", "mime"),
    [
        ("Zürich, 12°".encode(), "a.csv", "text/csv"),
        ("Zürich, 12°".encode("utf-16"), "a.txt", "text/plain"),
        (("Zürich, 12° und schöne Grüße aus den Bergen. " * 9).encode("cp1252"), "a.md", ""),
        ('{"where": "Zürich, 12°"}'.encode(), "a.json", "application/json"),
    ],
)
async def test_a_text_file_is_read_whatever_its_encoding(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    data: bytes,
    name: str,
    mime: str,
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("read it", document=File(data, name, mime))
        assert any("Zürich, 12°" in text for text in newest(claude))
        await it.at_rest()
        [row] = [m for m in await it.said() if m.origin == "file"]
    assert row.text.startswith(f"[file: {name}]\n") and "Zürich, 12°" in row.text


async def test_of_a_saved_web_page_the_visible_text_is_read(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    page = b"<!DOCTYPE html><script>track()</script><p>Opens at 9 &amp; closes at 5</p>"
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("read it", document=File(page, "museum.html", "text/html"))
        await it.at_rest()
        [row] = [m for m in await it.said() if m.origin == "file"]
    assert row.text == "[file: museum.html]\nOpens at 9 & closes at 5"


async def test_a_long_text_is_clipped_where_one_sees_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    lines = "\n".join(f"row {n}" for n in range(20_000))
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("read it", document=File(lines.encode(), "a.csv", "text/csv"))
        await it.at_rest()
        [row] = [m for m in await it.said() if m.origin == "file"]
    assert "characters left out …]" in row.text and len(row.text) < 21_000


async def test_what_is_no_text_is_named_and_nothing_more(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("read it", document=File(b"\x00\x01\x02", "a.txt", "text/plain"))
        await telegram.asks("and this", document=File(b"PK", "a.zip", "application/zip"))
    assert any("a.txt, not text that I can read" in text for text in newest(claude, 0))
    assert any("a.zip, which I cannot view" in text for text in newest(claude, 1))
    assert downloads(telegram) == 2, "a ZIP is fetched to see whether it can be imported"
    kept = (tmp_path / "data" / "media").iterdir()
    assert [path.suffix for path in kept] == [".txt"], "and is not kept where it cannot"


VIDEO = {
    "file_id": "v",
    "file_unique_id": "u",
    "width": 640,
    "height": 360,
    "duration": 75,
    "file_size": 400_000_000,
}
EVE_CARD = {"phone_number": "+49 30 1", "first_name": "Eve", "last_name": "Smith"}
POLL = {
    "id": "1",
    "question": "Where to?",
    "options": [
        {"text": name, "voter_count": 0, "persistent_id": name} for name in ("Rome", "Oslo")
    ],
    "total_voter_count": 0,
    "is_closed": False,
    "is_anonymous": True,
    "type": "regular",
    "allows_multiple_answers": False,
    "allows_revoting": False,
    "members_only": False,
}
STICKER = {
    "file_id": "s",
    "file_unique_id": "u",
    "width": 512,
    "height": 512,
    "is_animated": False,
    "is_video": False,
    "type": "regular",
    "emoji": "🎉",
}
BERLIN = {"longitude": 13.4, "latitude": 52.5}


@pytest.mark.parametrize(
    ("fields", "origin", "text"),
    [
        ({"sticker": STICKER}, "owner", "[sticker 🎉]"),
        ({"dice": {"emoji": "🎲", "value": 4}}, "owner", "[dice 🎲: 4]"),
        ({"location": BERLIN}, "owner", "[location: 52.50000, 13.40000]"),
        ({"poll": POLL}, "owner", "[poll: “Where to?” Rome; Oslo]"),
        (
            {"checklist": {"title": "Trip", "tasks": [{"id": 1, "text": "pack"}]}},
            "owner",
            "[checklist: “Trip” pack]",
        ),
        ({"contact": EVE_CARD}, "file", "[contact: Eve Smith, +49 30 1]"),
        (
            {"venue": {"location": BERLIN, "title": "Zoo", "address": "Budapester Str. 1"}},
            "file",
            "[place: Zoo, Budapester Str. 1 (52.50000, 13.40000)]",
        ),
        ({"video": VIDEO}, "file", "[video, 1:15, which I cannot view]"),
        ({"animation": VIDEO}, "file", "[animation, 1:15, which I cannot view]"),
    ],
)
async def test_everything_else_becomes_a_line_of_words(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    fields: dict[str, Any],
    origin: str,
    text: str,
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        assert (await telegram.asks("", **fields)).text == "All right."
        await it.at_rest()
        rows = [(m.origin, m.text) for m in await it.said() if m.role == "user"]
    assert rows == [(origin, text)]
    assert any(text in shown for shown in newest(claude))


async def test_the_address_that_a_word_links_to_is_kept(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    def linked(offset: int, length: int, url: str) -> dict[str, Any]:
        return {"type": "text_link", "offset": offset, "length": length, "url": url}

    soup, shop = "https://food.example/soup", "https://shop.example/"
    async with sam(telegram, claude, tmp_path) as it:
        marks = [linked(3, 5, soup), linked(13, 12, shop), linked(26, 3, "tg://user?id=1")]
        await telegram.asks("🍲 soup\nfrom shop.example Bob", entities=marks)
        caption = {"caption_entities": [linked(0, 4, soup)]}
        await telegram.asks("this", photo=photo(), forwarded_from="News", **caption)
        await telegram.asks("/remember the soup", entities=[linked(14, 4, soup)])
        await telegram.asks("see food.example", entities=[linked(4, 12, soup)])
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert texts[:2] == [f"🍲 soup ({soup})\nfrom shop.example Bob", f"this ({soup})"]
    assert texts[-1] == f"see food.example ({soup})"
    assert f"the soup ({soup})" in (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")


async def test_without_a_model_what_was_sent_is_noted_and_quoted_as_sent(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    plan = File(b"PK", "plan.docx", "application/msword")
    none = {"anthropic_api_key": "", "anthropic_base_url": None}
    async with sam(telegram, claude, tmp_path, **none) as it:
        await telegram.asks("hello")
        assert "Noted." in (await telegram.asks("", contact=EVE_CARD)).text
        given = await telegram.asks("", contact=EVE_CARD, forwarded_from="News")
        assert given.text == "Noted."
        given = await telegram.asks("The code is 88", photo=photo(), forwarded_from="News")
        assert given.text == "Noted."
        assert "I cannot see" in (await telegram.asks("", document=plan)).text
        assert "I cannot see" in (await telegram.asks("", photo=photo())).text
        found = await telegram.asks("what is the number of Eve Smith?")
        assert "Sent today: [contact: Eve Smith, +49 30 1]" in found.text
        found = await telegram.asks("where is the plan.docx?")
        assert "Sent today: [file: plan.docx" in found.text
        authors = [m.author for m in await it.said() if m.origin == "file"]
    assert authors[:2] == ["", "News"]


async def test_a_file_that_is_too_large_is_refused_in_a_sentence_and_not_fetched(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    large = File(pdf("x"), "scan.pdf", "application/pdf", size=3_000_000)
    async with sam(telegram, claude, tmp_path, media_max_mb=2) as it:
        sent = await telegram.asks("", document=large)
        assert "too large" in sent.text and "3.0 MB" in sent.text and "up to 2 MB" in sent.text
        assert not claude.chats
        with_words = await telegram.asks("what does it say?", document=large)
        assert "All right." in with_words.text and "too large" in with_words.text
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert not gotten(telegram) and not downloads(telegram)
    assert texts == ["[PDF: scan.pdf]", "what does it say?", "[PDF: scan.pdf, too large]"]


async def test_a_file_that_is_larger_than_telegram_said_is_cut_off(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    lying = File(pdf("x" * 1_500_000), "scan.pdf", "application/pdf", size=100)
    async with sam(telegram, claude, tmp_path, media_max_mb=1):
        sent = await telegram.asks("look", document=lying)
    assert "All right." in sent.text and "too large" in sent.text
    assert not [*(tmp_path / "data" / "media").iterdir()]


async def test_a_file_that_the_disk_refuses_is_said_and_the_question_answered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "media").write_text("no folder")
    async with sam(telegram, claude, tmp_path) as it:
        sent = await telegram.asks("what is it?", photo=photo())
        kept = await telegram.asks("/keep", photo=photo())
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert "All right." in sent.text and "could not store the photo: my disk" in sent.text
    assert kept.text == sent.text.removeprefix("All right.\n\n").strip("*")
    assert texts == ["what is it?", "[photo, could not be stored]"]


@pytest.mark.parametrize("status", [500, 429, 404])
async def test_a_download_that_fails_is_tried_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, status: int
) -> None:
    async with sam(telegram, claude, tmp_path):
        telegram.fails(status, method="download")
        telegram.cuts(method="getFile")
        assert (await telegram.asks("look", photo=photo())).text == "All right."
    assert len(shown(claude)) == 1
    assert downloads(telegram) == 2


async def test_a_file_that_cannot_be_had_is_said_and_the_words_are_answered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        telegram.fails(
            400, method="getFile", times=None, description="Bad Request: invalid file_id"
        )
        sent = await telegram.asks("look", photo=photo())
    assert "All right." in sent.text and "could not get the photo" in sent.text
    assert any("[photo, could not be fetched]" in text for text in newest(claude))


async def test_nothing_of_a_stranger_is_fetched(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.stranger("look", photo=photo())
        await telegram.stranger("", document=invoice("x"), media_group_id="5")
        await telegram.asks("hello")  # updates arrive in order: the stranger's came before it
        await it.at_rest()
    assert not gotten(telegram) and not downloads(telegram)
    assert not (tmp_path / "data" / "media").exists()


async def test_in_a_group_only_what_sam_is_asked_by_those_it_knows_is_fetched(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    given = {"telegram_allowed_groups": f"{FAMILY.id}"}
    async with sam(telegram, claude, tmp_path, **given) as it:
        await telegram.receives("for all of you", photo=photo(), chat=FAMILY)
        await telegram.receives("@sam_the_bot look", photo=photo(), chat=FAMILY, user=BOB)
        await telegram.wait_sent(1)
        assert not gotten(telegram)
        assert any("[photo]" in text for text in newest(claude)), "it is told, and not fetched"
        await telegram.receives("@sam_the_bot and this", photo=photo(), chat=FAMILY)
        await telegram.wait_sent(2)
        await it.at_rest()
    assert len(gotten(telegram)) == 1 and len(shown(claude)) == 1
    assert not (tmp_path / "data" / "media").exists(), "a group has its own folder"


async def test_in_an_incognito_chat_nothing_is_fetched(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito")
        told = await telegram.asks("my bike", photo=photo())
        assert "I fetch no files where I keep nothing" in told.text and "photo" in told.text
        assert shown(claude) == []
        assert "[photo, not fetched]" in str(claude.chats[-1].body["messages"][-1])
        told = await telegram.asks("", document=invoice("Total: 412 euro"))
        assert "I fetch no files" in told.text
        await telegram.asks("how much?")
        assert "412 euro" not in str(claude.requests)
        assert downloads(telegram) == 0
        await it.at_rest()
        assert [m.text for m in await it.said()] == []
    assert not (tmp_path / "data" / "media").exists()
    for path in (tmp_path / "data").rglob("*"):
        assert path.is_dir() or b"412 euro" not in path.read_bytes(), path


async def test_a_reply_to_a_photo_shows_it_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        sent = await telegram.receives("my bike", photo=photo(BLUE))
        await telegram.wait_sent(1)
        await telegram.asks("which colour?", reply_to=sent)
        assert [bytes_of(each) for each in shown(claude)] == [png(colour=BLUE)]
        await it.at_rest()
        assert [m.text for m in await it.said() if m.role == "user"][2:] == [
            "> my bike\n\nwhich colour?",
            "[photo, sent before]",
        ]
    assert downloads(telegram) == 1, "it was on the disk"


async def test_a_photo_that_two_messages_of_a_turn_reply_to_is_shown_once(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, burst_seconds=1.0) as it:
        sent = await telegram.receives("my bike", photo=photo(BLUE))
        await telegram.wait_sent(1)
        for words in ("which colour?", "and which size?"):
            await telegram.receives(words, reply_to=sent)
        await telegram.wait_sent(2)
        assert [bytes_of(each) for each in shown(claude)] == [png(colour=BLUE)]
        await it.at_rest()
        assert [m.text for m in await it.said() if m.role == "user"][2:] == [
            "> my bike\n\nwhich colour?",
            "[photo, sent before]",
            "> my bike\n\nand which size?",
        ]


async def test_a_reply_to_a_photo_of_the_same_turn_shows_it_once(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, burst_seconds=1.0):
        sent = await telegram.receives("my bike", photo=photo(BLUE))
        await telegram.receives("which colour?", reply_to=sent)
        await telegram.wait_sent(1)
        assert [bytes_of(each) for each in shown(claude)] == [png(colour=BLUE)]


async def test_a_forwarded_photo_is_of_whom_it_is_from(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("look at that", photo=photo(), forwarded_from="Eve")
        await it.at_rest()
        rows = [(m.origin, m.author) for m in await it.said() if m.role == "user"]
    assert rows == [("forwarded", "Eve"), ("file", "photo.jpg, from Eve")]


async def test_the_history_with_files_stays_a_byte_prefix(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("hello")
        await telegram.asks("my bike", photo=photo())
        await telegram.asks("pay?", document=invoice("Total: 412 euro"))
        await telegram.asks("read", document=File(b"a,b\n1,2", "a.csv", "text/csv"))
        await telegram.asks("", sticker=STICKER)
        await telegram.asks("thanks")
    histories = [str(_plain(request.body["messages"][:-1])) for request in claude.chats]
    assert len(histories) == 6
    for before, after in pairwise(histories):
        assert after.startswith(before.rstrip("]")), "what was sent is only ever added to"
    assert not any(media_of(m["content"]) for m in claude.chats[-1].body["messages"])


def _plain(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages without breakpoints, with strings as text blocks."""
    return [
        {
            "role": m["role"],
            "content": [
                {k: v for k, v in b.items() if k != "cache_control"}
                for b in (
                    [{"type": "text", "text": m["content"]}]
                    if isinstance(m["content"], str)
                    else m["content"]
                )
            ],
        }
        for m in messages
    ]

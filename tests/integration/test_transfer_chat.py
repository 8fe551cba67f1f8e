"""Import and export in the chat: what their buttons show and do, and what is left behind."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from bot.chat.transfer import export as chat_export
from bot.telegram import callbacks
from memory.log.imports.imports import Imports
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, File, Person, Sent
from tests.support import exports
from tests.support.buttons import buttons, press, press_again
from tests.support.mailboxes import ANNA, mail
from tests.support.telegram import BOB, Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

TALKS = {
    "Parrots": [("user", "My parrot is called Coco."), ("assistant", "A fine name.")],
    "Boats": [("user", "The canoe is behind the shed."), ("assistant", "Noted.")],
    "Bread": [("user", "I bake on Sundays."), ("assistant", "Enjoy.")],
}
NO_MODEL = {"anthropic_api_key": None, "anthropic_base_url": None}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "PERIOD", 0.05)


def chatgpt(name: str = "stuff.bin", talks: Any = TALKS) -> File:
    """Return an export of ChatGPT under a neutral file name."""
    return File(json.dumps(exports.chatgpt(talks)).encode(), name, "application/octet-stream")


async def sends(telegram: FakeTelegram, file: File, caption: str = "", **how: Any) -> Sent:
    """Send a file, and return the first answer."""
    before = len(telegram.sent)
    await telegram.receives(caption, document=file, **how)
    return (await telegram.wait_sent(before + 1))[before]


async def edited(telegram: FakeTelegram, words: str) -> Sent:
    """Return the last edit that contains these words."""

    def find(fake: FakeTelegram) -> Sent | None:
        return next((each for each in reversed(fake.edited) if words in each.text), None)

    found: Sent = await telegram.wait_for(find)
    return found


def left(folder: Path) -> list[str]:
    return [path.name for path in (folder / "data" / "media").glob("*")]


async def imports_of(it: Sam) -> list[tuple[int, int, bool]]:
    rows = await it.profiles["owner"].memory.log.imports.all()
    return [(row.chats, row.messages, row.ended_at is not None) for row in rows]


# ── import ───────────────────────────────────────────────────────────────────────────────────


async def test_an_export_is_offered_by_its_content_imported_and_undone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/todo milk")
        offered = await sends(telegram, chatgpt())
        assert "This looks like an export from ChatGPT** (stuff.bin)" in offered.text
        assert "3 chats, 6 messages, from 2023-03-05 to 2023-03-07" in offered.text
        assert "Parrots: 2 messages" in offered.text and "3 summaries" in offered.text
        half = "Import at half the price"
        assert list(buttons(offered)) == ["Import all", "Choose chats", half, "Cancel"]
        assert await imports_of(it) == [] and await it.texts() == [], "nothing happens unasked"
        await press(telegram, offered, "Import all")
        done = await edited(telegram, "Imported: 3 chats, 6 messages")
        assert "I tell you what I have learned" in done.text
        assert list(buttons(done)) == ["Undo this import"]
        assert await press_again(telegram, offered, "Import all") == "That is already done."
        assert await imports_of(it) == [(3, 6, True)]
        found = await telegram.asks("/search canoe")
        assert "The canoe is behind the shed." in found.text

        listed = await telegram.asks("/import")
        assert "stuff.bin · 3 chats, 6 messages, 6 not summarised yet" in listed.text
        asked = await telegram.asks("/import undo")
        assert list(buttons(asked)) == ["Undo it", "Leave it"]
        await press(telegram, asked, "Undo it")
        await edited(telegram, "↩️ Undone: 6 messages and 0 notes removed.")
        assert await imports_of(it) == [] and await it.texts() == []
        change = await telegram.asks("/undo")
        assert "cannot be brought back" not in change.text, change.text
        assert "remove “milk” (tasks.md)" in change.text
        assert await press_again(telegram, done, "Undo this import") == (
            "That import no longer exists."
        )
        assert "canoe is" not in (await telegram.asks("/search canoe")).text
    assert claude.requests == []


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            "7 entries are left out:\n\n- Boats: it has no time that can be read\n"
            "- (without a title): it has no id, or no messages in “mapping”\n",
        ),
        (
            "de",
            "7 Einträge sind nicht dabei:\n\n- Boats: keine lesbare Zeitangabe\n"
            "- (ohne Titel): keine Kennung, oder keine Nachrichten in „mapping“\n",
        ),
    ],
)
async def test_what_is_left_out_is_named_with_the_reason(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, language: str, lines: str
) -> None:
    parrots, boats, bread = exports.chatgpt(TALKS)
    boats |= {"create_time": None, "update_time": None, "mapping": {}}
    del bread["id"], bread["conversation_id"], bread["title"]
    given = json.dumps([parrots, boats, bread, *[{"title": "*Empty*"}] * 5]).encode()
    user = Person(ANA.id, "Ana", language_code=language)
    async with sam(telegram, claude, tmp_path):
        file = File(given, "stuff.bin", "application/octet-stream")
        offered = await sends(telegram, file, user=user)
        assert lines in offered.text.replace("  \n", "\n")
        assert offered.text.count("- \\*Empty\\*: ") == 3 and "- … " in offered.text


async def test_summaries_are_ordered_in_bulk_by_a_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        offered = await sends(telegram, chatgpt())
        assert "Batches API: about" in offered.text
        await press(telegram, offered, "Import at half the price")
        await edited(telegram, "Imported: 3 chats, 6 messages")
        assert await it.profiles["owner"].memory.log.bulk.waiting() == (0, True)


async def test_some_of_the_chats_are_chosen(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up, known = list[int](), Imports.known

    async def counted(self: Imports[Any], said: Any) -> list[bool]:
        looked_up.append(len(said))
        return await known(self, said)

    monkeypatch.setattr(Imports, "known", counted)
    talks = {f"Talk {n:02}": [("user", f"Fact number {n}.")] for n in range(1, 12)}
    async with sam(telegram, claude, tmp_path) as it:
        shown = await sends(telegram, chatgpt("conversations.json", talks))
        assert "… and 3 more" in shown.text
        await press(telegram, shown, "Choose chats")
        shown = await edited(telegram, "Which chats?")
        await press(telegram, shown, "▫️ 2 Talk 02")
        shown = await edited(telegram, "2. ✅ Talk 02")
        await press(telegram, shown, "More →")
        shown = await edited(telegram, "11. Talk 11")
        assert "← Back" in buttons(shown) and "More →" not in buttons(shown)
        await press(telegram, shown, "▫️ 11 Talk 11")
        shown = await edited(telegram, "11. ✅ Talk 11")
        await press(telegram, shown, "Import 2 chats")
        await edited(telegram, "Imported: 2 chats, 2 messages")
        said = [m.text for m in await it.profiles["owner"].memory.log.messages.recent(50)]
        assert said == ["Fact number 2.", "Fact number 11."]
    assert looked_up == [11], "the choice needs only the chats"


async def test_where_the_file_does_not_tell_it_is_asked_who_the_owner_is(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    text = exports.whatsapp([("Anna", "On Friday?"), ("Max", "Yes."), ("Anna", "Fine.")])
    async with sam(telegram, claude, tmp_path) as it:
        offered = await sends(telegram, File(text.encode(), "_chat.txt"))
        assert "an export from WhatsApp" in offered.text and "Who wrote: Anna (2), Max (1)" in (
            offered.text
        )
        await press(telegram, offered, "Import")
        asked = await edited(telegram, "Which one are you?")
        assert list(buttons(asked)) == ["Anna", "Max", "None of them", "Cancel"]
        await press(telegram, asked, "Max")
        await edited(telegram, "Imported: 1 chat, 3 messages")
        said = await it.said()
        assert [(m.origin, m.author) for m in said] == [
            ("other", "Anna"),
            ("owner", "Max"),
            ("other", "Anna"),
        ]


async def test_the_same_file_again_adds_nothing_and_cancel_deletes_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        for words in ("Imported: 3 chats, 6 messages", "All 6 messages in it are already here"):
            await press(telegram, await sends(telegram, chatgpt()), "Import all")
            await edited(telegram, words)
        assert await imports_of(it) == [(3, 6, True)]
        more = {**TALKS, "Boat": [("user", "The boat is green."), ("assistant", "Noted.")]}
        offered = await sends(telegram, chatgpt(talks=more))
        assert "4 chats, 8 messages" in offered.text
        assert "New: 2. Already here: 6." in offered.text and "2 summaries" not in offered.text
        offered = await sends(telegram, chatgpt())
        assert "All of them are already here." in offered.text
        assert "It takes" not in offered.text and "\n\n\n" not in offered.text
        before = len(left(tmp_path))
        await press(telegram, offered, "Cancel")
        assert "I have deleted the file" in (await edited(telegram, "Nothing was imported")).text
        assert len(left(tmp_path)) == before - 1
        await press_again(telegram, offered, "Import all")
        gone = await edited(telegram, "I no longer have that file")
        assert list(buttons(gone)) == ["Try again"]


async def test_what_is_no_export_is_read_as_before_and_a_question_is_answered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        claude.responds_with("A shopping list.", when="request.json")
        request = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]})
        answer = await sends(telegram, File(request.encode(), "request.json", "application/json"))
        assert "A shopping list." in answer.text
        zipped = BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("readme.txt", "hello")
        before = len(left(tmp_path))
        claude.responds_with("A ZIP that I cannot look into.", when="src.zip")
        said = await sends(telegram, File(zipped.getvalue(), "src.zip", "application/zip"))
        assert "A ZIP that I cannot look into." in said.text
        assert len(left(tmp_path)) == before, "a file that nothing reads is not kept"
        claude.responds_with("About parrots.", when="What is this about?")
        offered = await sends(telegram, chatgpt("c.json"), caption="What is this about?")
        assert "This looks like" in offered.text
        [*_, said] = await telegram.wait_sent(4)
        assert "About parrots." in said.text
        await it.at_rest()


def hostile(name: str) -> File:
    """Return a ZIP with an entry that leads out of its folder."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("../conversations.json", json.dumps(exports.chatgpt(TALKS)))
    return File(made.getvalue(), name, "application/zip")


async def test_a_damaged_or_hostile_file_is_refused_in_a_sentence_and_not_kept(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    broken = File(json.dumps(exports.chatgpt(TALKS)).encode()[:-5], "c.json", "application/json")
    async with sam(telegram, claude, tmp_path) as it:
        said = await sends(telegram, broken)
        assert said.text.startswith("c.json is no valid JSON") and buttons(said) == {}
        said = await sends(telegram, hostile("h.zip"))
        assert said.text.startswith("h.zip has an entry that leads out of its folder")
        huge = File(b"PK", "history.zip", "application/zip", size=30_000_000)
        said = await sends(telegram, huge)
        assert "`sam import FILE`" in said.text
        assert left(tmp_path) == [] and await imports_of(it) == []
    assert claude.requests == []


async def test_without_a_model_each_file_that_cannot_be_read_is_answered_with_the_reason(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    whole, empty = BytesIO(), BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("conversations.json", json.dumps(exports.chatgpt(TALKS)))
    zipfile.ZipFile(empty, "w").close()
    utf16 = json.dumps(exports.chatgpt(TALKS)).encode("utf-16")
    noise = bytes(range(256)) * 20
    unseen = "I cannot see what is in it"
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        for data, name, kind, why in (
            (whole.getvalue()[:300], "half.zip", "application/zip", "a damaged or locked ZIP"),
            (empty.getvalue(), "empty.zip", "application/zip", "has no conversations.json"),
            (noise, "noise.zip", "application/zip", "none of what can be imported"),
            (utf16, "conversations.json", "application/json", "not in UTF-8"),
            (noise, "noise.bin", "application/octet-stream", unseen),
            (noise, "noise.txt", "text/plain", unseen),
            (b"\xff\xd8\xff" + noise, "photo.jpg", "image/jpeg", unseen),
            (b"The tent is at Eva's.", "tent.txt", "text/plain", "Noted."),
        ):
            said = await sends(telegram, File(data, name, kind))
            assert why in said.text, (name, said.text)
        assert await imports_of(it) == []


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16"])
async def test_a_whatsapp_chat_in_another_encoding_is_offered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, encoding: str
) -> None:
    chat = exports.whatsapp([("Jörg", "Grüße aus Köln"), ("Zoé", "Ça va très bien")], "android-gb")
    data = chat.replace("\u200e", "").encode(encoding)
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        offered = await sends(telegram, File(data, "_chat.txt", "text/plain"))
        assert "an export from WhatsApp" in offered.text and "Jörg (1), Zoé (1)" in offered.text
        await press(telegram, offered, "Import")
        asked = await edited(telegram, "Which one are you?")
        await press(telegram, asked, "None of them")
        await edited(telegram, "Imported: 1 chat, 2 messages")
        said = [m.text for m in await it.profiles["owner"].memory.log.messages.recent(50)]
        assert said == ["Grüße aus Köln", "Ça va très bien"]


async def test_the_name_of_a_whatsapp_chat_tells_who_the_owner_is(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    chat = exports.whatsapp([("Jörg", "In the shed."), ("Zoé", "Thanks!")], "android-gb").encode()
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        offered = await sends(telegram, File(chat, "WhatsApp Chat with Jörg.txt", "text/plain"))
        assert "- Jörg: 2 messages" in offered.text
        await press(telegram, offered, "Import")
        await edited(telegram, "Imported: 1 chat, 2 messages")
        said = await it.profiles["owner"].memory.log.messages.recent(50)
        assert [(m.author, m.origin) for m in said] == [("Jörg", "other"), ("Zoé", "owner")]


@pytest.mark.parametrize("name", ["conversations.json", "Inbox.mbox"])
async def test_of_an_export_that_is_too_large_it_says_how_to_import_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, name: str
) -> None:
    async with sam(telegram, claude, tmp_path, media_max_mb=2):
        file = File(b"From -", name, "application/octet-stream", size=3_000_000)
        said = (await sends(telegram, file)).text
        assert "If this is mail, or an export from" in said
        assert "import it there: `sam import FILE`" in said


async def test_a_mailbox_is_called_mail_and_of_a_zip_with_one_it_says_what_to_do(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    mbox = (
        b"From - Mon Jan 05 10:00:00 2026\n" + mail(ANNA, "The boat is green.", number=1).as_bytes()
    )
    files = {"Takeout/Mail/All mail.mbox": mbox, "Takeout/Keep/a.json": exports.keep_note("Tea.")}
    both = exports.packed(tmp_path / "both.zip", files).read_bytes()
    async with sam(telegram, claude, tmp_path, **NO_MODEL):
        assert "or your mail (mbox), and I will show you" in (await telegram.asks("/import")).text
        offered = await sends(telegram, File(mbox, "Inbox.mbox", "application/mbox"))
        assert "**This looks like mail** (Inbox.mbox)" in offered.text
        offered = await sends(telegram, File(both, "both.zip", "application/zip"))
        assert "This looks like an export from Google Keep" in offered.text
        assert "All mail.mbox: mail in a ZIP has to be unpacked first" in offered.text


async def test_a_zip_with_exports_of_two_programs_is_imported_as_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    files = {
        "conversations.json": json.dumps(exports.chatgpt(TALKS)),
        "result.json": json.dumps(exports.telegram_chat("Anna", [("Anna", "In the shed.")])),
    }
    both = exports.packed(tmp_path / "both.zip", files).read_bytes()
    async with sam(telegram, claude, tmp_path) as it:
        offered = await sends(telegram, File(both, "both.zip", "application/zip"))
        assert "This looks like an export from ChatGPT, Telegram** (both.zip)" in offered.text
        await press(telegram, offered, "Import all")
        await edited(telegram, "Imported: 4 chats, 7 messages")
        assert await imports_of(it) == [(4, 7, True)]


async def test_a_button_is_nobody_elses_and_a_group_is_offered_nothing(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    users = f"{ANA.id},{BOB.id}:bob"
    async with sam(telegram, claude, tmp_path, telegram_allowed_users=users) as it:
        offered = await sends(telegram, chatgpt())
        assert await press(telegram, offered, "Import all", user=BOB) == (
            "That button is not yours."
        )
        assert await imports_of(it) == []


async def test_of_an_incognito_chat_no_file_is_kept_and_nothing_offered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("/incognito")
        said = await sends(telegram, chatgpt("c.json"))
        assert "I fetch no files where I keep nothing" in said.text and left(tmp_path) == []
        assert "incognito" in (await telegram.asks("/export")).text


# ── export ───────────────────────────────────────────────────────────────────────────────────


async def exported(telegram: FakeTelegram, **how: Any) -> Sent:
    """Ask for an export, and return the message with the ZIP."""
    asked = await telegram.asks("/export", **how)
    assert "not encrypted" in asked.text and "`sealed/`" in asked.text
    assert list(buttons(asked)) == ["Send it here", "Leave it"]
    user = how.get("user")
    await press(telegram, asked, "Send it here", **({"user": user} if user else {}))
    found: Sent = await telegram.wait_for(
        lambda fake: next((s for s in fake.sent if s.method == "sendDocument"), None)
    )
    return found


async def test_an_export_comes_as_a_zip_and_leaves_nothing_on_the_disk(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("The canoe is behind the shed.")
        await it.at_rest()
        sent = await exported(telegram)
        file = sent.fields["document"]
        assert file.name == "sam-owner-2026-02-12.zip"
        done = await edited(telegram, "Sent: ")
        assert "2 messages" in done.text
        await it.at_rest()
        assert not (tmp_path / "data" / "transfer").exists()
        with zipfile.ZipFile(BytesIO(file.data)) as archive:
            names = set(archive.namelist())
            assert {"manifest.json", "index.html", "me.md", "messages.jsonl"} <= names
            assert "canoe" in archive.read("messages.jsonl").decode()
        said = await sends(telegram, file)
        assert said.text.startswith("This is an export from Sam")
        assert left(tmp_path) == []


async def test_an_export_that_is_too_large_or_refused_names_the_command(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        telegram.fails(status=400, description="Bad Request: wrong file", method="sendDocument")
        asked = await telegram.asks("/export")
        await press(telegram, asked, "Send it here")
        assert "`sam export DIR`" in (await edited(telegram, "did not accept the file")).text
        monkeypatch.setattr(chat_export, "MOST", 1000)
        asked = await telegram.asks("/export")
        await press(telegram, asked, "Send it here")
        assert "`sam export DIR`" in (await edited(telegram, "a bot can send")).text
        assert not [sent for sent in telegram.sent if sent.method == "sendDocument"]
        await it.at_rest()
        assert not (tmp_path / "data" / "transfer").exists()


async def test_everybody_exports_their_own_memory_and_a_group_none(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    users = f"{ANA.id},{BOB.id}:bob"
    async with sam(telegram, claude, tmp_path, telegram_allowed_users=users) as it:
        await telegram.asks("The canoe is behind the shed.")
        await it.at_rest()
        sent = await exported(telegram, user=BOB)
        assert (sent.chat_id, sent.fields["document"].name) == (BOB.id, "sam-bob-2026-02-12.zip")
        with zipfile.ZipFile(BytesIO(sent.fields["document"].data)) as archive:
            texts = b"".join(archive.read(name) for name in archive.namelist())
        assert b"canoe" not in texts
        await it.at_rest()

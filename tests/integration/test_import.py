"""`sam import`: what is read from each format; kills, repeats and undo."""

from __future__ import annotations

import asyncio
import itertools
import stat
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory import Memory, SummaryDraft, SummaryRequest, errors
from memory.infra.sqlite import Connection
from memory.knowledge import DraftFact
from memory.log import IMPORT
from memory.maintenance import ForgetChoice, forget_words
from memory.summaries import DraftBullet
from memory.transfer import (
    Imported,
    conversations,
    import_conversations,
    import_notes,
    notes_in,
    preview,
    undo,
)
from memory.transfer.file_preview import PORTION
from memory.transfer.formats.source_file import CountingReader
from tests.support import exports
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write

pytestmark = pytest.mark.usefixtures("engine")

TALKS = {
    "Trip to Rome": [
        ("user", "We fly to Rome on the third of May."),
        ("assistant", "A good time for it."),
        ("user", "The hotel is near the Pantheon."),
        ("assistant", "Then you can walk everywhere."),
    ],
    "Bread": [
        ("user", "My sourdough starter is called Fridolin."),
        ("assistant", "Feed Fridolin twice a day."),
        ("user", "It lives in the blue jar."),
    ],
}
LINES = [
    ("Anna", "Shall we meet on Friday?"),
    ("Max", "Yes, at seven in the Rialto."),
    ("Anna", "I am allergic to nuts, remember."),
]


class Model:
    """Summarise by quoting: a bullet per message, and a fact per message of the owner."""

    mark = ""

    def __init__(self) -> None:
        self.asked: list[SummaryRequest] = []

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        self.asked.append(request)
        rows = list(enumerate(request.messages, 1))
        return SummaryDraft(
            summary=f"Talked about {rows[0][1].text}",
            bullets=[DraftBullet(text=row.text, messages=[number]) for number, row in rows],
            facts=[
                DraftFact(category="biographical", text=row.text, messages=[number], quote=row.text)
                for number, row in rows
                if row.origin == "owner"
            ],
        )


async def brought(memory: Memory, path: Path, me: str = "") -> Imported:
    """Import all chats of a file."""
    found = conversations(path)
    seen = await preview(memory, found)
    chats = {chat.chat.name for chat in seen.chats}
    return await import_conversations(memory, found, chats=chats, me=me)


async def rows(memory: Memory) -> list[tuple[str, str, str, str]]:
    """Return origin, author, moment and text of each message in the log."""
    found = sorted(await memory.log.messages.recent(2**31), key=lambda row: row.id)
    return [(m.origin, m.author, f"{m.sent_at:%Y-%m-%dT%H:%M}", m.text) for m in found]


@pytest.mark.parametrize("later", [0, 60])
async def test_different_messages_with_the_same_id_are_all_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    texts = ["The kiln is hot.", "Glaze is in the shed.", "Clay costs nine euros."]
    [talk] = exports.claude({"Kiln": [("human", text) for text in texts]})
    for number, message in enumerate(talk["chat_messages"]):
        at = datetime(2023, 3, 4, 10, tzinfo=UTC) + timedelta(minutes=number * later)
        message |= {"uuid": "same", "created_at": at.isoformat()}
    file = exports.dump(tmp_path / "conversations.json", [talk])

    async def stop(imports: object, import_id: int) -> bool:
        raise errors.StoreError("stopped")

    async with opened(tmp_path) as memory:
        with monkeypatch.context() as patch, pytest.raises(errors.StoreError):
            patch.setattr(type(memory.log.imports), "end", stop)
            await brought(memory, file)
        done = await brought(memory, file)  # it is resumed
        assert (done.messages, done.known) == (3, 0)
        again = await brought(memory, file)
        assert (again.messages, again.known) == (0, 3)
        # In another file, what has a known id is what was imported, however its text is read.
        talk["chat_messages"][0]["content"][0]["text"] = "The kiln is hot [1]."
        again = await brought(memory, exports.dump(tmp_path / "conversations.json", [talk]))
        assert (again.messages, again.known) == (0, 3)
        assert [row[3] for row in await rows(memory)] == texts


async def test_the_time_to_undo_an_import_grows_with_its_messages(tmp_path: Path) -> None:
    seconds = []
    async with opened(tmp_path) as memory:
        for count in (1000, 4000):
            lines = [("Anna", f"Line {number} is about the kiln.") for number in range(count)]
            file = exports.dump(tmp_path / "chat.json", exports.telegram_chat("Anna", lines))
            done = await brought(memory, file)
            assert done.messages == count and done.id is not None
            await memory.reconcile()
            began = time.process_time()
            assert (await undo(memory, done.id)).messages == count
            seconds.append(time.process_time() - began)
    # Four times the messages took twelve times as long when each looked for the one beside it.
    assert seconds[1] < 7 * seconds[0]


async def test_different_messages_with_the_same_id_in_two_files_are_both_imported(
    tmp_path: Path,
) -> None:
    files = []
    for number, text in enumerate(["The kiln is hot.", "Glaze is in the shed."]):
        [talk] = exports.claude({"Kiln": [("human", text)]})
        at = datetime(2023, 3, 4 + number, 10, tzinfo=UTC).isoformat()
        talk |= {"uuid": "same"}
        talk["chat_messages"][0] |= {"uuid": "same", "created_at": at}
        files.append(exports.dump(tmp_path / f"{number}.json", [talk]))
    first, second = files
    async with opened(tmp_path) as memory:
        for file, new in ((first, 1), (second, 1), (first, 0), (second, 0)):
            done = await brought(memory, file)
            assert (done.messages, done.known) == (new, 1 - new)
        [imported, _] = await memory.log.imports.all()
        await undo(memory, imported.id)
        assert (await brought(memory, second)).known == 1
        assert (await brought(memory, first)).messages == 1
        assert len(await rows(memory)) == 2


@pytest.mark.parametrize("first", [0, 1])
async def test_of_messages_with_the_same_id_an_edit_changes_that_of_its_time(
    tmp_path: Path, first: int
) -> None:
    chat = exports.telegram_chat("Anna", [("Anna", "At the kiln."), ("Anna", "At the shed.")])
    one, other = chat["messages"][-2:]
    other["id"] = one["id"]
    edited = [one, other][first]
    async with opened(tmp_path) as memory:
        await brought(memory, exports.dump(tmp_path / "result.json", chat))
        for number, text in enumerate(["At Rialto.", "In Mestre."]):
            edited |= {"text": text, "edited_unixtime": str(1_800_000_000 + number)}
            edited.pop("text_entities", None)
            file = exports.dump(tmp_path / f"later{number}.json", chat)
            for updated in (1, 0):
                done = await brought(memory, file)
                assert (done.messages, done.known, done.updated) == (0, 2 - updated, updated)
        texts = [row[3] for row in await rows(memory)]
    assert texts == (
        ["In Mestre.", "At the shed."] if first == 0 else ["At the kiln.", "In Mestre."]
    )


async def test_the_preview_says_what_the_import_will_add(tmp_path: Path) -> None:
    kiln = [("human", "The kiln is hot."), ("assistant", "Careful.")]
    boat = ("human", "The boat is green, as a parrot is.")
    talks = exports.claude({"Kiln": kiln, "Boat": [boat]})
    async with opened(tmp_path) as memory:
        for number, (given, new) in enumerate([(talks[:1], 2), ([*talks, talks[1]], 1)]):
            file = exports.dump(tmp_path / f"{number}.json", given)
            seen = await preview(memory, conversations(file))
            done = await brought(memory, file)
            assert (seen.messages - seen.known, seen.known) == (done.messages, done.known)
            assert done.messages == new
        assert (seen.batches, seen.characters) == (1, len(boat[1]))


class Counted:
    """A connection that keeps the statements it is given."""

    def __init__(self, db: Connection, statements: list[str]) -> None:
        self._db, self._statements = db, statements

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        self._statements.append(sql)
        return self._db.execute(sql, parameters)


async def test_a_preview_looks_messages_up_by_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    portions = 5
    lines = [("Anna", f"Line {number} of the kiln.") for number in range(portions * PORTION)]
    file = exports.dump(tmp_path / "result.json", exports.telegram_chat("Anna", lines))
    async with opened(tmp_path) as memory:
        statements: list[str] = []
        read = memory.log._db.read

        async def counted(look: Callable[[Any], Any]) -> Any:
            return await read(lambda db: look(Counted(db, statements)))  # type: ignore[arg-type]

        for known in (0, len(lines)):
            with monkeypatch.context() as patch:
                patch.setattr(memory.log._db, "read", counted)
                seen = await preview(memory, conversations(file))
            assert (seen.messages, seen.known) == (len(lines), known)
            assert portions <= len(statements) <= portions + 2, "one for each, and for the titles"
            statements.clear()
            await brought(memory, file)


async def test_an_edited_version_in_the_same_file_is_no_other_message(tmp_path: Path) -> None:
    chat = exports.telegram_chat("Anna", [*LINES[:2], LINES[1]])
    _, second, edited = chat["messages"][-3:]
    edited |= {key: second[key] for key in ("id", "date", "date_unixtime")}
    edited |= {"text": "Yes, at eight.", "edited_unixtime": "1800000000"}
    other = {**edited, "text": "At Rialto!", "date_unixtime": "1700000000"}
    chat["messages"].append(other)
    async with opened(tmp_path) as memory:
        await brought(memory, exports.dump(tmp_path / "result.json", chat), "Max")
        texts = [row[3] for row in await rows(memory)]
    assert texts == [LINES[0][1], "Yes, at eight.", "At Rialto!"]


async def test_of_chatgpt_the_branch_is_imported_that_the_user_saw(tmp_path: Path) -> None:
    made = exports.chatgpt(TALKS, abandoned=[("user", "never mind"), ("assistant", "fine")])
    async with opened(tmp_path) as memory:
        done = await brought(memory, exports.dump(tmp_path / "conversations.json", made))
        assert (done.chats, done.messages, done.known) == (2, 7, 0)
        found = await rows(memory)
        assert [row[3] for row in found] == [text for talk in TALKS.values() for _, text in talk]
        assert found[0][:3] == ("owner", "", "2023-03-05T09:30")
        assert found[1][:3] == ("other", "ChatGPT", "2023-03-05T09:31")
        assert set((await memory.log.imports.titles()).values()) == set(TALKS)
        assert (await memory.log.ledger()).adds_up


async def test_claudes_conversations_come_out_of_their_zip(tmp_path: Path) -> None:
    talk = [("human", "Who wrote Faust?"), ("assistant", "Goethe did.")]
    made = exports.dump(tmp_path / "c.json", exports.claude({"Books": talk})).read_bytes()
    file = exports.packed(
        tmp_path / "data.zip", {"users.json": "[]", "conversations.json": made, "a/b.txt": "x"}
    )
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        assert await rows(memory) == [
            ("owner", "", "2023-03-05T09:30", "Who wrote Faust?"),
            ("other", "Claude", "2023-03-05T09:31", "Goethe did."),
        ]


async def test_of_a_forgotten_chat_no_name_is_left(tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Zebedeus Quill.txt"
    lines = [("Zebedeus Quill", "The allotment has beans"), ("Me", "Mine grows rhubarb")]
    file.write_text(exports.whatsapp(lines, "android-gb"), "utf-8")
    async with opened(tmp_path) as memory:
        await brought(memory, file, me="Me")
        for words, name in (("allotment beans", file.name), ("rhubarb", "whatsapp")):
            kept = await forget_words.find_kept(memory, words)
            assert (await forget_words.forget(memory, ForgetChoice.of(kept.items))).messages == 1
            assert [row.name for row in await memory.log.imports.all()] == [name]


async def test_what_somebody_wrote_is_found_by_the_name_and_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    file.write_text(exports.whatsapp([*LINES, ("Max", "Call Anna tomorrow.")]), "utf-8")
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        await memory.summarise(Model(), reason=IMPORT)
        kept = await forget_words.find_kept(memory, "anna")
        [named, hers] = kept.items
        assert (named.text, hers.text) == ("Call Anna tomorrow.", "2 messages by Anna")
        assert (
            hers.where == ("Anna",) and len(hers.messages) == 2 and "Friday" in " ".join(hers.made)
        )
        assert (await forget_words.find_kept(memory, "Max")).items == ()
        await forget_words.forget(memory, ForgetChoice.of([hers]))
        assert [text for *_, text in await rows(memory)] == [
            "Yes, at seven in the Rialto.",
            "Call Anna tomorrow.",
        ]
        assert "Friday" not in "".join(
            file.read_text("utf-8") for file in (tmp_path / "vault").rglob("*.md")
        )


async def test_of_a_telegram_account_all_chats_come_with_who_said_what(tmp_path: Path) -> None:
    family = exports.telegram_chat(
        "Family", LINES, number=12, kind="private_group", people={"Anna": 4711, "Max": 99}
    )
    private = exports.telegram_chat("Anna", LINES[:2])
    private["messages"][-1] |= {"forwarded_from": "Bob", "forwarded_from_id": "user77"}
    mine = family["messages"][-2]
    mine |= {"forwarded_from": mine["from"], "forwarded_from_id": mine["from_id"]}
    file = exports.dump(tmp_path / "result.json", exports.telegram_all([family, private]))
    async with opened(tmp_path) as memory:
        assert (await brought(memory, file)).chats == 2
        assert [row[:2] for row in await rows(memory)] == [
            ("other", "Anna"),
            ("owner", "Max"),
            ("other", "Anna"),
            ("other", "Anna"),
            ("forwarded", "Bob"),
        ]


async def test_in_a_private_chat_of_telegram_the_owner_is_the_other_one(tmp_path: Path) -> None:
    file = exports.dump(tmp_path / "result.json", exports.telegram_chat("Anna", LINES))
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        assert [row[0] for row in await rows(memory)] == ["other", "owner", "other"]
        assert (await rows(memory))[0][3] == LINES[0][1]


async def test_control_characters_as_telegram_desktop_writes_them_are_read(tmp_path: Path) -> None:
    made = exports.telegram_chat("Anna", [*LINES[:2], ("Anna", "In C:\\x41 it is: \x1bend")])
    made["messages"][-1]["data"] = "1=412\x012=97180"
    file = exports.dump(tmp_path / "result.json", made)
    text = file.read_text("utf-8")
    assert r"\u001b" in text and r"\u0001" in text
    file.write_text(text.replace(r"\u00", r"\x"), "utf-8")
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        assert (await rows(memory))[-1][3] == "In C:\\x41 it is: \x1bend"


async def test_what_a_deleted_account_wrote_is_not_the_owners_when_passed_on(
    tmp_path: Path,
) -> None:
    made = exports.telegram_chat("Anna", LINES)
    made["messages"][-2]["forwarded_from"] = None
    file = exports.dump(tmp_path / "result.json", made)
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        said = [row[:2] for row in await rows(memory)]
        assert said == [("other", "Anna"), ("forwarded", "a deleted account"), ("other", "Anna")]


async def test_of_a_group_it_is_asked_who_the_owner_is(tmp_path: Path) -> None:
    made = exports.telegram_chat("Team", LINES, kind="private_group")
    file = exports.dump(tmp_path / "result.json", made)
    async with opened(tmp_path) as memory:
        seen = await preview(memory, conversations(file))
        assert seen.unknown == {"Anna": 2, "Max": 1}
        await brought(memory, file, me="Anna")
        assert [row[0] for row in await rows(memory)] == ["owner", "other", "owner"]


async def test_the_same_file_again_brings_nothing_and_a_later_one_what_is_new(
    tmp_path: Path,
) -> None:
    first = exports.dump(tmp_path / "a.json", exports.telegram_chat("Anna", LINES[:2]))
    later = exports.dump(tmp_path / "b.json", exports.telegram_chat("Anna", LINES))
    async with opened(tmp_path) as memory:
        await brought(memory, first)
        again = await brought(memory, first)
        assert (again.id, again.messages, again.known) == (None, 0, 2)
        more = await brought(memory, later)
        assert (more.messages, more.known) == (1, 2)
        assert len(await memory.log.imports.all()) == 2 and len(await rows(memory)) == 3


async def test_an_interrupted_import_lets_its_reader_end_first(tmp_path: Path) -> None:
    """Ctrl-C cancels the import while a thread reads the file."""
    file = exports.dump(tmp_path / "a.json", exports.telegram_chat("Anna", LINES))
    begun, go_on = threading.Event(), threading.Event()

    def waits(done: int) -> None:
        begun.set()
        assert go_on.wait(30)

    async with opened(tmp_path) as memory:
        found = conversations(file)
        chats = {each.chat.name for each in found.read(memory.zone)}
        task = asyncio.create_task(import_conversations(memory, found, chats=chats, progress=waits))
        assert await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        await asyncio.wait({task}, timeout=0.05)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        again = await brought(memory, file)
        assert again.messages == 3 and (await memory.log.ledger()).adds_up


async def test_whatsapp_again_brings_nothing_and_the_same_words_twice_are_two(
    tmp_path: Path,
) -> None:
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    same = [("Max", "ok"), ("Max", "ok"), *LINES]
    file.write_text(exports.whatsapp(same, "android-gb", days=0), "utf-8")
    async with opened(tmp_path) as memory:
        assert (await brought(memory, file)).messages == 5
        assert (await brought(memory, file)).known == 5
        # The file name identifies the other person.
        assert [row[0] for row in await rows(memory)] == [
            "owner",
            "owner",
            "other",
            "owner",
            "other",
        ]


async def test_whatsapp_again_brings_nothing_in_another_time_zone(tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    file.write_text(exports.whatsapp(LINES, "android-gb"), "utf-8")
    async with opened(tmp_path, timezone="Europe/Vienna") as memory:
        assert (await brought(memory, file)).messages == 3
    async with opened(tmp_path, timezone="America/New_York") as memory:
        assert (await brought(memory, file)).known == 3


async def test_whatsapp_again_brings_nothing_where_an_earlier_version_stored_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    file.write_text(exports.whatsapp(LINES[:2], "android-gb"), "utf-8")
    async with opened(tmp_path, timezone="Europe/Vienna") as memory:
        read = list(conversations(file).read(memory.zone))
        former = [
            replace(each, id=each.former_ids[-1], chat=replace(each.chat, id="c0ffee"))
            for each in read
        ]
        imports = memory.log.imports
        id_ = await imports.begin("whatsapp", file.name, "mark")
        await imports.add(id_, [each.said("Max") for each in former], {former[0].chat.name: "Anna"})
        await imports.end(id_)
        file.write_text(exports.whatsapp(LINES, "android-gb"), "utf-8")
        again = await brought(memory, file)
        assert (again.messages, again.known) == (1, 2)
        assert len(await imports.titles()) == 1


def a_poll(red: int, white: int) -> tuple[str, str]:
    options = f"OPTION: Red (dry) ({red} votes)\nOPTION: White ({white} votes)"
    return "Anna", f"POLL:\nWhich wine (2)?\n{options}\n"


async def test_a_poll_of_whatsapp_stays_one_when_others_have_voted(tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    async with opened(tmp_path) as memory:
        for count, votes in enumerate([(0, 0), (2, 0), (2, 3)]):
            said = [*LINES, a_poll(*votes), a_poll(*votes)]
            file.write_text(exports.whatsapp(said, "android-gb", days=0), "utf-8")
            again = await brought(memory, file)
            assert (again.messages, again.known) == ((0, 5) if count else (5, 0))
        polls = [text for *_, text in await rows(memory)][3:]
        assert polls == ["[poll: Which wine (2)? Red (dry) (0 votes) / White (0 votes)]"] * 2
        said[3:] = [("Anna", a_poll(2, 3)[1].replace("White", "Port"))]
        file.write_text(exports.whatsapp(said, "android-gb", days=0), "utf-8")
        assert (await brought(memory, file)).messages == 1, "another option is another poll"


@pytest.mark.parametrize("version", [0, 1])
async def test_a_poll_of_whatsapp_stays_one_where_an_earlier_version_stored_it(
    tmp_path: Path, version: int
) -> None:
    """Its id was made of the votes too; the ids of other messages were the same, or older."""
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    file.write_text(exports.whatsapp([*LINES, a_poll(1, 2)], "android-gb"), "utf-8")
    async with opened(tmp_path) as memory:
        read = list(conversations(file).read(memory.zone))
        former = [replace(each, id=each.former_ids[version]) for each in read[3:]]
        said = [each.said("Max") for each in (*read[:3], *former)]
        id_ = await memory.log.imports.begin("whatsapp", file.name, "mark")
        await memory.log.imports.add(id_, said, {said[0].chat: "Anna"})
        await memory.log.imports.end(id_)
        assert (await brought(memory, file)).known == 4


@pytest.mark.parametrize("name", ["WhatsApp Chat with Anna.txt", "WhatsApp Chat with Anni.txt"])
async def test_whatsapp_again_brings_nothing_where_it_begins_otherwise(
    tmp_path: Path, name: str
) -> None:
    """WhatsApp exports the last 40,000 messages, and words its first line differently."""
    said = [*LINES, *LINES, ("Max", "Fine.")]
    rows = exports.whatsapp(said, "android-gb").splitlines(keepends=True)
    file = tmp_path / "WhatsApp Chat with Anna.txt"
    file.write_text("".join(rows[:-1]), "utf-8")
    async with opened(tmp_path) as memory:
        assert (await brought(memory, file)).messages == 6
        for begins in (rows[0].replace("Messages and", "Your"), ""):
            later = tmp_path / name
            later.write_text("".join([begins, *rows[2:]]), "utf-8")
            again = await brought(memory, later)
            assert again.messages == (1 if begins else 0)
        assert len(await memory.log.imports.titles()) == 1


async def test_what_was_sent_to_two_people_stays_in_both_chats(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for name in ("Anna", "Bob"):
            file = tmp_path / f"WhatsApp Chat with {name}.txt"
            said = [("Max", "Happy new year!"), ("Max", "And good health."), (name, "You too!")]
            file.write_text(exports.whatsapp(said, "android-gb", begins=exports.BEGAN), "utf-8")
            text = file.read_text("utf-8").split("\n", 1)
            file.write_text(f"{text[0]} {name}\n{text[1]}", "utf-8")
            assert (await brought(memory, file)).messages == 3
        assert len(await memory.log.imports.titles()) == 2


# ── summaries ────────────────────────────────────────────────────────────────────────────────────


async def test_imported_chats_wait_until_no_live_one_does(tmp_path: Path) -> None:
    talks = {f"Talk {n}": [("user", f"Thing {n} is {m}.") for m in range(70)] for n in range(3)}
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(talks))
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        assert await memory.log.batches.pending() == 0
        assert await memory.log.batches.pending(imported=True) == 210
        await log_exchange(memory, "My bike is red.", "I see.")
        model = Model()
        await memory.summarise(model, reason="threshold")
        assert [len(each.messages) for each in model.asked] == [2]
        await memory.summarise(model, reason=IMPORT)
        assert [len(each.messages) for each in model.asked] == [2, 60], "one batch at a time"
        await memory.summarise(model, reason=IMPORT)
        assert {row.chat for row in model.asked[-1].messages} == {model.asked[1].messages[0].chat}
        assert not any(each.before for each in model.asked), "it may be ordered before the answer"


async def test_what_others_said_stays_theirs_in_summaries_and_no_fact_comes_of_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "_chat.txt"
    file.write_text(exports.whatsapp(LINES, days=0), "utf-8")
    async with opened(tmp_path) as memory:
        await brought(memory, file, me="Max")
        await memory.summarise(Model(), reason=IMPORT)
        await memory.knowledge.consolidate()
        day = (tmp_path / "vault" / "memories" / "2023-03-04.md").read_text("utf-8")
        assert "- Anna said: “I am allergic to nuts, remember.”" in day
        assert "\n- Yes, at seven in the Rialto." in day
        assert not [f for f in await memory.knowledge.every() if "nuts" in f.fact.text]


async def test_secrets_of_an_imported_chat_are_masked(tmp_path: Path) -> None:
    secret = "my password is hunter2-Zebra!77"
    file = exports.dump(
        tmp_path / "conversations.json", exports.chatgpt({"Keys": [("user", secret)]})
    )
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        await brought(memory, file)
        await memory.reconcile()
        await memory.embeddings.embed(8)
        model = Model()
        await memory.summarise(model, reason=IMPORT)
        assert "hunter2" not in model.asked[0].messages[0].text
        assert not [text for text in embedder.texts if "hunter2" in text]


async def test_an_older_statement_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    old = {"Rent": [("user", "My rent is 900 euros.")]}
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(old))
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My rent is 950 euros.", "Noted.")
        await memory.summarise(Model(), reason="asked")
        await memory.knowledge.consolidate()
        await brought(memory, file)
        await memory.summarise(Model(), reason=IMPORT)
        await memory.knowledge.consolidate()
        assert [f.fact.text for f in await memory.knowledge.facts()] == ["My rent is 950 euros"]


# ── undo ─────────────────────────────────────────────────────────────────────────────────────────


def files(folder: Path) -> dict[str, bytes]:
    """Return every file of the vault."""
    vault = folder / "vault"
    return {f"{p.relative_to(vault)}": p.read_bytes() for p in vault.rglob("*") if p.is_file()}


async def state(memory: Memory) -> dict[str, object]:
    """Return the content of vault, log and index, without the edit journal and random numbers."""
    ledger = await memory.log.ledger()
    assert ledger.adds_up, ledger.wrong
    lists: dict[str, object] = {}
    await memory.log.dump(lambda name, found: lists.update({name: list(found)}))
    counts = await memory.index.counts()
    return {
        "messages": await rows(memory),
        "states": (ledger.turns, ledger.messages, ledger.batches),
        "index": {name: counts[name] for name in ("notes", "messages", "chunks")},
        "imports": await memory.log.imports.all(),
        **lists,
    }


async def hits(memory: Memory) -> list[list[tuple[str, int, str, float]]]:
    """Return what is found for questions about the owner's own messages and the imported ones."""
    asked = (
        "What colour is my bike?",
        "Fridolin",
        "hotel near the Pantheon",
        "bread",
        "red",
        "May",
    )
    found = [await memory.recall(question, limit=10) for question in asked]
    return [
        [(hit.path, hit.start_line, hit.text, hit.score) for hit in each.hits] for each in found
    ]


async def test_after_an_undo_all_is_as_before_and_it_can_be_imported_again(tmp_path: Path) -> None:
    clock = Clock()
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "My bike is red.", "I see.")
        await memory.summarise(Model(), reason="asked")
        await memory.knowledge.consolidate()
        await memory.reconcile()
        before, notes, found = await state(memory), files(tmp_path), await hits(memory)
        change = await memory.history.last()
        assert any(found) and change is not None
        clock.forward(minutes=1)
        done = await brought(memory, file)
        assert done.id is not None
        while await memory.log.batches.pending(imported=True):
            await memory.summarise(Model(), reason=IMPORT)
        await memory.knowledge.consolidate()
        await memory.reconcile()
        assert await hits(memory) != found
        assert [f for f in await memory.knowledge.facts() if "Pantheon" in f.fact.text]
        await undo(memory, done.id)
        assert files(tmp_path) == notes
        assert await state(memory) == before
        assert await hits(memory) == found, "hit for hit"
        assert await memory.history.last() == change
        assert await memory.log.forgetting.last() is None, "the owner has forgotten nothing"
        await brought(memory, file)
        await memory.summarise(Model(), reason=IMPORT)
        assert len(await rows(memory)) == 9 and (await memory.log.ledger()).adds_up
        assert "Pantheon" in (tmp_path / "vault/memories/2023-03-05.md").read_text("utf-8")


@pytest.mark.parametrize("order", [*itertools.permutations((1, 2, 3))])
async def test_after_as_many_undos_as_imports_every_score_is_the_same(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My bike is red.", "I see.")
        await log_exchange(memory, "Fridolin bakes bread in May.", "Good.")
        await memory.reconcile()
        before, found = await bm25(memory), await hits(memory)
        assert before and any(found)
        for number in order:
            lines = [("Anna", f"red bread {word}") for word in ["May", "bike", "long"][:number]]
            made = exports.telegram_chat("Anna", lines, number=4710 + number)
            await brought(memory, exports.dump(tmp_path / f"{number}.json", made))
            await memory.reconcile()
        assert await bm25(memory) != before
        for number in sorted(order, key=lambda number: number * 2 % 3):
            await undo(memory, number)
            await memory.reconcile()
        assert await bm25(memory) == before
        assert await hits(memory) == found


async def bm25(memory: Memory) -> list[tuple[str, float]]:
    """Return FTS5's scores, which depend on the number of rows and their average length."""

    def look(db: Connection) -> list[tuple[str, float]]:
        found = db.execute(
            "SELECT chunk.text, bm25(chunk_fts) FROM chunk_fts"
            " JOIN chunk ON chunk.id = chunk_fts.rowid"
            " WHERE chunk_fts MATCH 'red OR bread' ORDER BY chunk.id"
        )
        return [tuple(row) for row in found.fetchall()]

    return await (await memory.index.db()).read(look)


async def test_an_undo_leaves_what_another_import_of_the_chat_brought(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for name, lines in (("a.json", LINES[:2]), ("b.json", LINES)):
            made = exports.telegram_chat("Anna", lines)
            await brought(memory, exports.dump(tmp_path / name, made))
        await memory.summarise(Model(), reason=IMPORT)  # one batch for both
        await undo(memory, 1)
        assert [row[3] for row in await rows(memory)] == [LINES[2][1]]
        ledger = await memory.log.ledger()
        assert ledger.adds_up, ledger.wrong
        day = (tmp_path / "vault/memories/2023-03-04.md").read_text("utf-8")
        assert "nuts" in day and "Rialto" not in day


async def test_a_message_that_was_edited_in_telegram_is_updated(tmp_path: Path) -> None:
    chat = exports.telegram_chat("Anna", [("Anna", "At six?"), ("Max", "At seven.")])
    file = exports.dump(tmp_path / "result.json", chat)
    async with opened(tmp_path) as memory:
        await brought(memory, file)
        row = chat["messages"][-1]
        row |= {"text": "At eight.", "edited_unixtime": str(int(row["date_unixtime"]) + 600)}
        done = await brought(memory, exports.dump(file, chat))
        assert (done.id, done.known, done.updated) == (None, 1, 1)
        found = await memory.log.messages.recent(9)
        assert [(m.text, f"{m.sent_at:%H:%M}") for m in found] == [
            ("At six?", "09:32"),
            ("At eight.", "09:33"),
        ]


# ── notes ────────────────────────────────────────────────────────────────────────────────────────


async def test_notes_are_copied_never_over_others_and_undone(tmp_path: Path) -> None:
    folder = tmp_path / "Notizen"
    for name, text in {
        "a.md": "# A\n\nThe boat is green.\n",
        "deep/b.md": "# B\n",
        ".obsidian/x.md": "no",
        "c.txt": "no",
        "mine.md": "theirs",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "link.md").symlink_to("/etc/passwd")
    write(tmp_path, "imported/Notizen/mine.md", "mine")
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        before = files(tmp_path)
        found = notes_in(folder, tmp_path / "vault")
        assert [note.path.split("/", 2)[2] for note in found.notes] == [
            "a.md",
            "mine.md",
            "deep/b.md",
        ]
        assert found.left_out == ("link.md: it is a link, or no file",)
        done = await import_notes(memory, found)
        assert (done.copied, done.there, done.others) == (2, 0, ["imported/Notizen/mine.md"])
        assert files(tmp_path)["imported/Notizen/mine.md"] == b"mine"
        assert "green" in (await memory.recall("boat")).hits[0].text
        again = await import_notes(memory, found)
        assert (again.id, again.copied, again.there) == (None, 0, 2)
        assert done.id is not None
        undone = await undo(memory, done.id)
        assert undone.notes == 2 and files(tmp_path) == before
        assert await memory.history.changes() == []
        assert not memory.vault.forgotten(), "a copy of the note elsewhere is not to be deleted"


async def test_a_changed_note_replaces_its_copy_unless_the_owner_has_changed_that(
    tmp_path: Path,
) -> None:
    (tmp_path / "In").mkdir()
    note, copy = tmp_path / "In" / "a.md", "imported/In/a.md"
    beside = "imported/In/a (imported again).md"

    async def again(memory: Memory) -> tuple[int, int, int, list[str], list[str]]:
        made = await import_notes(memory, notes_in(tmp_path / "In", tmp_path / "vault"))
        return made.copied, made.updated, made.there, made.beside, made.others

    async with opened(tmp_path) as memory:
        note.write_text("The boat is green.", "utf-8")
        assert await again(memory) == (1, 0, 0, [], [])
        note.write_text("The boat is blue.", "utf-8")
        assert await again(memory) == (0, 1, 0, [], [])
        assert "blue" in (await memory.recall("boat")).hits[0].text
        write(tmp_path, copy, "The boat is blue, I think.")
        assert await again(memory) == (0, 0, 1, [], []), "nothing is new in the folder"
        note.write_text("The boat is red.", "utf-8")
        assert await again(memory) == (1, 0, 0, [beside], [])
        assert await again(memory) == (0, 0, 1, [], [])
        note.write_text("The boat is grey.", "utf-8")
        assert await again(memory) == (0, 1, 0, [], [])
        made = files(tmp_path)
        assert made[copy] == b"The boat is blue, I think." and made[beside] == b"The boat is grey."
        assert (await undo(memory, 1)).stay == (copy,)
        [row] = await memory.log.imports.all()
        assert (await undo(memory, row.id)).notes == 1 and beside not in files(tmp_path)


async def test_a_copied_note_that_was_changed_stays_after_an_undo(tmp_path: Path) -> None:
    (tmp_path / "In").mkdir()
    (tmp_path / "In" / "a.md").write_text("one", "utf-8")
    async with opened(tmp_path) as memory:
        await import_notes(memory, notes_in(tmp_path / "In", tmp_path / "vault"))
        write(tmp_path, "imported/In/a.md", "one and my own words")
        assert (await undo(memory, 1)).stay == ("imported/In/a.md",)
        assert files(tmp_path)["imported/In/a.md"] == b"one and my own words"


async def test_a_killed_undo_leaves_no_copy_of_a_note_outside_the_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "In").mkdir()
    (tmp_path / "In" / "a.md").write_text("The boat is green.", "utf-8")
    places: list[Path] = []
    unlink = Path.unlink

    def watched(path: Path, missing_ok: bool = False) -> None:
        if path.is_file() and b"boat" in path.read_bytes():
            places.append(path.parent.resolve())
        unlink(path, missing_ok)

    async with opened(tmp_path) as memory:
        await import_notes(memory, notes_in(tmp_path / "In", tmp_path / "vault"))
        monkeypatch.setattr(Path, "unlink", watched)
        await undo(memory, 1)
        assert set(places) == {memory.vault.root / "imported" / "In"}


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def bomb(path: Path) -> Path:
    """Write a ZIP of 3 kB that expands to 3 MB of one conversation."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b'[{"mapping": "' + b" " * 3_000_000)
    return path


def linked(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("conversations.json")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    return path


def link(path: Path) -> Path:
    path.symlink_to("/etc/passwd")
    return path


def text(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


CHATGPT = '[{"title": "A", "mapping": {'
HOSTILE = {
    "empty": (lambda at: text(at, ""), "is empty"),
    "nothing": (lambda at: at, "no file"),
    "link": (link, "is a link"),
    "unknown": (lambda at: text(at, "hello\n"), "none of what can be imported"),
    "unknown JSON": (lambda at: text(at, '{"a": 1}'), "none of what can be imported"),
    "cut short": (lambda at: text(at, CHATGPT), "no valid JSON"),
    "broken": (lambda at: text(at, CHATGPT + '"n": {,}}}]'), "no valid JSON"),
    "two in one": (lambda at: text(at, CHATGPT + "}}][1]"), "no valid JSON"),
    "nested": (lambda at: text(at, CHATGPT + '"n":' + "[" * 5000), "each other without end"),
    "latin-1": (lambda at: text(at, CHATGPT.encode() + b'"\xe9": 1}}]'), "no valid JSON"),
    "UTF-16": (lambda at: text(at, '[{"mapping": 1}]'.encode("utf-16")), "not in UTF-8"),
    "bomb": (bomb, "larger than 2 MB"),
    "leads out": (
        lambda at: exports.packed(at, {"../conversations.json": "[]"}),
        "leads out of its folder",
    ),
    "link in a ZIP": (linked, "has a link in it"),
    "no ZIP of ours": (lambda at: exports.packed(at, {"a.txt": "x"}), "has no conversations.json"),
    "cut ZIP": (
        lambda at: text(at, exports.packed(at, {"_chat.txt": "x" * 9999}).read_bytes()[:-20]),
        "none of what|damaged",
    ),
    "long line": (
        lambda at: text(at, exports.whatsapp(LINES) + "x" * 10_000_000),
        "a line of more than",
    ),
    "long message": (
        lambda at: text(at, exports.whatsapp(LINES) + "x" * 1000 + ("\n" + "x" * 1000) * 1001),
        "longer than 1,000,000",
    ),
    "WhatsApp with half a character": (
        lambda at: text(at, exports.whatsapp([("Max", "Grüße")] * 60_000).encode() + b"\xe9\n"),
        "not in UTF-8",
    ),
    "dates of two forms": (
        lambda at: text(
            at,
            exports.whatsapp(LINES, "android-us", days=9)
            + exports.whatsapp(LINES, "android-gb", days=9),
        ),
        "several forms",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_cannot_be_read_is_refused_with_the_reason_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(CountingReader, "MOST_ITEM", 2_000_000)
    made, why = HOSTILE[name]
    file = made(tmp_path / "input")
    async with opened(tmp_path) as memory:
        before = files(tmp_path)
        with pytest.raises(errors.TransferRefused, match=why):
            await brought(memory, file)
        assert await memory.log.imports.all() == [] and await rows(memory) == []
        assert files(tmp_path) == before
    assert {place.name for place in tmp_path.iterdir()} <= {"input", "vault", "data"}

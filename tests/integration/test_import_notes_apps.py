"""Import notes and journals of other apps: what is read, repeats, undo, and damaged files."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory import Memory
from memory.errors import TransferRefused, UnknownFormat
from memory.log import IMPORT
from memory.maintenance import edited_messages
from memory.transfer import (
    Imported,
    Preview,
    conversations,
    import_conversations,
    undo,
    unpacked_exports,
)
from memory.transfer.formats import imported_message
from tests.support import exports
from tests.support.knowledge import FactPerMessage, facts_of
from tests.support.memories import opened

pytestmark = pytest.mark.usefixtures("engine")

BERLIN = ZoneInfo("Europe/Berlin")
EARLY = datetime(2023, 3, 1, 8, tzinfo=UTC)
LATE = datetime(2023, 6, 30, 22, 30, tzinfo=UTC)  # 1 July in Berlin


def texts(path: Path) -> list[str]:
    return [each.text for each in conversations(path).read(BERLIN)]


def seen(path: Path) -> Preview:
    return exports.seen_in(conversations(path), BERLIN)


async def brought(memory: Memory, path: Path) -> Imported:
    """Import all of a file."""
    chats = {chat.chat.name for chat in seen(path).chats}
    return await import_conversations(memory, conversations(path), chats=chats)


async def rows(memory: Memory) -> list[tuple[str, str, str]]:
    """Return origin, moment and text of each message in the log, in its order."""
    found = sorted(await memory.log.messages.recent(2**31), key=lambda row: row.id)
    return [(m.origin, f"{m.sent_at:%Y-%m-%dT%H:%M}", m.text) for m in found]


# ── Google Keep ──────────────────────────────────────────────────────────────────────────────────


async def test_notes_of_keep_come_in_order_of_time_and_none_from_the_bin(tmp_path: Path) -> None:
    file = exports.takeout(
        tmp_path / "takeout-20230701.zip",
        {
            "a": exports.keep_note("The second note.", at=LATE, isArchived=True),
            "b": exports.keep_note("The first note."),
            "c": exports.keep_note("Thrown away.", isTrashed=True),
            "d": exports.keep_note(""),
            "conversations": exports.keep_note("The third note.", at=LATE + timedelta(days=1)),
        },
    )
    async with opened(tmp_path) as memory:
        done = await brought(memory, file)
        assert (done.chats, done.messages) == (1, 3)
        assert await rows(memory) == [
            ("owner", "2023-03-04T09:30", "The first note."),
            ("owner", "2023-06-30T22:30", "The second note."),
            ("owner", "2023-07-01T22:30", "The third note."),
        ]
        assert set((await memory.log.imports.titles()).values()) == {"Google Keep"}


def test_of_a_note_come_its_list_its_labels_and_what_is_attached(tmp_path: Path) -> None:
    items = [{"text": "Milk", "isChecked": True}, {"text": "Bread", "isChecked": False}]
    note = exports.keep_note(
        title="Shopping",
        listContent=items,
        labels=[{"name": "Home"}, {"name": "chats"}],
        attachments=[
            {"filePath": "x.jpg", "mimetype": "image/jpeg"},
            {"filePath": "x.3gp", "mimetype": "audio/3gpp"},
        ],
        annotations=[{"source": "WEBLINK", "title": "Shop", "url": "https://shop.example"}],
        createdTimestampUsec=int(LATE.timestamp() * 1e6),
        userEditedTimestampUsec=int((LATE + timedelta(days=3)).timestamp() * 1e6),
    )
    assert texts(exports.takeout(tmp_path / "t.zip", {"Shopping": note})) == [
        "Shopping\n- [x] Milk\n- [ ] Bread\n[link: Shop https://shop.example]\n[picture]\n[audio]"
        "\n[labels: Home, chats]\n[created: 2023-07-01]"
    ]


def edited_note(text: str) -> str:
    """Return a note of BEGAN with that text, edited LATE."""
    note = json.loads(exports.keep_note(text))
    return json.dumps({**note, "userEditedTimestampUsec": int(LATE.timestamp() * 1e6)})


async def test_the_same_notes_again_bring_nothing_and_an_edited_one_its_new_text(
    tmp_path: Path,
) -> None:
    notes = {
        "a": exports.keep_note("Code of the gate: blue."),
        "b": exports.keep_note("Tea.", at=EARLY),
    }
    async with opened(tmp_path) as memory:
        old = exports.takeout(tmp_path / "1.zip", notes)
        first = await brought(memory, old)
        renamed = {"z": notes["a"], "y": notes["b"]}
        again = await brought(memory, exports.takeout(tmp_path / "2.zip", renamed))
        assert (first.messages, again.messages, again.known) == (2, 0, 2)
        edited = {"A": edited_note("Code of the gate: green."), "b": notes["b"]}
        later = await brought(memory, exports.takeout(tmp_path / "3.zip", edited))
        assert (later.id, later.messages, later.known, later.updated) == (None, 0, 1, 1)
        now = [
            ("owner", "2023-03-01T08:00", "Tea."),
            ("owner", "2023-06-30T22:30", "Code of the gate: green.\n[created: 2023-03-04]"),
        ]
        assert await rows(memory) == now
        stale = await brought(memory, old)
        assert (stale.known, stale.updated) == (2, 0)
        assert await rows(memory) == now, "an older export brings no older text"
        assert first.id is not None
        await undo(memory, first.id)
        assert await rows(memory) == []
        assert (await memory.log.ledger()).adds_up


async def test_notes_that_a_program_made_at_the_same_time_are_several(tmp_path: Path) -> None:
    notes = {name: exports.keep_note(f"Note {name}.") for name in "abc"}
    async with opened(tmp_path) as memory:
        assert (await brought(memory, exports.takeout(tmp_path / "1.zip", notes))).messages == 3
        again = await brought(memory, exports.takeout(tmp_path / "2.zip", notes))
        assert (again.messages, again.known, again.updated) == (0, 3, 0)


def test_an_old_note_without_a_creation_date_has_that_of_its_last_edit(tmp_path: Path) -> None:
    note = json.loads(exports.keep_note("Old.", at=LATE))
    del note["createdTimestampUsec"]
    file = exports.dump(tmp_path / "Old.json", note)
    assert [each.at for each in conversations(file).read(BERLIN)] == [LATE]


def test_a_shared_note_is_its_owners(tmp_path: Path) -> None:
    people = [
        {"email": "anna@x.org", "isOwner": True, "type": "WRITER"},
        {"email": "max@x.org", "isOwner": False, "type": "WRITER"},
    ]
    notes = {"a": exports.keep_note("Hers.", sharees=people), "b": exports.keep_note("Mine.")}
    found = seen(exports.takeout(tmp_path / "t.zip", notes))
    assert (found.messages, dict(found.unknown)) == (2, {"anna@x.org": 1})


def test_notes_are_read_from_an_unpacked_archive(tmp_path: Path) -> None:
    notes = {"Tea": exports.keep_note("Assam."), "Tée 🍵": exports.keep_note("Darjeeling.")}
    with zipfile.ZipFile(exports.takeout(tmp_path / "t.zip", notes)) as archive:
        archive.extractall(tmp_path / "out")
    (tmp_path / "out/Takeout/other.json").write_text('{"isTrashed": 1}')
    for folder in ("out", "out/Takeout", "out/Takeout/Keep"):
        [found] = unpacked_exports(tmp_path / folder)
        assert [each.text for each in found.read(BERLIN)] == ["Assam.", "Darjeeling."]


def test_a_folder_with_another_note_has_another_mark(tmp_path: Path) -> None:
    for name in ("Anna", "Tea"):
        (tmp_path / f"{name}.json").write_text(exports.keep_note(name), "utf-8")
    [found] = unpacked_exports(tmp_path)
    before = found.mark()
    assert before == found.mark()
    (tmp_path / "Tea.json").write_text(exports.keep_note("Coffee"), "utf-8")
    assert before != found.mark()


def test_a_damaged_note_is_named_and_nothing_is_imported(tmp_path: Path) -> None:
    notes = {"Tea": exports.keep_note("Assam."), "Bad": exports.keep_note("Broken.")[:-20]}
    with pytest.raises(TransferRefused, match=r"Bad\.json is no valid JSON"):
        texts(exports.takeout(tmp_path / "t.zip", notes))


def test_other_json_files_are_no_notes(tmp_path: Path) -> None:
    file = exports.packed(tmp_path / "t.zip", {"a.json": "{}", "b.json": '{"isTrashed": 1}'})
    with pytest.raises(UnknownFormat):
        conversations(file)


def test_files_that_unpack_to_far_too_much_are_refused(tmp_path: Path) -> None:
    huge = exports.keep_note(" " * 9_000_000)
    file = exports.takeout(tmp_path / "t.zip", {str(number): huge for number in range(7)})
    with pytest.raises(TransferRefused, match="ZIP bomb"):
        conversations(file)


def test_more_text_than_can_be_sorted_in_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imported_message, "MOST_SORTED", 20)
    notes = {name: exports.keep_note(f"Note {name}: tea.") for name in "ab"}
    with pytest.raises(TransferRefused, match="more than 20 characters of notes"):
        texts(exports.takeout(tmp_path / "t.zip", notes))


@pytest.mark.parametrize(
    "change",
    [
        {"userEditedTimestampUsec": "soon", "createdTimestampUsec": None},
        {"userEditedTimestampUsec": 10**18, "createdTimestampUsec": 0},
        {"textContent": None},
        {
            "textContent": "",
            "listContent": "x",
            "attachments": {},
            "labels": [1],
            "sharees": [None],
        },
    ],
)
def test_a_note_without_a_time_or_a_text_is_left_out(
    tmp_path: Path, change: dict[str, object]
) -> None:
    notes = {"a": exports.keep_note(**{"text": "x", **change}), "b": exports.keep_note("Tea.")}  # type: ignore[arg-type]
    assert texts(exports.takeout(tmp_path / "t.zip", notes)) == ["Tea."]


# ── Day One ──────────────────────────────────────────────────────────────────────────────────────


def entry(
    uuid: str, text: str, at: str = "2023-06-30T22:30:00Z", **more: object
) -> dict[str, object]:
    """Return an entry of a journal."""
    about = {"timeZone": "Europe/Berlin", "starred": False, "modifiedDate": at}
    return {"uuid": uuid, "creationDate": at, "text": text, **about, **more}


def journals(path: Path, **entries: list[dict[str, object]]) -> Path:
    """Write an export of Day One: a file for each journal, and a picture."""
    made = {
        f"{name}.json": json.dumps({"metadata": {"version": "1.0"}, "entries": rows})
        for name, rows in entries.items()
    }
    return exports.packed(path, {**made, "photos/0123.jpeg": b"\xff\xd8"})


async def test_entries_of_day_one_come_in_order_of_time_once_and_are_undone(tmp_path: Path) -> None:
    late, early = entry("B2", "Late."), entry("A1", "Early.", "2019-01-01T08:00:00Z")
    file = journals(tmp_path / "export.zip", Journal=[late, early], Travel=[entry("C3", "Rome.")])
    async with opened(tmp_path) as memory:
        done = await brought(memory, file)
        assert (done.chats, done.messages) == (2, 3)
        assert await rows(memory) == [
            ("owner", "2019-01-01T08:00", "Early."),
            ("owner", "2023-06-30T22:30", "Late."),
            ("owner", "2023-06-30T22:30", "Rome."),
        ]
        assert set((await memory.log.imports.titles()).values()) == {"Journal", "Travel"}
        more = journals(tmp_path / "2.zip", Journal=[early, late, entry("D4", "New.")])
        again = await brought(memory, more)
        assert (again.messages, again.known) == (1, 2)
        for each in (done, again):
            assert each.id is not None
            await undo(memory, each.id)
        assert await rows(memory) == []


async def test_an_edited_entry_is_updated_with_what_was_learned_from_it(tmp_path: Path) -> None:
    before, after = date(2023, 6, 30), date(2023, 7, 5)
    old, other = entry("A1", "My rent is 900 euros"), entry("B2", "The boat is green")
    new = entry("A1", "My rent is 950 euros", "2023-07-05T08:00:00Z")
    async with opened(tmp_path) as memory:
        await brought(memory, journals(tmp_path / "1.zip", Journal=[old, other]))
        await memory.summarise(FactPerMessage(), reason=IMPORT)
        await memory.knowledge.consolidate()
        assert any("900 euros" in row for row in facts_of(tmp_path))
        done = await brought(memory, journals(tmp_path / "2.zip", Journal=[new, other]))
        assert (done.id, done.known, done.updated) == (None, 1, 1)
        assert await edited_messages.revert_outdated(memory) == 1
        await memory.summarise(FactPerMessage(), reason=IMPORT)
        await memory.knowledge.consolidate()
        assert not any("900 euros" in row for row in facts_of(tmp_path))
        assert any("950 euros" in row for row in facts_of(tmp_path))
        days = [await memory.vault.read(memory.day_path(day)) for day in (before, after)]
        assert ["900 euros" in day for day in days] == [False, False]
        assert ["950 euros" in day for day in days] == [False, True], "on its new date"
        assert (await memory.log.ledger()).adds_up


def test_of_an_entry_come_its_text_its_place_and_its_tags(tmp_path: Path) -> None:
    text = (
        "# Rome\n\nWe saw it\\. A \\- B\n![](dayone-moment://0A1B)\n\n"
        "![](dayone-moment:/video/77)![](dayone-moment:/pdfAttachment/78)"
    )
    place = {"placeName": "Pantheon", "localityName": "Rome", "country": "Italy", "latitude": 41.9}
    rows_ = [
        entry("A", text, photos=[{"identifier": "0A1B", "md5": "0123"}], location=place),
        entry("B", "", photos=[{"identifier": "0A1C"}], tags=["trip", "food"]),
        entry("C", "Deleted.", isTrashed=True),
        entry("D", " "),
        entry("E", "No time.", "soon"),
    ]
    assert texts(journals(tmp_path / "x.zip", Journal=rows_)) == [
        "# Rome\n\nWe saw it. A - B\n[picture]\n\n[video][file]\n[location: Pantheon, Rome, Italy]",
        "[picture]\n[tags: trip, food]",
    ]


@pytest.mark.parametrize(
    ("zone", "at", "told"),
    [
        ("Asia/Tokyo", "2023-06-30T15:00:00Z", "2023-07-01T12:00"),
        ("Nowhere/None", "2023-06-30T15:00:00Z", "2023-06-30T17:00"),
    ],
)
def test_an_entry_of_a_whole_day_is_on_the_day_where_it_was_written(
    tmp_path: Path, zone: str, at: str, told: str
) -> None:
    file = journals(tmp_path / "x.zip", J=[entry("A", "x", at, timeZone=zone, isAllDay=True)])
    [found] = conversations(file).read(BERLIN)
    assert f"{found.at.astimezone(BERLIN):%Y-%m-%dT%H:%M}" == told


def test_a_journal_is_read_from_a_folder_and_by_itself(tmp_path: Path) -> None:
    with zipfile.ZipFile(journals(tmp_path / "x.zip", Journal=[entry("A", "Rome.")])) as archive:
        archive.extractall(tmp_path / "out")
    [found] = unpacked_exports(tmp_path / "out")
    alone = conversations(tmp_path / "out/Journal.json")
    assert [m.chat.title for each in (found, alone) for m in each.read(UTC)] == ["Journal"] * 2


def test_a_damaged_journal_is_named_and_nothing_is_imported(tmp_path: Path) -> None:
    file = journals(tmp_path / "x.zip", Journal=[entry("A", "Rome.")])
    with zipfile.ZipFile(file) as archive:
        raw = archive.read("Journal.json")[:-3]
    with pytest.raises(TransferRefused, match=r"Journal\.json is no valid JSON"):
        texts(exports.packed(tmp_path / "y.zip", {"Journal.json": raw}))

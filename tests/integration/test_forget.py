"""Forgetting a session on real stores: what is deleted, what stays, and that it never returns."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.cli.commands.forget import detailed
from bot.sync.purge import unsynced
from memory.core import Memory
from memory.errors import SamError, StoreBusy
from memory.infra import sqlite as db
from memory.maintenance import forget_session
from memory.notes.daily_note import section_of, without
from memory.tools import MemoryTools
from memory.vault import edit_group
from tests.support.homes import Home
from tests.support.knowledge import FactPerMessage, archived, facts_of
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write
from tests.support.synced import syncing
from tests.support.verbatim_summaries import DAY, Echo, talk

pytestmark = pytest.mark.usefixtures("engine")


async def found(memory: Memory, words: str) -> list[str]:
    return [hit.text for hit in (await memory.recall(words, private=True)).hits]


async def test_a_session_goes_with_transcript_bullets_index_and_vectors(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    async with opened(tmp_path, embedder=embedder) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        kept = await talk(memory, "the badger likes plums", chat="telegram:7")
        await memory.summarise(Echo(), reason="asked")
        while await memory.embeddings.embed(100):
            pass
        told = await memory.log.sessions.by_id(gone)
        assert told is not None and told.path
        assert (memory.vault.root / told.path).exists()
        assert any("wallaby" in text for text in await found(memory, "wallaby quinces"))

        going = await forget_session.preview(memory, gone)
        assert (going.overview.messages, going.transcript, going.own) == (2, told.path, False)
        assert [len(section.bullets) for section in going.sections] == [2]
        await forget_session.forget(memory, gone)

        assert not (memory.vault.root / told.path).exists()
        assert told.path not in [each.path for each in await memory.log.journal.recent(99)]
        text = await memory.vault.read(DAY)
        assert "wallaby" not in text and "badger" in text
        assert text.count("## ") == 1
        assert not any("wallaby" in text for text in await found(memory, "wallaby quinces"))
        assert any("badger" in text for text in await found(memory, "badger plums"))
        counts = await memory.index.counts()
        assert counts["messages"] == 2
        db = await memory.index.db()
        cached = await db.read(
            lambda reading: reading.execute(
                "SELECT count(*) FROM embedding WHERE input_type = 'document'"
                " AND text_hash NOT IN (SELECT text_hash FROM chunk)"
            ).fetchone()[0]
        )
        assert cached == 0
        tables = {
            name: await db.read(
                lambda reading, name=name, id_=id_: {
                    row[0] for row in reading.execute(f"SELECT {id_} FROM {name}").fetchall()
                }
            )
            for name, id_ in (("chunk", "id"), ("chunk_fts", "rowid"), ("chunk_vec", "chunk_id"))
        }
        while await memory.embeddings.embed(100):
            pass
        assert tables["chunk_fts"] == tables["chunk"] >= tables["chunk_vec"]

        ledger = await memory.log.ledger()
        assert ledger.adds_up and ledger.messages == {"closed": 2, "forgotten": 2}
        assert [message.text for message in await memory.log.messages.of_session(gone)] == []
        assert len(await memory.log.messages.of_session(kept)) == 2
        assert [t.session.id for t in await forget_session.sessions(memory)] == [kept]
        with pytest.raises(SamError, match="no session"):
            await forget_session.preview(memory, gone)


async def test_a_bullet_that_the_owner_links_to_or_indents_goes_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        text = await memory.vault.read(DAY)
        linked = text.replace("quinces\n", "quinces ^37066d\n").replace(
            "- Sam said", "\t* Sam said"
        )
        assert linked.count("^37066d") == linked.count("\t*") == 1
        write(tmp_path, DAY, linked)
        await memory.knowledge.learn()
        await forget_session.forget(memory, gone)
        assert "wallaby" not in (await memory.vault.read_optional(DAY) or "")


async def test_forgotten_stays_forgotten_in_a_rebuild_and_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        await forget_session.forget(memory, gone)
    async with opened(tmp_path) as memory:
        await memory.catch_up()
        await memory.index.rebuild()
        assert await found(memory, "wallaby") == []
        assert not list((memory.vault.root / "sessions").glob("*wallaby*"))
        assert not [
            path for path in memory.vault.root.rglob("*.md") if "wallaby" in path.read_text("utf-8")
        ]


async def test_no_byte_of_it_stays_on_the_disk(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, *(f"the wallaby likes quinces number {n}" for n in range(9)))
        await memory.reconcile()
        await talk(memory, "the badger likes plums", chat="telegram:7")
        await memory.summarise(Echo(), reason="asked")
        await forget_session.forget(memory, gone)
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert any(b"badger" in path.read_bytes() for path in files)
        assert [path.name for path in files if b"wallaby" in path.read_bytes().lower()] == []


@pytest.mark.parametrize("goes_on", [False, True])
async def test_who_reads_an_older_state_is_waited_for_or_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    """Another process reads the whole index; until it finishes, the deleted text is in the WAL."""
    monkeypatch.setattr(db, "BUSY_MS", 200)
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.reconcile()
        reader = db.connect((await memory.index.db()).path)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM chunk").fetchone()
        if goes_on:
            with pytest.raises(StoreBusy, match="restart Sam"):
                await forget_session.forget(memory, gone)
            reader.close()
        else:
            asyncio.get_running_loop().call_later(0.6, reader.close)
            await forget_session.forget(memory, gone)
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        left = {path.parent.name for path in files if b"wallaby" in path.read_bytes().lower()}
        assert left == ({"index"} if goes_on else set()), "the log has none of it in any case"


async def test_what_is_forgotten_is_never_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        await forget_session.forget(memory, gone)
        await talk(memory, "the wallaby likes quinces", "the badger likes plums")
        written = await memory.summarise(Echo(both="the  wallaby likes quinces"), reason="asked")
        text = await memory.vault.read(DAY)
        assert "- the wallaby likes quinces" not in text
        assert "- the badger likes plums" in text
        # An action with the same words is a different line.
        assert "- Action: the wallaby likes quinces" in text
        assert not any(b.text == "the wallaby likes quinces" for b in written[0].bullets)


async def test_bullets_that_others_say_too_stay(tmp_path: Path) -> None:
    """Two sessions of one chat and day share a batch."""
    async with opened(tmp_path) as memory:
        first = await talk(memory, "the wallaby likes quinces")
        second = await talk(memory, "the badger likes plums")
        await memory.summarise(Echo(both="Buy fruit"), reason="asked")
        await forget_session.forget(memory, first)
        text = await memory.vault.read(DAY)
        assert "wallaby" not in text
        assert "- Action: Buy fruit" in text and "badger" in text
        assert "- **Summary**: (a part of this was forgotten) ^" in text  # its words came from both
        await forget_session.forget(memory, second)
        text = await memory.vault.read(DAY)
        assert text == "# Memories — 2026-02-12\n"


async def test_bullets_without_sources_go_with_the_whole_batch_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        first = await talk(memory, "the wallaby likes quinces")
        second = await talk(memory, "the badger likes plums")
        await memory.summarise(Echo(), reason="asked")
        # as older versions wrote them, with bullets that name no message
        await memory.log._db.write(lambda db: db.execute("UPDATE bullet SET sources = '[]'"))
        await forget_session.forget(memory, first)
        assert "wallaby" in await memory.vault.read(DAY)
        await forget_session.forget(memory, second)
        assert "##" not in await memory.vault.read(DAY)


async def test_the_notes_that_the_model_wrote_in_it_go_with_it(
    tmp_path: Path,
) -> None:
    """Notes of other turns stay, and so does what the owner asked for, with its line of the day."""
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "my garden has figs")
        kept = await talk(memory, "my balcony has herbs")
        for session, note, asked in ((gone, "figs want sun", "figs"), (kept, "herbs", "thyme")):
            ids = await memory.log.forgetting.of_session(session)
            turn = (await memory.log.messages.by_ids(ids))[0].turn_id
            with edit_group(f"turn {turn}"):
                await MemoryTools(memory).save_memory(note)
                await MemoryTools(memory).save_memory(f"I like {asked}", source="owner")
        going = await forget_session.preview(memory, gone)
        assert [(each.path, each.text) for each in going.lines] == [(DAY, "Note: figs want sun")]
        assert "  - Note: figs want sun" in detailed(going)
        await forget_session.forget(memory, gone)
        day = await memory.vault.read(DAY)
        assert "figs want sun" not in day and "- Note: herbs" in day
        assert day.count("- Remembered") == 2
        assert "I like figs" in await memory.vault.read("MEMORY.md")


async def test_nothing_that_the_owner_wrote_is_touched(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces", "the heron likes frogs")
        await memory.summarise(Echo(), reason="asked")
        path = (await memory.log.sessions.by_id(gone)).path  # type: ignore[union-attr]
        assert path
        text = await memory.vault.read(DAY)
        mine = text.replace("- the heron likes frogs", "- the heron likes frogs, and eels")
        mine = mine.replace("**Summary**: Spoke", "**Summary**: We spoke") + "\nA line of mine.\n"
        write(tmp_path, DAY, mine)
        write(tmp_path, path, "kept by me\n")
        write(tmp_path, "MEMORY.md", "- 2026-02-12: the wallaby likes quinces\n")
        going = await forget_session.forget(memory, gone)
        assert going.own
        [section] = going.sections
        assert section.changed == ("the heron likes frogs",) and section.summary == ""
        left = await memory.vault.read(DAY)
        dropped = [row for row in mine.split("\n") if row not in left.split("\n")]
        assert "- the wallaby likes quinces" in dropped and all(
            "wallaby" in r or "heard" in r for r in dropped
        )
        assert "frogs, and eels" in left and "We spoke" in left and "A line of mine." in left
        assert await memory.vault.read(path) == "kept by me\n"
        assert "wallaby" in await memory.vault.read("MEMORY.md")


async def test_pending_messages_are_forgotten_and_never_summarised(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await forget_session.forget(memory, gone)
        assert await memory.summarise(Echo(), reason="asked") == []
        assert (await memory.log.ledger()).messages == {"forgotten": 2}


async def test_an_edit_does_not_bring_a_forgotten_text_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, "the wallaby likes quinces", "yes")
        await forget_session.forget(memory, turn.session_id)
        edited = await memory.log.messages.edit("test:0", "the wallaby likes figs", memory.clock())
        assert edited is not None and edited.text == "" and edited.edited_at is None


async def test_the_current_session_goes_on_empty(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, "the wallaby likes quinces", "yes")
        await forget_session.forget(memory, turn.session_id)
        later = await log_exchange(memory, "hello", "hi")
        assert later.session_id == turn.session_id
        history = await memory.log.messages.history(turn.session_id, later.message.id)
        assert history == []
        path = await memory.end_session("terminal", memory.clock())
        assert path and "wallaby" not in await memory.vault.read(path)


async def test_a_session_that_is_being_answered_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, "the wallaby likes quinces")
        with pytest.raises(SamError, match="being answered"):
            await forget_session.forget(memory, turn.session_id)
        assert (await memory.log.ledger()).messages == {"pending": 1}


@pytest.mark.parametrize("step", ["add_tombstones", "edit", "forget", "remove", "set_transcript"])
async def test_a_crash_leaves_it_to_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Died(BaseException):
        pass

    async with opened(tmp_path, clock=Clock()) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        owner = {
            "add_tombstones": memory.log.forgetting,
            "forget": memory.log.forgetting,
            "edit": memory.vault,
            "remove": memory.vault,
            "set_transcript": memory.log.sessions,
        }[step]

        async def die(*_: object, **__: object) -> None:
            raise Died

        with monkeypatch.context() as patch:
            patch.setattr(owner, step, die)
            with pytest.raises(Died):
                await forget_session.forget(memory, gone)
        await forget_session.forget(memory, gone)
        await memory.reconcile()
        assert await found(memory, "wallaby") == []
        assert not list((memory.vault.root / "sessions").glob("*.md"))
        assert await memory.vault.read(DAY) == "# Memories — 2026-02-12\n"
        assert (await memory.log.ledger()).messages == {"forgotten": 2}


# ── the text of a day's file ─────────────────────────────────────────────────────────────────────

TEXT = """# Memories — 2026-02-12

## 10:00:00

- **Summary**: One ^aaaaaa
- likes tea
- Action: buy tea

## 11:00:00

- **Summary**: Two ^bbbbbb
- likes tea
"""


@pytest.mark.parametrize(
    ("batch", "items", "summary", "gone"),
    [
        ("aaaaaa", ["likes tea"], None, [5]),
        ("aaaaaa", ["likes  tea", "Action: buy tea"], "", [2, 3, 4, 5, 6, 7]),
        ("bbbbbb", ["likes tea"], "", [7, 8, 9, 10, 11]),
        ("bbbbbb", ["tea"], None, []),
        ("cccccc", ["likes tea"], "", []),
    ],
)
def test_lines_go_from_their_own_section(
    batch: str, items: Sequence[str], summary: str | None, gone: Sequence[int]
) -> None:
    rows = TEXT.split("\n")
    expected = "\n".join(row for number, row in enumerate(rows) if number not in gone)
    assert without(TEXT, batch, items, summary=summary) == expected


def test_without_its_summary_a_bullet_is_found_where_no_other_batch_has_it() -> None:
    text = TEXT.replace("- **Summary**: One ^aaaaaa\n", "")
    assert section_of(text, "aaaaaa") == ("", "")
    left = without(text, "aaaaaa", ["likes tea"], summary=None)
    assert left == text.replace("- likes tea\n", "", 1)


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_the_command_lists_shows_asks_and_forgets(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("forget").stdout == "There are no conversations yet.\n"
    talk = "the wallaby likes quinces\n/new\nthe badger likes plums\n/quit\n"
    assert home.sam("chat", stdin=talk).returncode == 0
    assert home.sam("summarize").returncode == 0
    listed = home.sam("forget").stdout
    assert "the wallaby likes quinces" in listed and "its transcript" in listed

    asked = home.sam("forget", "1")
    assert asked.returncode == 1 and "Nothing was forgotten" in asked.stdout
    assert "  - the wallaby likes quinces" in asked.stdout
    assert "wallaby" in home.sam("search", "wallaby").stdout

    done = home.sam("forget", "1", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert home.sam("search", "wallaby").stdout == "I have nothing about that.\n"
    assert "badger" in home.sam("search", "badger").stdout
    assert "adds up" in home.sam("doctor").stdout
    assert not [path for path in home.vault.rglob("*.md") if "wallaby" in path.read_text()]
    gone = home.sam("forget", "1")
    assert gone.returncode == 1 and "no session 1" in gone.stderr


def test_no_byte_of_it_stays_where_syncs_keep_texts(tmp_path: Path) -> None:
    """The remote is gone, so no later sync cleans up."""
    far = tmp_path / "far"
    home = Home(tmp_path, RCLONE_REMOTE=str(far))
    talk = "the wallaby likes quinces\n/new\nthe badger likes plums\n/quit\n"
    assert home.sam("chat", stdin=talk).returncode == 0
    assert home.sam("summarize").returncode == 0
    [day] = (home.vault / "memories").glob("*.md")
    home.write("archive/here.md", day.read_text("utf-8"))
    home.write("archive/there.md", day.read_text("utf-8"))
    assert home.sam("sync").returncode == 0
    (home.vault / "archive/here.md").unlink()
    (far / "archive/there.md").unlink()
    assert home.sam("sync").returncode == 0
    (home.data / "sync/staging").mkdir()  # as of a sync that was killed
    shutil.copy(day, home.data / "sync/staging/day.md")
    far.rename(tmp_path / "gone")

    def holding(word: bytes) -> set[str]:
        every = [path for path in home.data.rglob("*") if path.is_file()]
        return {p.relative_to(home.data).parts[0] for p in every if word in p.read_bytes().lower()}

    removed = sorted((home.data / "sync/removed").rglob("*here.md"))
    assert len(removed) == 2 and "sync" in holding(b"wallaby")
    done = home.sam("forget", "1", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert holding(b"wallaby") == set()
    assert holding(b"badger") >= {"sync", "index"}  # the log may be in PostgreSQL
    assert ["badger" in path.read_text("utf-8") for path in removed] == [True, True]


async def test_no_older_version_of_the_transcript_is_kept_by_the_sync(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        far = tmp_path / "far"
        sync = syncing(str(far), memory.vault, memory.clock)
        await sync.run()
        day = far / DAY
        [said] = [path for path in copies(far) if path != day]
        for path in (said, day):
            path.write_text(path.read_text() + "\nA line of the owner's, from his laptop.\n")
        await sync.run()
        assert {copy.place.name for copy in sync.copies()} == {said.name, day.name}
        going = await forget_session.forget(memory, gone)
        async with unsynced(memory.vault) as clear:
            await clear(going)
        [copy] = sync.copies()
        assert copy.path == DAY and "wallaby" not in copy.place.read_text()


async def test_on_the_remote_it_goes_as_well_and_does_not_come_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await memory.summarise(Echo(), reason="asked")
        far = tmp_path / "far"
        sync = syncing(str(far), memory.vault, memory.clock)
        await sync.run()
        assert len(copies(far)) == 2, "the transcript and the day's file"
        await forget_session.forget(memory, gone)
        for _ in range(2):
            await sync.run()
        assert copies(far) == copies(memory.vault.root) == copies(tmp_path / "data") == []


def copies(folder: Path) -> list[Path]:
    """Return the text files below a folder that still mention it."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".db"]
    return [path for path in found if b"wallaby" in path.read_bytes() and ".db" not in path.name]


async def test_copies_of_the_day_in_the_archive_forget_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone = await talk(memory, "the wallaby likes quinces")
        await talk(memory, "the badger likes plums", chat="telegram:7")
        await memory.summarise(Echo(), reason="asked")
        day = (memory.vault.root / DAY).read_text("utf-8")
        copy = "archive/memories/2026-02-12 (sync conflict 2026-02-12 143000).md"
        write(tmp_path, copy, day)
        quoted = "# Mine\n\n> - the wallaby likes quinces\n> - what I wrote\n"
        write(tmp_path, "archive/quoted.md", quoted)
        write(tmp_path, "mine.md", quoted)
        await forget_session.forget(memory, gone)
        left = (memory.vault.root / copy).read_text("utf-8")
        assert "wallaby" not in left and "badger" in left
        assert left == (memory.vault.root / DAY).read_text("utf-8")
        archived = (memory.vault.root / "archive/quoted.md").read_text("utf-8")
        assert archived == "# Mine\n\n> - what I wrote\n"
        assert (memory.vault.root / "mine.md").read_text("utf-8") == quoted  # belongs to the owner


async def test_the_facts_that_came_from_a_session_alone_go_with_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        first = await talk(memory, "my rent is 900 euros", "I own a wallaby", "I like quinces")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        second = await talk(memory, "my rent is 950 euros", "I like quinces", chat="telegram:7")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        third = await talk(memory, "I own a secret boat", chat="telegram:8")
        await memory.summarise(FactPerMessage(), reason="asked")
        knowledge, archive = facts_of(tmp_path), archived(tmp_path)
        assert len(knowledge) == 3 and len(archive) == 1

        await forget_session.forget(memory, third)  # before its fact is written
        assert await memory.knowledge.waiting() == 0
        going = await forget_session.preview(memory, first)
        assert sorted(each.path for each in going.facts) == [
            "archive/knowledge/biographical.md",
            "knowledge/biographical.md",
        ]
        await forget_session.forget(memory, first)
        text = "".join(
            file.read_text("utf-8") for file in (tmp_path / "vault").rglob("*.md") if file.is_file()
        )
        assert "wallaby" not in text and "900" not in text and "secret" not in text
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == [
            "- My rent is 950 euros",
            "- I like quinces",
        ]
        assert await found(memory, "wallaby") == []
        data = b"".join(file.read_bytes() for file in (tmp_path / "data").glob("log.db*"))
        assert b"wallaby" not in data and b"secret boat" not in data
        await talk(memory, "I own a wallaby")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        assert len(facts_of(tmp_path)) == 2  # it is not written again
        assert second

"""Forgetting by words: list every copy, and delete the chosen ones byte for byte, for good."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.chat.forgetting import erase
from bot.chat.forgetting import inbox as texts_in_inbox
from bot.chat.forgetting.choice import Listed
from bot.chat.forgetting.wording import listing
from bot.inbox import Inbox
from memory import Memory, MemoryTools, Said, system_clock
from memory.backup import backups, expiry
from memory.backup.retention import keep
from memory.log import Message
from memory.log.batches import line_hash
from memory.log.transcript import line_of
from memory.maintenance import ContentWords, ForgetChoice, forget_words
from memory.maintenance.byte_search import traces
from memory.notes.markdown import inert
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, File
from tests.support.buttons import buttons, press, press_again
from tests.support.homes import Home
from tests.support.knowledge import FactPerMessage, facts_of
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write
from tests.support.telegram import Sam, claude, quick, sam, telegram
from tests.support.verbatim_summaries import DAY, Echo, talk

pytestmark = pytest.mark.usefixtures("engine")

__all__ = ["claude", "quick", "telegram"]

SAID = "the wallaby Quincy likes quinces"
WRITTEN_WORDS = ("Tulips and figs grow there", "Water the figs", "figs want sun", "little water")


async def test_a_bullet_that_its_owner_links_to_is_listed_with_its_message(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, SAID)
        await memory.summarise(Echo(), reason="asked")
        text = await memory.vault.read(DAY)
        assert f"- {SAID}\n" in text
        write(tmp_path, DAY, text.replace(f"- {SAID}\n", f"- {SAID} ^37066d\n"))
        kept = await forget_words.find_kept(memory, "wallaby")
        assert [len(each.messages) for each in kept.items] == [2]
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert await memory.log.forgetting.written() == []
        assert SAID not in (await memory.vault.read_optional(DAY) or "")


def holding(folder: Path, word: str = "wallaby") -> list[str]:
    """Return the files below the folder that contain the word's bytes."""
    # In another process, because closing a database's file here would drop the locks of its
    # connections.
    found = subprocess.run(
        ["grep", "--recursive", "--files-with-matches", "--text", "--ignore-case", word, folder],
        capture_output=True,
        text=True,
        check=False,
    )
    return sorted(Path(path).relative_to(folder).as_posix() for path in found.stdout.splitlines())


async def everywhere(memory: Memory, folder: Path) -> None:
    """Put the word wallaby in every place where Sam stores something."""
    await talk(memory, SAID, "the badger likes plums")
    [written] = await memory.summarise(Echo(both="Feed the wallaby Quincy"), reason="asked")
    link = f"[[{DAY.removesuffix('.md')}#^{written.batch}]]"
    fact = f"- Quincy the wallaby eats quinces (source:: {link}) ^f00001\n"
    write(folder, "knowledge/contextual.md", f"{fact}- The badger eats plums ^f00002\n")
    write(folder, "MEMORY.md", "# Memory\n\n- 2026-02-12: the wallaby is called Quincy ^m00001\n")
    write(folder, "tasks.md", "- [ ] buy a leash for the wallaby Quincy 🆔 abc123\n- [ ] milk\n")
    write(folder, "archive/memories/old.md", f"- {SAID}\n- the wallaby Quincy was ill\n- plums\n")
    await log_exchange(
        memory, "Quincy the wallaby is four", "A fine age for a wallaby.", chat="telegram:7"
    )
    await memory.reconcile()


async def choose(memory: Memory, words: str, *numbers: int) -> ForgetChoice:
    items = (await forget_words.find_kept(memory, words)).items
    return ForgetChoice.of(items[n - 1] for n in numbers) if numbers else ForgetChoice.of(items)


# ── the memory ───────────────────────────────────────────────────────────────────────────────


async def test_every_copy_is_listed_and_goes_with_every_byte(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await everywhere(memory, tmp_path)
        while await memory.embeddings.embed(100):
            pass
        kept = await forget_words.find_kept(memory, "wallaby Quincy")
        shown = "\n".join(" ".join([item.text, *item.where, *item.made]) for item in kept.items)
        for place in ("knowledge/contextual.md", "MEMORY.md", "tasks.md", "archive/", "sessions/"):
            assert place in shown, place
        assert SAID in shown and "the wallaby is four" in shown and f"{DAY}: " in shown
        assert "the summary it is a part of" in shown and "my answer" in shown
        assert "badger" not in shown.replace("Spoke of", "") and kept.yours == ()
        assert len(holding(tmp_path)) > 6

        done = await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert (done.messages, done.changed) == (4, 0) and done.lines >= 8
        assert holding(tmp_path) == []
        assert (await memory.log.ledger()).adds_up
        for path in (DAY, "knowledge/contextual.md", "archive/memories/old.md"):
            assert "plums" in await memory.vault.read(path), "what others said stays"
        assert "milk" in await memory.vault.read("tasks.md")
        assert "(a part of this was forgotten)" in await memory.vault.read(DAY)
        assert [h for h in (await memory.recall("wallaby", private=True)).hits] == []


async def test_what_is_forgotten_is_not_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, SAID, "the badger likes plums")
        await memory.summarise(Echo(), reason="asked")
        await log_exchange(memory, "another wallaby came", "Oh.", chat="telegram:7")
        await forget_words.forget(memory, await choose(memory, "wallaby"))
        await talk(memory, "the heron likes frogs", chat="telegram:8")
        for echo in (Echo(both=SAID), Echo()):
            await memory.summarise(echo, reason="asked")
        await memory.catch_up()
        day = await memory.vault.read(DAY)
        assert "heron" in day and "- the wallaby" not in day and "another wallaby" not in day


async def test_one_of_several_goes_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await everywhere(memory, tmp_path)
        kept = await forget_words.find_kept(memory, "wallaby Quincy")
        number = 1 + next(n for n, i in enumerate(kept.items) if "tasks.md:1" in i.where)
        before = {p: p.read_bytes() for p in (tmp_path / "vault").rglob("*.md")}
        done = await forget_words.forget(memory, await choose(memory, "wallaby Quincy", number))
        assert (done.messages, done.lines) == (0, 1)
        changed = [p.name for p, old in before.items() if p.read_bytes() != old]
        assert changed == ["tasks.md"]
        assert await memory.vault.read("tasks.md") == "- [ ] milk\n"
        assert (
            len((await forget_words.find_kept(memory, "wallaby Quincy")).items)
            == len(kept.items) - 1
        )


async def test_the_owners_notes_are_named_and_never_changed(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, SAID, "Noted.")
        mine = "# Zoo\n\nThe wallaby Quincy is mine.\n"
        write(tmp_path, "zoo/animals.md", mine)
        write(tmp_path, "user.md", "I keep a wallaby named Quincy.\n")
        kept = await forget_words.find_kept(memory, "wallaby Quincy")
        assert set(kept.yours) == {"zoo/animals.md:3", "user.md:1"}
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert await memory.vault.read("zoo/animals.md") == mine
        left = [name for name in holding(tmp_path) if not name.startswith("data/index/")]
        assert left == ["vault/user.md", "vault/zoo/animals.md"]


async def test_words_that_only_some_share_are_not_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Ana's birthday is on 3 May", "Noted.")
        await log_exchange(memory, "Ben's birthday is on 4 June", "Noted.", chat="telegram:7")
        await log_exchange(memory, "Ana likes tea", "Good.", chat="telegram:8")
        await memory.reconcile()
        kept = await forget_words.find_kept(memory, "Ana's birthday")
        assert kept.items[0].text == "Ana's birthday is on 3 May"
        assert not any("tea" in item.text for item in kept.items)
        assert (await forget_words.find_kept(memory, "the of and")).items == ()
        await log_exchange(memory, "the locksmith came", "Good.", chat="telegram:9")
        assert (await forget_words.find_kept(memory, "lock")).items == ()
        assert len((await forget_words.find_kept(memory, "locksmiths")).items) == 1


async def test_what_has_another_number_is_another_thing(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for number, name in enumerate(("Tom", "Ann", "Sue"), 3):
            text = f"The cellar locker {number} belongs to {name}."
            await log_exchange(memory, text, "Noted.", chat=f"telegram:{number}")
            await MemoryTools(memory).save_memory(text)
        await memory.reconcile()
        kept = await forget_words.find_kept(memory, "who has the cellar locker 3")
        assert kept.items and all("Tom" in item.text for item in kept.items)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("j'ai prêté mon vélo à Julien", "le vélo"),
        ("Ich habe mein Fahrrad verliehen", "das Fahrrad"),
        ("Le presté mi bicicleta a Pablo", "la bicicleta"),
        ("Hugo aime son école", "l'école de Hugo"),
    ],
)
async def test_an_article_is_no_word_that_a_message_must_have(
    tmp_path: Path, said: str, asked: str
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, said, "Noted.", chat="telegram:7")
        [item] = (await forget_words.find_kept(memory, asked)).items
        assert item.message is not None and item.message.text == said


async def test_a_message_that_was_edited_meanwhile_stays(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, SAID, "Noted.")
        choice = await choose(memory, "wallaby Quincy")
        await memory.log.messages.edit("test:0", "the wallaby is a kangaroo", memory.clock())
        done = await forget_words.forget(memory, choice)
        assert (done.messages, done.changed) == (1, 1)
        said: list[Message] = await memory.log.messages.recent(9)
        assert [message.text for message in said] == ["the wallaby is a kangaroo"]


async def test_a_transcript_stays_sams_own_after_a_line_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        session = await talk(memory, SAID, "the badger likes plums")
        await forget_words.forget(memory, await choose(memory, "wallaby Quincy"))
        path = (await memory.log.sessions.by_id(session)).path  # type: ignore[union-attr]
        assert path and "plums" in await memory.vault.read(path)
        assert "wallaby" not in await memory.vault.read(path)
        from memory.maintenance import forget_session

        assert not (await forget_session.preview(memory, session)).own


async def test_a_message_of_many_lines_leaves_its_transcript_and_its_copies_as_a_block(
    tmp_path: Path,
) -> None:
    shared = "same line\n\n```py\nx = 1\n```"
    async with opened(tmp_path) as memory:
        await log_exchange(memory, f"the wallaby Quincy\n{shared}\n\nand more", "Noted.")
        await log_exchange(memory, f"the badger\n{shared}", "Good.")
        path = await memory.end_session("terminal", memory.clock()) or ""
        page = await memory.vault.read(path)
        begin, end = page.index("**You**"), page.index("**You**", page.index("and more"))
        quoted = "".join(f"> {row}\n" for row in page.split("\n"))
        write(tmp_path, "archive/copy.md", quoted)
        [item, *_] = (await forget_words.find_kept(memory, "wallaby Quincy")).items
        assert [place for place in item.made if ":" in place] == [
            f"{where}:{number}" for where in (path, "archive/copy.md") for number in (12, 22)
        ]
        await forget_words.forget(memory, ForgetChoice.of([item]))
        assert await memory.vault.read(path) == page[:begin] + page[end:]
        copy = await memory.vault.read("archive/copy.md")
        assert "wallaby" not in copy and "and more" not in copy and "Noted" not in copy
        assert copy.count("same line") == 1 and "> > the badger\n> > same line\n" in copy


async def test_a_block_that_no_message_explains_is_listed_and_goes_as_a_whole(
    tmp_path: Path,
) -> None:
    """The log was lost, so its message ids are assigned again."""
    page = (
        "## 2026-01-01\n\n**Ana** · 09:00:00 ^m1-1767258000\n> we saw\n> the wallaby Quincy\n\n"
        "**Sam** · 09:00:01 ^m2-1767258001\n> Nice.\n"
    )
    async with opened(tmp_path) as memory:
        write(tmp_path, "sessions/old.md", page)
        await log_exchange(memory, "a badger", "Oh.")
        await forget_words.forget(memory, await choose(memory, "badger"))
        assert await memory.vault.read("sessions/old.md") == page
        [item] = (await forget_words.find_kept(memory, "wallaby Quincy")).items
        assert item.where == ("sessions/old.md:3",) and "we saw the wallaby Quincy" in item.text
        await forget_words.forget(memory, ForgetChoice.of([item]))
        left = await memory.vault.read("sessions/old.md")
        assert left == "## 2026-01-01\n\n" + page[page.index("**Sam**") :]


async def test_a_transcript_of_one_line_a_message_is_forgotten_line_by_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, f"{SAID}\n- [ ] twice", "Noted.")
        told = await memory.log.messages.of_session(turn.session_id)
        rows = [f"- {line_of(message, memory.zone)}\n" for message in told]
        write(tmp_path, "sessions/old.md", "".join([*rows, "- 10:00:00 user: plums\n"]))
        await forget_words.forget(memory, await choose(memory, "wallaby Quincy"))
        assert await memory.vault.read("sessions/old.md") == "- 10:00:00 user: plums\n"


STEPS = ["add_tombstones", "edit", "forget", "reconcile", "index", "scrub"]


@pytest.mark.parametrize("step", STEPS)
async def test_a_crash_leaves_it_to_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Died(BaseException):
        pass

    async def die(*_: object, **__: object) -> None:
        raise Died

    async with opened(tmp_path, clock=Clock()) as memory:
        await everywhere(memory, tmp_path)
        choice = await choose(memory, "wallaby Quincy")
        owner, name = {
            "add_tombstones": (memory.log.forgetting, "add_tombstones"),
            "edit": (memory.vault, "edit"),
            "forget": (memory.log.forgetting, "forget"),
            "reconcile": (memory, "reconcile"),
            "index": (memory.index, "forget"),
            "scrub": (memory.log, "scrub"),
        }[step]
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, die)
            with pytest.raises(Died):
                await forget_words.forget(memory, choice)
    async with opened(tmp_path, clock=Clock()) as memory:
        if STEPS.index(step) < STEPS.index("reconcile"):
            await forget_words.forget(memory, await choose(memory, "wallaby Quincy"))
        else:  # the texts are deleted, and nobody could name them again
            await forget_words.finish(memory)
        assert holding(tmp_path) == []
        assert (await memory.log.ledger()).adds_up
        again = await forget_words.forget(memory, choice)
        assert (again.messages, again.lines) == (0, 0)


async def test_a_line_that_comes_through_a_batch_alone_goes_with_the_message(
    tmp_path: Path,
) -> None:
    """The fact uses other words than those to forget."""
    async with opened(tmp_path) as memory:
        await talk(memory, "my secret garden lies in Utrecht", "the badger likes plums")
        [written] = await memory.summarise(Echo(), reason="asked")
        link = f"[[{DAY.removesuffix('.md')}#^{written.batch}]]"
        write(
            tmp_path, "knowledge/contextual.md", f"- Utrecht: a place (source:: {link}) ^f00001\n"
        )
        kept = await forget_words.find_kept(memory, "secret garden")
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert holding(tmp_path, "utrecht") == []
        assert "plums" in await memory.vault.read(DAY)


@pytest.mark.parametrize("written", [True, False])
async def test_facts_go_written_or_waiting_and_are_not_written_again(
    tmp_path: Path, written: bool
) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "I own a secret wallaby", "I like quinces")
        await memory.summarise(FactPerMessage(), reason="asked")
        if written:
            await memory.knowledge.consolidate()
        kept = await forget_words.find_kept(memory, "secret wallaby")
        made = "\n".join(" ".join((*item.where, *item.made)) for item in kept.items)
        assert ("knowledge/biographical.md" in made) is written
        assert ("waits to be written" in made) is not written and len(kept.items) == 1
        shown = "\n".join(listing(Listed(kept), memory.zone))
        assert "secret wallaby" in shown and "::" not in shown, "its fields are for programs"
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert holding(tmp_path) == [] and await memory.knowledge.waiting() == (not written)
        await talk(memory, "I own a secret wallaby", chat="telegram:7")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == ["- I like quinces"]


async def test_a_fact_that_the_owner_has_changed_is_listed_and_goes_with_its_row(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "I own a secret wallaby")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        note = tmp_path / "vault/knowledge/biographical.md"
        note.write_text(note.read_text("utf-8").replace("secret", "very secret"), "utf-8")
        kept = await forget_words.find_kept(memory, "secret wallaby")
        assert any("knowledge/biographical.md" in place for i in kept.items for place in i.where)
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert holding(tmp_path) == []


async def test_a_text_is_found_in_any_of_its_forms(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(f"- {inert('[the wallaby] likes quinces')}\n")
    (tmp_path / "inbox.db").write_bytes(b"\x00" + json.dumps("“Ana likes” the sea").encode())
    (tmp_path / "empty").touch()
    (tmp_path / "other").write_text("yes\nthe badger")
    texts = ["[the wallaby] likes quinces", "“Ana likes” the sea", "yes"]
    found = await traces([tmp_path], texts)
    assert [path.name for path in found] == ["inbox.db", "note.md"]
    assert await traces([tmp_path], texts, [tmp_path]) == []


def test_the_day_on_which_the_last_backup_expires() -> None:
    now = datetime(2026, 2, 12, 12, tzinfo=UTC)
    assert expiry([], now) is None
    dates = {now - timedelta(days=n) for n in range(20)}
    last = expiry(dates, now)
    assert last is not None
    kept, at = set(dates), now
    while at < last - timedelta(days=1):
        at += timedelta(days=1)
        kept = keep(kept | {at})
    assert kept & dates and not keep(kept | {last}) & dates


# ── the command line ─────────────────────────────────────────────────────────────────────────


def test_the_command_lists_asks_forgets_and_says_what_it_cannot_reach(tmp_path: Path) -> None:
    home = Home(tmp_path, RCLONE_REMOTE=str(tmp_path / "far"))
    talked = f"{SAID}\n/todo feed the wallaby Quincy\n/new\nthe badger likes plums\n/quit\n"
    assert home.sam("chat", stdin=talked).returncode == 0
    assert home.sam("summarize").returncode == 0
    assert home.sam("sync").returncode == 0
    assert home.sam("backup").returncode == 0
    home.write("mine.md", "A wallaby called Quincy.\n")
    listed = home.sam("forget", "--words", "wallaby", "Quincy")
    assert listed.returncode == 1 and "Nothing was forgotten" in listed.stdout
    assert "1. " in listed.stdout and "These are your own notes" in listed.stdout
    assert "mine.md:1" in listed.stdout and "tasks.md" in listed.stdout
    made = list(backups(home.data / "backups"))
    last = expiry(made, datetime.now(UTC))
    assert last is not None and f"{last:%Y-%m}" in listed.stdout
    assert "An export that you made keeps it" in listed.stdout

    document = json.loads(home.sam("forget", "--json", "--words", "wallaby Quincy").stdout)
    assert [item["number"] for item in document["items"]] == [1, 2]
    assert document["yours"] == ["mine.md:1"]

    done = home.sam("forget", "--yes", "--words", "wallaby Quincy")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Forgotten: 2 messages" in done.stdout and "next sync" in done.stdout
    (home.vault / "mine.md").unlink()
    assert home.sam("search", "wallaby").stdout == "I have nothing about that.\n"
    assert holding(home.vault) == []
    assert [name for name in holding(home.data) if not name.startswith("backups/")] == []
    assert home.sam("sync").returncode == 0
    assert [n for n in holding(tmp_path / "far") if n.endswith(".md") and ".trash" not in n] == []
    assert "adds up" in home.sam("doctor").stdout
    assert "nothing about that" in home.sam("forget", "--words", "wallaby").stdout


def test_the_receipt_names_the_files_whose_bytes_still_have_the_words(tmp_path: Path) -> None:
    home = Home(tmp_path)

    def forgotten() -> str:
        assert home.sam("chat", stdin=f"{SAID}\n/quit\n").returncode == 0
        return home.sam("forget", "--yes", "--words", "wallaby Quincy").stdout

    assert "I have searched all my files for the forgotten text: none of it is left." in forgotten()
    home.write("mine.md", f"{SAID}\n")
    stray = next(home.data.rglob("batch.lock")).with_name("copy.txt")
    stray.write_text(SAID, "utf-8")
    receipt = forgotten()
    assert "The words are still in your own notes: mine.md." in receipt
    assert "Other things that you kept contain the same words: copy.txt." in receipt
    assert ".db" not in receipt, "the index repeats mine.md"
    assert "none of it is left" not in receipt


def test_several_numbers_in_the_terminal_are_one_choice(tmp_path: Path) -> None:
    home = Home(tmp_path)
    told = ("the wallaby eats", "the wallaby sleeps", "the wallaby jumps")
    done = home.sam("chat", stdin="\n".join((*told, "/forget wallaby", "1, 3 3 9", "/quit\n")))
    [receipt] = re.findall(r"^Forgotten: .*", done.stdout, re.M)
    assert receipt.startswith("Forgotten: 4 messages"), "with their answers"
    kept = home.sam("search", "wallaby").stdout
    assert "sleeps" in kept and "eats" not in kept and "jumps" not in kept


def test_a_conversation_that_was_forgotten_ends_without_a_transcript(tmp_path: Path) -> None:
    told = f"/remember {SAID}\n/forget wallaby\nall\n/new\n/new\n/quit\n"
    done = Home(tmp_path).sam("chat", stdin=told)
    assert "> /new\nNew conversation.\n\n> /new\nThis is already" in done.stdout


async def test_databases_are_named_in_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        files = memory.profile.files
        log, index = files.log, files.index / "1.db"
        wal = log.with_name(f"{log.name}-wal")
        assert erase._named(memory, [index]) == ((), ("the search index",))
        assert erase._named(memory, [log, wal, index]) == ((), ("messages",))
        note = memory.vault.root / "MEMORY.md"
        assert erase._named(memory, [note, index]) == (("MEMORY.md",), ())


def test_no_byte_of_a_command_in_the_terminal_is_left(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("chat", stdin=f"/remember {SAID}\n/quit\n").returncode == 0
    assert "MEMORY.md" in " ".join(holding(tmp_path))
    receipt = home.sam("forget", "--yes", "--words", "wallaby Quincy").stdout
    assert "none of it is left" in receipt
    assert holding(tmp_path) == []


def test_the_receipt_of_a_command_alone_names_what_it_saved(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("chat", stdin=f"/remember {SAID}\n/quit\n").returncode == 0
    listed = home.sam("forget", "--words", "wallaby Quincy", stdin="\n").stdout
    number = next(row[0] for row in listed.splitlines() if "/remember" in row)
    receipt = home.sam("forget", "--words", "wallaby Quincy", stdin=f"{number}\n").stdout
    assert "none of it is left" not in receipt and "MEMORY.md" in receipt


async def test_the_key_of_an_earlier_versions_command_loses_its_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        said = Said(
            key=f"command:terminal:2026-02-12T12:00:00:{SAID}",
            chat="terminal",
            text=f"/remember {SAID}",
            sent_at=memory.clock(),
        )
        await memory.log.messages.command(said)
        await forget_words.forget(memory, await choose(memory, "wallaby"))
        await memory.log.scrub()
        assert holding(tmp_path) == []


async def test_a_forgotten_command_of_telegram_is_not_logged_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        said = Said("command:update:7", "telegram:7", f"/remember {SAID}", memory.clock())
        await memory.log.messages.command(said)
        await forget_words.forget(memory, await choose(memory, "wallaby"))
        await memory.log.messages.command(said)
        assert holding(tmp_path) == [], "its key is kept, so that a second delivery is known"


async def test_a_note_of_sams_with_nothing_but_its_title_goes(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.create_note(title="Wallaby plan", content="The wallaby needs a pond")
        await tools.create_note(title="Wallaby costs", content="The wallaby eats figs\n\nA pond")
        await forget_words.forget(memory, await choose(memory, "wallaby"))
        left = [path.name for path in (tmp_path / "vault" / "notes").iterdir()]
        assert left == ["Wallaby costs.md"], "it has another line"
        await memory.log.scrub()
        assert "data/log.db" not in holding(tmp_path, "Wallaby plan")
        assert "data/log.db" not in holding(tmp_path, "Wallaby costs")


def test_a_name_that_has_the_words_is_in_the_receipt(tmp_path: Path) -> None:
    home = Home(tmp_path)
    text = "---\nauthor: Sam\n---\n\n# Wallaby\n\nThe wallaby eats figs\n"
    home.write("notes/Wallaby.md", f"{text}\nA pond\n")
    home.write("notes/Figs.md", text.replace("# Wallaby", "# Figs") + "\nA tree\n")
    receipt = home.sam("forget", "--yes", "--words", "wallaby").stdout
    assert "Other things that you kept contain the same words: notes/Wallaby.md." in receipt
    assert "none of it is left" not in receipt


def test_what_was_listed_beside_it_is_kept_and_not_reported(tmp_path: Path) -> None:
    """A list of the day quotes everything; only what is forgotten must be gone."""
    home = Home(tmp_path)
    talked = f"{SAID}\nthe badger likes plums and pears\nwhat did I say today?\n/quit\n"
    assert "- the badger likes plums and pears" in home.sam("chat", stdin=talked).stdout
    assert home.sam("summarize").returncode == 0
    receipt = home.sam("forget", "--yes", "--words", "wallaby Quincy").stdout
    assert "I have searched all my files for the forgotten text: none of it is left." in receipt
    assert holding(home.data) == [] and holding(home.data, "badger") != []


def test_the_command_wants_one_thing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("forget", "1", "--words", "x").returncode == 2
    assert home.sam("forget", "--json").stdout == "[]\n"  # it lists the sessions


# ── on Telegram ──────────────────────────────────────────────────────────────────────────────


async def set_aside(it: Sam, text: str) -> None:
    """Add an unreadable update that was set aside and is in no log."""
    update = {
        "update_id": 900,
        "message": {"message_id": 999, "chat": {"id": ANA.id}, "text": text},
    }
    await it.inbox.updates.receive(900, f"telegram:{ANA.id}", json.dumps(update))
    await it.inbox.updates.set_aside(900, "of the test")


async def test_all_copies_are_shown_and_forgotten_by_a_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Quincy is a fine wallaby.")
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await telegram.receives(SAID)
        await telegram.wait_sent(1)
        await it.at_rest()
        await memory.summarise(Echo(), reason="asked")
        await telegram.asks("/remember the wallaby Quincy is four")
        await telegram.asks("/todo a leash for the wallaby Quincy")
        await telegram.asks("/search wallaby Quincy")
        await telegram.asks("/new")
        await set_aside(it, "wallaby Quincy again")
        preview = await telegram.asks("/forget wallaby Quincy")
        for words in (SAID, "MEMORY.md", "tasks.md", DAY, "could not handle", "my answer"):
            assert words in preview.text.replace("\\", ""), words
        assert "Forget all" in next(iter(buttons(preview))) and "Keep" in buttons(preview)
        await it.at_rest()
        assert "wallaby" not in await _arguments(it)

        label = next(iter(buttons(preview)))
        assert await press(telegram, preview, label) == "Forgotten."
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "Forgotten: 3 messages" in edited.text  # /remember is one
        assert "wallaby" not in edited.text
        # Telegram sends the preview's text with the press; the inbox does not keep it.
        assert "none of it is left" in edited.text and "inbox.db" not in edited.text
        assert buttons(edited) == {}
        await it.at_rest()
        assert holding(tmp_path) == []
        assert await press_again(telegram, preview, label) == "It is already forgotten."
        await it.at_rest()
        assert telegram.edited[-1] == edited, "the receipt stays"
    async with sam(telegram, claude, tmp_path) as it:
        assert await press_again(telegram, preview, label) == "It is already forgotten."
        await it.at_rest()
        assert telegram.edited[-1] == edited
        await telegram.wait_for(lambda _: holding(tmp_path) == [])
        assert "nothing about" in (await telegram.asks("/forget wallaby Quincy")).text


async def _arguments(it: Sam) -> str:
    """Return what the buttons of /forget refer to."""
    rows = await it.inbox._db.read(
        lambda db: db.execute("SELECT argument FROM button WHERE action LIKE 'forget%'").fetchall()
    )
    assert rows
    return " ".join(row[0] for row in rows)


async def test_what_the_model_wrote_in_that_turn_is_listed_and_goes(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    """The note has none of the words to forget. Other lines stay, including an older task that was
    completed in that turn."""
    wrote = {
        "save_memory": {"content": "Tulips and figs grow there"},
        "manage_tasks": {"action": "add", "text": "Water the figs on Sundays"},
        "create_note": {"title": "Figs", "content": "- figs want sun\n- and little water"},
    }
    for name, given in wrote.items():
        claude.calls(name, given, when="secret garden")
    done = {"action": "complete", "text": "order tulips"}
    claude.calls("manage_tasks", done, when="secret garden", then="Lovely.")
    said = "My secret garden has figs that want sun and little water. I ordered the tulips."
    async with sam(telegram, claude, tmp_path) as it:
        write(tmp_path, "tasks.md", "- [ ] order tulips\n- [ ] milk\n")
        write(tmp_path, DAY, "# A day\n\n- Note: the badger likes figs\n")
        await it.profiles["owner"].memory.reconcile()
        told = await telegram.receives(said)
        await telegram.wait_sent(1)
        await it.at_rest()
        written = {path: path.read_text() for path in (tmp_path / "vault").rglob("*.md")}
        assert all(any(word in text for text in written.values()) for word in WRITTEN_WORDS)
        preview = await telegram.asks("/forget", reply_to=told)
        for words in WRITTEN_WORDS:
            assert words in preview.text.replace("\\", ""), (words, preview.text)
        await press(telegram, preview, next(iter(buttons(preview))))
        await telegram.wait_for(lambda fake: fake.edited)
        await it.at_rest()
        for words in WRITTEN_WORDS:
            assert not [p for p in written if p.exists() and words in p.read_text()], words
        assert "- Note: the badger likes figs" in (tmp_path / "vault" / DAY).read_text()
        tasks = (tmp_path / "vault" / "tasks.md").read_text()
        assert "order tulips" in tasks and "- [ ] milk" in tasks


async def test_a_reply_forgets_that_message_and_keep_keeps_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives(SAID)
        await telegram.wait_sent(1)
        await telegram.receives("the badger likes plums")
        await telegram.wait_sent(2)
        await it.at_rest()
        preview = await telegram.asks("/forget", reply_to=told)
        await it.at_rest()  # the command itself has the words, until it is done
        assert list(buttons(preview)) == ["Forget it", "Keep"]
        await press(telegram, preview, "Keep")
        kept = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert kept.text.startswith("Kept") and ("user", SAID) in await it.texts()
        assert await press_again(telegram, preview, "Forget it") == "Forgotten."
        await it.at_rest()
        assert ("user", "the badger likes plums") in await it.texts()
        assert SAID not in [text for _, text in await it.texts()]
        await telegram.wait_for(lambda _: holding(tmp_path) == [])


async def test_a_reply_to_a_file_without_a_caption_forgets_what_stood_in_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        sent = await telegram.receives(document=File(SAID.encode(), "badger.txt", "text/plain"))
        await telegram.wait_sent(1)
        await it.at_rest()
        preview = await telegram.asks("/forget", reply_to=sent)
        assert SAID in preview.text and list(buttons(preview)) == ["Forget it", "Keep"]
        assert await press_again(telegram, preview, "Forget it") == "Forgotten."
        await it.at_rest()
        assert all(SAID not in text for _, text in await it.texts())
        again = await telegram.asks("/forget", reply_to=sent)
        assert again.text.startswith("I have nothing about that.")


async def test_without_words_it_says_how(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        assert "Write it after the command" in (await telegram.asks("/forget")).text
        assert "nothing about" in (await telegram.asks("/forget submarines")).text


async def test_other_buttons_stay(tmp_path: Path) -> None:
    home = Home(tmp_path)
    settings = home.settings()
    home.data.mkdir(parents=True)
    inbox = await Inbox.open(home.data / "inbox.db", system_clock)
    await inbox.close()
    kept = ['{"task": "abc123"}', '{"path": "a.md", "from": 1, "to": 2}', '{"task": "milk"}']
    gone = ['{"words": "wallaby"}', '{"quote": "You: the wallaby likes quinces, he said"}']
    texts = [ContentWords("the wallaby likes quinces")]
    assert [texts_in_inbox.quotes(each, texts) for each in [*kept, *gone]] == [False] * 3 + [
        True
    ] * 2
    assert not texts_in_inbox.quotes(gone[0], [ContentWords("No."), ContentWords("")])
    chinese = ['{"words": "袋鼠"}', '{"words": "牛奶"}']
    assert [texts_in_inbox.quotes(each, [ContentWords("我的袋鼠叫昆西")]) for each in chinese] == [
        True,
        False,
    ]
    await texts_in_inbox.clear(settings, (), [], "owner", ["the wallaby likes quinces"])


async def test_what_is_forgotten_is_remembered_by_a_hash_with_a_key(tmp_path: Path) -> None:
    """Without the key nobody can guess the text; hashes made before there was a key still count."""
    key = tmp_path / "data" / "tombstones.key"
    async with opened(tmp_path) as memory:
        assert await memory.log.forgetting.with_tombstone([SAID]) == set() and not key.exists()
        await memory.log.forgetting.add_tombstones([SAID], "test")
        assert await memory.log.forgetting.with_tombstone([SAID, "plums"]) == {SAID}
        assert len(key.read_bytes()) == 32 and key.stat().st_mode & 0o077 == 0

        def old(db: Any) -> set[str]:
            db.execute(
                "INSERT INTO tombstone (at, text_hash, cause) VALUES ('', ?, '')",
                (line_hash("plums"),),
            )
            return {row["text_hash"] for row in db.execute("SELECT text_hash FROM tombstone")}

        hashes = await memory.log._db.write(old)
        assert line_hash(SAID) not in hashes and line_hash("plums") in hashes
        assert await memory.log.forgetting.with_tombstone([SAID, "plums"]) == {SAID, "plums"}
    key.write_bytes(b"x" * 32)
    async with opened(tmp_path) as memory:
        assert await memory.log.forgetting.with_tombstone([SAID, "plums"]) == {"plums"}


async def test_a_russian_name_is_found_in_every_case(tmp_path: Path) -> None:
    said = ["У Лены аллергия на орехи", "Мы с Леной были в театре", "Лента лежит в шкафу"]
    async with opened(tmp_path) as memory:
        for text in (*said, "Аней куплены билеты", "Анапа далеко"):
            await log_exchange(memory, text)
        lena = (await forget_words.find_kept(memory, "Лену")).items
        assert [item.text for item in lena] == said[:2]
        assert [item.text for item in (await forget_words.find_kept(memory, "Аню")).items] == [
            "Аней куплены билеты"
        ]


async def test_what_sam_also_answered_to_others_is_no_copy(tmp_path: Path) -> None:
    """Sam's own sentences, also those of earlier versions, are not offered one by one."""
    answer = "I recall nothing about it. Your message is kept."
    async with opened(tmp_path) as memory:
        await log_exchange(memory, SAID, answer)
        await log_exchange(memory, "the badger likes plums", answer)
        await memory.end_session("terminal", memory.clock())
        [item] = (await forget_words.find_kept(memory, "wallaby")).items
        assert item.text == SAID

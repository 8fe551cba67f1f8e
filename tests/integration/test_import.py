"""`sam import`: what each format brings, and that it may be killed, repeated and undone."""

from __future__ import annotations

from pathlib import Path

from memory import Memory
from memory.transfer import Imported, conversations, import_conversations, preview, undo
from tests.support import exports
from tests.support.memories import opened

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


async def brought(memory: Memory, path: Path, me: str = "") -> Imported:
    """Import all chats of a file."""
    found = conversations(path)
    seen = preview(found.read(memory.zone), memory.zone)
    chats = {chat.chat.name for chat in seen.chats}
    return await import_conversations(memory, found, chats=chats, me=me)


async def rows(memory: Memory) -> list[tuple[str, str, str, str, str]]:
    """Return the log: chat, origin, author, moment and text of each message."""
    return [
        (m.chat, m.origin, m.author, f"{m.sent_at:%Y-%m-%dT%H:%M}", m.text)
        for m in sorted(await memory.log.messages.recent(2**31), key=lambda m: m.id)
    ]


async def test_of_chatgpt_the_branch_comes_that_the_user_saw(tmp_path: Path) -> None:
    made = exports.chatgpt(TALKS, abandoned=[("user", "never mind"), ("assistant", "fine")])
    file = exports.dump(tmp_path / "conversations.json", made)
    async with opened(tmp_path) as memory:
        done = await brought(memory, file)
        assert (done.chats, done.messages, done.known) == (2, 7, 0)
        found = await rows(memory)
        assert [row[4] for row in found] == [text for talk in TALKS.values() for _, text in talk]
        assert found[0][1:4] == ("owner", "", "2023-03-05T09:30")
        assert found[1][1:3] == ("other", "ChatGPT")
        assert (await memory.log.imports.titles())[found[0][0]] == "Trip to Rome"
        assert (await memory.log.ledger()).adds_up


async def test_smoke(tmp_path: Path) -> None:
    file = exports.dump(tmp_path / "conversations.json", exports.chatgpt(TALKS))
    from memory.transfer import export, import_export
    from tests.support.memories import settings

    async with opened(tmp_path / "one") as memory:
        done = await brought(memory, file)
        await export(memory, tmp_path / "out")
        assert done.id
    await import_export(settings(tmp_path / "two"), tmp_path / "out")
    async with opened(tmp_path / "two") as memory:
        assert (await memory.log.ledger()).adds_up, await memory.log.ledger()
        assert len(await rows(memory)) == 7
    async with opened(tmp_path / "one") as memory:
        await undo(memory, done.id)
        assert (await memory.log.ledger()).adds_up, await memory.log.ledger()
        assert await rows(memory) == []

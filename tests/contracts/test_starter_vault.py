"""The starter vault parses well, its links resolve, and it assumes nothing about its owner."""

from __future__ import annotations

import posixpath
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from bot.assistant.heartbeat import checklist
from memory.core import Memory
from memory.notes import task_list
from memory.notes.chunker import chunks
from memory.notes.kinds import KINDS, kind_of
from memory.notes.markdown import headings, lines, privacy, split_front_matter, without_code
from memory.notes.prose import prose
from memory.vault import Vault, starter
from tests.support.memories import Clock, settings

ROOT = Path(__file__).parents[2] / "vault"
NOTES = {path.relative_to(ROOT).as_posix(): path for path in sorted(ROOT.rglob("*.md"))}
EXPECTED = {
    *("soul.md", "identity.md", "user.md", "MEMORY.md", "tasks.md", "heartbeat.md", "Home.md"),
    *(f"knowledge/{name}.md" for name in ("biographical", "preference", "task", "relationship")),
    *("knowledge/contextual.md", "knowledge/rules.md", "Help/About Sam.md"),
}


def body(name: str) -> str:
    return split_front_matter(NOTES[name].read_text(encoding="utf-8"))[1]


def said(name: str) -> str:
    return "\n".join(prose(lines(body(name))))


def test_every_file_is_there() -> None:
    assert set(NOTES) >= EXPECTED
    assert {kind_of(name) for name in NOTES} >= set(KINDS) - {"log", "message", "summary"}
    assert split_front_matter(NOTES["Home.md"].read_text(encoding="utf-8"))[0] == {"format": "1"}


@pytest.mark.parametrize("name", NOTES)
def test_a_starter_note_is_well_formed_and_needs_no_plugin(name: str) -> None:
    text = NOTES[name].read_text(encoding="utf-8")
    assert text.endswith("\n") and "\r" not in text and "\t" not in text
    found = headings(lines(body(name)))
    assert [heading.level for heading in found].count(1) == 1 and found[0].level == 1
    assert lines(body(name))[0 if not split_front_matter(text)[2] else 1].startswith("# ")
    assert privacy(text) == "normal"
    assert text.count("%%") % 2 == 0
    # Nothing that needs a plugin, and no live tag or link by name.
    assert "```dataview" not in text
    assert not re.search(r"(?<!\S)#\w|\[\[", without_code_blocks(said(name)))


def without_code_blocks(text: str) -> str:
    bare = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return "\n".join(without_code(row) for row in bare.split("\n"))


@pytest.mark.parametrize("name", NOTES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(<?([^)>]+)>?\)", without_code_blocks(body(name))):
        assert (NOTES[name].parent / unquote(target)).is_file(), target
    for file in re.findall(r"`((?:\w+/)?[\w-]+\.md)`", said(name)):
        written_later = file.startswith("memories/") or file == "SKILL.md"
        assert written_later or (ROOT / file).is_file(), file


def test_every_note_is_reached_from_home() -> None:
    seen, todo = set(), ["Home.md"]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [
                posixpath.normpath(f"{posixpath.dirname(name)}/{unquote(target)}".lstrip("/"))
                for target in re.findall(r"\]\(<?([^)>]+)>?\)", without_code_blocks(body(name)))
            ]
    assert seen == set(NOTES)


@pytest.mark.parametrize("name", NOTES)
def test_it_knows_nothing_of_its_owner_yet(name: str) -> None:
    text = NOTES[name].read_text(encoding="utf-8")
    found = chunks(text, path=name)
    assert all(c.privacy == "normal" and c.expires is None and c.date is None for c in found)
    if kind_of(name) in ("fact", "rule", "memory", "user", "task"):
        assert found == [] and list(task_list.tasks(text)) == []
    elif name != "heartbeat.md":
        assert found


def test_user_and_heartbeat_notes_start_without_values() -> None:
    assert split_front_matter(NOTES["user.md"].read_text(encoding="utf-8"))[0] == {"timezone": ""}
    assert checklist(NOTES["heartbeat.md"].read_text(encoding="utf-8")) == ""


def test_the_soul_says_what_it_is_for() -> None:
    titles = {heading.title for heading in headings(lines(body("soul.md")))}
    assert titles >= {"Tone", "Boundaries", "Working together", "When in doubt"}
    assert "not chat logs" in said("soul.md")
    assert len(said("soul.md")) < 4000  # it is sent, and paid for, with every message


def test_skills_say_when_to_use_them() -> None:
    for name, path in NOTES.items():
        if kind_of(name) == "skill":
            fields = split_front_matter(path.read_text(encoding="utf-8"))[0]
            assert fields["name"] == path.stem
            assert "Use it when" in str(fields["description"])


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Where are my memories stored?", "Help/How Sam remembers.md"),
        ("What can you do?", "Help/About Sam.md"),
        ("What can you remember?", "Help/About Sam.md"),
        ("How do I delete a memory?", "Help/How Sam remembers.md"),
        ("Is my data sent to the cloud?", "Help/About Sam.md"),
        ("How do I mark something as private?", "Help/How Sam remembers.md"),
        ("How do I add a task?", "Help/About Sam.md"),
        ("How do I write a skill?", "Help/Files of this vault.md"),
    ],
)
async def test_a_first_question_finds_something(question: str, note: str, started: Memory) -> None:
    recalled = await started.recall(question, limit=3)
    assert note in [hit.path for hit in recalled.hits]


@pytest.fixture
async def started(tmp_path: Path) -> AsyncIterator[Memory]:
    """Open a memory with a new starter vault and keyword search only."""
    given = settings(tmp_path)
    vault = Vault(given.vault_dir, data_dir=given.data_dir)
    assert len(await starter.copy_starter(vault)) == len(NOTES)
    async with Memory.open(given, clock=Clock()) as memory:
        await memory.reconcile()
        yield memory

"""Sam in an existing vault of 750 notes: how soon it finds them, and that it changes none.

Since the machine may be busy, the order of events is asserted; times are printed, and only limited
to several times the goal.
"""

from __future__ import annotations

import json
import os
import queue
import random
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.core import Memory
from memory.tools.memory_tools import MemoryTools
from tests.support import prefork
from tests.support.memories import settings
from tests.support.process import SAM, environment

NOTES = 750
KEYWORDS, HYBRID = 10.0, 60.0  # time limits in seconds from the start of the process
PATIENCE = 5  # factor for a busy machine

_WORDS = """garden winter letter harbour kitchen meeting invoice bicycle teacher morning river
engine project window contract summer doctor journey budget bridge village server answer picture
market weather station library question kettle orchard lecture ferry notebook recipe concert
mountain carpet neighbour lantern printer hospital ticket festival cupboard archive signal
candle forest painted repaired visited planned forgot measured borrowed explained moved counted
replaced ordered opened promised carried noticed compared finished translated planted quiet
narrow heavy early broken green distant careful empty second wooden friendly bright cheap rough
steady"""
_SYLLABLES = "ba da fe gi ho ju ka li mo nu pe ra si to vu wa xe yo za bri"
WORDS, SYLLABLES = _WORDS.split(), _SYLLABLES.split()
FOLDERS = ("Projects", "People", "Reading", "Archive", "Zettel", "Work/2024", "Work/2025")


def furnish(root: Path, draw: random.Random) -> list[tuple[Path, str]]:
    """Write the owner's vault; return its plain notes, oldest first, each with a unique name."""
    made = []
    start = datetime(2019, 1, 1, tzinfo=UTC)
    for number in range(NOTES):
        day = date(2026, 2, 12) - timedelta(days=number)
        own = "".join(draw.choices(SYLLABLES, k=3)) + f"{number:04d}"
        folder = FOLDERS[number % len(FOLDERS)]
        name = f"Daily/{day}.md" if number < 300 else f"{folder}/{own} {draw.choice(WORDS)}.md"
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        paragraphs = [
            " ".join(
                " ".join(draw.choices(WORDS, k=draw.randint(5, 14))).capitalize() + "."
                for _ in range(draw.randint(3, 6))
            )
            for _ in range(draw.randint(4, 9))
        ]
        text = "\n\n".join([f"# About {own}", paragraphs[0], "## More", *paragraphs[1:]])
        path.write_text(f"---\ntags: [note]\n---\n{text}\n", "utf-8")
        stamp = (start + timedelta(hours=number * 16)).timestamp()
        os.utime(path, (stamp, stamp))
        made.append((path, own))
    others = {
        "Home.md": "# Home\n\n[[Projects]] and [[tasks]]\n",
        "tasks.md": "# Tasks\n\n- [ ] Call the plumber 📅 2026-02-20\n- [x] Pay the rent\n",
        "Archive/old.md": "# Old\n\nAn archive of the owner's own, gelbfink.\n",
        "Templates/Daily.md": "# {{date}}\n\nschablone {{title}}\n",
        "Board.canvas": json.dumps({"nodes": [{"id": "1", "type": "text", "text": "leinwand"}]}),
        "Drawing.excalidraw.md": "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nA sketch\n"
        "# Drawing\n```compressed-json\n" + "N4KAkARALgngDgUwgLgAQQQDw" * 40 + "\n```\n%%\n",
        ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["Private/"]}),
        ".obsidian/templates.json": json.dumps({"folder": "Templates"}),
        "Private/diary.md": "# Diary\n\ngeheimnis of the owner\n",
    }
    for name, text in others.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return made


class Chat:
    """A `sam chat` on a pipe."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.process = prefork.popen(
            [*SAM, "chat"],
            env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=folder,
        )
        self.began = time.monotonic()  # the first call of `popen` imports all libraries
        self.asked = 0
        self._said: queue.Queue[str] = queue.Queue()
        self.listener = threading.Thread(target=self._listen)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)

    def say(self, line: str) -> str:
        """Return Sam's answer to a line; an unknown command's answer marks its end."""
        assert self.process.stdin is not None
        self.asked += 1
        self.process.stdin.write(f"{line}\n/end{self.asked}\n")
        self.process.stdin.flush()
        said = ""
        while f"I don't know /end{self.asked}." not in said:
            said += self._said.get(timeout=120)
        return said.split(f"> {line}\n", 1)[1].split(f"> /end{self.asked}")[0]

    def until(self, true: Callable[[], object], within: float) -> float:
        """Return seconds from the start of the process until it is true."""
        while not true():
            assert self.seconds < within * PATIENCE, f"not within {within} s, times {PATIENCE}"
            time.sleep(0.1)
        return self.seconds

    @property
    def seconds(self) -> float:
        """Return seconds since the start of the process."""
        return time.monotonic() - self.began

    def end(self) -> int:
        """Quit; return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.write("/quit\n")
        self.process.stdin.flush()
        return self.process.wait(60)


class House:
    """The owner's vault under git, and Sam's settings in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "vault"
        (folder / "home").mkdir()
        self.notes = furnish(self.root, random.Random(3))
        self.env = environment(
            folder, {"SAM_DIR": "Sam", "MEMORY_FILE": "memories/%Y-%m-%d Sam.md"}
        )
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=o", "-c", "user.email=o@x", "commit", "--quiet", "-m", "mine")

    def git(self, *words: str) -> str:
        return subprocess.run(
            ["git", *words],
            cwd=self.root,
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def sam(self, *words: str) -> Any:
        """Return a command's parsed JSON output."""
        done = prefork.run([*SAM, *words, "--json"], self.env, cwd=self.folder)
        return json.loads(done.stdout)

    def changed(self) -> set[str]:
        """Return all paths that git reports as changed, deleted or new."""
        rows = self.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0")
        return {row[3:] for row in rows if row}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def chat(house: House) -> Iterator[Chat]:
    made = Chat(house.folder, house.env)
    with made.process:  # closes its pipes
        try:
            yield made
        finally:
            made.process.kill()
            made.listener.join()


def _in(house: House, note: tuple[Path, str]) -> tuple[str, str]:
    return note[0].relative_to(house.root).as_posix(), note[1]


async def test_a_vault_that_was_there_is_searched_soon_and_left_as_it_is(
    house: House, chat: Chat
) -> None:
    oldest, newest = _in(house, house.notes[0]), _in(house, house.notes[-1])

    def found_newest_first() -> bool:
        """Return whether the newest note is found; fail if the oldest, asked for first, was found
        before it."""
        old = oldest[0] in chat.say(f"/search {oldest[1]}")
        new = newest[0] in chat.say(f"/search {newest[1]}")
        assert new or not old, "the oldest note was indexed before the newest"
        return new

    # Keywords: the newest note is found first, then all of them.
    first = chat.until(found_newest_first, KEYWORDS)
    whole = chat.until(lambda: oldest[0] in chat.say(f"/search {oldest[1]}"), KEYWORDS * 3)
    for word in ("schablone", "leinwand", "geheimnis", "N4KAkARALgngDgUwgLgAQQQDw"):
        answer = chat.say(f"/search {word}")
        assert not any(name in answer for name in ("Templates/", "Board", "Private/", "Drawing"))
    assert "Archive/old.md" in chat.say("/search gelbfink")  # the owner's archive is no archive

    # Vectors: a new message is found by meaning long before all notes are embedded.
    chat.say("My cat is called Miso")
    hybrid = chat.until(lambda: "Miso" in chat.say("/search what is the name of my pet"), HYBRID)
    found = house.sam("search", "what is the name of my pet")
    waiting = house.sam("doctor")["ledger"]["lags"]["not_embedded"]
    print(f"keywords {first:.1f} s, all notes {whole:.1f} s, hybrid {hybrid:.1f} s, {waiting} wait")
    assert found["mode"] == "hybrid"
    assert any("Miso" in hit["text"] for hit in found["hits"])
    assert waiting > NOTES / 2

    # A day of use.
    assert "Saved in Sam/MEMORY.md" in chat.say("/remember Anna is allergic to nuts")
    for number in range(6):
        chat.say(f"I planted {number + 3} rows of beans in the garden, Anna helped")
    assert "Summarised into Sam/memories/" in chat.say("/summarize")
    chat.say("/new")
    chat.say("The boiler is serviced every October")
    assert chat.end() == 0
    async with _tools(house) as tools:
        await tools.manage_tasks("add", "Water the beans", due="2026-12-01")
        await tools.manage_tasks("add", "Oil the bicycle")
        await tools.manage_tasks("complete", "Oil the bicycle")
        assert "plumber" not in await tools.manage_tasks("list")  # the owner's own list
        await tools.save_memory("The beans grow well", source="manual")
        await tools.edit_memory("Sam/MEMORY.md", "allergic to nuts", "allergic to walnuts")

    changed = house.changed()
    assert changed and all(path.startswith("Sam/") for path in changed), changed
    assert house.git("diff", "HEAD") == ""  # no existing file has changed
    inside = {path.removeprefix("Sam/") for path in changed}
    assert {"soul.md", "MEMORY.md", "tasks.md"} <= inside
    assert "allergic to walnuts" in (house.root / "Sam" / "MEMORY.md").read_text("utf-8")
    [day] = {path for path in inside if path.startswith("memories/")}
    assert day.endswith(" Sam.md")  # no second note with the daily note's name
    assert any(path.startswith("sessions/") for path in inside)

    (house.root / "Home.md").write_text("# Mine\n", "utf-8")  # and git would have reported it
    assert house.changed() - changed == {"Home.md"}


@asynccontextmanager
async def _tools(house: House) -> AsyncIterator[MemoryTools]:
    """Open the model's tools on the same stores."""
    given = settings(house.folder, sam_dir="Sam", memory_file="memories/%Y-%m-%d Sam.md")
    async with Memory.open(given) as memory:
        yield MemoryTools(memory)

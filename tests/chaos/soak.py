"""Load: fifty chats at once, with faults of every wire and kills. Knows no inside of Sam.

It measures what only load can show: memory that stays flat, Sam's own time in a turn over a large
vault, chats that do not wait for each other, and that nothing is lost or doubled meanwhile.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import endings, locomo
from tests.chaos import Figures
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.process import Sam, wait_until

MESSAGES, CHUNKS, CHATS, KILLS = 10_000, 100_000, 50, 10  # at size 1.0
SECTIONS = 40  # passages of one note
FIRST = 2001  # the first chat's id
QUIET = 200  # turns that are timed one by one
BURST = 50  # messages of the chat that is slow
TAG = re.compile(r"\bc\d+m\d+\b")


def run(seed: int, size: float, folder: Path) -> Figures:
    """See `tests.chaos.Part`."""
    draw = random.Random(seed)
    words = _words()
    chunks = max(400, round(CHUNKS * size))
    write_notes(folder / "vault" / "notes", chunks, words, draw)
    with (
        FakeTelegram.running() as telegram,
        FakeClaude.running() as claude,
        FakeEmbeddings.running() as embeddings,
        running(folder, telegram, claude, embeddings) as sam,
    ):
        soak = Soak(sam, telegram, claude, embeddings, words, draw)
        figures: Figures = {"chats": CHATS, "chunks": chunks}
        try:
            figures |= soak.becomes_ready()
            figures |= soak.own_time(max(8, round(QUIET * size)))
            figures |= soak.load(max(60, round(MESSAGES * size)), max(1, round(KILLS * size)))
            figures |= soak.slow_chat(max(8, round(BURST * size)))
            figures |= soak.stops()
            figures |= soak.nothing_is_lost()
        except AssertionError:
            print(sam.story())
            raise
        return figures


def _words() -> list[str]:
    """Sentences that people said; made-up ones where the conversations are not at hand."""
    if not locomo.DATA.exists():
        nouns = ["boat", "letter", "garden", "bridge", "coffee", "museum", "violin", "river"]
        return [f"The {a} stands near the {b} again" for a in nouns for b in nouns]
    return [
        line.text
        for sample in locomo.load()
        for session in locomo.sessions(sample["conversation"])
        for line in session
    ]


def write_notes(folder: Path, chunks: int, words: list[str], draw: random.Random) -> None:
    """Notes that have about so many passages."""
    folder.mkdir(parents=True)
    for number in range(-(-chunks // SECTIONS)):
        parts = [
            f"## Part {part}\n\n" + " ".join(draw.sample(words, 3))
            for part in range(min(SECTIONS, chunks - number * SECTIONS))
        ]
        (folder / f"note-{number:05}.md").write_text("\n\n".join(parts) + "\n", "utf-8")


@contextmanager
def running(folder: Path, telegram: Any, claude: Any, embeddings: Any) -> Iterator[Sam]:
    """Sam between the fakes; all chats are the owner's."""
    ids = ",".join(str(FIRST + chat) for chat in range(CHATS))
    sam = Sam(
        folder,
        **telegram.env
        | {
            "TELEGRAM_ALLOWED_USERS": ids,
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": claude.url,
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_CONSENT": "openai",
            "EMBEDDING_DIMENSIONS": "256",
            "EMBEDDING_API_KEY": "sk-test",
            "EMBEDDING_BASE_URL": embeddings.url,
            "BUDGET_DAILY_USD": "0",
            "HEARTBEAT_MINUTES": "0",
        },
    )
    sam.start()
    try:
        yield sam
    finally:
        if sam.process is not None and sam.process.poll() is None:
            sam.kill()


@dataclass
class Chat:
    """What one chat has said, and how far its answers are."""

    id: int
    said: list[str] = field(default_factory=list)
    waits: set[str] = field(default_factory=set)


class Soak:
    """One run; its phases are called in their order."""

    def __init__(
        self,
        sam: Sam,
        telegram: Any,
        claude: FakeClaude,
        embeddings: FakeEmbeddings,
        words: list[str],
        draw: random.Random,
    ) -> None:
        self.sam, self.telegram, self.claude, self.embeddings = sam, telegram, claude, embeddings
        self.words, self.draw = words, draw
        self.chats = [Chat(FIRST + number) for number in range(CHATS)]
        self.stopped: list[str] = []
        self.kills = 0
        self._seen = 0
        claude.says("ok", when="Say: ok")
        claude.answers(lambda request: f"Answer to {tag_of(request)}.", model="sonnet")
        claude.summaries(endings.one_bullet_a_message)

    def becomes_ready(self) -> Figures:
        """Index and vectors are whole before anything is measured."""
        began = time.monotonic()

        def rests() -> bool:
            ledger = self.sam.json("doctor")["ledger"]
            return bool(ledger) and not any(ledger["lags"].values())

        wait_until(rests, "an index with all its vectors", timeout=3600, nap=2.0)
        return {"seconds until all was indexed and embedded": round(time.monotonic() - began)}

    def own_time(self, turns: int) -> Figures:
        """From the update to the request to Claude, one turn at a time."""
        times = []
        for _ in range(turns):
            chat = self.draw.choice(self.chats)
            began = time.monotonic()
            tag = self.says(chat)
            self.all_answered(timeout=60)
            asked = next(r for r in reversed(self.claude.requests) if tag_of(r) == tag)
            times.append((asked.at - began) * 1000)
        times.sort()
        return {
            "own time a turn, p50 ms": round(statistics.median(times), 1),
            "own time a turn, p95 ms": round(times[int(len(times) * 0.95)], 1),
        }

    def load(self, messages: int, kills: int) -> Figures:
        """All chats at once, with faults; the kills come in the first half."""
        due = sorted(self.draw.sample(range(messages // 2), kills))
        resident: list[tuple[float, int]] = []
        began = time.monotonic()
        sent = 0
        while sent < messages:
            for chat in self.draw.sample(self.chats, CHATS):
                if sent < messages and len(chat.waits) < self.draw.randint(1, 3):
                    self.says(chat)
                    sent += 1
                    if due and sent >= due[0]:
                        due.pop(0)
                        self.kill()
                    if sent % 97 == 0:
                        self.trouble()
            if sent > messages * 0.6 and (not resident or time.monotonic() - resident[-1][0] > 1):
                resident.append((time.monotonic(), self.resident()))
            self.look()
            time.sleep(0.01)
        self.all_answered(timeout=900)
        seconds = time.monotonic() - began
        sizes = [kib for _, kib in resident] or [self.resident()]
        middle, end = sizes[: -(-len(sizes) // 2)], sizes[len(sizes) // 2 :]
        growth = statistics.median(end) / statistics.median(middle)
        assert growth < 1.25 or messages < 1000, f"memory grows: {sizes} KiB"
        return {
            "messages under load": sent,
            "messages a second": round(sent / seconds, 1),
            "memory, MiB": round(statistics.median(end) / 1024),
            "memory, end against middle": round(growth, 3),
        }

    def slow_chat(self, burst: int) -> Figures:
        """One chat sends many messages at once, and another one afterwards."""
        slow, other = self.chats[0], self.chats[1]
        self.claude.chunk_delay = 0.02
        tags = [self.says(slow) for _ in range(burst)]
        mine = self.says(other)
        self.all_answered(timeout=300)
        self.claude.chunk_delay = 0.0
        order = [tag for sent in self.telegram.sent for tag in TAG.findall(sent.text)]
        before = sum(order.index(tag) < order.index(mine) for tag in tags)
        assert before <= max(4, burst // 5), f"{before} of {burst} answers came first"
        return {f"answers of a chat of {burst} before another chat's one": before}

    def stops(self) -> Figures:
        """/stop ends an answer that would never end."""
        chat = self.chats[2]
        hold = self.claude.holds(6, model="sonnet")
        tag = self.says(chat)
        assert hold.reached.wait(60), "the model was never asked"
        began = time.monotonic()
        count = len(self.telegram.sent)
        self.telegram.receives("/stop", user=chat.id)
        wait_until(
            lambda: any(s.chat_id == chat.id for s in self.telegram.sent[count:]),
            "an answer to /stop",
            timeout=30,
            nap=0.01,
        )
        took = time.monotonic() - began
        hold.release()
        chat.waits.discard(tag)
        self.stopped.append(tag)
        return {"seconds until /stop was obeyed": round(took, 3)}

    def nothing_is_lost(self) -> Figures:
        """The check that ends every history."""
        said = [text for chat in self.chats for text in chat.said]
        answered = [f"Answer to {tag}." for text in said for tag in TAG.findall(text)[:1]]
        for tag in self.stopped:
            answered.remove(f"Answer to {tag}.")
        sent = [each.text for each in self.telegram.sent]
        # a summary that met a fault was tried again: the job's failure is on record
        allowed = frozenset({"job"})
        return {**endings.check(self.sam, said, answered, sent, kills=self.kills, allowed=allowed)}

    # ── its deeds ─────────────────────────────────────────────────────────────────────────────

    def says(self, chat: Chat) -> str:
        """One more message of the chat; the mark that its answer will bear."""
        tag = f"c{chat.id}m{len(chat.said)}"
        text = f"{tag} {self.draw.choice(self.words)}"
        chat.said.append(text)
        chat.waits.add(tag)
        self.telegram.passes(seconds=60)
        self.telegram.receives(text, user=chat.id)
        return tag

    def look(self) -> None:
        """Which messages are answered by now."""
        sent = self.telegram.sent
        for each in sent[self._seen :]:
            for tag in TAG.findall(each.text):
                self.chats[each.chat_id - FIRST].waits.discard(tag)
        self._seen = len(sent)

    def all_answered(self, timeout: float) -> None:
        """Wait until no chat waits for an answer."""

        def answered() -> bool:
            self.look()
            return not any(chat.waits for chat in self.chats)

        wait_until(
            answered, f"answers to {[c.waits for c in self.chats if c.waits]}", timeout, 0.01
        )

    def kill(self) -> None:
        """SIGKILL, and a new start."""
        self.sam.kill()
        self.kills += 1
        self.sam.start()

    def trouble(self) -> None:
        """Something goes wrong on one of the wires, and passes."""
        match self.draw.randrange(8):
            case 0:
                self.telegram.fails(429, method="sendRichMessage", retry_after=1)
            case 1:
                self.telegram.fails(502, method="getUpdates")
            case 2:
                self.telegram.cuts(when=self.draw.choice(["before", "midway"]), method="getUpdates")
            case 3:
                self.telegram.repeats(3)
            case 4:
                self.claude.fails(529)
            case 5:
                self.claude.cuts(self.draw.randint(1, 6))
            case 6:
                self.claude.truncates(self.draw.randint(2, 6))
            case _:
                self.embeddings.fails(503)

    def resident(self) -> int:
        """Sam's memory in KiB."""
        assert self.sam.process is not None
        status = Path(f"/proc/{self.sam.process.pid}/status").read_text("ascii")
        return int(status.split("VmRSS:")[1].split()[0])


def tag_of(request: Request) -> str | None:
    """The mark of the message that the request asks about."""
    found = TAG.findall(request.newest_text)
    return found[-1] if found else None

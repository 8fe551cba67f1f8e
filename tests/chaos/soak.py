"""Load test: fifty chats at once, with faults of every API and kills.

Checks what only load shows: flat memory, Sam's own time per turn over a large vault, independent
chats, and that nothing is lost or duplicated.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos import Figures
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support import dialogue, invariants, locomo
from tests.support.process import ROOT, Sam, wait_until

MESSAGES, CHUNKS, CHATS, KILLS = 10_000, 100_000, 50, 10  # at size 1.0
SECTIONS = 40  # chunks per note
FIRST = 2001  # id of the first chat
QUIET = 100  # turns timed one by one, before the load and again after it
PAUSE = 0.25  # seconds between them, so that work after an answer is not counted in the next turn
BURST = 50  # messages of the slow chat
FIRST_PART = 0.05  # fraction of the messages after which no more kills follow
MARKS = (0.1, 0.5, 1.0)  # fractions of the messages at which memory is measured
GROWTH, ENOUGH = 1.25, 5_000  # maximum growth of memory; messages before the first measurement
OUTSTANDING = 3  # unanswered messages per chat
BETWEEN = 300  # seconds of Telegram's clock between two messages: about 300 a day
TROUBLE_EVERY = 97  # messages
STOPS, BUSY = 5, 20  # answers that are stopped, and chats that are answered meanwhile
KEPT = 500  # requests that the fake keeps
NAP = 0.01  # seconds between two checks for answers
THRESHOLD = 400  # pending messages per summary: several of each chat
PATIENCE = 3600.0  # seconds until building an index of that size is given up
TAG = re.compile(r"\bc\d+m\d+\b")


def run(seed: int, size: float, folder: Path) -> Figures:
    """Run the part; see `tests.chaos.Part`."""
    draw = random.Random(seed)
    words = _words()
    chunks = max(400, round(CHUNKS * size))
    shutil.copytree(ROOT / "vault", folder / "vault")
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
            for phase in (
                soak.becomes_ready,
                partial(soak.own_time, "quiet", max(8, round(QUIET * size))),
                partial(soak.load, max(60, round(MESSAGES * size)), max(1, round(KILLS * size))),
                partial(soak.own_time, "after the load", max(8, round(QUIET * size))),
                partial(soak.slow_chat, max(8, round(BURST * size))),
                partial(soak.stops, max(1, round(STOPS * size))),
                soak.nothing_is_lost,
            ):
                made = phase()
                tell(", ".join(f"{what}: {figure}" for what, figure in made.items()))
                figures |= made
            # last, so that everything else is known by then
            first, *_, end = soak.sizes or [1, 1]
            assert end < GROWTH * first, f"memory grows: {soak.sizes} KiB"
        except AssertionError:
            print(sam.story())
            raise
        return figures


def tell(what: str) -> None:
    """Print progress at once; the figures follow at the end."""
    print(f"  {time.strftime('%H:%M:%S')} {what}", flush=True)


def _words() -> list[str]:
    """Return sentences of real conversations, or generated ones if there are none here."""
    samples = locomo.load() if locomo.DATA.exists() else [dialogue.sample()]
    return [
        line.text
        for sample in samples
        for session in locomo.sessions(sample["conversation"])
        for line in session
    ]


def write_notes(folder: Path, chunks: int, words: list[str], draw: random.Random) -> None:
    """Write notes with about that many chunks."""
    folder.mkdir(parents=True)
    for number in range(-(-chunks // SECTIONS)):
        parts = [
            f"## Part {part}\n\n" + " ".join(draw.sample(words, 3))
            for part in range(min(SECTIONS, chunks - number * SECTIONS))
        ]
        (folder / f"note-{number:05}.md").write_text("\n\n".join(parts) + "\n", "utf-8")


@contextmanager
def running(folder: Path, telegram: Any, claude: Any, embeddings: Any) -> Iterator[Sam]:
    """Run Sam connected to the fakes; all chats are the owner's."""
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
            "SUMMARY_THRESHOLD": str(THRESHOLD),
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
    """What one chat has sent, and which answers it got."""

    id: int
    said: list[str] = field(default_factory=list)
    waits: set[str] = field(default_factory=set)


class Soak:
    """One run; its phases are called in order."""

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
        self.sizes: list[int] = []
        self.sent_at: dict[str, float] = {}
        self.updates: dict[str, int] = {}
        self.asked_at: dict[str, float] = {}
        self._seen = 0
        claude.responds_with("ok", when="Say: ok")
        claude.answers(self.answer, model="sonnet")
        claude.summaries(invariants.one_bullet_a_message)

    def becomes_ready(self) -> Figures:
        """Wait until index and vectors are complete, before measuring."""
        began = time.monotonic()
        invariants.at_rest(self.sam, PATIENCE)
        return {"seconds until all was indexed and embedded": round(time.monotonic() - began)}

    def own_time(self, when: str, turns: int) -> Figures:
        """Measure the time from update to request to Claude, one turn at a time in one chat.

        Excludes the embedder's answer. CPU time is that of the whole turn, including the answer,
        the log and the index.
        """
        chat, times = self.chats[-1], []
        for _ in range(3):  # what start-up defers until it is needed
            self.sends(chat)
            self.all_answered(timeout=120)
        self.is_idle()
        used = self.processor()
        for _ in range(turns):
            time.sleep(PAUSE)
            tag = self.sends(chat)
            self.all_answered(timeout=120)
            times.append(self.own(tag))
        used = self.processor() - used
        return {
            **spread(f"own time a turn, {when}", times),
            f"processor a turn, {when}, ms": round(used * 1000 / turns),
        }

    def load(self, messages: int, kills: int) -> Figures:
        """Send from all chats at once, with faults; kills come first, so one process survives."""
        first = max(2 * kills, round(messages * FIRST_PART))
        due = sorted(self.draw.sample(range(1, first), kills))
        marks = [max(first, round(mark * messages)) for mark in MARKS]
        sizes: list[int] = []
        began, since, used, at = time.monotonic(), 0, self.processor(), time.monotonic()
        for sent in range(1, messages + 1):
            self.sends(self.next_chat())
            if due and sent == due[0]:
                due.pop(0)
                self.kill()
                since, used, at = sent, self.processor(), time.monotonic()
            if sent % TROUBLE_EVERY == 0:
                self.trouble()
            if sent in marks:
                self.all_answered(PATIENCE)
                sizes.append(self.resident())
            if sent % max(1, messages // 20) == 0:
                self.tell(sent, messages, began)
        self.all_answered(PATIENCE)
        self.claude.recovers()
        self.embeddings.recovers()
        took, used, alive = time.monotonic() - at, self.processor() - used, messages - since
        if messages >= ENOUGH:
            self.sizes = sizes
        shares = " / ".join(f"{mark:.0%}" for mark in MARKS)
        return {
            "messages under load": messages,
            "messages a second, since the last kill": round(alive / took, 1),
            "processor a message under load, ms": round(used * 1000 / alive),
            **spread("update to request under load, the queue counted", self.waited(at)),
            f"memory at {shares}, MiB": " / ".join(str(size // 1024) for size in sizes),
            "memory, end against first": round(sizes[-1] / sizes[0], 3),
        }

    def slow_chat(self, burst: int) -> Figures:
        """Check that a chat that sends a burst of messages does not delay another one."""
        slow, other = self.chats[0], self.chats[1]
        self.claude.chunk_delay = 0.02
        tags = [self.sends(slow) for _ in range(burst)]
        began, mine = time.monotonic(), self.sends(other)
        self.wait_until(lambda: mine not in other.waits, "the other chat's answer", 300)
        took = time.monotonic() - began
        self.all_answered(timeout=600)
        self.claude.chunk_delay = 0.0
        order = [tag for sent in self.telegram.sent for tag in TAG.findall(sent.text)]
        before = sum(order.index(tag) < order.index(mine) for tag in tags)
        assert before <= max(4, burst // 5), f"{before} of {burst} answers came first"
        return {
            f"answers of a chat of {burst} before another chat's one": before,
            "seconds that the other chat waited": round(took, 2),
        }

    def stops(self, answers: int) -> Figures:
        """Check that /stop ends an endless answer, while the other chats are answered."""
        took = []
        for chat in self.chats[2 : 2 + answers]:
            hold = self.claude.holds(6, when=f"c{chat.id}m", model="sonnet")
            tag = self.sends(chat)
            assert hold.reached.wait(60), "the model was never asked"
            for busy in self.chats[-BUSY:]:
                self.sends(busy)
            count, began = len(self.telegram.sent), time.monotonic()
            self.telegram.receives("/stop", user=chat.id)
            self.wait_until(
                lambda count=count, chat=chat: any(
                    s.chat_id == chat.id for s in self.telegram.sent[count:]
                ),
                "an answer to /stop",
                30,
            )
            took.append(time.monotonic() - began)
            hold.release()
            chat.waits.discard(tag)
            self.stopped.append(tag)
            self.all_answered(timeout=300)
        return {"milliseconds until /stop was obeyed, at most": round(max(took) * 1000)}

    def nothing_is_lost(self) -> Figures:
        """Check the invariants of every scenario."""
        said = [text for chat in self.chats for text in chat.said]
        answered = Counter(f"Answer to {tag_in(text)}." for text in said)
        answered -= Counter(f"Answer to {tag}." for tag in self.stopped)
        sent = [each.text for each in self.telegram.sent]
        # a summary that hit a fault was retried, which leaves the job's failure on record
        return {
            **invariants.check(
                self.sam,
                said,
                answered.elements(),
                sent,
                kills=self.kills,
                allowed=frozenset({"job"}),
                patience=PATIENCE,
            )
        }

    # ── actions ───────────────────────────────────────────────────────────────────────────────

    def sends(self, chat: Chat) -> str:
        """Send one more message in the chat; return the tag that its answer will contain."""
        tag = f"c{chat.id}m{len(chat.said)}"
        text = f"{tag} {self.draw.choice(self.words)}"
        chat.said.append(text)
        chat.waits.add(tag)
        self.telegram.passes(seconds=BETWEEN)
        self.sent_at[tag] = time.monotonic()
        self.updates[tag] = self.telegram.receives(text, user=chat.id).update_id
        return tag

    def next_chat(self) -> Chat:
        """Return a chat with few unanswered messages, waiting for one if necessary."""

        def ready() -> list[Chat]:
            self.look()
            return [chat for chat in self.chats if len(chat.waits) < OUTSTANDING]

        while not (chats := ready()):
            time.sleep(NAP)
        return self.draw.choice(chats)

    def look(self) -> None:
        """Update which messages have been answered."""
        sent = self.telegram.sent
        for each in sent[self._seen :]:
            for tag in TAG.findall(each.text):
                self.chats[each.chat_id - FIRST].waits.discard(tag)
        self._seen = len(sent)
        asked = self.claude.requests
        if len(asked) > 2 * KEPT:  # each holds a whole prompt
            del asked[:-KEPT]

    def wait_until(self, true: Callable[[], object], what: str, timeout: float) -> None:
        """Wait like `tests.support.process.wait_until`, and keep track of answers meanwhile."""

        def looked() -> object:
            self.look()
            return true()

        wait_until(looked, what, timeout, NAP)

    def all_answered(self, timeout: float) -> None:
        """Wait until no chat waits for an answer."""
        self.wait_until(
            lambda: not any(chat.waits for chat in self.chats), "answers to all messages", timeout
        )

    def kill(self) -> None:
        """Kill and restart Sam, then wait for all answers: three crashes make an update poison."""
        self.sam.kill()
        self.kills += 1
        self.sam.start()
        self.all_answered(PATIENCE)

    def trouble(self) -> None:
        """Inject a temporary fault in one of the APIs."""
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

    def tell(self, sent: int, messages: int, began: float) -> None:
        """Print the progress of the load."""
        waiting = sum(len(chat.waits) for chat in self.chats)
        rate = sent / (time.monotonic() - began)
        size = self.resident() // 1024
        tell(f"{sent} of {messages} sent, {waiting} wait, {rate:.1f} a second, {size} MiB")

    # ── measurements ──────────────────────────────────────────────────────────────────────────

    def answer(self, request: Request) -> str:
        """Return the model's answer, and note when it was first requested."""
        tag = tag_of(request)
        if tag is not None:
            self.asked_at.setdefault(tag, request.at)
        return f"Answer to {tag}."

    def own(self, tag: str) -> float:
        """Return milliseconds from the update to the request, without the embedder's time."""
        began, asked = self.telegram.handed[self.updates[tag]], self.asked_at[tag]
        embedding = sum(
            each.took for each in self.embeddings.requests[-50:] if began < each.at < asked
        )
        return (asked - began - embedding) * 1000

    def waited(self, since: float) -> list[float]:
        """Return milliseconds from each message to its request, including any queueing."""
        return [
            (self.asked_at[tag] - sent) * 1000 for tag, sent in self.sent_at.items() if sent > since
        ]

    def _status(self, name: str) -> str:
        assert self.sam.process is not None
        return Path(f"/proc/{self.sam.process.pid}/{name}").read_text("ascii")

    def resident(self) -> int:
        """Return Sam's resident memory in KiB."""
        return int(self._status("status").split("VmRSS:")[1].split()[0])

    def is_idle(self) -> None:
        """Wait until Sam is idle, so that no summary of the load is timed with a turn."""

        def idle() -> bool:
            before = self.processor()
            time.sleep(2.0)
            return self.processor() - before < 0.1

        wait_until(idle, "a Sam that does nothing", PATIENCE, NAP)

    def processor(self) -> float:
        """Return the CPU seconds that this Sam process has used."""
        user, system = self._status("stat").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def tag_in(text: str) -> str | None:
    """Return the last tag in a text."""
    found = TAG.findall(text)
    return found[-1] if found else None


def tag_of(request: Request) -> str | None:
    """Return the tag of the message that the request answers."""
    return tag_in(request.newest_text)


def spread(what: str, times: list[float]) -> Figures:
    """Print the median and 95th percentile, in milliseconds."""
    ordered = sorted(times)
    return {
        f"{what}, p50 ms": round(statistics.median(ordered), 1),
        f"{what}, p95 ms": round(ordered[int(len(ordered) * 0.95)], 1),
    }

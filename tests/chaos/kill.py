"""SIGKILL at every failpoint and at random moments, while several chats are active.

Now and then it is a SIGTERM instead, after which Sam must end by itself.

After two kills the chats are allowed to finish, because an update that was in progress in three
crashes is set aside as poison.
"""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from memory.infra import failpoints
from tests.chaos import Figures
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support import invariants
from tests.support.process import Sam, wait_until

KILLS, CHATS = 200, 6  # at size 1.0
FIRST = 2001  # id of the first chat
LONGEST = 4.0  # seconds from a start to a kill: covers the start, and the first answers
_ELSEWHERE = {"in_rebuild", "after_decision", "after_fact"}
POINTS = tuple(
    name
    for name in sorted(failpoints.NAMES)
    if name not in _ELSEWHERE
    and not name.startswith(("undo_", "move_", "store_"))
    and not name.endswith(("_import", "_undo"))
)
"""The failpoints that chats reach; those of facts are tested in tests/system/test_facts.py."""
STOPS = 0.25  # share of the random moments
ENDS_IN = 80.0  # seconds: systemd waits 90
IN_TIME = 20.0  # seconds to wait for an armed failpoint before killing anyway


def run(seed: int, size: float, folder: Path) -> Figures:
    """Run the part; see `tests.chaos.Part`."""
    with (
        FakeTelegram.running() as telegram,
        FakeClaude.running() as claude,
        FakeEmbeddings.running() as embeddings,
    ):
        sam = Sam(
            folder,
            **telegram.env
            | {"TELEGRAM_ALLOWED_USERS": ",".join(str(FIRST + n) for n in range(CHATS))},
            ANTHROPIC_API_KEY="sk-ant-test",
            ANTHROPIC_BASE_URL=claude.url,
            EMBEDDING_PROVIDER="openai",
            EMBEDDING_CONSENT="openai",
            EMBEDDING_API_KEY="sk-test",
            EMBEDDING_BASE_URL=embeddings.url,
            BUDGET_DAILY_USD="0",
            HEARTBEAT_MINUTES="0",
            SUMMARY_THRESHOLD="8",
        )
        kills = Kills(sam, telegram, claude, random.Random(seed))
        try:
            return kills.all(max(2, round(KILLS * size)))
        except AssertionError:
            print(sam.story())
            raise
        finally:
            if sam.process is not None and sam.process.poll() is None:
                sam.kill()


class Kills:
    """One run of the part."""

    def __init__(self, sam: Sam, telegram: Any, claude: FakeClaude, draw: random.Random) -> None:
        self.sam, self.telegram, self.draw = sam, telegram, draw
        self.said: list[str] = []
        self.named = self.moments = self.stops = 0
        claude.responds_with("ok", when="Say: ok")
        claude.answers(_answer, model="sonnet")
        claude.summaries(invariants.one_bullet_a_message)
        claude.chunk_delay = 0.02

    def all(self, kills: int) -> Figures:
        """Kill Sam that often, then check the invariants."""
        points = list(POINTS)
        self.draw.shuffle(points)
        armed, unrested = points.pop(), 0
        self.sam.start(SAM_FAILPOINT=armed)
        while self.ends < kills:
            self.talk()
            if armed:
                self.dies_at(armed)
            else:
                self.dies_somewhere()
            unrested, armed = unrested + 1, ""
            if unrested < 2 and self.ends < kills and self.draw.random() < 0.66:
                # Every failpoint comes first, once; then one kill in three is at a failpoint.
                armed = points.pop() if points else self.draw.choice(POINTS)
            self.sam.start(SAM_FAILPOINT=armed)
            if unrested == 2 or self.ends >= kills:
                self.all_answered()
                unrested = 0
        figures: Figures = dict(
            invariants.check(
                self.sam,
                self.said,
                (f"Answer to {text}" for text in self.said),
                (sent.text for sent in self.telegram.sent),
                kills=self.named + self.moments,
                allowed=frozenset({"batches-left"}),
            )
        )
        ends = {"named steps": self.named, "moments": self.moments, "stops": self.stops}
        return {"chats": CHATS, **ends, **figures}

    @property
    def ends(self) -> int:
        return self.named + self.moments + self.stops

    def talk(self) -> None:
        """Let several chats send a message at once."""
        for chat in self.draw.sample(range(CHATS), self.draw.randint(2, CHATS)):
            text = f"message {len(self.said)} of chat {chat}."
            self.said.append(text)
            self.telegram.passes(seconds=20)
            self.telegram.receives(text, user=FIRST + chat)

    def dies_at(self, point: str) -> None:
        """Kill Sam at the armed failpoint, or after a while if it is not reached."""
        assert self.sam.process is not None
        deadline = time.monotonic() + IN_TIME
        while time.monotonic() < deadline:
            try:
                assert self.sam.process.wait(0.5) == -9, self.sam.story()
            except subprocess.TimeoutExpired:
                continue
            self.named += 1
            return
        self.sam.kill()
        self.moments += 1

    def dies_somewhere(self) -> None:
        """Kill Sam at a random moment of its start or of an answer in progress."""
        if self.draw.random() < 0.7:
            before = len(self.telegram.requests)
            wait_until(
                lambda: len(self.telegram.requests) > before + 5, "Sam to say something", nap=0.01
            )
            time.sleep(self.draw.uniform(0, 1))
        else:
            time.sleep(self.draw.uniform(0, LONGEST))
        assert self.sam.process is not None and self.sam.process.poll() is None, self.sam.story()
        if self.draw.random() < STOPS:
            # A start that has not come to its handler of the signal yet just ends.
            assert self.sam.stop(timeout=ENDS_IN) in (0, -signal.SIGTERM), self.sam.story()
            self.stops += 1
            return
        self.sam.kill()
        self.moments += 1

    def all_answered(self) -> None:
        """Wait until every message is answered."""

        def answered() -> bool:
            assert self.sam.process is not None and self.sam.process.poll() is None
            sent = {invariants.words_of(each.text) for each in self.telegram.sent}
            return all(f"Answer to {text}" in sent for text in self.said)

        wait_until(answered, "all answers", timeout=120, nap=0.05)


def _answer(request: Request) -> str:
    return f"Answer to {request.newest_text.rstrip().splitlines()[-1]}"

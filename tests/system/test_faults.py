"""Put every fault of the APIs through one real process in turn, then check the invariants.

The process is the real `sam run` with shorter waits (tests/support/short_waits.py). Despite each
fault it must answer, or say what is wrong; it must never crash: the process that meets the first
fault is the one stopped at the end.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.claude import FakeClaude, ToolUse
from tests.fakes.claude_request import Request
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.violations import assert_no_violations
from tests.support import invariants
from tests.support.all_fakes import wired
from tests.support.exchanges import files
from tests.support.process import Sam, wait_until

RCLONE = Path(sysconfig.get_path("scripts")) / "rclone"


class Hasty(Sam):
    command = (sys.executable, "-m", "tests.support.short_waits")


class World:
    """A Sam with short waits between the fakes, and the messages it got."""

    def __init__(
        self,
        folder: Path,
        telegram: Any,
        claude: FakeClaude,
        embeddings: FakeEmbeddings,
    ) -> None:
        self.telegram, self.claude, self.embeddings = telegram, claude, embeddings
        given = {
            **telegram.env,
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": claude.url,
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_CONSENT": "openai",
            "EMBEDDING_API_KEY": "sk-test",
            "EMBEDDING_BASE_URL": embeddings.url,
            "BUDGET_DAILY_USD": "0",
            "HEARTBEAT_MINUTES": "0",
            "SUMMARY_THRESHOLD": "1000",
            "RCLONE_REMOTE": str(folder / "remote") if RCLONE.exists() else "",
        }
        self.remote, self.tools, self.mode = (folder / n for n in ("remote", "tools", "mode"))
        self.remote.mkdir()
        self.tools.mkdir()
        self.sam = Hasty(folder, **given)
        # Not the machine's folders, where there may be an rclone.
        programs = folder / "programs"
        programs.mkdir()
        for name in ("cat", "sleep"):
            (programs / name).symlink_to(shutil.which(name) or name)
        self.sam.env["PATH"] = os.pathsep.join([str(self.tools), str(programs)])
        self.said: list[str] = []
        self.answers: list[str] = []
        self._numbers = itertools.count(1)
        claude.responds_with("ok", when="Say: ok")
        claude.answers(
            lambda request: f"Answer to {request.newest_text.rstrip().splitlines()[-1]}",
            model="sonnet",
        )
        claude.summaries(invariants.one_bullet_a_message)

    def words(self) -> str:
        """Return a new, unique message."""
        return f"question {next(self._numbers)}."

    def asks(self, text: str, answer: str | None = None) -> None:
        """Send a message and wait for its answer, so the next fault starts from a quiet state."""
        self.sends(text, answer)
        self.answered()

    def sends(self, text: str, answer: str | None = None) -> None:
        self.said.append(text)
        self.answers.append(answer if answer is not None else f"Answer to {text}")
        self.telegram.passes(seconds=20)
        self.telegram.receives(text)

    def answered(self) -> None:
        def all_are() -> bool:
            self.lives()
            sent = [each.text for each in self.telegram.sent]
            return all(any(text.startswith(answer) for text in sent) for answer in self.answers)

        wait_until(all_are, f"the answer {self.answers[-1]!r}", timeout=60, nap=0.05)

    def lives(self) -> None:
        process = self.sam.process
        assert process is not None and process.poll() is None, self.sam.story()

    def logs(self, what: str, *, since: int = 0) -> None:
        """Wait until Sam's log contains the text."""
        wait_until(
            lambda: what in self.sam.log.read_text("utf-8")[since:], f"{what!r} in the log", 90
        )

    def heals(self) -> None:
        self.telegram.heals()
        self.claude.recovers()
        self.embeddings.is_down = False
        self.embeddings.wrong_dimension = None


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with wired(partial(World, tmp_path)) as made:
        yield made


# ── Telegram, Claude, embeddings ─────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Case:
    """A fault and its expected outcome: the normal answer, or the given `answer`.

    `logged`: this text is in the log as an answer.
    """

    name: str
    arm: Callable[[World, str], object]
    answer: str | None = None
    logged: bool = True


def _wild(name: str, given: dict[str, Any]) -> Callable[[World, str], None]:
    def arm(world: World, text: str) -> None:
        world.claude.calls(name, given, wild=True, when=text, then=f"Answer to {text}")

    return arm


def _endless(world: World, text: str) -> None:
    def loop(request: Request) -> Any:
        if (request.body.get("tool_choice") or {}).get("type") == "none":
            return f"Answer to {text}"
        return [ToolUse("search_memory", {"query": "again"})]

    world.claude.answers(loop, when=text)


CASES = (
    Case("nothing", lambda w, _: None),
    Case("429", lambda w, _: w.telegram.fails(429, method="sendMessage", retry_after=1)),
    Case("5xx", lambda w, _: w.telegram.fails(502, method="sendMessage", times=3)),
    Case("a cut", lambda w, _: w.telegram.cuts(method="sendMessage", times=2)),
    Case("a slow answer", lambda w, _: w.telegram.slow(2, method="sendMessage")),
    Case("no drafts", lambda w, _: w.telegram.fails(500, method="sendMessageDraft", times=3)),
    Case("a poll with 5xx", lambda w, _: w.telegram.fails(500, method="getUpdates", times=2)),
    Case("a poll that is cut", lambda w, _: w.telegram.cuts(method="getUpdates", when="midway")),
    Case("a 409 that passes", lambda w, _: w.telegram.fails(409, method="getUpdates")),
    Case("updates twice", lambda w, _: w.telegram.repeats(3)),
    Case("Claude 429", lambda w, _: w.claude.fails(429, retry_after=1)),
    Case("Claude 529", lambda w, _: w.claude.fails(529, times=3)),
    Case("Claude 500", lambda w, _: w.claude.fails(500)),
    Case("an error in the stream", lambda w, _: w.claude.fails(529, after_events=4)),
    Case("a stream that is cut", lambda w, _: w.claude.cuts(5)),
    Case("a stream that is reset", lambda w, _: w.claude.cuts(5, reset=True)),
    Case("a stream that stalls", lambda w, _: w.claude.stalls(30, after_events=5)),
    Case("a silent server", lambda w, _: w.claude.stalls(30, after_events=0)),
    Case("a truncated stream", lambda w, _: w.claude.truncates(5)),
    Case("a malformed stream", lambda w, _: w.claude.malformed(4)),
    Case("no such tool", _wild("launch_rocket", {"to": "the moon"})),
    Case("arguments that do not fit", _wild("search_memory", {"query": ["x"], "limit": "many"})),
    Case("an endless tool loop", _endless),
    Case(
        "a refusal",
        lambda w, text: w.claude.refuses("No", when=text),
        answer="Claude declined",
        logged=False,
    ),
    Case(
        "max_tokens",
        lambda w, text: w.claude.max_tokens("I was about to", when=text),
        answer="I was about to",
    ),
    Case(
        "a bad key",
        lambda w, _: w.claude.fails(401, times=None),
        answer="Claude does not accept the key",
        logged=False,
    ),
    Case("embeddings 429", lambda w, _: w.embeddings.fails(429, times=2)),
    Case("embeddings down", lambda w, _: setattr(w.embeddings, "is_down", True)),
    Case("a wrong dimension", lambda w, _: setattr(w.embeddings, "wrong_dimension", 7)),
)


def test_one_process_meets_every_fault_and_nothing_is_lost(world: World) -> None:
    world.sam.start()
    try:
        for case in CASES:
            text = world.words()
            case.arm(world, text)
            world.sends(text, case.answer)
            try:
                world.answered()
            except AssertionError as never:
                raise AssertionError(f"{case.name}: {never}") from None
            world.heals()
            if not case.logged:
                world.answers.pop()
        _out_of_order(world)
        _claude_is_down_for_long(world)
        _a_poll_that_fails_for_long(world)
        _another_bot_polls(world)
        _rclone(world)
        _stop(world)
        assert world.sam.starts == 1
        _sigterm(world)
        _the_token_is_revoked(world)
        sent = [_shown(each.text) for each in world.telegram.sent]
        invariants.check(world.sam, world.said, world.answers, sent)
        assert_no_violations(world.telegram, world.claude)
        if RCLONE.exists():
            assert files(world.remote) == files(world.sam.folder / "vault")
    except AssertionError:
        print(world.sam.story())
        raise


def _shown(text: str) -> str:
    """Return the text without the notices below an answer."""
    return text.split("\n\n")[0]


def _out_of_order(world: World) -> None:
    """Deliver two updates in one response, the later one first."""
    world.telegram.cuts(method="getUpdates", times=2)
    world.telegram.shuffles(1)
    for _ in range(2):
        world.sends(world.words())
    world.answered()


def _claude_is_down_for_long(world: World) -> None:
    """529 until it recovers: Sam answers with what it recalls, and says why."""
    world.claude.fails(529, times=None)
    world.asks(world.words(), "Claude is overloaded")
    world.answers.pop()  # recalled passages are not logged as an answer
    world.claude.recovers()
    world.asks(world.words())


def _a_poll_that_fails_for_long(world: World) -> None:
    """An alert but no restart; messages sent meanwhile are answered afterwards."""
    since = len(world.sam.log.read_text("utf-8"))
    world.telegram.cuts(method="getUpdates", times=None)
    world.sends(world.words())
    world.logs("polling: Telegram cannot be reached", since=since)
    tries = _polls(world)
    wait_until(lambda: _polls(world) > tries + 5, "more polls", nap=0.1)
    world.lives()
    world.telegram.heals()
    world.answered()
    world.logs("polling goes on", since=since)


def _another_bot_polls(world: World) -> None:
    """A persistent 409 is reported, and does not cause a crash loop."""
    world.telegram.fails(409, method="getUpdates", times=None)
    world.sends(world.words())
    world.logs("another program uses this bot's token")
    world.lives()
    world.telegram.heals()
    world.answered()


def _polls(world: World) -> int:
    return sum(each.method == "getUpdates" for each in world.telegram.requests)


# ── the process is asked to end, or has to ───────────────────────────────────────────────────


def _sigterm(world: World) -> None:
    """A nearly finished answer completes; another one is resumed after the restart."""
    first = world.words()
    hold = world.claude.holds(5, when=first)
    world.sends(first)
    assert hold.reached.wait(60) and world.sam.process is not None
    world.sam.process.send_signal(signal.SIGTERM)
    hold.release()
    assert world.sam.process.wait(60) == 0
    assert world.telegram.sent[-1].text == world.answers[-1], "it was let end"

    second = world.words()
    hold = world.claude.holds(5, when=second)
    world.sam.start()
    world.sends(second)
    assert hold.reached.wait(60)
    count = len(world.telegram.sent)
    assert world.sam.stop(timeout=60) == 0
    assert len(world.telegram.sent) == count
    hold.release()
    world.sam.start()
    world.answered()


def _stop(world: World) -> None:
    """/stop ends a running answer, whatever it is waiting for."""
    text = world.words()
    hold = world.claude.holds(5, when=text)
    world.sends(text)
    world.answers.pop()
    assert hold.reached.wait(60)
    world.telegram.receives("/stop")
    # seconds, on an idle machine; the answer itself would wait forever
    wait_until(lambda: world.telegram.sent[-1].text == "Stopped.", "an end", nap=0.01)
    hold.release()


def _the_token_is_revoked(world: World) -> None:
    """One sentence and exit code 2, without the token; with a valid one everything continues."""
    since = len(world.sam.log.read_text("utf-8"))
    world.telegram.fails(401, method="getUpdates", times=None)
    world.sends(world.words())
    assert world.sam.process is not None and world.sam.process.wait(60) == 2
    story = world.sam.log.read_text("utf-8")[since:]
    assert "sam: Telegram rejects TELEGRAM_BOT_TOKEN" in story
    assert "Traceback" not in story and world.telegram.token not in story
    world.telegram.heals()
    world.sam.start()
    world.answered()


# ── rclone ───────────────────────────────────────────────────────────────────────────────────

WRAPPER = """#!/bin/sh
case "$(cat "{mode}")" in
  old) echo "rclone v1.60.1" ;;
  hangs) [ "$1" = version ] && exec "{real}" "$@"; exec sleep 600 ;;
  fails) [ "$1" = version ] && exec "{real}" "$@"; echo "the remote is on fire" >&2; exit 1 ;;
  dies) [ "$1" = version ] && exec "{real}" "$@"; kill -9 $$ ;;
  *) exec "{real}" "$@" ;;
esac
"""
STATES = (
    ("missing", "There is no rclone"),
    ("old", "is too old"),
    ("fails", "the remote is on fire"),
    ("dies", "failed: rclone"),
    ("hangs", "without a result"),
)


def _rclone(world: World) -> None:
    """Each fault of rclone, when a note has been written that should be pushed."""
    binary = world.tools / "rclone"
    for state, told in STATES if RCLONE.exists() else ():
        since = len(world.sam.log.read_text("utf-8"))
        world.mode.write_text(state)
        if state != "missing" and not binary.exists():
            aside = world.tools / "new"
            aside.write_text(WRAPPER.format(mode=world.mode, real=RCLONE))
            aside.chmod(0o755)
            aside.rename(binary)
        world.telegram.asks(f"/remember {state}", timeout=60)
        world.logs(told, since=since)
        world.lives()
    world.mode.write_text("works")

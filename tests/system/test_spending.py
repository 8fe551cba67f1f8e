"""Spending recorded by a real `sam run`, compared with the fake Claude's bill.

The row of a settled call equals the bill, to the token. A call whose process was killed stays at
its estimate, which is at least its bill. So the limit is never exceeded.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.claude_usage import total
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support import prefork
from tests.support.noon import noon_somewhere
from tests.support.process import SAM, Sam, wait_until

OWNER, FIRST, GUESTS = 1001, 2001, 5
ROUNDS = 3


@contextmanager
def house(folder: Path, **given: str) -> Iterator[tuple[Sam, Any, Any]]:
    """Return settings for an owner and guests, all of them allowed."""
    people = [f"{OWNER}:owner", *(f"{FIRST + n}:guest{n}" for n in range(GUESTS))]
    with (
        # The current day, or messages would be summarised at the next start.
        FakeTelegram.running(clock=datetime.now(UTC)) as telegram,
        FakeClaude.running() as claude,
    ):
        sam = Sam(
            folder,
            **telegram.env | {"TELEGRAM_ALLOWED_USERS": ",".join(people)},
            ANTHROPIC_API_KEY="sk-ant-test",
            ANTHROPIC_BASE_URL=claude.url,
            EMBEDDING_PROVIDER="none",
            HEARTBEAT_MINUTES="0",
            RECALL_REWRITE_SECONDS="0",
            CHANGES_AT="off",
            TIMEZONE=noon_somewhere()[0],
            PROFILES_DIR=str(folder / "profiles"),
            **given,
        )
        try:
            yield sam, telegram, claude
        finally:
            sam.end()


def spent(folder: Path) -> tuple[list[float], list[float]]:
    """Return the US dollars of all settled calls, and of all estimates, in every profile."""
    settled, estimated = list[float](), list[float]()
    for usd, is_estimate in rows(folder, "SELECT usd, estimated FROM usage"):
        (estimated if is_estimate else settled).append(usd)
    return settled, estimated


def ended_turns(folder: Path) -> int:
    """Return the number of finished turns in all profiles."""
    return len(rows(folder, "SELECT id FROM turn WHERE state != 'open'"))


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the result of the query on the logs of all profiles."""
    found: list[tuple[Any, ...]] = []
    for path in [folder / "data" / "log.db", *folder.glob("profiles/*/data/log.db")]:
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as db:
            found += db.execute(query).fetchall()
    return found


def ask_all(telegram: Any, text: str, users: range | list[int]) -> None:
    for user in users:
        telegram.receives(f"{text} {user}", user=user)


def answered(telegram: Any, text: str) -> int:
    return sum(text in each.text for each in telegram.sent)


def test_the_rows_are_the_bill_and_what_a_kill_cuts_off_stays_at_its_estimate(
    tmp_path: Path,
) -> None:
    everybody = [OWNER, *range(FIRST, FIRST + GUESTS)]
    with house(tmp_path, BUDGET_DAILY_USD="20") as (sam, telegram, claude):
        claude.responds_with("The first answer is here.", when="First")
        claude.responds_with("The second answer is here. " + "And more of it. " * 30, when="Second")
        sam.start()
        ask_all(telegram, "First", everybody)
        wait_until(lambda: answered(telegram, "first answer") == len(everybody), "all answers")
        assert sam.stop() == 0
        settled, estimated = spent(tmp_path)
        assert estimated == [] and len(settled) == len(claude.billed) == len(everybody)
        assert sum(settled) == pytest.approx(total(claude.billed))

        claude.chunk_delay = 2.0  # no answer completes, however late the last call begins
        sam.start()
        ask_all(telegram, "Second", everybody)
        wait_until(lambda: len(claude.billed) >= 2 * len(everybody), "calls under way", nap=0.02)
        sam.kill()
        before, cut = spent(tmp_path)
        assert len(cut) == len(everybody) and sum(before) == sum(settled)
        killed = claude.billed[len(everybody) :]
        assert max(bill.usd for bill in killed) <= min(cut)

        claude.chunk_delay = 0.0
        sam.start()
        wait_until(lambda: answered(telegram, "second answer") == len(everybody), "all again")
        shown = answered(telegram, "Today:")
        telegram.receives("/budget", user=OWNER)
        wait_until(lambda: answered(telegram, "Today:") > shown, "the budget")
        assert sam.stop() == 0
        after, still = spent(tmp_path)
        assert still == cut  # their outcome is unknown
        assert sum(after) == pytest.approx(total(claude.billed) - total(killed))
        said = next(each.text for each in telegram.sent if "Today:" in each.text)
        assert f"${cut[0]:.2f} of it is an estimate" in said.replace("\\", "")
        assert f"Today: ${sum(after) + sum(cut):.2f} of $20.00" in said.replace("\\", "")


def test_calls_at_the_same_time_stay_within_the_total_and_leave_the_owner_their_part(
    tmp_path: Path,
) -> None:
    limit = 0.12
    with house(
        tmp_path,
        BUDGET_DAILY_USD=str(limit),
        BUDGET_OTHERS_PERCENT="50",
        RATE_LIMIT="1000",
    ) as (sam, telegram, claude):
        # A Sonnet answer costs two cents, a third of the guests' limit.
        claude.answers(lambda request: "word " * 1_600)
        claude.chunk_delay = 0.002
        sam.start()
        for number in range(1, ROUNDS + 1):
            ask_all(telegram, f"Round {number}", range(FIRST, FIRST + GUESTS))
            wait_until(lambda ends=number * GUESTS: ended_turns(tmp_path) == ends, "a round's end")
        guests_bill = total(claude.billed)
        assert 0 < guests_bill <= limit / 2
        count = len(claude.billed)
        telegram.receives("And I?", user=OWNER)
        wait_until(lambda: len(claude.billed) > count, "the owner's answer")
        wait_until(lambda: ended_turns(tmp_path) > ROUNDS * GUESTS, "the owner's turn")
        assert sam.stop() == 0
        settled, estimated = spent(tmp_path)
        assert estimated == [] and sum(settled) == pytest.approx(total(claude.billed))
        assert total(claude.billed) <= limit


def test_a_profile_stays_within_its_own_limit_while_the_others_go_on(tmp_path: Path) -> None:
    limit = 0.04
    with house(
        tmp_path,
        BUDGET_DAILY_USD="0",
        BUDGET_PROFILES=f"guest0:{limit}, guest1:0",
        RATE_LIMIT="1000",
    ) as (sam, telegram, claude):
        claude.answers(lambda request: "word " * 1_600)
        sam.start()
        for number in range(1, ROUNDS + 1):
            ask_all(telegram, f"Round {number}", range(FIRST, FIRST + 3))
            wait_until(lambda ends=number * 3: ended_turns(tmp_path) == ends, "a round's end")
        assert sam.stop() == 0
        by_guest = [
            rows(tmp_path / "profiles" / f"guest{number}", "SELECT usd FROM usage")
            for number in range(3)
        ]
        first, none, free = (sum(usd for (usd,) in found) for found in by_guest)
        assert 0 < first <= limit < free and none == 0
        assert total(claude.billed) == pytest.approx(first + free)
        said = [each.text.replace("\\", "") for each in telegram.sent]
        assert any(f"today's budget of ${limit} is not enough" in text for text in said)
        assert any("Today's budget of $0.00 is spent" in text for text in said)
        assert [text for text in said if "BUDGET_PROFILES" in text] == [], "guests read no settings"


def test_a_model_of_another_provider_answers_after_a_restart_and_is_paid_at_its_price(
    tmp_path: Path,
) -> None:
    with FakeClaude.running(default="Here is the other one.") as other:
        other.models, other.keys, other.caching = ["other-1"], {"a-key"}, False
        host = other.url.removeprefix("http://")
        given = {"MODELS": f"other-1@{other.url}/v1 3/15", "MODEL_KEYS": f"{host}=a-key"}
        with house(tmp_path, **given) as (sam, telegram, claude):
            sam.start()
            telegram.receives("/model other-1", user=OWNER)
            wait_until(lambda: answered(telegram, "** answers."), "the choice")
            sam.kill()
            sam.start()
            ask_all(telegram, "Who are you?", [OWNER])
            wait_until(lambda: answered(telegram, "Here is the other one."), "its answer")
            assert sam.stop() == 0
            assert len(other.requests) == 1 and claude.chats == []
            ((provider, model, usd),) = rows(tmp_path, "SELECT provider, model, usd FROM usage")
            (bill,) = other.billed
            prompt = bill.prompt.fresh + bill.prompt.read + bill.prompt.created
            assert usd == pytest.approx((3 * prompt + 15 * bill.output) / 1_000_000)
            assert (provider, model) == (host, "other-1")
            assert f"{host}/other-1" in sam.run("privacy")
            other.keys = {"another-key"}
            problems = {each["id"]: each for each in sam.json("doctor")["problems"]}
            assert f"other-1 ({host}) of MODELS does not answer" in problems["models"]["what"]
            refused = prefork.run(
                [*SAM, "run"], sam.env | {"MODELS": "other-1@host"}, cwd=tmp_path, timeout=60
            )
            assert refused.returncode == 2 and "its address begins with https://" in refused.stderr
        other.forgives(401, since=0)
        assert_no_violations(other)

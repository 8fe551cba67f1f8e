"""Heartbeat: when Sam sends an unprompted message, and when it does not."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.heartbeat import checklist, digest, message_in, run_heartbeat
from bot.assistant.job_requests import no_jobs
from bot.errors import TelegramDown
from memory.log import Said, Usage
from tests.fakes.claude import FakeClaude
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.notifications import NotificationRecorder

NOW = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)
TASKS = "# Tasks\n\n- [ ] Pay the rent 📅 2026-02-12\n- [ ] Far away 📅 2027-01-01\n"
EMPTY = "# Heartbeat\n\n%% nothing yet %%\n- [x] done\n"
ASKS = "# Heartbeat\n\n- Is there a birthday this week?\n"


class Beating:
    """A profile with a heartbeat, and the messages it sent."""

    def __init__(self, profile: Assistant, clock: Clock) -> None:
        self.profile, self.clock = profile, clock

    async def after(self, **delta: float) -> list[str]:
        """Advance the clock and return what the heartbeat says."""
        self.clock.forward(**delta)
        notified = NotificationRecorder()
        await run_heartbeat(self.profile, notified.notify)
        return notified.texts


@asynccontextmanager
async def beating(
    folder: Path,
    claude: FakeClaude | None = None,
    heartbeat: str = EMPTY,
    tasks: str = "",
    **given: Any,
) -> AsyncIterator[Beating]:
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    home.write("heartbeat.md", heartbeat)
    home.write("tasks.md", tasks)
    if claude is not None:
        given |= {"anthropic_base_url": claude.url, "anthropic_api_key": "sk-test"}
    clock = Clock(NOW)
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(**given), stack, poke=no_jobs, clock=clock)
        yield Beating(profile, clock)


async def test_with_nothing_to_check_no_model_is_called(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude) as sam:
        assert await sam.after() == []
        assert claude.requests == []


async def test_the_checklist_is_judged_by_the_model_and_its_ok_is_silence(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.responds_with("HEARTBEAT_OK")
        assert await sam.after() == []
        [asked] = claude.requests
        assert "birthday this week" in str(asked.messages)
        assert asked.model == sam.profile.settings.summary_model


async def test_what_is_said_is_not_said_again_within_a_day(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.responds_with("Ana has her birthday on Friday.")
        assert await sam.after() == ["Ana has her birthday on Friday."]
        claude.responds_with("ana has her  birthday on Friday!")
        assert await sam.after(minutes=30) == []
        assert await sam.after(hours=23) == []
        assert await sam.after(hours=1) == ["ana has her  birthday on Friday!"]


async def test_the_tasks_of_the_day_stand_beside_the_checklist_and_ask_for_no_call(
    tmp_path: Path,
) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, tasks=TASKS) as sam:
        assert await sam.after() == []
        assert claude.requests == [], "a due task alone is a reminder"
        Home(tmp_path).write("heartbeat.md", ASKS)
        claude.responds_with("HEARTBEAT_OK")
        await sam.after(minutes=30)
        shown = str(claude.requests[0].messages)
        assert "Pay the rent" in shown and "Far away" not in shown


async def test_what_is_known_of_the_coming_days_stands_beside_the_checklist(
    tmp_path: Path,
) -> None:
    tasks = "# Tasks\n\n- [ ] Wrap the gift 📅 2026-02-17\n- [ ] Far away 📅 2026-02-21\n"
    async with FakeClaude.running() as claude, beating(tmp_path, claude, ASKS, tasks) as sam:
        home = Home(tmp_path)
        home.write(
            "knowledge/relationship.md",
            "- Ana was born on 1990-02-14 (updated:: 2025-03-01) ^f1a1a1\n"
            "- Bo's birthday is on 19 February (updated:: 2025-03-01) ^f1a1a2\n"
            "- Cleo's birthday is on 20 February (updated:: 2025-03-01) ^f1a1a3\n"
            "- Dan turns sixty on 15 February (updated:: 2025-03-01) #sam/sensitive ^f1a1a4\n",
        )
        home.write(
            "knowledge/contextual.md",
            "- Has a rented car (updated:: 2026-02-01) (expires:: 2026-02-16)"
            " (stability:: volatile) ^f1a1a5\n"
            "- Eve visits on 2026-02-13 (updated:: 2026-01-01) (expires:: 2026-02-01)"
            " (stability:: volatile) ^f1a1a6\n",
        )
        home.write(
            "MEMORY.md",
            "# Memory\n\n- 2025-02-18: the insurance is renewed every 18 February ^m1m1m1\n"
            "- 2026-02-10: the plumber comes in three days ^m1m1m2\n"
            "- 2026-02-10: the code changes on 2026-02-14 #sam/sensitive ^m1m1m3\n",
        )
        claude.responds_with("HEARTBEAT_OK")
        await sam.after()
        [asked] = claude.requests
        dated = re.search(r"<known of these days>\n(.*?)\n</", asked.newest_text, re.S)
        assert dated is not None and dated[1].splitlines() == [
            "Friday, 2026-02-13: the plumber comes in three days",
            "Saturday, 2026-02-14: Ana was born on 1990-02-14",
            "Monday, 2026-02-16: Has a rented car (until then)",
            "Wednesday, 2026-02-18: the insurance is renewed every 18 February",
            "Thursday, 2026-02-19: Bo's birthday is on 19 February",
        ]
        assert "Wrap the gift" in asked.newest_text and "Far away" not in asked.newest_text


async def test_a_conversation_is_not_interrupted(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.responds_with("Ana has her birthday on Friday.")
        turn = await sam.profile.turns.begin(Said("1", "terminal", "Hello.", NOW))
        await sam.profile.turns.stop(turn)
        assert await sam.after(minutes=9) == []
        assert claude.requests == []
        assert await sam.after(minutes=1, seconds=1) == ["Ana has her birthday on Friday."]


async def test_a_message_of_the_future_is_no_conversation(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.responds_with("Ana has her birthday on Friday.")
        later = Said("1", "import:whatsapp:1", "Hello.", NOW + timedelta(days=200))
        turn = await sam.profile.turns.begin(later)
        await sam.profile.turns.stop(turn)
        assert await sam.after(hours=1) == ["Ana has her birthday on Friday."]
        assert "Hello." not in str(claude.requests[0].messages)


async def test_it_has_its_own_share_of_the_budget(tmp_path: Path) -> None:
    async with (
        FakeClaude.running() as claude,
        beating(tmp_path, claude, heartbeat=ASKS, heartbeat_daily_usd=0.000001) as sam,
    ):
        claude.responds_with("HEARTBEAT_OK")
        for _ in range(3):
            await sam.after(minutes=30)
        assert len(claude.requests) == 1
        await sam.after(days=1)
        assert len(claude.requests) == 2


async def test_what_answers_cost_is_not_its_spending(tmp_path: Path) -> None:
    async with (
        FakeClaude.running() as claude,
        beating(tmp_path, claude, heartbeat=ASKS, heartbeat_daily_usd=0.05) as sam,
    ):
        claude.responds_with("HEARTBEAT_OK")
        model = sam.profile.settings.chat_model
        await sam.profile.memory.log.usage.add(Usage("anthropic", model, "turn", 5, usd=0.5))
        await sam.after(minutes=30)
        assert len(claude.requests) == 1
        await sam.profile.memory.log.usage.add(Usage("anthropic", model, "heartbeat", 5, usd=0.05))
        await sam.after(minutes=30)
        assert len(claude.requests) == 1


async def test_nothing_private_is_sent_to_the_model_or_the_chat(tmp_path: Path) -> None:
    tasks = f"{TASKS}- [ ] Buy the pills #sam/sensitive 📅 2026-02-12\n"
    asks = f"{ASKS}- Did the pills help? #sam/sensitive\n"
    async with (
        FakeClaude.running() as claude,
        beating(tmp_path, claude, heartbeat=asks, tasks=tasks) as sam,
    ):
        Home(tmp_path).write("user.md", "---\nprivacy: sealed\n---\nTakes pills.\n")
        claude.responds_with("The rent is due today.")
        await sam.after()
        shown = str(claude.requests[0].messages)
        assert "birthday" in shown and "rent" in shown and "pills" not in shown


async def test_an_answer_that_is_interrupted_is_not_said_twice(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.responds_with("Ana has her birthday on Friday, and she likes red tulips.")
        claude.cuts(after_events=5, times=1)
        assert await sam.after() == ["Ana has her birthday on Friday, and she likes red tulips."]
        assert len(claude.requests) == 2


async def test_half_a_message_is_not_said(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        claude.max_tokens("Ana has her birth")
        assert await sam.after() == []


async def test_what_could_not_be_said_is_said_the_next_time(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:

        async def deaf(text: str, **_: object) -> None:
            raise TelegramDown("no network")

        claude.responds_with("Ana has her birthday on Friday.")
        with pytest.raises(TelegramDown):
            await run_heartbeat(sam.profile, deaf)
        assert len(await sam.after(minutes=30)) == 1


async def test_sensitive_messages_are_not_shown(tmp_path: Path) -> None:
    async with FakeClaude.running() as claude, beating(tmp_path, claude, heartbeat=ASKS) as sam:
        for privacy, text in (("normal", "a walk"), ("sensitive", "my illness")):
            said = Said(text, "terminal", text, NOW, privacy=privacy)  # type: ignore[arg-type]
            turn = await sam.profile.turns.begin(said)
            await sam.profile.turns.stop(turn)
        await sam.after(minutes=15)
        assert "a walk" in str(claude.requests[0].messages)
        assert "illness" not in str(claude.requests[0].messages)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("", False),
        (EMPTY, False),
        ("---\nkind: heartbeat\n---\n# A\n\n## B\n\n<!-- a\ncomment -->\n- \n", False),
        (ASKS, True),
        ("- [ ] \n\n* [ ]\n___\n", False),
        ("1. [x] water the plants\n", False),
        ("- [ ] look at the weather\n", True),
        ("Say good morning.\n", True),
    ],
)
def test_what_asks_for_something(text: str, asks: bool) -> None:
    assert bool(checklist(text)) is asks


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("HEARTBEAT_OK", None),
        (" **HEARTBEAT_OK**.\n", None),
        ("Nothing to report. HEARTBEAT_OK", None),
        ("", None),
        ("Tea time. ", "Tea time."),
    ],
)
def test_an_answer_that_says_nothing(answer: str, said: str | None) -> None:
    assert message_in(answer) == said


def test_a_digest_ignores_case_spaces_and_punctuation() -> None:
    assert digest("Pay the  rent!") == digest("pay the rent") != digest("pay the bill")

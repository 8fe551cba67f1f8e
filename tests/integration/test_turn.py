"""Turns, end to end: real memory, real SDK, the fake Claude. Reads like a conversation."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.claude.request import content
from bot.errors import ModelDeclined
from bot.prompt import Gatherer
from bot.prompt.history import UNANSWERED
from bot.settings import Settings
from bot.turn import Done, Event, Notice, Restart, Text, Turns
from memory.core import Memory
from memory.embedding import InputType
from memory.errors import VaultGone
from memory.log import Message, Said, Turn, Usage
from memory.summaries import Extract
from memory.tools import Tasks
from tests.fakes.claude import FakeClaude
from tests.support.engines import with_engine
from tests.support.knowledge import RULE
from tests.support.memories import Clock, WordEmbedder, opened, write, write_all
from tests.support.models import Connected, budget_of

pytestmark = pytest.mark.usefixtures("engine")

SONNET, HAIKU = "claude-sonnet-5-5", "claude-haiku-5-5"


@pytest.fixture
async def fake() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as running:
        yield running


class Sam:
    """A chat with Sam, with methods that read like a script."""

    def __init__(self, memory: Memory, clock: Clock, turns: Turns, connected: Connected | None):
        self.memory, self.clock, self.turns, self.connected = memory, clock, turns, connected
        self.events: list[Event] = []
        self.said = 0

    async def hears(self, text: str, *, chat: str = "terminal", **given: Any) -> Turn:
        """Send a message of the owner; advance the clock by a minute."""
        self.clock.forward(minutes=1)
        self.said += 1
        said = Said(f"{chat}:{self.said}", chat, text, self.clock.now, **given)
        return await self.turns.begin(said)

    async def thinks(self, turn: Turn) -> Done:
        """Return the answer, without sending it."""
        async with aclosing(self.turns.answer(turn)) as events:
            self.events = [event async for event in events]
        done = self.events[-1]
        assert isinstance(done, Done)
        assert sum(isinstance(event, Done) for event in self.events) == 1
        return done

    async def answers(self, text: str, **given: Any) -> Done:
        """Send a message, and log Sam's answer."""
        turn = await self.hears(text, **given)
        done = await self.thinks(turn)
        self.clock.forward(seconds=5)
        await self.turns.finish(turn, done, self.clock.now, telegram_ids=(self.said + 1000,))
        return done

    async def log(self) -> list[Message]:
        return await self.memory.log.messages.recent(1000)

    def notices(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Notice)]


COLOURS = (
    "teal",
    "ochre",
    "white",
    "amber",
    "lilac",
    "olive",
    "coral",
    "khaki",
    "beige",
    "black",
    "mauve",
    "peach",
)

Given = Callable[..., Any]


@pytest.fixture
def sam(tmp_path: Path, fake: FakeClaude) -> Given:
    """Use as `async with sam(history_tokens=500) as s:`; `model=False`: without a model."""

    @asynccontextmanager
    async def begin(
        *, model: bool = True, hooks: dict[str, Any] | None = None, **given: Any
    ) -> AsyncIterator[Sam]:
        clock, embedder = Clock(), given.pop("embedder", None)
        for name in ("vault_dir", "data_dir"):
            given.setdefault(name, tmp_path / name.removesuffix("_dir"))
        settings = with_engine(Settings(_env_file=None, embedding_provider="none", **given))  # type: ignore[call-arg]
        async with opened(tmp_path, clock=clock, embedder=embedder) as memory:
            budget = budget_of(settings, memory.log, clock, memory.zone)
            connected = None
            if model:
                connected = Connected(fake, account=budget)
            claude = connected.claude if connected else None
            told = {"after_turn": lambda: None, "on_overflow": lambda: None} | (hooks or {})
            turns = Turns(memory, settings, claude, budget=budget, **told)
            try:
                yield Sam(memory, clock, turns, connected)
            finally:
                if connected is not None:
                    await connected.claude.close()
                    assert [r.message for r in fake.refused if r.status == 400] == []

    return begin


# ── a conversation ───────────────────────────────────────────────────────────────────────────────


async def test_a_message_is_logged_answered_and_the_answer_logged(
    fake: FakeClaude, sam: Given
) -> None:
    fake.responds_with("Hello Ana.", when="I am Ana")
    async with sam() as s:
        done = await s.answers("Hi, I am Ana.", chat="telegram:7")
        assert (done.text, done.origin) == ("Hello Ana.", "sam")
        asked, answered = await s.log()
        assert (asked.text, asked.role, asked.origin) == ("Hi, I am Ana.", "user", "owner")
        assert (answered.text, answered.role, answered.origin) == ("Hello Ana.", "assistant", "sam")
        assert answered.telegram_ids == (1001,)
        assert answered.sent_at == s.clock.now
        assert (await s.memory.log.ledger()).turns == {"answered": 1}


async def test_the_message_is_logged_before_anybody_thinks(fake: FakeClaude, sam: Given) -> None:
    async with sam() as s:
        turn = await s.hears("Are you there?")
        assert [m.text for m in await s.log()] == ["Are you there?"]
        assert turn.state == "open" and not fake.requests


async def test_the_context_holds_what_the_design_lists(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    notes = {
        "identity.md": "I am Sam, an owl.\n",
        "soul.md": "Be kind.\n",
        "user.md": "---\ntimezone: Europe/Berlin\n---\nAna likes tea.\n",
        "MEMORY.md": "- Ana moved to Berlin in 2024\n",
        "memories/2026-02-11.md": "# Memories — 2026-02-11\n\n- Yesterday it rained\n",
        "memories/2026-02-12.md": "# Memories — 2026-02-12\n\n- Today it shines\n",
        "memories/2026-02-10.md": "# Memories — 2026-02-10\n\n- Before it snowed\n",
        "skills/packing.md": "---\nname: packing\ndescription: packs bags\n---\n1. …\n",
        "knowledge/rules.md": f"- Answer trains with times {RULE}\n",
        "trips/japan.md": "# Japan\n\nThe train to Kyoto leaves at 9:13.\n",
        "tasks.md": "- [ ] Buy tickets 📅 2026-02-12\n- [ ] Fly 📅 2026-05-04\n",
    }
    write_all(tmp_path, notes)
    fake.cites("at 9:13", "Kyoto", when="Kyoto", before="It leaves ", after=".")
    async with sam() as s:
        done = await s.answers("When does the train to Kyoto leave?")
    (asked,) = fake.requests
    system = asked.system_text
    places = [system.index(words) for words in ("an owl", "Be kind", "How you work", "packs bags")]
    places += [system.index(words) for words in ("likes tea", "moved to Berlin", "it rained")]
    assert places == sorted(places)
    assert "snowed" not in system and "shines" not in system
    about, text = asked.newest_texts
    assert text == "When does the train to Kyoto leave?"
    for words in ("Today it shines", "Answer trains with times", "Buy tickets"):
        assert words in about
    assert "Fly" not in about
    assert about.endswith("Sent Thursday, 2026-02-12 13:01 (Europe/Berlin), in the terminal.")
    (hit,) = (hit for hit in asked.hits if "Kyoto" in hit.text)
    assert (hit.source, hit.citable) == ("trips/japan.md:1-3", True)
    assert done.text == "It leaves at 9:13."
    assert done.shown == "It leaves at 9:13 [1].\n\n> [1] Japan (trips/japan.md:1-3)"
    assert {t["name"] for t in asked.tools} >= {"search_memory", "save_memory", "days_between"}


async def test_the_nearest_rules_and_summaries_then_the_newest_up_to_their_limits(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    """Ten rules and five summaries; `old` ones are found by their words only, the rest by date."""
    old = [f"- Old rule {n}: compare train fares (updated:: 2025-01-0{n}) {RULE}" for n in (1, 2)]
    rules = [f"- Rule R{n:02} on gardens (updated:: 2025-02-{n:02}) {RULE}" for n in range(1, 15)]
    gone = ["- Expired train rule (updated:: 2025-01-01) (expires:: 2025-06-01)"]
    write(tmp_path, "knowledge/rules.md", "\n".join([*old, *rules, *gone]) + "\n")
    write(tmp_path, "memories/2025-03-01.md", "# 2025-03-01\n\n- Old summary of a train ride\n")
    for n in range(1, 9):
        write(tmp_path, f"memories/2025-04-0{n}.md", f"# 2025-04-0{n}\n\n- Summary S{n} of soup\n")
    fake.responds_with("By train.", when="trains")
    async with sam(recall_hits=0) as s:
        await s.answers("What about trains?")
    about, _ = fake.requests[0].newest_texts
    assert re.findall(r"Old rule \d|Rule R\d\d", about) == [
        *("Old rule 2", "Old rule 1"),
        *(f"Rule R{n:02}" for n in range(14, 6, -1)),
    ]
    assert re.findall(r"Old summary|Summary S\d", about) == [
        "Old summary",
        *(f"Summary S{n}" for n in (8, 7, 6, 5)),
    ]
    assert "Expired" not in about


async def test_what_is_in_the_context_already_is_not_recalled_as_well(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    write(tmp_path, "MEMORY.md", "- The wifi password of the cabin is pinecone\n")
    write(tmp_path, "cabin.md", "The cabin has a stove and wifi.\n")
    async with sam() as s:
        await s.answers("My sister Mia visits the cabin.")
        await s.answers("What is the wifi of the cabin, and who is Mia?")
        # In another session the first exchange is no longer in the context, so it is recalled.
        await s.memory.end_session("terminal", s.clock.now)
        await s.answers("Who is Mia and what about the cabin?")
    second, third = fake.requests[1], fake.requests[2]
    assert {hit.source for hit in second.hits} == {"cabin.md:1"}
    said = "My sister Mia visits the cabin.(context, after it) Sam: All right."
    assert said in {hit.text for hit in third.hits}
    assert "Conversation of 2026-02-12: the owner" in {hit.title for hit in third.hits}


async def test_what_the_history_shows_does_not_crowd_out_what_is_older(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam(recall_hits=2) as s:
        await s.answers("Grandfather's cello stands in the attic, behind the old wardrobe.")
        await s.memory.end_session("terminal", s.clock.now)
        for number in range(20):
            turn = await s.hears(f"Cello, cello, attic {number}!")
            await s.turns.finish(turn, Done("The cello in the attic?", ""), s.clock.now)
        await s.answers("Where is the cello, in the attic?")
    assert any("wardrobe" in hit.text for hit in fake.requests[-1].hits)


async def test_question_and_answer_are_recalled_in_the_next_turn(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        fake.responds_with("Rex it is.", when="dog")
        await s.answers("My dog is called Rex.", chat="telegram:7")
        await s.answers("What is my dog called?", chat="telegram:8")
    found = "\n".join(hit.text for hit in fake.requests[1].hits)
    assert "My dog is called Rex." in found and "Rex it is." in found, "as a hit, or beside it"


async def test_a_question_for_a_day_gets_all_that_was_said_on_it(
    fake: FakeClaude, sam: Given
) -> None:
    """More than RECALL_HITS, in order; with a model as passages, without one as a list."""
    said = [f"The {colour} parcel came with the post" for colour in COLOURS]
    async with sam(recall_hits=4) as s:
        for text in said:
            await s.answers(text, chat="telegram:7")
        s.clock.forward(days=1)
        await s.answers("What did I do yesterday?", chat="telegram:8")
    assert [hit.text.partition("(context")[0].strip() for hit in fake.requests[-1].hits] == said
    async with sam(model=False, recall_hits=4) as s:
        s.clock.forward(days=1)
        done = await s.answers("What did I do yesterday?", chat="telegram:9")
    assert done.text == "\n".join(["You said yesterday:", "", *(f"- {text}" for text in said)])


async def test_the_model_searches_and_saves_by_its_tools(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    fake.calls(
        "save_memory",
        {"content": "Ana is allergic to penicillin", "source": "owner"},
        when="remember",
        then="Noted in MEMORY.md.",
    )
    fake.calls("search_memory", {"query": "penicillin"}, when="my allergies", then="To penicillin.")
    write(tmp_path, "user.md", "The user's name is Ana.\n")
    async with sam() as s:
        done = await s.answers("Please remember: I am allergic to penicillin.")
        assert done.text == "Noted in MEMORY.md."
        kept = (tmp_path / "vault" / "MEMORY.md").read_text()
        assert "Ana is allergic to penicillin" in kept and "2026-02-12" in kept
        await s.answers("What are my allergies?")
    (found,) = fake.requests[-1].tool_results
    assert "Ana is allergic to penicillin" in found.text and not found.is_error


async def test_time_is_the_messages_and_never_the_machines(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    fake.calls("save_memory", {"content": "It rains"}, when="What day", then="Monday.")
    async with sam() as s:
        long_ago = datetime.fromisoformat("2023-05-08T10:00:00+00:00")
        turn = await s.turns.begin(Said("k", "terminal", "What day is it?", long_ago))
        await s.thinks(turn)
    assert "Sent Monday, 2023-05-08 10:00 (UTC)" in fake.requests[0].newest_texts[0]
    assert "2026" not in json.dumps(fake.requests[0].body["messages"])
    assert "It rains" in (tmp_path / "vault" / "memories" / "2023-05-08.md").read_text()


# ── sections of today ────────────────────────────────────────────────────────────────────────────


async def test_today_shows_sections_only_on_what_the_history_does_not(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        # In the file markdown is escaped; recall shows the plain text.
        await s.answers("I decided to learn the cello #music [soon].")
        await s.memory.summarise(Extract(), reason="asked")
        await s.answers("And now?")
        assert "cello" not in fake.requests[-1].newest_texts[0]
        await s.memory.end_session("terminal", s.clock.now)
        await s.answers("And now?")
        assert "cello" in fake.requests[-1].newest_texts[0]


async def test_a_section_that_the_owner_changed_is_shown_all_the_same(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        await s.answers("I decided to learn the cello.")
        await s.memory.summarise(Extract(), reason="asked")
        note = tmp_path / "vault" / "memories" / "2026-02-12.md"
        note.write_text(note.read_text().replace("- I decided", "- Ana decided"))
        await s.answers("And now?")
    assert "Ana decided to learn the cello" in fake.requests[-1].newest_texts[0]


# ── turns that end otherwise ─────────────────────────────────────────────────────────────────────


async def test_a_stopped_turn_stays_in_the_history_with_a_placeholder(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        await s.turns.stop(await s.hears("Tell me a long story."))
        await s.turns.fail(await s.hears("Another one."), "Telegram was down")
        await s.answers("Never mind.")
    shown = [(m["role"], content(m)[-1]["text"]) for m in fake.requests[0].messages[:-1]]
    assert shown == [
        ("user", "Tell me a long story."),
        ("assistant", UNANSWERED),
        ("user", "Another one."),
        ("assistant", UNANSWERED),
    ]


async def test_a_turn_may_run_twice_and_is_logged_once(fake: FakeClaude, sam: Given) -> None:
    """As after a crash between the answer and its logging."""
    fake.responds_with("Yes.")
    async with sam() as s:
        turn = await s.hears("Are you there?")
        await s.thinks(turn)
        (open_turn,) = await s.memory.log.turns.open()
        done = await s.thinks(open_turn)
        for _ in range(2):
            await s.turns.finish(open_turn, done, s.clock.now)
        assert [m.text for m in await s.log()] == ["Are you there?", "Yes."]
    first, second = (request.body for request in fake.requests)
    assert first == second


async def test_a_turn_that_was_left_open_is_not_shown_those_that_came_later(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        left = await s.hears("First.")
        await s.answers("Second.")
        done = await s.thinks(left)
        await s.turns.finish(left, done, s.clock.now)
        assert len(fake.requests[-1].messages) == 1
        await s.answers("Third.")
    shown = [content(m)[-1]["text"] for m in fake.requests[-1].messages[:-1]]
    assert shown == ["First.", "All right.", "Second.", "All right."]


async def test_after_each_turn_the_hook_is_called(fake: FakeClaude, sam: Given) -> None:
    called: list[str] = []

    async with sam(hooks={"after_turn": lambda: called.append("after")}) as s:
        await s.answers("One.")
        await s.turns.stop(await s.hears("Two."))
        await s.turns.fail(await s.hears("Three."), "why")
    assert called == ["after"] * 3


async def test_a_stopped_answer_stops_the_model(fake: FakeClaude, sam: Given) -> None:
    hold = fake.holds(5)
    async with sam() as s:
        turn = await s.hears("Tell me a story.")
        task = asyncio.create_task(s.thinks(turn))
        assert await asyncio.to_thread(hold.reached.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await s.turns.stop(turn)
        assert (await s.memory.log.ledger()).turns == {"stopped": 1}
        hold.release()
        await s.answers("Hello?")


async def test_while_a_turn_runs_nothing_is_embedded(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    for number in range(5):
        write(tmp_path, f"notes/{number}.md", f"A note on {number}.\n")
    hold = fake.holds(5)
    async with sam(embedder=WordEmbedder()) as s:
        await s.memory.reconcile()
        assert await s.memory.embeddings.embed(1) > 0
        answering = asyncio.create_task(s.thinks(await s.hears("Hello")))
        assert await asyncio.to_thread(hold.reached.wait, 60)
        embedding = asyncio.create_task(s.memory.embeddings.embed(100))
        await asyncio.wait([embedding], timeout=0.2)
        assert not embedding.done()
        hold.release()
        await answering
        assert await embedding == 0


async def test_a_vault_that_goes_while_a_turn_reads_breaks_off_its_question(
    tmp_path: Path, sam: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, interrupted_restore = threading.Event(), asyncio.Event()

    class Held(WordEmbedder):
        async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
            if kind == "document":
                return await super().embed(texts, kind)
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                interrupted_restore.set()

    real = Gatherer._read

    def read(self: Gatherer, paths: Sequence[str]) -> dict[str, str]:
        assert asked.wait(60)
        (tmp_path / "vault").rename(tmp_path / "away")
        return real(self, paths)

    monkeypatch.setattr(Gatherer, "_read", read)
    write(tmp_path, "tea.md", "A note on tea.\n")
    async with sam(embedder=Held()) as s:
        await s.memory.reconcile()
        assert await s.memory.embeddings.embed(100) == 0
        with pytest.raises(VaultGone, match="missing or empty"):
            await s.thinks(await s.hears("Which tea?"))
        assert interrupted_restore.is_set()


async def test_an_answer_that_breaks_off_begins_again(fake: FakeClaude, sam: Given) -> None:
    fake.responds_with("A long answer that comes in many small pieces, at last.")
    fake.cuts(7)
    async with sam() as s:
        done = await s.answers("Tell me.")
        assert Restart("") in s.events
    assert done.text == "A long answer that comes in many small pieces, at last."


async def test_what_claude_declines_is_said_and_not_made_up_for(
    fake: FakeClaude, sam: Given
) -> None:
    fake.refuses()
    async with sam() as s:
        turn = await s.hears("Do something bad.")
        with pytest.raises(ModelDeclined, match="declined"):
            await s.thinks(turn)


# ── without a model ──────────────────────────────────────────────────────────────────────────────


async def test_without_a_key_sam_quotes_what_it_recalls(tmp_path: Path, sam: Given) -> None:
    write(tmp_path, "trips/japan.md", "# Japan\n\nThe train to Kyoto leaves at 9:13.\n")
    async with sam(model=False) as s:
        done = await s.answers("When does the train to Kyoto leave?")
        assert done.origin == "recall"
        assert done.text == ("In “Japan”: The train to Kyoto leaves at 9:13.")
        assert done.shown.endswith("leaves at 9:13. [1]\n\n> [1] Japan (trips/japan.md:1-3)")
        assert s.events == [Text(done.shown), done]
        await s.answers("My dog is called Rex.")
        done = await s.answers("What is my dog called?")
        assert "My dog is called Rex." in done.text
        assert done.sources[0].title == "Conversation of 2026-02-12"
        # The answer is not remembered: neither recalled nor summarised.
        assert all(m.state == "excluded" for m in await s.log() if m.origin == "recall")
        done = await s.answers("What is my dog called, again?")
        assert done.text == "You said today: My dog is called Rex."


async def test_with_nothing_to_recall_it_says_so(sam: Given) -> None:
    async with sam(model=False) as s:
        world = await s.answers("What is the capital of France?")
        done = await s.answers("Where is my xyzzy?")
    assert world.text.endswith("I only know what you have told me.") and world.sources == ()
    assert done.text == "I have nothing about that." and done.sources == ()


async def test_sensitive_notes_are_not_quoted(tmp_path: Path, sam: Given) -> None:
    write(tmp_path, "health.md", "- Ana takes canary pills #sam/sensitive\n")
    async with sam(model=False) as s:
        done = await s.answers("Which pills does Ana take?")
    assert "canary" not in done.shown


async def test_claude_down_after_all_tries_is_said_and_made_up_for(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam() as s:
        await s.answers("My dog is called Rex.")
        fake.fails(529, times=None)
        done = await s.answers("What is my dog called?")
        assert done.origin == "recall"
        assert done.shown.startswith("Claude is overloaded.") and "Rex" in done.text
        assert "overloaded" not in done.text, "the reason is no content to search for or forget"
        done = await s.answers("Remind me tomorrow that my dog is called Rex")
        assert "called Rex" not in done.text, "it asks nothing that a quote would answer"
        fake.recovers()
        done = await s.answers("And now?")
        assert done.origin == "sam"
    shown = [content(m)[-1]["text"] for m in fake.requests[-1].messages[:-1]]
    assert shown[2:4] == ["What is my dog called?", UNANSWERED]


async def test_what_was_begun_is_taken_back_when_claude_goes_down(
    fake: FakeClaude, sam: Given
) -> None:
    fake.responds_with("A long answer that comes in many small pieces, at last.")
    fake.cuts(7, times=None)
    async with sam() as s:
        done = await s.answers("Tell me.")
        assert done.origin == "recall"
        last = max(n for n, event in enumerate(s.events) if isinstance(event, Restart))
        assert s.events[last:] == [Restart(""), Text(done.shown), done]


async def test_a_refused_key_is_named_in_an_answer_from_recall(
    fake: FakeClaude, sam: Given
) -> None:
    fake.keys = {"another"}
    async with sam() as s:
        done = await s.answers("Hello?")
    assert done.origin == "recall" and "ANTHROPIC_API_KEY" in done.shown


async def test_the_budget_degrades_and_says_so_once(fake: FakeClaude, sam: Given) -> None:
    async with sam(budget_daily_usd=0.10) as s:
        await s.answers("One.")
        assert fake.requests[-1].model == SONNET
        await s.memory.log.usage.add(Usage("anthropic", SONNET, "turn", 1, usd=0.08))
        await s.answers("Two.")
        assert fake.requests[-1].model == HAIKU and "80 %" in s.notices()[0]
        await s.answers("Three.")
        assert fake.requests[-1].model == HAIKU and s.notices() == []
        await s.memory.log.usage.add(Usage("anthropic", HAIKU, "turn", 1, usd=0.1))
        count = len(fake.requests)
        done = await s.answers("Four.")
        assert done.origin == "recall" and "$0.10 is spent" in done.shown
        assert s.notices() == [] and len(fake.requests) == count
        done = await s.answers("Five.")
        assert "budget is spent" in done.shown and s.notices() == []
        s.clock.forward(days=1)
        assert (await s.answers("Six.")).origin == "sam"
        assert fake.requests[-1].model == SONNET


async def test_what_sonnet_could_exceed_the_budget_with_is_answered_by_haiku(
    fake: FakeClaude, sam: Given
) -> None:
    async with sam(budget_daily_usd=0.10) as s:
        done = await s.answers("One " + "word " * 30_000)
        assert done.origin == "sam" and [each.model for each in fake.requests] == [HAIKU]
        [notice] = [each for each in s.notices() if "BUDGET_DAILY_USD" in each]
        assert SONNET in notice and HAIKU in notice and "$0.10" in notice
        await s.answers("Two " + "word " * 30_000)
        assert fake.requests[-1].model == HAIKU
        assert not [each for each in s.notices() if "BUDGET_DAILY_USD" in each]


@pytest.mark.parametrize(("spent", "words"), [(0.0999, 1), (0.07, 60_000)])
async def test_where_no_model_can_be_paid_none_is_said_to_answer(
    fake: FakeClaude, sam: Given, spent: float, words: int
) -> None:
    async with sam(budget_daily_usd=0.10) as s:
        await s.memory.log.usage.add(Usage("anthropic", SONNET, "turn", 1, usd=spent))
        done = await s.answers("One " + "word " * words)
        assert done.origin == "recall" and "budget" in done.shown and not fake.requests
        assert not [each for each in s.notices() if "BUDGET_DAILY_USD" in each]


async def test_an_answer_may_be_as_long_as_the_budget_lasts(fake: FakeClaude, sam: Given) -> None:
    async with sam(budget_daily_usd=0.10) as s:
        await s.memory.log.usage.add(Usage("anthropic", SONNET, "turn", 1, usd=0.05))
        await s.answers("Hello.")
    [asked] = fake.requests
    assert asked.model == SONNET and 1_024 <= asked.body["max_tokens"] < 5_000


# ── the history's budget ─────────────────────────────────────────────────────────────────────────


async def test_an_overflow_compacts_at_once_and_tells_the_summariser(
    fake: FakeClaude, sam: Given
) -> None:
    order: list[str] = []

    hooks = {
        "after_turn": lambda: order.append("after"),
        "on_overflow": lambda: order.append("overflow"),
    }
    fake.answers(lambda request: "Noted, " + "indeed " * 20)
    async with sam(history_tokens=600, hooks=hooks) as s:
        sizes = []
        for number in range(12):
            await s.answers(f"Fact {number}: the number of it is {number * 7919}.")
            sizes.append(len(fake.requests[-1].messages))
        drops = [n for n, (a, b) in enumerate(pairwise(sizes), 1) if b < a]
        assert drops and all(b >= 3 for b in sizes[1:])
        assert order.count("overflow") == len(drops) and order.count("after") == 12
        first_drop = order.index("overflow")
        assert order[first_drop - 1 : first_drop + 2] == ["after", "overflow", "after"]
        # What was dropped from the context is recalled instead.
        await s.answers("What was Fact 0?")
        assert any("Fact 0:" in hit.text for hit in fake.requests[-1].hits)


async def test_a_note_is_written_and_a_past_month_is_looked_up_by_the_model(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    note = {"title": "Packing", "content": "- a raincoat\n- boots"}
    fake.calls("create_note", note, when="packing", then="It is in your notes.")
    fake.calls("list_facts", {"as_of": "2026-01"}, when="January", then="Tea.")
    write(tmp_path, "knowledge/preference.md", "- Likes tea (updated:: 2026-01-03) ^tea111\n")
    async with sam() as s:
        done = await s.answers("Make me a packing list: a raincoat and boots")
        assert done.text == "It is in your notes."
        text = (tmp_path / "vault/notes/Packing.md").read_text("utf-8")
        assert text.endswith("# Packing\n\n- a raincoat\n- boots\n")
        await s.answers("What did you know in January?")
        told = str(fake.requests[-1].messages[-1])
        assert "True on 2026-01-31:" in told and "Likes tea (from 2026-01-03, and still)" in told


async def test_a_bug_in_a_tool_is_told_to_the_model_and_the_owner_is_answered(
    tmp_path: Path, fake: FakeClaude, sam: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise OverflowError("date value out of range")

    monkeypatch.setattr(Tasks, "open", broken)
    fake.calls("manage_tasks", {"action": "list"}, when="to do", then="I cannot look it up.")
    async with sam() as s:
        done = await s.answers("What is there to do?")
        assert done.text == "I cannot look it up."
        assert "It failed: OverflowError." in str(fake.requests[-1].messages[-1])


async def test_a_long_note_and_a_long_skill_reach_the_model_from_their_beginning(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    """What is left out is at the end, where the model can go on, and never in the middle."""
    page = "".join(f"Step {number}: {'stir ' * 8}\n" for number in range(1, 401))
    write(tmp_path, "skills/cook.md", f"---\nname: cook\n---\n{page}")
    write(tmp_path, "long.md", page)
    fake.calls("read_skill", {"name": "cook"}, when="skill", then="I see.")
    fake.calls("get_memory", {"path": "long.md", "lines": 400}, when="note", then="I see.")
    async with sam() as s:
        for asked in ("the skill", "the note"):
            await s.answers(f"Open {asked}")
            shown = str(fake.requests[-1].messages[-1])
            steps = [int(number) for number in re.findall(r"Step (\d+):", shown)]
            assert steps == [*range(1, len(steps) + 1)] and 200 < len(steps) < 400
            last = len(steps) + 3 * (asked == "the skill")  # lines of front matter
            assert re.search(rf"(?:cook|long)\.md, lines \d-{last} of 40", shown)


async def test_a_turn_that_is_repeated_adds_its_task_once(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    """As after a crash behind the tool's call, or when the owner asks once more."""
    new = {"action": "add", "text": "Call Ana", "due": "2026-03-01 09:00", "repeats": "every week"}
    fake.calls("manage_tasks", new, when="Call Ana", then="I will remind you.")
    async with sam() as s:
        turn = await s.hears("Remind me to Call Ana every week, from 1 March at 9")
        for _ in range(2):
            await s.thinks(turn)
        assert "It stands in tasks.md already" in str(fake.requests[-1].messages[-1])
        tasks = Tasks(s.memory, s.clock)
        [task] = await tasks.open()
        await tasks.complete(task.id)
        again = await tasks.add("Call Ana", due="2026-03-01 09:00", once=True)
        assert not again.line, "what is done may be added again"


async def test_the_last_day_of_the_calendar_is_a_day_like_others(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    fake.calls("list_facts", {"as_of": "9999-12"}, when="knew", then="Nothing.")
    async with sam() as s:
        await s.answers("The certificate is valid until 31.12.9999")
        assert (await s.answers("Is the certificate valid until 31.12.9999?")).text
        assert (await s.answers("What you knew then?")).text == "Nothing."
        assert "true on 9999-12-31" in str(fake.requests[-1].messages[-1])


async def test_the_overflowing_turn_sees_a_summary_of_what_left_its_context(
    fake: FakeClaude, sam: Given
) -> None:
    fake.answers(lambda request: "Noted, " + "indeed " * 20)
    async with sam(history_tokens=600, recall_hits=0) as s:
        seen = []
        for number in range(12):
            await s.answers(f"I decided to paint wall number {number} in {COLOURS[number]}.")
            seen.append(str(fake.requests[-1].messages[0]["content"]))
        compacted = next(n for n, text in enumerate(seen) if "<earlier>" in text)
        assert compacted > 1 and all("<earlier>" in text for text in seen[compacted:])
        earlier = seen[compacted].partition("</earlier>")[0]
        assert (
            "word for word:" in earlier and "I decided to paint wall number 0 in teal." in earlier
        )
        assert f"number {compacted}" not in earlier, "what is still there is not repeated"
        parts = dict(s.turns.prompts["terminal"].parts)
        assert parts["a summary of the conversation's beginning"] > 10


async def test_later_turns_see_the_sections_of_the_days_that_left(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    fake.answers(lambda request: "Noted, " + "indeed " * 20)
    async with sam(history_tokens=600, recall_hits=0, summaries_limit=0) as s:
        for number in range(12):
            await s.answers(f"I decided to paint wall number {number} in {COLOURS[number]}.")
        await s.memory.summarise(Extract(), reason="overflow")
        day = tmp_path / "vault/memories/2026-02-12.md"
        day.write_text(day.read_text("utf-8").replace("teal", "turquoise"), "utf-8")
        await s.answers("And now?")
        assert "<earlier>" not in str(fake.requests[-1].messages), "today's file is shown whole"
        s.clock.forward(days=3)
        await s.answers("Which walls?")
        first = str(fake.requests[-1].messages[0]["content"])
        assert "wall number 0 in turquoise" in first, "as the owner has edited it"
        assert "word for word:" not in first


async def test_thirty_turns_with_tools_and_a_compaction_keep_the_prompts_promise(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    """P(n), request n up to its second breakpoint, is a byte prefix of P(n+1)."""
    write(tmp_path, "user.md", "Ana lives in Berlin and likes trains.\n")
    for number in range(12):
        write(tmp_path, f"trips/{number}.md", f"# Trip {number}\n\nThe train number {number}.\n")
    fake.calls("search_memory", {"query": "train"}, when="search", then="Found one. " * 10)
    fake.calls("get_recent_conversations", {"n": 3}, when="recent", then="That was it. " * 10)
    fake.calls("save_memory", {"content": "Ana likes trains"}, when="note", then="Noted. " * 10)
    fake.thinks("Let me see.", when="number 4")
    fake.cites("It is this one", 0, when=lambda r: bool(r.hits) and "number 5" in r.newest_text)
    fake.answers(lambda request: f"I see: {request.newest_text} " * 4)
    wishes = ("tell me", "search", "tell me", "recent", "note", "tell me")
    compactions: list[int] = []

    hooks = {"on_overflow": lambda: compactions.append(len(fake.requests))}
    async with sam(history_tokens=1600, recall_hits=5, hooks=hooks) as s:
        for number in range(30):
            if number == 15:
                await s.turns.stop(await s.hears("Never mind this one."))
            if number == 18:
                await s.memory.log.messages.log_unprompted(
                    "terminal", "It is due.", sent_at=s.clock.now
                )
            what = wishes[number % len(wishes)]
            await s.answers(f"Please {what} about train number {number} of the day.")
    # The first request after the compaction, of the turn that reported it.
    assert len(compactions) == 1
    turn = fake.requests[compactions[0] - 1].newest_text
    compacted_at = next(r.number for r in fake.requests if r.newest_text == turn)
    assert sum(request.round == 0 for request in fake.requests) == 30
    assert sum(request.round == 1 for request in fake.requests) == 15
    assert {b.after for b in fake.prefix_breaks()} == {compacted_at}
    # Measured: a request reads the whole earlier P(n) from the cache; after the compaction it reads
    # the stable part.
    uses = {use.number: use for use in fake.cache_report()}
    for before, after in pairwise(fake.requests):
        stable, *history = uses[before.number].breakpoints
        promised = stable if after.number == compacted_at or not history else history[0]
        assert uses[after.number].read >= promised > 0
    assert all(len(use.breakpoints) <= 3 for use in uses.values())


# ── without a model ──────────────────────────────────────────────────────────────────────────────


async def test_what_sam_sent_unasked_is_no_answer(sam: Given) -> None:
    async with sam(model=False) as s:
        await s.answers("I took a pottery class on Thursday.")
        for text in ("⏰ pottery class", "Today:\n\n- pottery class · overdue since Thu 05 Feb"):
            s.clock.forward(minutes=1)
            await s.memory.log.messages.log_unprompted("terminal", text, sent_at=s.clock.now)
        s.clock.forward(days=1)
        found = await s.memory.recall("Which class did I take on Thursday?")
        assert any(hit.role == "assistant" for hit in found.hits), "found all the same"
        done = await s.answers("Which class did I take on Thursday?")
        assert "I took a pottery class" in done.text
        assert "I said" not in done.text and "⏰" not in done.text


# ── canary ───────────────────────────────────────────────────────────────────────────────────────


async def test_no_request_ever_holds_sealed_or_sensitive_text(
    tmp_path: Path, fake: FakeClaude, sam: Given
) -> None:
    """Wherever such text is in the vault or the log, and whatever tool the model calls."""
    secret = "canary-zx81"
    lines = (
        f"# Trains\n\n- Trains are {secret} #sam/sensitive\n  - {secret} below\n- Trains are fine\n"
    )
    for name in ("soul.md", "identity.md", "user.md", "MEMORY.md", "tasks.md"):
        write(tmp_path, name, lines)
    write(tmp_path, "memories/2026-02-11.md", lines)
    write(tmp_path, "memories/2026-02-12.md", lines)
    write(tmp_path, "knowledge/rules.md", lines)
    write(tmp_path, "notes.md", lines)
    write(tmp_path, "sealed/trains.md", f"Trains are {secret}\n")
    write(tmp_path, "sealed-too.md", f"---\nprivacy: sealed\n---\nTrains are {secret}\n")
    write(tmp_path, "private.md", f"---\nprivacy: sensitive\n---\nTrains are {secret}\n")
    write(tmp_path, "skills/trains.md", f"---\nprivacy: sealed\n---\nTrains are {secret}\n")
    write(tmp_path, "archive/old.md", f"Trains are {secret}\n")
    calls: dict[str, dict[str, Any]] = {
        "search_memory": {"query": "trains"},
        "get_memory": {"path": "notes.md"},
        "get_recent_conversations": {"n": 50},
        "why": {"query": "trains"},
        "manage_tasks": {"action": "list"},
        "read_skill": {"name": "trains"},
        "edit_memory": {"path": "sealed/trains.md", "old": "Trains", "new": "x"},
    }
    for tool, given in calls.items():
        fake.calls(tool, given, when=tool, then="I see.")
    for path in ("sealed/trains.md", "sealed-too.md", "private.md", "archive/old.md"):
        fake.calls("get_memory", {"path": path}, when=f"open {path}", then="I see.")
    async with sam() as s:
        await s.answers(f"Trains are {secret}", privacy="sensitive", chat="telegram:9")
        sensitive_turn = len(fake.requests)
        await s.answers(f"Trains: {secret}", privacy="sealed")
        for tool in calls:
            await s.answers(f"Trains: {tool}")
        for path in ("sealed/trains.md", "sealed-too.md", "private.md", "archive/old.md"):
            await s.answers(f"Trains: open {path}")
        await s.answers("Trains?", chat="telegram:9")
    # The one exception that is asked for: the sensitive message itself, when it is answered.
    assert secret in fake.requests[0].newest_text
    later = json.dumps([request.body for request in fake.requests[sensitive_turn:]])
    assert "Trains are fine" in later
    assert secret not in later


async def test_what_the_owner_calls_private_is_shown_to_no_model_again(
    tmp_path: Path, fake: FakeClaude, sam: Callable[..., Any]
) -> None:
    given = {"content": "Owes Bob 417 euros", "kind": "relationship", "privacy": "sensitive"}
    fake.calls("save_memory", given, when="That is private", then="I keep Bob's 417 to myself.")
    async with sam() as s:
        await s.answers("I owe Bob 417 euros")
        await s.answers("Bob plays the tuba")
        await s.answers("That is private: what I owe Bob. Please remember it")
        private = len(fake.requests)
        await s.answers("What about Bob?")
        await s.answers("What do I owe Bob?", chat="telegram:9")
        later = json.dumps([request.body for request in fake.requests[private:]])
        assert "tuba" in later, "that is not private"
        assert "417" not in later
        said = {row.text: row.privacy for row in await s.log()}
        assert said["Bob plays the tuba"] == "normal"
        assert said["I keep Bob's 417 to myself."] == said["I owe Bob 417 euros"] == "sensitive"
        own = await s.memory.recall("What do I owe Bob?", limit=9, private=True)
        assert any(hit.text == "I owe Bob 417 euros" for hit in own.hits), "his own search finds it"
        await s.memory.summarise(Extract(), reason="asked")
        day = await s.memory.vault.read("memories/2026-02-12.md")
        assert "tuba" in day
        assert "417" not in day

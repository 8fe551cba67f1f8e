"""Facts: from messages to lines of knowledge/, merged with the known ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.core import Memory
from memory.errors import LockHeld, SamError
from memory.infra.file_locks import locked
from memory.knowledge import Decision, consolidate
from memory.log.knowledge.candidates import CandidateDecision
from memory.summaries import summarizer
from memory.summaries.draft import SummaryDraft, SummaryRequest
from memory.tools.context import with_sources
from tests.support.knowledge import (
    FactPerMessage,
    ScriptedDecisions,
    archived,
    facts_of,
    ids_of,
    learn_facts,
)
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened, write

SOURCE = "(source:: [[memories/2026-02-12#^ID]])"
UPDATED = "(updated:: 2026-02-12)"


class Died(BaseException):
    """Simulates a kill: nothing catches it."""


async def test_what_was_said_becomes_a_line_of_its_category(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I'm vegan", "preference: I hate cilantro")
        assert facts_of(tmp_path) == [f"- I'm vegan {UPDATED} {SOURCE} ^ID"]
        assert facts_of(tmp_path, "preference") == [f"- I hate cilantro {UPDATED} {SOURCE} ^ID"]
        assert await memory.knowledge.waiting() == 0
        [known] = await memory.knowledge.facts(category="preference")
        [message] = await memory.log.messages.by_ids(
            await memory.knowledge.sources(known.fact.id or "")
        )
        assert message.text == "preference: I hate cilantro"
        day = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert f"#^{(await memory.log.batches.known_ids(ids_in(day))).pop()}]]" in known.fact.line


def ids_in(text: str) -> list[str]:
    return [row.rpartition("^")[2] for row in text.splitlines() if "^" in row]


async def test_a_note_in_another_encoding_holds_up_no_summary_and_no_other_fact(
    tmp_path: Path,
) -> None:
    """As Notepad saves one; `sam doctor` names it."""
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "preference: I like green tea")
        note = tmp_path / "vault" / "knowledge" / "preference.md"
        as_saved = note.read_text("utf-8").replace("green tea", "café au lait").encode("latin-1")
        note.write_bytes(as_saved)
        await learn_facts(memory, "preference: I like red bicycles", "I'm vegan")
        assert len(facts_of(tmp_path)) == 1
        assert note.read_bytes() == as_saved and await memory.knowledge.waiting() == 1
        await memory.knowledge.maintain()
        await learn_facts(memory, "I'm tall")  # in a batch of its own
        assert len(facts_of(tmp_path)) == 2 and await memory.knowledge.waiting() == 1
        note.write_text(as_saved.decode("latin-1"), "utf-8")
        await memory.knowledge.consolidate()
        assert await memory.knowledge.waiting() == 0
        assert "red bicycles" in note.read_text("utf-8")


@pytest.mark.parametrize("damage", ["folder", "too large"])
async def test_a_note_that_cannot_be_read_holds_up_no_other_fact(
    tmp_path: Path, damage: str
) -> None:
    async with opened(tmp_path) as memory:
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        if damage == "folder":
            note.mkdir(parents=True)
        else:
            write(tmp_path, "knowledge/biographical.md", "a long line\n" * 500_000)
        await learn_facts(memory, "I'm vegan")
        await learn_facts(memory, "preference: I like red bicycles")
        assert len(facts_of(tmp_path, "preference")) == 1 and await memory.knowledge.waiting() == 1
        note.rmdir() if damage == "folder" else note.unlink()
        await memory.knowledge.consolidate()
        assert len(facts_of(tmp_path)) == 1 and await memory.knowledge.waiting() == 0


async def test_a_rule_and_what_ends_have_the_fields_that_they_need(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(
            memory, "rule: always answer me in German", "contextual: Ana is visiting us"
        )
        assert facts_of(tmp_path, "rules") == [
            f"- Always answer me in German {UPDATED} {SOURCE} (confidence:: 0.9)"
            " (evidence:: [[memories/2026-02-12#^ID]]) ^ID"
        ]
        assert facts_of(tmp_path, "contextual") == [
            f"- Ana is visiting us {UPDATED} {SOURCE} (expires:: 2026-03-14)"
            " (stability:: volatile) ^ID"
        ]
        assert await memory.knowledge.invalid() == []


async def test_nothing_invented_is_stored_and_what_is_refused_is_counted_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Inventor(FactPerMessage):
        async def __call__(self, request):  # type: ignore[no-untyped-def]  # as FactPerMessage
            draft = await super().__call__(request)
            for fact in draft.facts:
                fact.text += " in Reykjavik"
            return draft

    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I live with Ana", "I see.")
        with caplog.at_level("INFO", "memory.summaries"):
            await memory.summarise(Inventor(), reason="asked")
        assert await memory.knowledge.waiting() == 0
        [row] = [each for each in caplog.messages if each.startswith("facts without a source")]
        assert row.endswith(" 1 name") and "Reykjavik" not in row
        counts = await memory.log.batches.outcomes(START.replace(year=2025))
        assert (counts.closed, counts.facts_refused) == (1, 1)


async def test_what_is_said_again_is_dated_and_not_doubled(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, "I'm vegan")
        [name] = ids_of(tmp_path)
        clock.forward(days=3)
        await learn_facts(memory, "the owner is vegan", "Vegan!")
        assert facts_of(tmp_path) == [f"- I'm vegan (updated:: 2026-02-15) {SOURCE} ^ID"]
        assert ids_of(tmp_path) == [name]
        assert await memory.knowledge.sources(name) == (1, 3, 5)


async def test_the_same_twice_in_one_batch_is_one_line_with_both_sources(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I'm vegan", "I see.", chat="terminal")
        await log_exchange(memory, "vegan", "I see.", chat="telegram:7")
        await learn_facts(memory)
        [name] = ids_of(tmp_path)
        assert await memory.knowledge.sources(name) == (1, 3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My rent is 900 euros", "My rent is 950 euros"),
        ("The team meeting is on Tuesday", "no, the team meeting is on Wednesday"),
        ("I live in Berlin", "I live in Munich now"),
        ("Die Miete beträgt 850 €", "Die Miete beträgt 900 €"),
    ],
)
async def test_without_a_model_a_new_value_takes_the_place_of_the_old(
    tmp_path: Path, old: str, new: str
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, old)
        clock.forward(days=2)
        await learn_facts(memory, new.removeprefix("no, "))
        [line] = facts_of(tmp_path)
        said = new.removeprefix("no, ")
        assert line.startswith(f"- {said[0].upper()}{said[1:]} (updated:: 2026-02-14)")
        assert line.endswith("(supersedes:: [[archive/knowledge/biographical#^ID]]) ^ID")
        [gone] = archived(tmp_path)
        assert gone.startswith(f"- {old} {UPDATED}")
        assert gone.endswith(
            "(superseded_by:: [[knowledge/biographical#^ID]]) (valid_to:: 2026-02-14)"
            " (reason:: another value was said on 2026-02-14) ^ID"
        )


async def test_links_between_the_old_line_and_the_new_one_are_right(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        [old] = ids_of(tmp_path)
        await learn_facts(memory, "My rent is 950 euros")
        [new] = ids_of(tmp_path)
        text = (tmp_path / "vault/knowledge/biographical.md").read_text("utf-8")
        assert f"(supersedes:: [[archive/knowledge/biographical#^{old}]]) ^{new}" in text
        text = (tmp_path / "vault/archive/knowledge/biographical.md").read_text("utf-8")
        assert f"(superseded_by:: [[knowledge/biographical#^{new}]])" in text
        assert await memory.knowledge.sources(old) == (1,)


async def test_what_only_looks_alike_is_added(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I like Berlin", "Ana lives in Rome", "My friend Bob is tall")
        await learn_facts(memory, "I like Munich", "I live in Paris", "My friend Al is tall")
        assert len(facts_of(tmp_path)) == 6 and archived(tmp_path) == []


async def test_a_model_decides_and_sees_the_nearest_facts_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await learn_facts(
            memory, *(f"I own a {thing} called Rex" for thing in ["cat", "dog", "cow"])
        )
        write(tmp_path, "garden.md", "# Garden\n\nThe cat sleeps here.\n")
        cat, dog, cow = ids_of(tmp_path)
        model = ScriptedDecisions(
            Decision("delete", dog), Decision("keep", cow), Decision("update", cat)
        )
        texts = ("Rex the dog died", "Rex is a cow", "I own a tomcat called Rex")
        await learn_facts(memory, *texts, decide=model)
        [shown] = model.asked
        assert [each.found.text for each in shown] == list(texts)
        assert all({k.fact.id for k in each.nearest} <= {cat, dog, cow} for each in shown)
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == [
            "- I own a tomcat called Rex",
            "- I own a cow called Rex",
        ]
        assert len(archived(tmp_path)) == 2
        assert "(reason:: no longer so, by what was said on 2026-02-12)" in archived(tmp_path)[0]


async def test_a_fact_is_compared_with_the_five_nearest(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        things = ("cat", "dog", "cow", "pig", "hen", "owl", "ewe")
        await learn_facts(memory, *(f"I own a {thing} called Rex" for thing in things))
        model = ScriptedDecisions(Decision("add"))
        await learn_facts(memory, "I own a newt called Rex", decide=model)
        [[asked]] = model.asked
        assert len(asked.nearest) == 5


async def test_a_model_names_no_line_that_it_was_not_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "My rent is 900 euros")
        cat, rent = ids_of(tmp_path)
        model = ScriptedDecisions(Decision("delete", cat))
        await learn_facts(memory, "My rent is higher", decide=model)
        assert {k.fact.id for k in model.asked[0][0].nearest} == {rent}
        assert len(facts_of(tmp_path)) == 3 and archived(tmp_path) == []


async def test_one_line_is_superseded_by_one_fact_at_most(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        [cat] = ids_of(tmp_path)
        model = ScriptedDecisions(Decision("update", cat), Decision("update", cat))
        await learn_facts(memory, "I own a cat and fish", "I own a cat and birds", decide=model)
        assert len(facts_of(tmp_path)) == 2 and len(archived(tmp_path)) == 1


async def test_one_call_for_all_and_none_where_nothing_is_near(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        model = ScriptedDecisions()
        await learn_facts(memory, "I own a red cat", "I own a red dog", decide=model)
        assert model.asked == []
        await learn_facts(memory, "I own a red cow", "I own a red pig", decide=model)
        assert [len(each) for each in model.asked] == [2]


async def test_while_the_model_is_down_facts_wait_and_none_is_lost(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a red cat")
        with pytest.raises(SamError, match="no model today"):
            await learn_facts(memory, "I own a red dog", decide=ScriptedDecisions(fails=True))
        assert await memory.knowledge.waiting() == 1 and len(facts_of(tmp_path)) == 1
        await memory.knowledge.consolidate()
        assert await memory.knowledge.waiting() == 0 and len(facts_of(tmp_path)) == 2


async def test_it_waits_for_the_process_that_summarises(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I own a cat", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        async with locked(memory.profile.files.batch_lock):
            with pytest.raises(LockHeld):
                await memory.knowledge.consolidate()
        await memory.knowledge.consolidate()
        assert len(facts_of(tmp_path)) == 1


# ── a crash anywhere ─────────────────────────────────────────────────────────────────────────────


def dies_at(monkeypatch: pytest.MonkeyPatch, point: str, time: int) -> Callable[[], int]:
    """Raise Died at the n-th call of that point; return the counter of calls."""
    seen = 0

    def failpoint(name: str) -> None:
        nonlocal seen
        if name == point:
            seen += 1
            if seen == time:
                raise Died

    monkeypatch.setattr(consolidate, "failpoint", failpoint)
    monkeypatch.setattr(summarizer, "failpoint", failpoint)
    return lambda: seen


FIRST = ("I own a cat called Tom", "My rent is 900 euros", "I own a boat")
THEN = ("My rent is 950 euros", "I own a cat called Tom", "I own no boat", "I own a bike")


def decides(*ids: str) -> ScriptedDecisions:
    """Supersede the boat, and leave the rest to the plain rules."""
    return ScriptedDecisions(*(Decision("keep", "none"),), Decision("delete", ids[2]))


@pytest.mark.parametrize(
    ("point", "time"),
    [
        ("after_claim", 1),
        ("after_section", 1),
        ("before_close", 1),
        ("after_decision", 1),
        *(("after_fact", time) for time in (1, 2, 3, 4)),
    ],
)
async def test_a_crash_anywhere_loses_no_fact_and_writes_none_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, time: int
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, *FIRST)
        ids = ids_of(tmp_path)
        clock.forward(days=1)
        with monkeypatch.context() as broken:
            seen = dies_at(broken, point, time)
            with pytest.raises(Died):
                await learn_facts(memory, *THEN, decide=decides(*ids))
            assert seen() == time
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, decide=decides(*ids))
        await learn_facts(memory)
        assert await memory.knowledge.waiting() == 0
        assert sorted(row.partition(" (source")[0] for row in facts_of(tmp_path)) == [
            "- I own a bike (updated:: 2026-02-13)",
            "- I own a cat called Tom (updated:: 2026-02-13)",
            "- My rent is 950 euros (updated:: 2026-02-13)",
        ]
        assert sorted(row.partition(" (")[0] for row in archived(tmp_path)) == [
            "- I own a boat",
            "- My rent is 900 euros",
        ]
        rows = await memory.log.facts.all()
        states = sorted((row.text, row.state, row.sources) for row in rows.values())
        assert states == [
            ("I own a bike", "sams", (13,)),
            ("I own a boat", "archived", (5,)),
            ("I own a cat called Tom", "sams", (1, 9)),
            ("My rent is 900 euros", "archived", (3,)),
            ("My rent is 950 euros", "sams", (7,)),
        ]
        assert (await memory.log.ledger()).adds_up


@pytest.mark.parametrize("writes", range(1, 9))
async def test_a_crash_after_any_write_to_the_vault_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, *FIRST)
        ids = ids_of(tmp_path)
        clock.forward(days=1)
        for text in THEN:
            await log_exchange(memory, text, "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        journal, left = memory.vault.journal, writes

        async def record(path: str, before: str | None, after: str | None, cause: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise Died
            if journal is not None:
                await journal(path, before, after, cause)

        memory.vault.journal = record
        died = False
        try:
            await memory.knowledge.consolidate(decides(*ids))
        except Died:
            died = True
        assert died == (writes <= 6)
    async with opened(tmp_path, clock=clock) as memory:
        await memory.knowledge.consolidate(decides(*ids))
        assert len(facts_of(tmp_path)) == 3 and len(archived(tmp_path)) == 2
        rows = await memory.log.facts.all()
        assert sorted(row.state for row in rows.values()) == ["archived"] * 2 + ["sams"] * 3


async def test_a_released_batch_takes_its_facts_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I own a cat", "I see.")
        [batch] = await memory.log.batches.claim(
            zone=memory.zone, reason="test", new_id=lambda taken: "abc123"
        )
        found = consolidate_candidate(memory)
        await memory.log.batches.plan(batch.id, "memories/2026-02-12.md", "", (), [found])
        assert await memory.knowledge.waiting() == 0  # not before its section is written
        await memory.log.batches.release(batch.id)
        await learn_facts(memory)
        assert len(facts_of(tmp_path)) == 1


def consolidate_candidate(memory: Memory):  # type: ignore[no-untyped-def]  # a FactCandidate
    from memory.log.knowledge.candidates import FactCandidate

    return FactCandidate("biographical", "I own a cat", (1,), memory.today())


async def test_ids_are_free_in_vault_archive_and_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = iter(["aaaaaa", "bbbbbb", "cccccc", "dddddd"])

    def new_id(taken: Callable[[str], bool]) -> str:
        return next(name for name in offered if not taken(name))

    async with opened(tmp_path) as memory:
        write(tmp_path, "knowledge/task.md", "- Mine ^aaaaaa\n")
        write(tmp_path, "archive/knowledge/old.md", "- Gone ^bbbbbb\n")
        await log_exchange(memory, "I own a cat", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        monkeypatch.setattr(consolidate, "new_id", new_id)
        [waiting] = await memory.log.candidates.waiting()
        await memory.log.candidates.decide([CandidateDecision(waiting.id, "add", "cccccc")])
        await log_exchange(memory, "I own a dog", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        assert ids_of(tmp_path) == ["cccccc", "dddddd"]


# ── found again ──────────────────────────────────────────────────────────────────────────────────


async def test_recall_finds_a_fact_and_it_leads_to_its_messages(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My cat is called Tom", "relationship: Bob is my boss")
        found = await memory.recall("what is my cat called", kinds=("fact",))
        [hit] = await with_sources(found.hits[:1], memory.log)
        assert (hit.path, hit.text, hit.message_ids) == (
            "knowledge/biographical.md",
            "My cat is called Tom",
            (1,),
        )


async def test_a_correction_that_the_model_missed_is_learned_all_the_same(tmp_path: Path) -> None:
    class Misses(FactPerMessage):
        """Propose nothing, or something that nobody said."""

        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            draft = await super().__call__(request)
            return draft.model_copy(update={"facts": draft.facts[:0]})

    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My gym locker is number 118", "My dentist is Dr. Bell")
        await log_exchange(memory, "By the way, my gym locker is number 204 now", "I see.")
        await log_exchange(memory, "is my gym locker number 300?", "No.")
        await memory.summarise(Misses(), reason="asked")
        await memory.knowledge.consolidate()
        assert sorted(each.fact.text for each in await memory.knowledge.facts()) == [
            "My dentist is Dr. Bell",
            "My gym locker is number 204",
        ]
        [gone] = archived(tmp_path)
        assert "number 118" in gone and "(superseded_by:: [[knowledge/biographical#^" in gone
        row = (await memory.log.facts.all())[ids_of(tmp_path)[0]]
        assert row.sources

"""The lifetime of facts: expired ones are archived, duplicates merged, wrong ones removed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.assistant.jobs import JOBS
from memory.errors import EditRefused
from memory.knowledge import lifetime
from memory.knowledge.lifetime import end_of
from memory.tools import MemoryTools
from tests.support.knowledge import RULE, archived, facts_of, learn_facts
from tests.support.memories import Clock, Died, dies_at_write, opened, write

NOTE = "knowledge/contextual.md"
ENDS = " (expires:: 2026-03-01)"


async def test_what_has_expired_is_archived_and_counted(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, "contextual: Ana is visiting us", "I own a cat")
        write(
            tmp_path,
            "knowledge/task.md",
            "- Mine (expires:: 2026-02-20) ^mine\n"
            "- Pinned (expires:: 2026-02-20) #sam/pinned ^pin\n"
            "- No id (expires:: 2026-02-20)\n",
        )
        write(tmp_path, "knowledge/log.md", "- No day before (expires:: 0001-01-01)\n")
        await memory.history.as_of(clock().date(), day_of=memory.today)
        assert (await memory.knowledge.maintain()).expired == 1
        assert (await memory.knowledge.maintain()).expired == 0
        clock.forward(days=29)  # the thirtieth is its last day
        done = await memory.knowledge.maintain()
        assert done.expired == 2 and len(facts_of(tmp_path, "contextual")) == 1
        clock.forward(days=1)
        assert (await memory.knowledge.maintain()).expired == 1
        assert (await memory.knowledge.maintain()).expired == 0
        assert facts_of(tmp_path, "contextual") == []
        [line] = archived(tmp_path, "contextual")
        assert line.endswith(
            "(superseded:: 2026-03-13) (valid_to:: 2026-03-13) (reason:: expired) ^ID"
        )
        assert len(facts_of(tmp_path, "task")) == 1 and len(archived(tmp_path, "task")) == 2
        assert [row.state for row in (await memory.log.facts.all()).values()].count("archived") == 1


async def test_the_nightly_job_archives_what_has_expired(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, "contextual: Ana is visiting us")
        clock.forward(days=40)
        [job] = [job for job in JOBS if job.name == "maintain"]
        await job.run(SimpleNamespace(memory=memory), no_words)  # type: ignore[arg-type]  # all it needs
        assert facts_of(tmp_path, "contextual") == []
        assert len(archived(tmp_path, "contextual")) == 1


async def no_words(text: str) -> None:
    raise AssertionError(f"it said: {text}")


def logs(count: int, day: str = "2026-02-01") -> str:
    rows = [
        f"- Saw bird {n} (updated:: {day}) (confidence:: 0.{n + 1}) (kind:: log) ^bird{n}"
        for n in range(count)
    ]
    rows[1] += ""
    rows[1] = rows[1].replace(" ^", " #sam/sensitive ^")
    return "\n".join(rows) + "\n"


async def test_old_volatile_lines_become_one_of_five(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, NOTE, logs(6) + "- New (updated:: 2026-02-10) (kind:: log) ^new1\n")
        done = await memory.knowledge.maintain()
        assert (done.expired, done.merged) == (0, 5)
        left = facts_of(tmp_path, "contextual")
        assert [row.partition(" (")[0] for row in left[:2]] == ["- Saw bird 5", "- New"]
        links = ", ".join(f"[[archive/knowledge/contextual#^bird{n}]]" for n in range(5))
        assert left[2] == (
            "- 2026-02-01 to 2026-02-01: Saw bird 0; Saw bird 1; Saw bird 2; Saw bird 3; Saw bird 4"
            f" (updated:: 2026-02-01) (confidence:: 0.1) (supersedes:: {links}) #sam/sensitive ^ID"
        )
        assert all("(reason:: merged)" in row for row in archived(tmp_path, "contextual"))
        assert (await memory.knowledge.maintain()).merged == 0


async def test_a_merge_that_was_undone_is_not_made_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, NOTE, logs(5))
        before = facts_of(tmp_path, "contextual")
        assert (await memory.knowledge.maintain()).merged == 5
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        assert facts_of(tmp_path, "contextual") == before
        assert archived(tmp_path, "contextual") == []
        assert (await memory.knowledge.maintain()).merged == 0
        await memory.history.redo(last.key)
        assert len(facts_of(tmp_path, "contextual")) == 1


@pytest.mark.parametrize("writes", [1, 2, 3, 6, 11])
async def test_a_crash_in_a_merge_ends_the_same(tmp_path: Path, writes: int) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, NOTE, logs(5))
        dies_at_write(memory, writes)
        with pytest.raises(Died):
            await memory.knowledge.maintain()
    async with opened(tmp_path) as memory:
        await memory.knowledge.maintain()
        assert len(facts_of(tmp_path, "contextual")) == 1
        assert len(archived(tmp_path, "contextual")) == 5


async def test_an_invalid_line_does_not_count_and_is_reported(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(
            tmp_path,
            "knowledge/rules.md",
            "# Rules\n\n- Use birds (confidence:: 0.5) ^rule1\n"
            "- Use fish (confidence:: 0.9) (evidence:: [[a]]) ^rule2\n",
        )
        write(tmp_path, NOTE, "- Volatile birds (stability:: volatile) ^bad\n")
        assert [each.fact.id for each in await memory.knowledge.facts()] == ["rule2"]
        assert {each.fact.id for each in await memory.knowledge.invalid()} == {"rule1", "bad"}


@pytest.mark.parametrize(
    ("life", "end"),
    [
        ("", None),
        ("for ever", None),
        ("for a week", date(2026, 2, 19)),
        ("30 days", date(2026, 3, 14)),
        ("until 2026-03-01", date(2026, 3, 2)),
        ("2026-03-01", date(2026, 3, 1)),
    ],
)
def test_a_lifetime_in_words_gives_its_last_day(life: str, end: date | None) -> None:
    assert end_of(life, date(2026, 2, 12)) == end


@pytest.mark.parametrize(
    "life", ["soon", "0 days", "until 2026-02-01", "until 9999-12-31", "for 99 years", "a blink"]
)
def test_what_is_no_life_is_refused(life: str) -> None:
    with pytest.raises(EditRefused, match="no life"):
        end_of(life, date(2026, 2, 12))


async def test_a_fact_is_saved_with_kind_tags_life_and_privacy(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        said = await tools.save_memory(
            "Ana stays with us", kind="contextual", tags=("Guests", "#home!"), life="for a week"
        )
        assert said == "Saved in knowledge/contextual.md."
        assert facts_of(tmp_path, "contextual") == [
            "- Ana stays with us #guests #home (updated:: 2026-02-12) (expires:: 2026-02-19)"
            " (stability:: volatile) ^ID"
        ]
        again = await tools.save_memory(
            "Ana stays with us", kind="contextual", tags=("guests", "home")
        )
        known = "knowledge/contextual.md says so already: “Ana stays with us #guests #home”."
        assert again == known
        await tools.save_memory("Owes Bob 50 euros", kind="relationship", privacy="sensitive")
        assert facts_of(tmp_path, "relationship")[0].endswith("#sam/sensitive ^ID")
        listed = await tools.list_facts(tags=("home",))
        assert listed.startswith("- [contextual] Ana stays with us #guests #home (said 2026-02-12,")
        assert "Bob" not in await tools.list_facts()
        assert await tools.list_facts(category="task") == "There are no such facts."
        await tools.save_memory("Answer in German", kind="rule")
        assert (
            "(confidence:: 1.0) (evidence:: what the owner asked for)"
            in facts_of(tmp_path, "rules")[0]
        )
        with pytest.raises(EditRefused, match="rule does not expire"):
            await tools.save_memory("Answer in verse", kind="rule", life="for a week")


async def test_an_edit_leaves_no_line_without_what_its_kind_needs(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "knowledge/rules.md", f"- Answer in German {RULE}\n")
        write(tmp_path, NOTE, f"- Ana is here{ENDS} (stability:: volatile)\n")
        tools, before = MemoryTools(memory), facts_of(tmp_path, "rules")
        with pytest.raises(EditRefused, match=r"`confidence` of 0\.8 or more"):
            await tools.edit_memory("knowledge/rules.md", "0.9", "0.1")
        with pytest.raises(EditRefused, match="needs `evidence`"):
            await tools.edit_memory("knowledge/rules.md", " (evidence:: [[a]])", "")
        with pytest.raises(EditRefused, match="volatile fact needs `expires`"):
            await tools.edit_memory(NOTE, ENDS, "")
        await tools.edit_memory("knowledge/rules.md", "German", "French")
        assert facts_of(tmp_path, "rules") == [before[0].replace("German", "French")]


async def test_a_line_of_the_log_holds_for_thirty_days(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        tools = MemoryTools(memory)
        assert await tools.save_memory("Ran 5 km", kind="log") == "Saved in knowledge/log.md."
        line = (
            "- Ran 5 km (updated:: 2026-02-{}) (expires:: 2026-03-{}) (stability:: volatile)"
            " (kind:: log) ^ID"
        )
        assert facts_of(tmp_path, "log") == [line.format(12, 14)]
        assert "says so already" in await tools.save_memory("Ran 5 km", kind="log")
        clock.forward(days=1)
        await tools.save_memory("Ran 5 km", kind="log")
        await tools.save_memory("Read a book", kind="log", life="for a week")
        assert facts_of(tmp_path, "log")[:2] == [line.format(12, 14), line.format(13, 15)]
        assert [hit.kind for hit in (await memory.recall("ran 5 km")).hits][:1] == ["log"]
        clock.forward(days=29)
        await memory.knowledge.maintain()
        assert facts_of(tmp_path, "log") == [line.format(13, 15)]


async def test_a_note_of_the_day_ends_and_is_private_as_it_is_told(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await MemoryTools(memory).save_memory("The okapi sleeps", life="3 days")
        await MemoryTools(memory).save_memory("The zebu drinks", privacy="sensitive")
        day = (tmp_path / "vault/memories/2026-02-12.md").read_text("utf-8")
        assert "- Note: The okapi sleeps (expires:: 2026-02-15)\n" in day
        assert (await memory.recall("zebu drinks")).hits == []


async def test_tags_are_filtered_before_the_limit(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        rows = [f"- Bird {n} (updated:: 2026-02-12)" for n in range(80)]
        write(tmp_path, NOTE, "\n".join([*rows, "- Fish #pond (updated:: 2020-01-01)", ""]))
        [found] = await memory.knowledge.facts(tags=["#Pond"], limit=1)
        assert found.fact.text == "Fish #pond"
        assert len(await memory.knowledge.facts()) == 50
        assert lifetime.AT_ONCE == 5


@pytest.mark.parametrize(("year", "day"), [(2027, "02-28"), (2028, "02-29")])
async def test_a_birthday_on_29_february_comes_each_year(
    tmp_path: Path, year: int, day: str
) -> None:
    facts = "- Ana was born on 2000-02-29 ^a1\n- Bo's birthday is on 29 February ^a2\n"
    write(tmp_path, "knowledge/relationship.md", facts)
    async with opened(tmp_path, clock=Clock(datetime(year, 2, 27, 12, tzinfo=UTC))) as memory:
        coming = await memory.knowledge.upcoming(3)
    assert [f"{each}" for each, _ in coming] == [f"{year}-{day}"] * 2


async def test_what_ends_with_its_note_its_heading_or_its_item_is_not_listed(
    tmp_path: Path,
) -> None:
    write(tmp_path, "knowledge/trip.md", "---\nexpires: 2026-02-12\n---\n- Sleeps in a tent ^a1\n")
    write(
        tmp_path,
        "knowledge/task.md",
        "## Move (expires:: 2026-02-12)\n\n- Packs boxes ^a2\n\n## House\n\n- Paints walls ^a3\n"
        "- Rents a van (superseded_by:: [[x#^y]]) ^a4\n  - Returns it on Fridays ^a5\n",
    )
    async with opened(tmp_path) as memory:
        assert [each.fact.id for each in await memory.knowledge.facts()] == ["a3"]

"""`sam search --as-of`: facts as known on a past day, from knowledge/ and its archive."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from memory.core import Memory
from memory.errors import SearchRefused
from memory.knowledge import Decision
from memory.tools import MemoryTools
from tests.support.homes import Home
from tests.support.knowledge import ScriptedDecisions, ids_of, learn_facts
from tests.support.memories import Clock, opened, write


async def known(memory: Memory, day: str, words: str = "") -> list[str]:
    found = await memory.history.as_of(date.fromisoformat(day), words, day_of=memory.today)
    return sorted(each.known.fact.text for each in found)


async def test_a_model_can_list_what_was_true_in_a_month(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "My rent is 900 euros", "preference: likes jazz")  # 2026-02-12
        rent = next(each for each in await memory.knowledge.facts() if "rent" in each.fact.text)
        clock.forward(days=50)
        new = ScriptedDecisions(Decision("update", rent.fact.id))
        await learn_facts(memory, "My rent is 950 euros", decide=new)  # 2026-04-03
        tools = MemoryTools(memory)
        then = await tools.list_facts(as_of="2026-03", words="rent")
        assert then.splitlines()[0] == "True on 2026-03-31:"
        assert "My rent is 900 euros (from 2026-02-12 until 2026-04-02)" in then
        assert "950" not in then and "jazz" not in then
        assert "950" in await tools.list_facts(as_of="2026-04-03", words="rent")
        assert "rent" not in await tools.list_facts(as_of="2026-03", category="preference")
        assert await tools.list_facts(as_of="2026-01") == (
            "Nothing about that is known to have been true on 2026-01-31."
        )
        with pytest.raises(SearchRefused, match="is no day"):
            await tools.list_facts(as_of="March")


async def test_what_no_model_may_see_is_not_listed_for_a_day(tmp_path: Path) -> None:
    write(
        tmp_path, "knowledge/preference.md", "- Likes gin (updated:: 2026-02-01) #sam/sensitive\n"
    )
    async with opened(tmp_path) as memory:
        assert "gin" not in await MemoryTools(memory).list_facts(as_of="2026-02")


async def test_what_does_not_count_and_what_is_sealed_was_not_known(tmp_path: Path) -> None:
    rows = (
        "- Likes gin (updated:: 2026-02-01)\n- Naps (updated:: 2026-02-01) (stability:: volatile)\n"
    )
    write(tmp_path, "knowledge/preference.md", rows)
    write(tmp_path, "knowledge/task.md", f"---\nprivacy: sealed\n---\n{rows}")
    async with opened(tmp_path) as memory:
        assert await known(memory, "2026-02-02") == ["Likes gin"]


async def test_what_was_known_on_a_day_is_what_held_then_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "My rent is 900 euros", "I own a cat called Tom")  # 2026-02-12
        rent, cat = ids_of(tmp_path)
        clock.forward(days=30)
        await learn_facts(memory, "I own a cat called Tom")  # confirmed: since February, still
        clock.forward(days=20)
        new = ScriptedDecisions(Decision("update", rent))
        await learn_facts(memory, "My rent is 950 euros", decide=new)  # 2026-04-03
        clock.forward(days=30)
        await memory.knowledge.retire(cat, reason="wrong")  # 2026-05-03
        assert await known(memory, "2026-02-11") == []
        in_march = ["I own a cat called Tom", "My rent is 900 euros"]
        assert await known(memory, "2026-02-12") == in_march
        assert await known(memory, "2026-03-31") == in_march
        assert await known(memory, "2026-03-31", "how high was the rent?") == in_march[1:]
        assert await known(memory, "2026-04-03", "rent") == ["My rent is 950 euros"]
        assert await known(memory, "2026-05-04") == ["My rent is 950 euros"]


def test_the_command_reads_a_day_and_a_month(tmp_path: Path) -> None:
    home = Home(tmp_path)
    line = "- My rent is 950 euros (updated:: 2026-04-03) ^new111\n- undated line\n"
    home.write("knowledge/biographical.md", line)
    home.write(
        "archive/knowledge/biographical.md",
        "- My rent is 900 euros (updated:: 2026-02-12)"
        " (superseded_by:: [[knowledge/biographical#^new111]]) (valid_to:: 2026-04-03) ^old111\n",
    )
    said = home.sam("search", "--as-of", "2026-03", "rent").stdout
    assert said.splitlines() == [
        "archive/knowledge/biographical.md:1  from 2026-02-12 until 2026-04-02",
        "  My rent is 900 euros",
    ]
    found = json.loads(home.sam("search", "--as-of", "2026-04-30", "--json").stdout)
    assert [row["text"] for row in found["facts"]] == ["My rent is 950 euros"]
    assert home.sam("search", "--as-of", "2025-01", "rent").stdout.startswith("I knew nothing")
    assert home.sam("search").returncode == 2

"""/facts and `sam facts`: list what Sam knows."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

from bot.assistant.status import _facts as status_lines
from bot.chat.commands import COMMANDS
from bot.chat.protocol import Call, as_shown
from bot.cli.commands.facts import MAKES, NEEDS_MODEL, NO_OTHERS, NONE
from memory.core import Memory
from memory.knowledge import Decision
from tests.support.homes import Home
from tests.support.knowledge import ScriptedDecisions, learn_facts
from tests.support.memories import Clock, opened, write

SECRET = "- Owes Bob 50 euros (updated:: 2026-02-12) #sam/sensitive ^debt11\n"


class Nobody:
    """A stub that says no chat is incognito."""

    async def is_on(self, chat: str) -> bool:
        return False


async def asked(memory: Memory, words: str, claude: object = "a model") -> str:
    turns = SimpleNamespace(incognito=Nobody())
    profile = SimpleNamespace(memory=memory, turns=turns, claude=claude)

    async def nothing(chat: str) -> bool:
        return False

    async def lines() -> list[str]:
        return []

    call = Call(profile, "terminal", words, memory.clock(), nothing, lines)  # type: ignore[arg-type]
    return as_shown(await COMMANDS["facts"](call)).text


async def test_facts_of_a_sealed_note_are_not_listed(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "knowledge/task.md", "- Fix the roof ^roof11\n")
        sealed = "---\nprivacy: sealed\n---\n- Hides a tapir ^tapir1\n"
        write(tmp_path, "knowledge/contextual.md", sealed)
        write(tmp_path, "knowledge/preference.md", sealed.replace("sealed", "sensitive"))
        assert await asked(memory, "tapir") == "**preference**\n\n1. Hides a tapir"
        for private in (True, False):
            found = await memory.knowledge.facts(private=private)
            assert "knowledge/contextual.md" not in {each.path for each in found}
        assert len(await memory.knowledge.every()) == 3


async def test_the_owner_lists_what_is_known(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        assert (await asked(memory, "")).startswith("I don't know anything")
        assert (await asked(memory, "", None)).startswith("I have no facts: to collect them I need")
        await learn_facts(memory, "I own a red cat", "preference: I hate cilantro")
        write(tmp_path, "knowledge/relationship.md", SECRET)
        write(tmp_path, "knowledge/task.md", "- Fix the roof #home #sam/pinned\n")
        everything = await asked(memory, "")
        assert everything.split("\n\n") == [
            *("**biographical**", "1. I own a red cat"),
            *("**preference**", "2. I hate cilantro"),
            *("**task**", "3. Fix the roof #home 📌"),
            *("**relationship**", "4. Owes Bob 50 euros"),  # the owner asks, and no model sees it
        ]
        assert await asked(memory, "preference") == "**preference**\n\n1. I hate cilantro"
        assert await asked(memory, "#Home") == "**task**\n\n1. Fix the roof #home 📌"
        assert await asked(memory, "red cat") == "**biographical**\n\n1. I own a red cat"
        for claude in ("a model", None):
            said = await asked(memory, "preference cat", claude)
            assert said == "I don't know anything of that kind.", "others are known"


async def test_the_owner_asks_what_was_true_in_a_month(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(
            memory, "My rent is 900 euros", "preference: I hate cilantro"
        )  # 2026-02-12
        [rent] = await memory.knowledge.facts(words="rent")
        clock.forward(days=50)
        new = ScriptedDecisions(Decision("update", rent.fact.id))
        await learn_facts(memory, "My rent is 950 euros", decide=new)  # 2026-04-03
        write(tmp_path, "knowledge/relationship.md", SECRET)
        write(tmp_path, "knowledge/rules.md", "- Use birds (updated:: 2026-02-01)\n")
        sealed = "---\nprivacy: sealed\n---\n- Hides a tapir (updated:: 2026-02-01) ^tapir1\n"
        write(tmp_path, "knowledge/contextual.md", sealed)
        assert await asked(memory, "2026-03 rent") == (
            "**True on 2026-03-31**\n- My rent is 900 euros (from 2026-02-12 until 2026-04-02)"
        )
        said = await asked(memory, "2026-04-03")
        assert said.splitlines()[0] == "**True on 2026-04-03**" and "950 euros" in said
        assert "900" not in said and "Owes Bob" in said, "the owner asks, and no model sees it"
        assert "tapir" not in said and "birds" not in said
        assert "rent" not in await asked(memory, "2026-03 preference")
        assert (await asked(memory, "9999-12 rent")).startswith("**True on 9999-12-31**")
        assert await asked(memory, "2025-01") == "I know of nothing like that on 2025-01-31."


async def test_the_status_counts_facts_and_names_lines_that_do_not_count(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        assert await status_lines(memory) == []
        await learn_facts(memory, "I own a red cat")
        write(tmp_path, "knowledge/rules.md", "# Rules\n\n- Use birds\n")
        known, wrong = await status_lines(memory)
        assert known == "known: 1 fact"
        assert wrong.startswith("! 1 line in knowledge/") and "knowledge/rules.md:3" in wrong


def test_without_facts_sam_facts_says_what_they_are_and_what_they_need(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("soul.md", "# Soul\n")
    assert home.sam("facts").stdout == f"{NONE}\n{NEEDS_MODEL}\n"
    home.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
    assert home.sam("facts", "roof").stdout == f"{NONE}\n{MAKES}\n"


def test_sam_facts_lists_them_for_people_and_programs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("knowledge/relationship.md", SECRET)
    home.write("knowledge/task.md", "- Fix the roof #home (updated:: 2026-02-10) ^roof22\n")
    found = home.sam("facts")
    assert found.returncode == 0, found.stderr
    assert "Fix the roof" in found.stdout and "knowledge/task.md:1" in found.stdout
    [row] = json.loads(home.sam("facts", "--json", "--tag", "home", "roof").stdout)
    assert (row["id"], row["category"], row["tags"]) == ("roof22", "task", ["home"])
    assert home.sam("facts", "--category", "rule").stdout == f"{NO_OTHERS}\n"
    [row] = json.loads(home.sam("facts", "--json", "bob").stdout)
    assert row["sensitive"] is True

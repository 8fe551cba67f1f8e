"""What is bought or crossed off, an emptied list, and tasks without a colon."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.tools import Tasks
from tests.support.reminding import Reminding, reminding
from tests.support.task_talk import said

LIST = "- [ ] milk 🆔 mil001 #shopping\n- [ ] fix the bike 🆔 bik001\n"
"""Put on the list of `reminding`, whose clock shows Thursday, 12 February, at noon."""


async def open_titles(sam: Reminding) -> list[str]:
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return [task.title for task in every]


@pytest.mark.parametrize(
    "text",
    [
        "got the milk",
        "bought milk",
        "picked up the milk",
        "I've got the milk",
        "cross off the milk",
        "tick the milk off",
        "check off milk, please",
        "milk gekauft",
        "ya tengo milk",
        "tacha el milk",
        "raye le milk",
        "j'ai pris le milk",
        "spunta il milk",
        "risca milk",
        "streep milk af",
        "odhacz milk",
        "вычеркни milk",
        "划掉milk",
    ],
)
async def test_what_is_bought_or_crossed_off_is_done(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "add milk and eggs to my shopping list")
        assert await said(sam, text) == "✅ Done. milk"
        assert await open_titles(sam) == ["eggs"]


@pytest.mark.parametrize(
    "text",
    [
        "got married",
        "got the bike",
        "got the bike fixed",
        "bought a milk frother",
        "got the eggs",
        "got milk?",
        "got any milk",
        "got no milk",
        "bought no milk",
        "got out of milk",
        "got to buy milk",
        "I've got to fix the bike",
        "bought the bike fixed and painted",
        "ya tengo ganas",
        "todo bien",
        "todo está listo",
        "todo",
        "to-do lists are boring",
    ],
)
async def test_these_are_statements(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, LIST) as sam:
        assert await said(sam, text) is None
        assert await open_titles(sam) == ["milk", "fix the bike"]


@pytest.mark.parametrize(
    "text",
    [
        "clear the list",
        "empty my list",
        "leere die Liste",
        "vacía la lista",
        "vide la liste",
        "svuota la lista",
        "esvazia a lista",
        "maak de lijst leeg",
        "wyczyść listę",
        "очисти список",
        "リストを空にして",
        "清空清单",
    ],
)
async def test_the_list_is_the_shopping_list_and_no_other_task(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, LIST) as sam:
        await said(sam, "add tea to my shopping list")
        assert "❌" in (await said(sam, text) or "")
        assert "tea" not in await open_titles(sam)
        assert "fix the bike" in await open_titles(sam)
        await said(sam, text)
        assert "fix the bike" in await open_titles(sam)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("todo buy tea", "buy tea"),
        ("To-do call mum", "call mum"),
        ("task water the plants", "water the plants"),
        ("TODO Milch kaufen", "Milch kaufen"),
        ("tâche acheter du pain", "acheter du pain"),
        ("tarea llamar a mamá", "llamar a mamá"),
    ],
)
async def test_a_task_needs_no_colon_before_a_verb(tmp_path: Path, text: str, title: str) -> None:
    async with reminding(tmp_path, "") as sam:
        assert await said(sam, text) == f"Added: {title}"


@pytest.mark.parametrize(
    "text",
    [
        "how long is left on the timer?",
        "how much time is left?",
        "how long until the timer goes off?",
        "Wie lange läuft der Timer noch?",
        "¿Cuánto tiempo queda?",
        "Combien de temps reste-t-il ?",
        "Quanto manca?",
        "сколько осталось?",
        "还剩多久",
    ],
)
async def test_how_long_a_timer_runs(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, LIST) as sam:
        assert await said(sam, text) is None
        await said(sam, "set a timer for 20 minutes")
        sam.clock.forward(minutes=7)
        assert await said(sam, text) == "⏰ Timer: about 12 min left, until today 12:20."
        sam.clock.forward(minutes=15)
        assert await said(sam, text) is None

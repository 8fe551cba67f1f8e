"""Detect questions for everything known about the owner, and similar ones that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.search.question_words import is_about_owner
from tests.support.memories import log_exchange, opened, write


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me?",
        "wat do u know abt me",
        "so what do you remember about me so far",
        "Tell me everything you know about me!",
        "What have I told you about myself?",
        "Was weißt du alles über mich?",
        "Que sais-tu de moi ?",
        "¿Qué sabes sobre mí?",
        "O que você sabe sobre mim?",
        "Cosa sai di me?",
        "Wat weet je over mij?",
        "Co o mnie wiesz?",
        "Что ты знаешь обо мне?",
        "你知道我什么？",
        "私について何を知っていますか？",
        "What do you remember?",
        "What did I ask you to remember?",
        "What did I tell you to remember?",
        "Was hast du dir gemerkt?",
        "Was solltest du dir merken?",
        "De quoi te souviens-tu ?",
        "¿Qué recuerdas?",
        "Что ты запомнила?",
        "q sabes de mi",
        "quien soy",
        "o que vc sabe de mim",
        "was weisst du ueber mich",
        "que t'ai-je demande de retenir",
        "Show me my notes",
        "please list all my notes",
        "show me everything you know",
        "Zeig mir meine Notizen",
        "Montre-moi mes notes, s'il te plaît",
        "muéstrame todas mis notas",
        "mostrami i miei appunti",
        "mostra-me as minhas notas",
        "laat me mijn notities zien",
        "pokaż mi moje notatki",
        "покажи мои заметки",
        "メモを見せてください",
        "给我看我的笔记",
        "list everything you know about me",
        "Zeig mir alles, was du über mich weißt",
        "dis-moi tout ce que tu sais de moi",
        "dime todo lo que sabes de mí",
    ],
)
def test_all_that_is_known_is_asked_for(question: str) -> None:
    assert is_about_owner(question)


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me and Clara's wedding?",
        "What does Anna know about me?",
        "What do you know about Mexico?",
        "Was weißt du über Michael?",
        "who am I meeting on Friday",
        "What do you remember of Lisbon?",
        "Show me my notes about Lisbon",
        "My notes are on the table",
        "",
    ],
)
def test_something_else_is_asked_for(question: str) -> None:
    assert not is_about_owner(question)


async def test_facts_come_first_however_much_was_said_since(tmp_path: Path) -> None:
    write(tmp_path, "user.md", "# User\n\nLives in Lisbon, and works as a pilot.\n")
    write(
        tmp_path, "knowledge/preference.md", "- Drinks no coffee (updated:: 2025-02-10) ^aaaaaa\n"
    )
    async with opened(tmp_path) as memory:
        for number in range(302):
            await log_exchange(memory, f"Bird number {number} sat in the park near the lake")
        found = await memory.recall("What do you know about me?", limit=3)
        assert [hit.kind for hit in found.hits] == ["user", "fact", "message"]
        assert found.hits[2].text.startswith("Bird number 301 ")

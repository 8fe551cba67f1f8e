"""Detect questions for everything known about the owner, and similar ones that are not."""

from __future__ import annotations

import pytest

from memory.search.evidence import is_about_owner


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me?",
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
        "",
    ],
)
def test_something_else_is_asked_for(question: str) -> None:
    assert not is_about_owner(question)

"""Statements that only reword another one."""

from __future__ import annotations

import pytest

from memory.text.grammar import rewords


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my locker code is 4411", "My locker code is 4411."),
        ("The code of my locker is 4411", "my locker code is 4411"),
        ("4411 is the code of my locker", "my locker code is 4411"),
        ("Clara is my sister", "My sister is Clara!"),
        ("The brother of my boss is Tom", "My boss's brother is Tom"),
        ("I own a red bike", "I own the red bike"),
        ("Mein Zahnarzt ist Dr. Weber", "Dr. Weber ist mein Zahnarzt"),
        ("O código do meu cacifo é 4411", "4411 é o código do meu cacifo"),
    ],
)
def test_the_same_in_almost_the_same_words(one: str, other: str) -> None:
    assert rewords(one, other) and rewords(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my locker code is 4411", "my locker code is 4412"),
        ("my locker code is 4411", "her locker code is 4411"),
        ("my locker code is 4411", "my locker code is not 4411"),
        ("Anna loves Bob", "Bob loves Anna"),
        ("The key is under the mat", "The mat is under the key"),
        ("My brother's boss is Tom", "My boss's brother is Tom"),
        ("The brother of my boss is Tom", "My brother's boss is Tom"),
        ("The train to Graz is at 9", "The train from Graz is at 9"),
        ("I like tea with milk", "I like tea"),
        ("My dentist was Dr. Bell", "My dentist is Dr. Bell"),
    ],
)
def test_another_statement(one: str, other: str) -> None:
    assert not rewords(one, other) and not rewords(other, one)

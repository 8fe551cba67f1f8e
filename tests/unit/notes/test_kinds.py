"""The kinds of notes: locations, allowed stabilities, lifetime."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from memory.notes.kinds import active, kind_of, problems

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("soul.md", "soul"),
        ("SOUL.md", "soul"),
        ("identity.md", "agent"),
        ("user.md", "user"),
        ("MEMORY.md", "memory"),
        ("tasks.md", "task"),
        ("heartbeat.md", "note"),
        ("memories/2026-02-12.md", "summary"),
        ("skills/recall.md", "skill"),
        ("skills/recall/SKILL.md", "skill"),
        ("Skills/recall.md", "skill"),
        ("knowledge/rules.md", "rule"),
        ("knowledge/preference.md", "fact"),
        ("knowledge/deep/rules.md", "fact"),
        ("Projects/soul.md", "note"),
        ("memories.md", "note"),
        ("Home.md", "note"),
    ],
)
def test_the_kind_of_a_place(path: str, kind: str) -> None:
    assert kind_of(path) == kind
    assert kind_of(f"Sam/{path}", "Sam") == kind
    assert kind_of(f"a/b/{path}", "a/b/") == kind


def test_outside_of_sams_folder_all_is_the_owners() -> None:
    assert kind_of("soul.md", "Sam") == "note"
    assert kind_of("knowledge/rules.md", "Sam") == "note"
    assert kind_of("Samuel/soul.md", "Sam") == "note"


PAIRS = {
    ("log", "volatile"),
    ("summary", "volatile"),
    ("summary", "stable"),
    ("rule", "stable"),
    ("rule", "permanent"),
    ("soul", "permanent"),
    ("agent", "permanent"),
    ("user", "permanent"),
}


@pytest.mark.parametrize("kind", ["log", "summary", "rule", "soul", "agent", "user"])
@pytest.mark.parametrize("stability", ["volatile", "stable", "permanent"])
def test_only_listed_pairs_of_kind_and_stability_are_allowed(kind: str, stability: str) -> None:
    found = problems(kind, stability, confidence=0.9, evidence="[[a]]")
    assert (not found) == ((kind, stability) in PAIRS)


def test_a_rule_needs_confidence_and_evidence_and_no_end() -> None:
    assert problems("rule", confidence=0.8, evidence="[[memories/2026-02-12#^b7k2mq]]") == []
    assert len(problems("rule", confidence=0.79, evidence="x")) == 1
    assert len(problems("rule", evidence=" ")) == 2
    assert len(problems("rule", confidence=1, evidence="x", expires=TODAY)) == 1


def test_a_volatile_fact_needs_an_expiry_date() -> None:
    assert problems("fact", "volatile") != []
    assert problems("fact", "volatile", expires=TODAY) == []
    assert problems("memory", "permanent", expires=TODAY) != []
    assert problems("dream") != []


def test_life_is_one_predicate() -> None:
    assert active(TODAY)
    assert active(TODAY, expires=TODAY + timedelta(days=1))
    assert not active(TODAY, expires=TODAY)
    assert not active(TODAY, superseded=True)

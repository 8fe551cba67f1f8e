"""docs/vault-format.md and the starter vault's own page agree with the code."""

from __future__ import annotations

import re
from datetime import date, time
from pathlib import Path

import pytest

from memory.notes import fact as facts
from memory.notes import kinds, task_list
from memory.notes.chunker import chunks
from memory.notes.daily_note import Section, insert
from memory.notes.markdown import headings, split_front_matter
from memory.notes.task import PRIORITIES, parse

ROOT = Path(__file__).parents[2]
PAGES = {
    "docs": (ROOT / "docs/vault-format.md").read_text(encoding="utf-8"),
    "starter": (ROOT / "vault/Help/Files of this vault.md").read_text(encoding="utf-8"),
}
DAY = Section(
    time(14, 30),
    "b7k2mq",
    "Discussed project deadlines and deployment strategy",
    ("Decided to use Hetzner CX22 for VPS hosting",),
    ("Set up DNS for sam.example.org by Friday",),
)


def section(page: str, title: str) -> str:
    text = PAGES[page]
    rows = text.split("\n")
    marks = [heading for heading in headings(rows) if heading.level == 2]
    [start] = [heading.line for heading in marks if heading.title == title]
    end = min((heading.line for heading in marks if heading.line > start), default=len(rows))
    return "\n".join(rows[start:end])


def example(page: str, title: str) -> str:
    [found] = re.findall(r"```markdown\n(.*?)```", section(page, title), re.DOTALL)
    return str(found)


def column(page: str, title: str, number: int = 0) -> list[str]:
    rows = [row for row in section(page, title).split("\n") if row.startswith("|")][2:]
    cells = [row.strip("|").split("|")[number].strip() for row in rows]
    return [word for cell in cells for word in re.findall(r"[\w./-]+", cell)]


@pytest.mark.parametrize(("page", "title"), [("docs", "A day's file"), ("starter", "A day")])
def test_the_day_is_what_sam_writes(page: str, title: str) -> None:
    assert insert("", date(2026, 2, 12), DAY) == example(page, title)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("title", "kind"), [("A fact", "fact"), ("A rule", "rule")])
def test_facts_and_rules_are_understood(page: str, title: str, kind: str) -> None:
    for line in example(page, title).splitlines():
        fact = facts.parse(line)
        assert fact is not None
        assert {name for name, _, _ in fact.fields} <= set(facts.FIELDS)
        assert facts.problems(fact, kind) == []
        assert "(" not in fact.text and "#" not in fact.text


@pytest.mark.parametrize("page", PAGES)
def test_tasks_are_understood(page: str) -> None:
    [(_, task)] = task_list.tasks(example(page, "A task"))
    assert task.text == "Pay the rent (@2026-12-01 09:00)"
    assert [name for name, _ in task.fields] == ["id", "priority", "recurrence", "created", "due"]
    for sign in ["🆔", "🔁", "➕", "🛫", "⏳", "📅", "✅", *PRIORITIES.values()]:
        assert sign in section(page, "A task")


def test_rules_of_repetition_are_those_that_are_named() -> None:
    named = re.findall(r"`(every [^`]+)`", section("docs", "A task").replace("\n", " "))
    assert len(named) == 15
    for rule in named:
        text = f"- [ ] a 🆔 a1 🔁 {rule} 📅 2026-11-21"
        assert task_list.complete(text, "a1", date(2026, 11, 21)).count("🔁") == 2


def test_the_tables_list_every_field_and_kind() -> None:
    assert sorted(column("docs", "A fact")) == sorted(facts.FIELDS)
    assert set(column("docs", "Kinds and how long they last")) == set(kinds.KINDS) - {"message"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (row.split("|")[1].split(",")[0].strip(" `"), row.split("|")[2].strip())
        for row in section("docs", "In general").split("\n")
        if row.startswith("| `")
    ],
)
def test_places_have_their_kinds(path: str, kind: str) -> None:
    if kind != "–" and not path.startswith(("sessions", "archive", "sealed")):
        assert kinds.kind_of(path.replace("YYYY-MM-DD", "2026-02-12")) == kind


def test_what_was_remembered_and_a_skill() -> None:
    [chunk] = chunks(example("docs", "MEMORY.md"), path="MEMORY.md")
    assert chunk.date == date(2026, 2, 12)
    for page, title in (("docs", "Skills"), ("starter", "A skill")):
        fields, body, _ = split_front_matter(example(page, title))
        assert fields["name"] == "packing" and "journey" in str(fields["description"])
        assert "# Packing" in body


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Title\n===\nx", [("", None, "normal")]),
        ("#Heading\nx", [("", None, "normal")]),
        ("x\n---\nprivacy: sealed\n---", [("", None, "normal")]),
        ("updated:: 2026-02-12\nx", [("", None, "normal")]),
        ("x (updated:: 2026-2-12)", [("", None, "normal")]),
        ("x (updated:: tomorrow)", [("", None, "normal")]),
        ("x (privacy:: sealed)", [("", None, "sensitive")]),
        ("x #sam/sealed", [("", None, "sensitive")]),
        ("x\ny #sam/sensitive", [("", None, "normal"), ("", None, "sensitive")]),
        ("# A (expires:: 2026-12-01)\nx", [("A", date(2026, 12, 1), "normal")]),
        ("- x (expires:: 2026-12-01)\n  - y", [("", date(2026, 12, 1), "normal")]),
        ("%% x", [("", None, "normal")]),
    ],
)
def test_what_is_recognised_and_what_is_not(
    text: str, seen: list[tuple[str, date | None, str]]
) -> None:
    found = chunks(text, path="note.md")
    below = [c.heading.removeprefix("note").removeprefix(" > ") for c in found]
    assert [(h, c.expires, c.privacy) for h, c in zip(below, found, strict=True)] == seen
    assert all(c.date is None and c.kind == "note" for c in found)


@pytest.mark.parametrize(
    "line", ["- [] a", "-[ ] a", "- [ ] a 📅 2026-12-01 call first", "- [ ] a 📅 2026-12-01 09:00"]
)
def test_what_is_no_date_of_a_task(line: str) -> None:
    task = parse(line)
    assert task is None or task.due is None

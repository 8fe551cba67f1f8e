"""Chunking: every line of prose is in exactly one chunk, the right one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.notes.chunker import Chunk, chunks
from memory.notes.markdown import fenced, headings, lines, split_front_matter
from memory.notes.prose import prose
from memory.notes.splitter import split_text

TODAY = date(2026, 11, 21)


@dataclass
class Written:
    """A note under construction, and where each of its words must be found."""

    rows: list[str] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)
    words: dict[str, tuple[int, str, bool]] = field(default_factory=dict)
    """Word → its line from 1, its heading path, whether it is sensitive."""

    def word(self, sensitive: bool = False) -> str:
        word = f"w{len(self.words)}w"
        heading = " > ".join(title for _, title in self.path)
        self.words[word] = (len(self.rows) + 1, heading, sensitive)
        return word

    def heading(self, level: int) -> None:
        self.path = [entry for entry in self.path if entry[0] < level]
        title = f"h{len(self.rows)}h"
        self.path.append((level, title))
        self.rows.append(f"{'#' * level} {title}")

    def line(self, count: int) -> None:
        self.rows.append(" ".join(self.word() for _ in range(count)))

    def fence(self, count: int) -> None:
        self.rows.append("```sh")
        for number in range(count):
            self.rows.append(f"# {self.word()}" if number % 3 else "")
        self.rows.append("```")

    def item(self, count: int) -> None:
        self.rows.append(f"- {self.word(sensitive=True)} #sam/sensitive")
        for _ in range(count):
            self.rows.append(f"  - {self.word(sensitive=True)}")

    def blank(self, count: int) -> None:
        self.rows.extend([""] * count)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("heading"), st.integers(1, 4)),
        st.tuples(st.just("line"), st.integers(1, 40)),
        st.tuples(st.just("fence"), st.integers(0, 12)),
        st.tuples(st.just("item"), st.integers(0, 4)),
        st.tuples(st.just("blank"), st.integers(1, 3)),
    ),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.integers(60, 300), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_word_is_in_exactly_its_chunk(
    steps: list[tuple[str, int]], limit: int, end: str, front: bool
) -> None:
    note = Written(rows=["---", "date: 2026-02-12", "---"] if front else [])
    for name, count in steps:
        getattr(note, name)(count)
        if name in ("item", "fence"):
            note.blank(1)
    found = chunks(end.join(note.rows), limit=limit, path="a.md")
    homes: dict[str, list[Chunk]] = {}
    for chunk in found:
        for word in chunk.text.split():
            homes.setdefault(word, []).append(chunk)
    for word, (number, heading, sensitive) in note.words.items():
        [home] = homes[word]
        assert home.start_line <= number <= home.end_line
        assert home.heading == " > ".join(filter(None, ("a", heading)))
        assert home.privacy == ("sensitive" if sensitive else "normal")
        assert home.date == (date(2026, 2, 12) if front else None)
    assert all(len(chunk.text) <= limit for chunk in found)
    # A heading is in the path of a chunk, or, if nothing follows it, a chunk itself.
    paths = {title for chunk in found for title in chunk.heading.split(" > ")}
    assert {heading.title for heading in headings(note.rows)} <= paths


HIDDEN = (
    "# A|## B|### C #sam/sensitive|## D #sam/sensitive|words|- item|- item #sam/sensitive|"
    "  - child|- item (expires:: 2026-12-01)|```|x #sam/sensitive||%% x %%|"
    "(evidence:: x) #sam/sensitive"
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(HIDDEN.split("|")), max_size=12),
    st.sampled_from(["a.md", "MEMORY.md", "knowledge/x.md"]),
)
def test_what_is_sensitive_is_in_sensitive_chunks_alone(rows: list[str], path: str) -> None:
    found = chunks("\n".join(rows), limit=20, path=path)
    hidden = _lines(chunk for chunk in found if chunk.privacy == "sensitive")
    code = fenced(prose(rows))
    level = 7
    for number, row in enumerate(rows):
        if not code[number] and row.startswith("#"):
            depth = row.index(" ")
            level = depth if "#sam" in row else 7 if depth <= level else level
        if (level < 7 or (not code[number] and "#sam" in row)) and not row.startswith("%%"):
            assert number + 1 in hidden or not row
    assert not hidden & _lines(chunk for chunk in found if chunk.privacy == "normal")
    if not any("#sam" in row for row in rows):
        assert not hidden


def _lines(found: Iterable[Chunk]) -> set[int]:
    return {n for chunk in found for n in range(chunk.start_line, chunk.end_line + 1)}


MARKDOWN = st.text(
    alphabet=st.sampled_from("ab #-*`~%<!>[]():^|\t\n\r\\1.é中\u200d\U0001f468|data:=+/"),
    max_size=300,
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(MARKDOWN, st.text(max_size=200)), st.integers(1, 50))
def test_any_text_is_covered_within_the_limit(text: str, limit: int) -> None:
    found = chunks(text, limit=limit, path="knowledge/x.md")
    skipped = split_front_matter(text)[2]
    body = prose(lines(text)[skipped:])
    titles = {heading.line for heading in headings(body)}
    covered = {n for chunk in found for n in range(chunk.start_line, chunk.end_line + 1)}
    for number, row in enumerate(body):
        if row.strip() and number not in titles:
            assert number + skipped + 1 in covered
    for chunk in found:
        assert 0 < len(chunk.text) <= limit
        assert 1 <= chunk.start_line <= chunk.end_line <= len(lines(text))


@settings(max_examples=300, deadline=None)
@given(st.one_of(MARKDOWN, st.text(max_size=300)), st.integers(1, 80))
def test_a_message_is_split_and_nothing_is_lost(text: str, limit: int) -> None:
    pieces = split_text(text, limit)
    whole = "".join("".join(piece.split()) for piece, _, _ in pieces)
    assert whole == "".join(text.removeprefix("\ufeff").split()) or len(text) <= limit
    assert all(len(piece) <= limit and first <= last for piece, first, last in pieces)
    assert [first for _, first, _ in pieces] == sorted(first for _, first, _ in pieces)


def test_a_short_message_stays_as_it_is() -> None:
    assert split_text("One\n\n  two ", 20) == [("One\n\n  two ", 1, 3)]
    assert split_text(" \n", 20) == []


def test_a_long_line_is_cut_behind_sentences_then_words() -> None:
    text = "One is one. Two is two and more words. Three"
    assert [piece for piece, _, _ in split_text(text, 40)] == [
        "One is one. Two is two and more words. ",
        "Three",
    ]
    assert [piece for piece, _, _ in split_text("aaaa bbbb cccc", 11)] == ["aaaa bbbb ", "cccc"]


def test_a_cut_does_not_part_an_emoji() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    pieces = [piece for piece, _, _ in split_text("xxxx" + family + "yyyy", 6)]
    assert pieces == ["xxxx", family + "y", "yyy"]


def test_paragraphs_fill_a_chunk_before_the_next_begins() -> None:
    text = "# A\n\n" + "\n\n".join(["x" * 30] * 4)
    assert [(c.start_line, c.end_line) for c in chunks(text, limit=65)] == [(1, 5), (7, 9)]


def test_a_fence_is_not_torn_at_its_blank_lines() -> None:
    text = "x" * 50 + "\n\n```\n" + "y" * 30 + "\n\n" + "z" * 30 + "\n```"
    assert [(c.start_line, c.end_line) for c in chunks(text, limit=90)] == [(1, 1), (3, 7)]


def test_a_heading_in_a_fence_is_code() -> None:
    text = "# A\n```sh\n# no heading\n\n~~~\n```\n## B\nx"
    assert [c.heading for c in chunks(text)] == ["A", "A > B"]


def test_a_day_is_a_chunk_a_section() -> None:
    text = (
        "# Memories — 2026-02-12\n\n## 14:30:00\n\n- **Summary**: Planned ^b7k2mq\n- Chose \\#1\n\n"
        "## 15:00:00\n\n- **Summary**: More ^aaaaaa\n"
    )
    first, second = chunks(text, path="memories/2026-02-12.md")
    assert (first.start_line, first.end_line, first.kind) == (1, 6, "summary")
    assert first.text == "- **Summary**: Planned\n- Chose #1"
    assert first.heading == "Memories — 2026-02-12 > 14:30:00"
    assert (second.start_line, second.date) == (8, date(2026, 2, 12))


def test_a_fact_is_a_chunk_with_a_life() -> None:
    text = (
        "# Preferences\n\n"
        "- Likes tea (updated:: 2026-02-12) (source:: [[memories/2026-02-12#^b7k2mq]]) ^f7k2mx\n"
        "- Lives in Rome [expires:: 2026-12-01]\n  - since May\n"
        "- Liked coffee (superseded_by:: [[knowledge/preference#^f7k2mx]])\n"
    )
    tea, rome, coffee = chunks(text, path="Sam/knowledge/preference.md", sam_dir="Sam")
    assert (tea.text, tea.kind, tea.date) == ("Likes tea", "fact", date(2026, 2, 12))
    assert (rome.text, rome.expires) == ("Lives in Rome\n  - since May", date(2026, 12, 1))
    assert rome.active(date(2026, 11, 30)) and not rome.active(date(2026, 12, 1))
    assert coffee.superseded and not coffee.active(TODAY)


def test_sealed_is_nowhere_and_sensitive_is_marked() -> None:
    assert chunks("---\nprivacy: sealed\n---\nsecret") == []
    assert chunks("---\na: b: c\nprivacy: 'sealed'\n---\nsecret") == []
    assert chunks("---\n\ttitle: a\n\tprivacy: sealed\n---\nsecret") == []
    assert chunks("---\nprivacy: sealed\nsecret, and the block is not closed yet") == []
    [whole] = chunks("---\ntags: [sam/sensitive]\n---\nsecret")
    assert whole.privacy == "sensitive"
    section = chunks("# A\nx\n## Health #sam/sensitive\ny\n### Pills\nz\n## B\nx")
    assert [c.privacy for c in section] == ["normal", "sensitive", "sensitive", "normal"]
    assert section[1].heading == "A > Health"


def test_a_tag_on_an_item_covers_what_belongs_to_it() -> None:
    text = (
        "- open\n- code #sam/sensitive\n  - 1234\n\n  more\nlazy\n\n"
        "open again\n- open `#sam/sensitive`"
    )
    found = chunks(text)
    assert [(c.start_line, c.end_line, c.privacy) for c in found] == [
        (1, 1, "normal"),
        (2, 6, "sensitive"),
        (8, 9, "normal"),
    ]


def test_a_line_of_its_own_amid_a_paragraph() -> None:
    for tag in ("#sam/sensitive", "#sam/sensitive/health"):
        found = chunks(f"one\nmy PIN is 1 {tag}\ntwo")
        assert [(c.text, c.privacy) for c in found] == [
            ("one", "normal"),
            ("my PIN is 1", "sensitive"),
            ("two", "normal"),
        ]
    assert {c.privacy for c in chunks("he acts #sam/sensitively")} == {"normal"}


@pytest.mark.parametrize(
    "text",
    ["---\nkind: log\n---\nx", "kind:: log\n\nx", "- kind:: log\n- x", "# A\nx (kind:: log)"],
)
def test_a_note_that_declares_itself_a_log_has_that_kind(text: str) -> None:
    assert chunks(text, path="a.md")[-1].kind == "log"


def test_no_line_can_call_itself_a_rule() -> None:
    found = chunks("---\nkind: soul\n---\nx (kind:: rule)\n\n```\nkind:: log\n```", path="clip.md")
    assert {c.kind for c in found} == {"note"}


@pytest.mark.parametrize(
    ("text", "path", "day"),
    [
        ("x", "Journal/2026-02-12 Thursday.md", date(2026, 2, 12)),
        ("x", "Journal/2026-02-31.md", None),
        ("x", "2026-02-12/plan.md", None),
        ("---\ndate: 2026-02-12T10:00\n---\nx", "a.md", date(2026, 2, 12)),
        ("---\ndate: [1, 2]\n---\nx", "a.md", None),
        ("---\ndate: 12.02.2026\n---\nx", "a.md", date(2026, 2, 12)),
        ("x", "journals/2026_02_12.md", date(2026, 2, 12)),
        ("x", "12 February 2026.md", date(2026, 2, 12)),
        ("x", "Budget 2026.md", None),
        ("## Thursday, 12 February 2026\nx", "log.md", date(2026, 2, 12)),
        ("## 12.02.2026 Kontrolle\nx", "2025-01-01.md", date(2026, 2, 12)),
        ("x (updated:: 2026-03-01)", "2026-02-12.md", date(2026, 3, 1)),
        ("x (updated:: 2026-13-01)", "2026-02-12.md", date(2026, 2, 12)),
    ],
)
def test_the_date_of_a_chunk(text: str, path: str, day: date | None) -> None:
    assert [c.date for c in chunks(text, path=path)] == [day]


def test_front_matter_names_the_first_chunk() -> None:
    text = (
        "---\ntitle: Ana's note\naliases: [Ana, Ann]\ntags: [people]\ncolour: red\n---\n"
        "# X\na\n# Y\nb"
    )
    first, second = chunks(text)
    assert (first.heading, first.start_line) == ("Ana's note, Ana, Ann #people > X", 7)
    assert second.heading == "Y"
    [alone] = chunks("---\naliases: Ana\ncolour: red\n---\n")
    assert alone.text == "Ana"
    assert chunks("---\ncolour: red\n---\n") == []
    assert chunks("---\ntitle: X\n---\n# X\na")[0].heading == "X"


@pytest.mark.parametrize(
    ("path", "headings_"),
    [
        ("House/Stopcock.md", ["Stopcock", "Stopcock > In winter"]),
        ("In winter.md", ["In winter", "In winter"]),
        ("2026-02-12 Plumber.md", ["2026-02-12 Plumber", "2026-02-12 Plumber > In winter"]),
        ("2026.md", ["2026", "2026 > In winter"]),
        ("Daily/2026-02-12.md", ["", "In winter"]),
        ("12 February 2026.md", ["", "In winter"]),
        ("", ["", "In winter"]),
    ],
)
def test_the_name_of_a_note_is_above_its_headings(path: str, headings_: list[str]) -> None:
    text = "Behind the bleach.\n# In winter\nTurn it off."
    assert [c.heading for c in chunks(text, path=path)] == headings_
    [own] = chunks("- I like tea", path="Sam/knowledge/preference.md", sam_dir="Sam")
    assert own.heading == ""
    front = "---\ntitle: Ana Ruiz\naliases: [Ani, Ana Ruiz]\ntags: [friend]\nphone: 1\n---\n"
    assert [c.heading for c in chunks(f"{front}hi\n# Work\nx", path="People/Ana Ruiz.md")] == [
        "Ani #friend > Ana Ruiz",
        "Ana Ruiz > Work",
    ]
    older = "---\nalias: Ani\ntag: friend\ntags: rower cook\n---\nhi"  # before Obsidian 1.4
    assert [c.heading for c in chunks(older)] == ["Ani #rower #cook #friend"]
    [alone] = chunks(front, path="People/Ana Ruiz.md")
    assert (alone.heading, alone.text) == ("Ana Ruiz", "phone: 1\n\nAna Ruiz, Ani #friend")


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        (
            "---\nphone: 0117 1\nroles: [cook, driver]\n---\nhi",
            ["phone: 0117 1\nroles: cook, driver\n\nhi"],
        ),
        ("---\nphone: 0117 1\n---\n", ["phone: 0117 1"]),
        ("---\nphone:\ntags: [a]\nid: 7\ncreated: 2026-02-12\n---\nhi", ["hi"]),
        ("---\nphone: 0117 1\nhi", ["---\nphone: 0117 1\nhi"]),
        ("---\nphone: 1\n---\nmy PIN #sam/sensitive", ["phone: 1", "my PIN"]),
        ("---\nphone: 1\n---\n" + "x" * 40, ["phone: 1", "x" * 40]),
        ("---\nauthor: Sam\n---\nhi", ["hi"]),
    ],
)
def test_the_properties_of_a_note_are_text(text: str, texts: list[str]) -> None:
    found = chunks(text, path="Ana.md", limit=45)
    assert [c.text for c in found] == texts
    assert found[0].privacy == "normal"
    assert chunks("---\nname: x\n---\nhi", path="skills/x.md")[0].text == "hi"


def test_each_piece_of_a_table_begins_with_its_header() -> None:
    rows = ["| Day | Cost |", "|---|:-:|", *(f"| {n} | £{n} |" for n in range(10, 22))]
    found = chunks("\n".join(rows), limit=90)
    assert len(found) > 2 and all(len(c.text) <= 90 for c in found)
    assert all(c.text.split("\n")[:2] == rows[:2] for c in found)
    kept = [row for c in found for row in c.text.split("\n")[2:]]
    assert kept == rows[2:]
    for one, other in pairwise(found):
        assert other.start_line == one.end_line + 1
    plain = chunks("\n".join(["a | b", *rows[2:]]), limit=90)
    assert [c.text.split("\n")[0] for c in plain].count("a | b") == 1


def test_a_heading_stays_with_what_is_not_hidden() -> None:
    text = "# Memory\n\n- secret #sam/sensitive\n- open\n\n## Mine #sam/sensitive\n### Deep\nx"
    assert [(c.start_line, c.end_line, c.privacy) for c in chunks(text)] == [
        (3, 3, "sensitive"),
        (4, 4, "normal"),
        (6, 8, "sensitive"),
    ]
    [old, new] = chunks("# A\n## B (expires:: 2026-12-01)\nx\n## C\ny")
    assert (old.start_line, old.heading, new.start_line) == (2, "A > B", 4)


def test_an_empty_form_is_no_fact() -> None:
    text = "# Preferences\n\n%% Write them here. %%\n"
    assert chunks(text, path="knowledge/preference.md") == []
    assert [c.text for c in chunks(text, path="preference.md")] == ["Preferences"]


def test_what_was_remembered_has_its_day() -> None:
    text = "# Memory\n\n- 2026-02-12: Ana is vegan ^k2m9xa\n- Bob is not\n- 2026-13-12: odd\n"
    found = chunks(text, path="MEMORY.md")
    assert [(c.text, c.date) for c in found] == [
        ("- 2026-02-12: Ana is vegan", date(2026, 2, 12)),
        ("- Bob is not\n- 2026-13-12: odd", None),
    ]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("knowledge/relationship.md", "- Ana is my sister ^k2m9xa"),
        ("MEMORY.md", "- 2026-02-12: Ana is my sister ^k2m9xa"),
        ("tasks.md", "- [ ] call Ana ^k2m9xa"),
    ],
)
def test_the_first_line_of_its_own_has_its_real_place(path: str, line: str) -> None:
    for top, place in (("# People\n\n%% Who is who. %%\n\n", 5), ("---\na: b\n---\n\n# A\n", 6)):
        [chunk] = chunks(f"{top}{line}\n", path=path)
        assert (chunk.start_line, chunk.end_line) == (place, place)
    [ended] = chunks(f"# A\n\n# B (expires:: 2026-02-01)\n\n{line}\n", path=path)
    assert (ended.start_line, ended.end_line) == (3, 5), "its heading ends with it"


def test_headings_without_text_are_found_by_their_words() -> None:
    found = chunks("# A\n## B\ntext\n## Buy milk\n# C")
    assert [(c.heading, c.start_line, c.text) for c in found] == [
        ("A > B", 1, "text"),
        ("A > Buy milk", 4, "Buy milk"),
        ("C", 5, "C"),
    ]


def test_a_line_of_nothing_but_marks_is_not_lost() -> None:
    [chunk] = chunks("- PIN #sam/sensitive\n  (evidence:: 1234)")
    assert (chunk.start_line, chunk.end_line, chunk.privacy) == (1, 2, "sensitive")


def test_a_note_of_a_hundred_thousand_odd_characters_is_cut_in_time() -> None:
    for odd in ("(a:: ", "`` ` ", "%%", "<!--", "[" * 50, "# ", "- [ ] ", "data:a/b,", " " * 50):
        assert all(len(c.text) <= 1600 for c in chunks(odd * (100_000 // len(odd))))

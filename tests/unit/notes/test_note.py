"""Notes and their lines: front matter, ids, fields, and inert chat text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.notes import markdown
from tests.support.hostile import HOSTILE

# What inert text must not contain once escaped characters are removed.
POWERS = {
    "heading or tag": r"(?<![\w/])#",
    "link, task, footnote": r"\[",
    "block id": r"(?<!\S)\^",
    "comment": r"%%|<!--|<[A-Za-z/!?%]",
    "code, fence": r"`|^(~~~)",
    "field": r"::",
    "mathematics": r"\$\$",
    "list, quote, rule": r"^[-+*>=]|^\d+[.)](\s|$)",
    "backslash at the end": r"\\$",
    "line break": r"[\n\r\u2028\x00]",
}


@settings(max_examples=500, deadline=None)
@given(HOSTILE | st.text(max_size=60))
@example("\\[[x]]")
@example("\\\\[x](https://y)")
@example("C:\\")
@example("%%%")
@example(":::")
@example("a:b://c")
def test_no_power_survives_in_inert_text(text: str) -> None:
    line = markdown.inert(text)
    bare = re.sub(rf"\\[{markdown.PUNCTUATION}]", "\x01", line)
    bare = re.sub(r"https?://[^\s<>\[\]`|^\x01]+", "address", bare)  # a `#` in it is not a tag
    for power, pattern in POWERS.items():
        assert not re.search(pattern, bare), power
    assert "://" not in re.sub(r"https?://", "", bare)
    # Nor for a plugin's pattern that ignores escapes.
    for raw in ("%%", "[[", "::", "<!--", "<%", "```", "$$"):
        assert raw not in line
    assert markdown.block_id(f"- {line}") is None
    assert markdown.inline_fields(line) == []
    assert markdown.headings([line, f"- {line}"]) == []
    assert not any(markdown.fenced([line, f"- {line}", "x"]))
    assert markdown.inert(line) == line
    assert len(markdown.lines(line)) == 1


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab1 #-*`~%<[]():^$!"), max_size=40))
def test_plain_is_the_reverse_of_inert(text: str) -> None:
    assert markdown.plain(markdown.inert(text)) == " ".join(text.split())


def test_words_and_addresses_stay_whole() -> None:
    text = "C# at 5:30, see https://a.org/x_y?z=1#part (page#2), 3 < 4, 50% of $5, a*b_c – C:\\dir"
    assert markdown.inert(text) == text
    assert markdown.inert(" two\n\nlines\u2028here ") == "two lines here"
    assert markdown.inert("- [ ] #buy [[milk]]") == r"\- \[ ] \#buy \[\[milk]]"
    assert markdown.inert("\ud800\x1b[0m") == r"\[0m"


@pytest.mark.parametrize(
    ("text", "fields", "body", "count"),
    [
        ("x\n", {}, "x\n", 0),
        ("", {}, "", 0),
        ("---\nTitle: A\n---\nx", {"title": "A"}, "x", 3),
        ("\ufeff---\r\na: 1\r\n---\r\nx\r\n", {"a": "1"}, "x\r\n", 3),
        ("---\ndate: 2026-13-45\nno: no\n---\n", {"date": "2026-13-45", "no": "no"}, "", 4),
        ("---\ntags:\n  - a\n  - b\n---\nx", {"tags": ["a", "b"]}, "x", 5),
        ("---\na: b: c\nprivacy: sealed\n---\nx", {"a": "b: c", "privacy": "sealed"}, "x", 4),
        ("---\n- a\n---\nx", {}, "x", 3),
        ("---\na: b: c\ntags:\n  - d\n- 'e'\n---\nx", {"a": "b: c", "tags": "d, e"}, "x", 6),
        ("---\nprivacy: sealed\n\nx", {"privacy": "sealed"}, "---\nprivacy: sealed\n\nx", 0),
        ("--- \na: 1\n--- \nx", {"a": "1"}, "x", 3),
        ("\n---\na: 1\n---\n", {}, "\n---\na: 1\n---\n", 0),
    ],
)
def test_front_matter(text: str, fields: dict[str, object], body: str, count: int) -> None:
    assert markdown.split_front_matter(text) == (fields, body, count)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("-a:\n\r {}[]&*!|>'\"%@`#,\t1?"), max_size=80))
@example("---\n" + "[" * 5000 + "\n---\nx")
@example("---\n" + "a: &a [*a]\n" + "---\n")
@example("---\n" + "x: 1\n" * 5000 + "---\n")
def test_front_matter_never_raises(text: str) -> None:
    text = text if text.startswith("---\n") else f"---\n{text}\n---\nbody"
    fields, body, count = markdown.split_front_matter(text)
    assert all(isinstance(key, str) for key in fields)
    assert len(markdown.lines(text)) == count + len(markdown.lines(body)) or count == 0


@pytest.mark.parametrize(
    ("front", "privacy"),
    [
        ("a: 1", "normal"),
        ("privacy: public", "normal"),
        ("privacy:", "normal"),
        ("Privacy: SEALED", "sealed"),
        ("privacy: [sealed]", "sealed"),
        ("privacy: sensitive", "sensitive"),
        ("privacy: secret", "sensitive"),
        ("tags: [x, sam/sensitive]", "sensitive"),
        ("tags: '#sam/sealed'", "sealed"),
        ("tags: sam/sensitive/health", "sensitive"),  # a kind of it, in Obsidian
        ("tags: sam/sensitively", "normal"),
        ("privacy: sealed\nprivacy: normal", "sealed"),
        ("privacy: sensitive\nPrivacy: [normal]", "sensitive"),
        ("privacy: normal\n'privacy ': [x, sealed]\nprivacy: public", "sealed"),
        ("a: [\nprivacy: sealed\nprivacy: normal", "sealed"),  # broken: read by line
        ("tags: work sam/sealed", "sealed"),
        ("tags:\n  - 'work #sam/sensitive'", "sensitive"),
        ("Tag: sam/sealed", "sealed"),
        ("tag: x\ntag: sam/sealed\ntags: y", "sealed"),
        ("privacy: sealed, of course", "sealed"),
        ("a: b: c\ntags:\n  - x\n  - sam/sealed", "sealed"),
        ('a: {{date}}\ntags: ["sam/sealed", x]', "sealed"),
        ("a: b: c\nprivacy:\n- sealed", "sealed"),
        ('a: b: c\n"privacy": [sealed]', "sealed"),
        ("a: b: c\nprivacy: sealed # mine", "sealed"),
        ("tags: [sam/sealed]\ntags: [x]", "sealed"),
        ("privacy: normal\nprivacy: public", "normal"),
    ],
)
def test_privacy_of_a_note(front: str, privacy: str) -> None:
    assert markdown.privacy(f"---\n{front}\n---\nx") == privacy


def test_a_block_id_is_a_whole_token_at_the_end() -> None:
    assert markdown.block_id("- x ^b7k2mq") == "b7k2mq"
    assert markdown.block_id("^b7k2mq \r") == "b7k2mq"
    for line in ("x^2", "x ^a b", "[[n#^b7k2mq]]", "x \\^abc", "", "x ^", "x ^a_b"):
        assert markdown.block_id(line) is None
        assert markdown.strip_block_id(line) == line
    assert markdown.strip_block_id("- x  ^b7k2mq ") == "- x"


def test_new_ids_are_free_and_random() -> None:
    ids = {markdown.new_id(lambda name: False) for _ in range(200)}
    assert len(ids) > 190
    assert all(re.fullmatch(r"[a-z0-9]{6}", name) for name in ids)
    assert len(markdown.new_id(lambda name: len(name) < 8)) == 8
    with pytest.raises(ValueError, match="taken"):
        markdown.new_id(lambda name: True)


def test_headings_outside_of_fences() -> None:
    rows = [
        "# A #",
        "#tag",
        "```",
        "# c",
        "~~~",
        "```",
        "## ",
        "   ### D ^x",
        "    # code",
        "- # e",
    ]
    assert markdown.headings(rows) == [(0, 1, "A"), (6, 2, ""), (7, 3, "D")]
    assert markdown.headings(["- ```sh", "  # c", "  ```", "# A", "~~~~", "# b", "~~~", "# c"]) == [
        (3, 1, "A")
    ]
    assert markdown.headings(["#" * 7 + " x", "# " + "x" * 201, "# C#"]) == [(2, 1, "C#")]
    assert markdown.fenced(["a ``` b", "``` a`b", "x"]) == [False, False, False]


def test_inline_fields_in_both_brackets() -> None:
    line = "- a (source:: [[x (y)#^b]]) [Due Date:: d [e]] `(c:: d)` (f:: "
    assert [(f.key, f.value) for f in markdown.inline_fields(line)] == [
        ("source", "[[x (y)#^b]]"),
        ("due date", "d [e]"),
    ]
    first = markdown.inline_fields(line)[0]
    assert line[first.start : first.end] == "(source:: [[x (y)#^b]])"


def test_links_have_a_path_and_no_ending() -> None:
    assert (
        markdown.wikilink("memories/2026-02-12.md", "b7k2mq") == "[[memories/2026-02-12#^b7k2mq]]"
    )
    assert markdown.wikilink("MEMORY.md") == "[[MEMORY]]"


def test_lines_are_an_editors_lines() -> None:
    assert markdown.lines("\ufeffa\r\nb\u2028c\x0cd\n") == ["a", "b\u2028c\x0cd", ""]
    assert markdown.newline("a\r\nb\n") == "\r\n"
    assert markdown.newline("a\nb\r\n") == markdown.newline("") == "\n"

"""Split an answer's markdown into messages that Telegram accepts, losing nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.markdown_escape import escape
from bot.telegram.formatting.message_parts import LIMIT, clean, parts, tail
from bot.telegram.formatting.source import balanced
from bot.telegram.formatting.split import ENTITIES, SOURCE_LIMIT

words = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=60
)
marks = st.sampled_from(
    [
        *("# ", "- ", "1. ", "> ", "- [ ] ", "**", "*", "`", "|", "||", "\\", "$x$", "$$\n"),
        *("```\n", "```py\n", "~~~\n", "| a | b |\n|--|--|\n", "<details>", "<b>", "&amp;"),
        *("\n", "\n\n", "  ", "\r\n", "\x00", "\ud83d", "e\u0301", "👩\u200d👩\u200d👧"),
        *("[x](http://e.com/a_b)", "[^1]", "[^1]: ", "![a](b)"),
    ]
)
hostile = st.lists(st.one_of(words, marks), max_size=80).map("".join)
long_prose = st.lists(st.text("abc äö漢😀", min_size=1, max_size=400), min_size=1, max_size=40)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@settings(max_examples=150, deadline=None)
@given(hostile, st.sampled_from([60, 200, LIMIT]))
@example("**" + "😀" * 9000 + "**", LIMIT)
@example("| a | b |\n|--|--|\n" + "| x | " + "w" * 300 + " |\n" + "| y | z |\n" * 90, LIMIT)
@example("\n\n".join("a" * 1300), LIMIT)
@example("\n".join(f"- **{n}** `{n}`" for n in range(150)), LIMIT)
@example(" ".join(f"*{n}*" for n in range(150)), LIMIT)
def test_every_part_is_one_that_telegram_takes(text: str, limit: int) -> None:
    for part in parts(text, limit=limit):
        assert part.text.strip()
        assert units(part.text) <= limit
        assert len(part.entities) <= ENTITIES
        assert len(part.rich or "") <= 2 * SOURCE_LIMIT
        assert len((part.rich or "").split("\n\n")) <= 500
        for entity in part.entities:
            assert entity.offset >= 0 and entity.length > 0
            assert entity.offset + entity.length <= units(part.text)
        part.text.encode("utf-8")  # no half of a surrogate pair
        assert part.rich is None or balanced(part.rich) == part.rich


@settings(max_examples=60, deadline=None)
@given(long_prose, st.sampled_from([50, 300, LIMIT]))
def test_prose_loses_nothing(paragraphs: list[str], limit: int) -> None:
    text = "\n\n".join(paragraphs)
    assert squeezed("".join(p.text for p in parts(text, limit=limit))) == squeezed(text)


@settings(max_examples=300, deadline=None)
@given(st.one_of(words, hostile.map(lambda text: " ".join(text.split()))))
def test_an_escaped_text_is_shown_as_it_stands(text: str) -> None:
    for before, shown_before in (("", ""), ("- ", "•"), ("Found: ", "Found:")):
        shown = "".join(p.text for p in parts(before + escape(text)))
        assert squeezed(shown) == squeezed(shown_before + clean(text)) or not squeezed(clean(text))


def test_an_escaped_text_needs_no_formatting() -> None:
    text = "Saved in MEMORY.md & memories/2026-02-12.md: [x] *y* <z> SUMMARY_MODEL _q_ #1 $5"
    [part] = parts(escape(text))
    assert part.plain
    assert part.text == text
    assert escape("ANTHROPIC_API_KEY is (not) set - see README.md!") == (
        "ANTHROPIC_API_KEY is (not) set - see README.md!"
    )


@pytest.mark.parametrize("margin", ["    ", "\t", " \t  "])
def test_an_escaped_text_with_indentation_is_no_code(margin: str) -> None:
    [part] = parts(escape(f"My code:\n\n{margin}items = [1]\n{margin}    x_ = '*'\n"))
    assert part.entities == ()
    assert [line.strip() for line in part.text.split("\n")] == [
        "My code:",
        "",
        "items = [1]",
        "x_ = '*'",
    ]


def test_paragraphs_stay_whole_where_they_can() -> None:
    paragraphs = [f"{n} " + "x" * 1500 for n in range(6)]
    assert [p.text for p in parts("\n\n".join(paragraphs))] == [
        "\n\n".join(paragraphs[n : n + 2]) for n in (0, 2, 4)
    ]


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
@pytest.mark.parametrize("below", ["y " * 1500, "y " * 5000, "```\n" + "y = 1\n" * 900 + "```"])
def test_no_heading_is_alone_at_the_end_of_a_part(blank: str, below: str) -> None:
    for length in range(1500, 2060, 30):
        above = "x " * length
        heading = "## Heading\n\n### Subheading"
        found = [part.text.rstrip() for part in parts(f"{above}\n\n{heading}{blank}{below}")]
        assert len(found) > 1
        for text in found:
            assert not text.endswith("eading"), length
            assert len(text) > 30, "and none is a message of its own"


@pytest.mark.parametrize("below", ["\n\n    About it: ", "\n    - below it: "])
def test_what_belongs_to_a_list_item_is_no_code_in_the_next_part(below: str) -> None:
    items = [f"{n}. Item{below}{'text ' * 20}{below}{'more ' * 20}" for n in range(1, 60)]
    found = parts("\n".join(items))
    assert len(found) > 2
    assert not any(entity.type in ("pre", "code") for part in found for entity in part.entities)
    assert not any((part.rich or "").startswith(" ") for part in found)


def test_code_that_is_indented_stays_code_in_the_next_part() -> None:
    found = parts("Look:\n\n" + "\n".join(f"    step {n} {'x ' * 40}" for n in range(99)))
    assert [each.entities[0].type for each in found[1:]] == ["pre"] * (len(found) - 1)


def test_a_comment_in_code_is_no_heading() -> None:
    code = "```sh\n# one\n# two\n```"
    assert [part.rich for part in parts(f"{'x ' * 2046}\n\n{code}")][-1] == code


def test_a_long_fence_becomes_several() -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(600))
    found = parts(f"Before\n\n```python\n{code}\n```\n\nAfter")
    assert len(found) > 2
    assert all(part.rich.count("```") == 2 for part in found)
    inside = [e for part in found for e in part.entities if e.type == "pre"]
    assert {e.language for e in inside} == {"python"}
    assert squeezed("".join(p.text for p in found)) == squeezed(f"Before{code}After")


def test_a_part_is_measured_after_formatting() -> None:
    """Telegram does not count the URLs of links."""
    line = "[word](https://example.org/" + "x" * 180 + ") "
    assert units(line * 60) > LIMIT
    assert len(parts(line * 60)) == 1


def test_no_more_entities_than_a_message_takes_and_none_lost() -> None:
    found = parts(" ".join(f"*{n}*" for n in range(150)))
    assert sum(len(part.entities) for part in found) == 150
    assert len(found) == 2


def test_a_cut_keeps_an_emoji_together() -> None:
    family = "👩‍👩‍👧‍👦"
    for part in parts(family * 30, limit=50):
        assert part.text == family * (len(part.text) // len(family))


def test_what_looks_like_a_tag_stays_text() -> None:
    [part] = parts("Use vector<int>, `List<T>`, and mail <ana@x.org>.")
    assert part.text == "Use vector<int>, List<T>, and mail <ana@x.org>."
    assert part.rich == "Use vector\\<int>, `List<T>`, and mail \\<ana@x.org>."
    assert [e.type for e in part.entities] == ["code"]


@pytest.mark.parametrize(
    "text",
    [
        "[TODO]: call\n\nok",
        "Reading list:\n\n[Dune]: great\n[Emma]: boring",
        "Read this[^1].\n\n[^1]: Ana",
        "Hello\n\n[1]: https://example.org/page",
        "[a]:\nhttps://example.org/a\n\nLook at [a]",
        "if (a || b) or (c || d)",
    ],
)
def test_what_looks_like_a_definition_or_a_spoiler_stays_text(text: str) -> None:
    [part] = parts(text)
    assert (part.text, part.plain) == (text, True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Use ```sql\nSELECT 1;\n``` to test", "Use\nSELECT 1;\nto test"),
        ("> Use ~~~\n> a\n> ~~~ to test", "Use\na\nto test"),
        ("a ```\nx\n``` b ```\ny\n``` c", "a\nx\nb\ny\nc"),
        ("````md\na ```\nx\n``` b\n````", "a ```\nx\n``` b"),
        ("Type ```\n\n```py\nx\n```", "Type ```\n\nx"),
        ("<details>x</details>[^1]: note", "x\n\n[^1]: note"),
        ("- a\n  </details>[^1]: note", "• a\n\n[^1]: note"),
        ("`<details>` and `</summary>`", "<details> and </summary>"),
    ],
)
def test_text_next_to_a_fence_or_a_tag_is_shown(text: str, shown: str) -> None:
    [part] = parts(text)
    assert part.text == shown


def test_a_definition_that_is_used_and_a_spoiler_are_markup() -> None:
    [part] = parts("See [this][1] and ||that||.\n\n[1]: https://example.org/page\n")
    assert part.text == "See this (example.org) and that."
    assert [(each.type, each.url) for each in part.entities] == [
        ("text_link", "https://example.org/page"),
        ("spoiler", None),
    ]
    [code] = parts("`[a]: b || c || d`")
    assert code.text == "[a]: b || c || d"


def test_a_link_in_a_table_shows_its_address() -> None:
    site = "[site](https://example.org/a_b)"
    [part] = parts(f"| a | b |\n|---|---|\n| {site} | `{site}` |\n\n{site}")
    assert f"\nsite (https://example.org/a_b) | {site}\n\nsite (example.org)" in part.text


def test_prose_needs_no_formatting_and_the_rest_does() -> None:
    assert parts("Hello\nworld, 2 < 3")[0].plain
    assert not parts("Hello *world*")[0].plain
    assert not parts("- one\n- two")[0].plain


def test_a_single_line_break_counts_in_a_rich_message() -> None:
    """There a single newline is a space; but tables and code must not get a hard break."""
    [part] = parts("One\nTwo *x*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nc\nd\n```")
    assert part.rich == "One  \nTwo *x*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nc\nd\n```"


@pytest.mark.parametrize("text", ["", "  \n\n ", "\x00", "\n"])
def test_blank_text_is_no_message(text: str) -> None:
    assert [p for p in parts(text) if p.text != "�"] == []


def test_what_shows_nothing_is_shown_as_it_is() -> None:
    assert parts("<!-- only a comment -->")[0].text.strip("\\") == "<!-- only a comment -->"
    assert parts("[a]: http://e.com")[0].text == "[a]: http://e.com"


def test_growing_text_shows_its_end_and_closes_its_fence() -> None:
    grown = tail("a " * 4000 + "\n\n```py\nx = 1")
    assert grown is not None
    assert grown.text.endswith("x = 1")
    assert grown.rich.endswith("```")
    assert tail(" ") is None


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("```bash\n   npm i\n   ```", "npm i"),
        ("> quoted\n   > too", "quoted\ntoo"),
        ("| A | B |\n   |---|---|\n   | 1 | 2 |", "A | B\n--+--\n1 | 2"),
    ],
)
def test_a_block_in_a_list_begins_on_a_line_of_its_own(block: str, shown: str) -> None:
    [part] = parts(f"1. Run:\n   {block}\n2. Wait")
    assert part.text == f"1. Run:\n{shown}\n2. Wait"
    assert part.rich is not None and "Run:  \n   " in part.rich


def test_each_part_of_a_long_table_is_a_table() -> None:
    rows = [f"| row {n} | {'value ' * 5} |" for n in range(300)]
    found = parts("\n".join(["| Name | What |", "|---|---|", *rows]))
    assert len(found) > 2
    for part in found:
        assert [entity.type for entity in part.entities] == ["pre"]
        assert part.text.startswith("Name") and part.rich is not None
        assert part.rich.startswith("| Name | What |\n|---|---|\n| row ")
    shown = "\n".join(part.text for part in found)
    assert [int(n) for n in re.findall(r"row (\d+)", shown)] == list(range(300))


@pytest.mark.parametrize(
    ("opened", "closed", "kinds"),
    [
        ("**", "**", {"bold"}),
        ("*", "*", {"italic"}),
        ("~~", "~~", {"strikethrough"}),
        ("`", "`", {"code"}),
        ("***", "***", {"bold", "italic"}),
        ("> ", "", {"blockquote"}),
        ("> **", "**", {"blockquote", "bold"}),
        ("[", "](https://e.com/x)", {"text_link"}),
    ],
)
@pytest.mark.parametrize("is_one_line", [True, False])
def test_marks_around_a_long_text_are_in_each_part(
    opened: str, closed: str, kinds: set[str], is_one_line: bool
) -> None:
    sentences = [f"This is number {n}." for n in range(400)]
    gap = " " if is_one_line else "\n> " if opened.startswith(">") else "\n"
    found = parts(opened + gap.join(sentences) + closed)
    shown = " ".join(part.text.replace(" (e.com)", "") for part in found)
    assert len(found) > 1 and shown.split() == " ".join(sentences).split()
    for part in found:
        text = part.text.replace("\n", "").replace(" (e.com)", "")
        for kind in kinds:
            assert sum(e.length for e in part.entities if e.type.endswith(kind)) >= units(text)


def test_a_short_mark_is_not_cut() -> None:
    text = "Word " * 10 + "**in, bold** and more"
    first, *rest = parts(text, limit=58)
    assert first.text.endswith("Word") and rest[0].text.startswith("in, bold and")

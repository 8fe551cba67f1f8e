"""Transcripts as blocks: any messages, one of them forgotten; checked with a CommonMark parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memory.log import Message, Session
from memory.log.transcript import entries, line_of, mark_in, mark_of, quotable, render
from memory.maintenance import archive_copies
from memory.notes.markdown import split_front_matter
from tests.support.hostile import HOSTILE
from tests.support.obsidian import powers

AT = datetime(2026, 2, 12, 14, 30, tzinfo=UTC)
SESSION = Session(1, "telegram:7", AT, AT + timedelta(hours=1), None)
_LINES = r"""**You** · 14:30:00 ^m1-1770906600
> **You** · 14:30:00 ^m1-1770906600
^m2-1770906601
---
profile: x
## 2026-02-12
```
````
~~~
```dataviewjs
```py
- ```sh
<% tp.x %>
> quoted
$x
x$
- [ ] task
  - nested
1. one
| a | b |
|---|---|
a | b
-- | --
![a](https://a.org/i)

[p]: https://a.org
<b
c>
#tag
%%
same
  * * *"""
LINES = [*_LINES.split("\n"), "a\u2028b", "x\r", "\x1b[1m", "\t code"]
TEXT = HOSTILE | st.lists(st.sampled_from(LINES), min_size=1, max_size=9).map("\n".join)
TEXTS = st.lists(TEXT.filter(bool), min_size=1, max_size=6)


def said(number: int, text: str, author: str = "") -> Message:
    return Message(
        id=number,
        turn_id=number,
        session_id=1,
        role="user" if number % 2 else "assistant",
        origin="owner",
        author=author,
        privacy="normal",
        lang=None,
        sent_at=AT + timedelta(seconds=number - 1),
        edited_at=None,
        chat="telegram:7",
        telegram_ids=(),
        text=text,
        state="closed",
        batch=None,
    )


def page_of(messages: Sequence[Message]) -> str:
    return render(SESSION, messages, UTC, "owner")


def header(page: str, mark: str) -> str:
    [row] = [row for row in page.split("\n") if mark_in(row) == mark]
    return row


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.data())
def test_one_is_forgotten_and_every_other_byte_stays(texts: list[str], data: st.DataObject) -> None:
    messages = [said(number, text) for number, text in enumerate(texts, 1)]
    page = page_of(messages)
    assert "\n".join(row for each in entries(page) for row in each.rows) == page
    assert [each.mark for each in entries(page) if each.mark] == [mark_of(m) for m in messages]
    one = data.draw(st.sampled_from(messages))
    left = archive_copies.without_lines(page, {header(page, mark_of(one))})
    others = [each for each in messages if each is not one]
    assert left == (page_of(others) if others else page_of([]) + "\n## 2026-02-12\n")
    # The same in an archived copy that is quoted as a whole.
    quoted = "\n".join(f"> {row}" for row in page.rstrip("\n").split("\n"))
    there = archive_copies.without_lines(quoted, {header(page, mark_of(one))})
    assert [mark for row in there.split("\n") if (mark := mark_in(row))] == [*map(mark_of, others)]


@settings(max_examples=300, deadline=None)
@given(TEXTS, HOSTILE)
@example(["1"], "*[]()")  # without its asterisk the backslash before it would stand alone
def test_what_was_said_stays_in_its_quote_and_does_nothing(texts: list[str], name: str) -> None:
    messages = [said(number, text, name) for number, text in enumerate(texts, 1)]
    page = page_of(messages)
    assert list(split_front_matter(page)[0]) == ["session", "ended", "chat", "profile"]
    tokens = MarkdownIt("commonmark").enable("table").parse(split_front_matter(page)[1])
    top = [token.type for token in tokens if token.level == 0 and token.nesting >= 0]
    block = ["paragraph_open", "blockquote_open"]
    assert top == ["heading_open", "heading_open", *block * len(messages)]
    assert sum(token.type == "heading_open" for token in tokens) == 2
    inside = {child.type for token in tokens for child in token.children or ()}
    assert not inside & {"image", "link_open", "html_inline", "code_inline"}
    assert not {token.type for token in tokens} & {"html_block"}
    code = "".join(token.content for token in tokens if token.type == "fence")
    assert "<%" not in code and not any(mark_in(row) for row in code.split("\n"))
    assert not {token.info for token in tokens if token.type == "fence"} - {"", "py", "sh"}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES) | HOSTILE, max_size=6).map("\n".join))
def test_no_line_outside_of_code_has_power(text: str) -> None:
    rows, fence = quotable(text), ""
    assert not any(set(row) & set("\r\n\v\f\x85\u2028\u2029\x1b\x00") for row in rows)
    for row in rows:
        if fence or row.startswith("```"):
            fence = "" if row == fence else fence or row.rstrip("abcdefghijklmnopqrstuvwxyz")
        elif not set(row) <= set("|-: "):
            bare = re.sub(r"^ *(?:[-*+]|\d{1,9}[.)]) ", "", row)
            assert not powers(bare), row
            assert not mark_in(row)
    assert not fence, "it is closed"


def test_code_tables_and_lists_are_shown_as_they_were() -> None:
    code = "def f(x):\n    return [x] * 2  # `twice`\n\n```\nnot the end"
    text = (
        f"Like **this**:\n\n~~~~python\n{code}\n~~~~\nAnd:\n| a | b |\n|--|:-:|\n| 1 | [[x]] |\n\n"
        "1. one\n   - [ ] two\n# three"
    )
    html = MarkdownIt("commonmark").enable("table").render("\n".join(quotable(text)))
    assert '<code class="language-python">' in html
    assert code.replace("<", "&lt;") in html
    assert "<th>a</th>" in html and ">[[x]]</td>" in html
    assert "<strong>this</strong>" in html
    assert "<li>[ ] two" in html and "<h1>" not in html and "# three" in html


def test_a_table_is_one_for_obsidian_too() -> None:
    """It wants an empty line before a table, and bars around the row of dashes."""
    rows = ["Costs:", "item | euros", "--|--:", "tea | 3", "That is all."]
    table = ["", "item | euros", "|--|--:|", "tea | 3"]
    assert quotable("\n".join(rows)) == ["Costs:", *table, "That is all."]


def test_a_fence_that_stays_open_ends_with_its_message() -> None:
    page = page_of([said(1, "look:\n```sh\nrm -r x"), said(2, "No.")])
    assert page.endswith("> ```sh\n> rm -r x\n> ```\n\n**Sam** · 14:30:01 ^m2-1770906601\n> No.\n")


def test_a_message_without_text_was_forgotten_and_is_left_out() -> None:
    assert page_of([said(1, ""), said(2, "No.")]) == page_of([said(2, "No.")])


@pytest.mark.parametrize("text", ["x", "- [ ] a\nb"])
def test_a_line_of_an_older_transcript_goes_as_a_line(text: str) -> None:
    line = line_of(said(1, text), UTC)
    assert archive_copies.without_lines(f"- {line}\n- {line}, too\n", {line}) == f"- {line}, too\n"


def test_a_line_that_is_named_stays_where_a_message_says_it() -> None:
    page = page_of([said(1, "I like tea"), said(2, "Tea!")])
    assert archive_copies.without_lines(f"- I like tea\n{page}", {"I like tea"}) == page


def test_a_block_of_blank_lines_goes_with_them() -> None:
    page = page_of([said(1, " "), said(2, "No.")])
    left = archive_copies.without_lines(page, {header(page, mark_of(said(1, " ")))})
    assert left == page_of([said(2, "No.")])


def test_mathematics_does_not_go_on_in_the_next_line() -> None:
    assert quotable("costs $5\nor 6$, \\$7") == ["costs \\$5", "or 6\\$, \\$7"]

"""Which parts of a note are prose: comments, drawings and encoded data are not indexed."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.notes.prose import prose

BLOB = base64.b64encode(bytes(range(256)) * 2).decode()


def kept(text: str, *, drawing: bool = False) -> str:
    rows = text.split("\n")
    seen = prose(rows, drawing=drawing)
    assert len(seen) == len(rows)
    return "|".join(row for row in seen if row.strip())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a %%b%% c", "a  c"),
        ("a\n%%\nb\n\nc\n%%\nd", "a|d"),
        ("a %%b\nc%% d", "a | d"),
        ("100%% sure\n\nand 50%% more", "100%% sure|and 50%% more"),
        ("a <!-- b --> c <!--\nd -->", "a  c "),
        ("<!-- a\n\nb -->c", "c"),
        ("%% never closed\n\nb", "%% never closed|b"),
        ("`%%` and `<!--` a", "`%%` and `<!--` a"),
        ("```\n%%a%%\n<!-- b -->\n```", "```|%%a%%|<!-- b -->|```"),
        ("%%\n```\n%%\nb", "b"),
    ],
)
def test_comments(text: str, left: str) -> None:
    assert kept(text) == left


def test_a_kanban_board_keeps_its_cards() -> None:
    board = '## To do\n\n- [ ] card\n\n%% kanban:settings\n```\n{"kanban-plugin":"board"}\n```\n%%'
    assert kept(board) == "## To do|- [ ] card"


def test_a_drawing_keeps_its_words() -> None:
    note = (
        "==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu. ⚠==\n"
        f"# Excalidraw Data\n## Text Elements\nlabel ^abc12345\n%%\n## Drawing\n"
        f"```compressed-json\n{BLOB}\n\n{BLOB}\n```\n%%"
    )
    words = "# Excalidraw Data|## Text Elements|label"
    assert kept(note) == words
    assert kept(note.replace("%%\n", "")) == words + "|%%"
    assert kept('# Drawing\n{"type":"excalidraw"}\n# More', drawing=True) == ""
    assert kept("## Drawing\nmy own words") == "## Drawing|my own words"


def test_encoded_data() -> None:
    assert kept(f"a ![x](data:image/png;base64,{BLOB}) b") == "a ![x]() b"
    assert kept(f"key {BLOB} end") == "key  end"
    wrapped = "\n".join(BLOB[n : n + 64] for n in range(0, 300, 64))
    assert kept(f"BEGIN\n{wrapped}\nEND") == "BEGIN|END"


@pytest.mark.parametrize(
    "text",
    [
        "0123456789abcdef" * 20,
        "handleWebSocketReconnect ECONNREFUSED",
        "https://example.org/Some/Long/Path/With/Words/2026/AndMore?q=1&r=2#Part",
        "他" * 300,
        "sha256 " + "0a" * 32,
        "data: a, b",
        BLOB[:64],
    ],
)
def test_what_only_looks_encoded_stays(text: str) -> None:
    assert kept(text) == text


def test_block_ids_go_outside_of_code() -> None:
    assert kept("a ^b7k2mq\n```\nb ^b7k2mq\n```\n^alone1") == "a|```|b ^b7k2mq|```"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("a%<!->`~\n #"), max_size=80), st.booleans())
def test_every_line_keeps_its_number(text: str, drawing: bool) -> None:
    kept(text, drawing=drawing)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab c", max_size=9), max_size=9))
def test_plain_prose_is_untouched(rows: list[str]) -> None:
    assert prose(rows) == rows

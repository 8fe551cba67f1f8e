"""Hypothesis strategy for chat text with markdown syntax that must not take effect in a note."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    "# |- [ ] |#tag|[[a]]|![[a]]|[a](b)| ^abc123|%%|<!--|```|~~~|k:: v|(k:: v)|[k:: v]|$$|`= x`|"
    "https://a.org/b#c|https://x::y|obsidian://o|<% x %>|\\|\\\\|1. |> |---|===|\n| |x"
)
HOSTILE = st.text(
    alphabet=st.sampled_from(list("ax1 #-*+`~%<>[]():^|=$!/\\.\t\n\r\u2028\xa0\x00é中")),
    max_size=40,
) | st.lists(st.sampled_from(PIECES.split("|")), max_size=12).map("".join)

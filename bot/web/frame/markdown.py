"""Render notes and messages as safe HTML: no raw HTML, no images, no script links, no hidden host.

The text is untrusted: it may be a clipped page, a forwarded mail, or a model's answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from memory.notes import redaction

from ...telegram.formatting import shown_host

LONGEST = 200_000  # characters; a longer text is truncated, to keep the page usable
CUT = f'<p class="hint">It goes on: this page shows the first {LONGEST:,} characters.</p>\n'
_WIKI = re.compile(
    r"(!?)\[\[([^\[\]|#\n]{0,300})(#[^\[\]|\n]{0,200})?(?:\|([^\[\]\n]{1,200}))?\]\]"
)
_CODE = re.compile(r"`([^`\n]+)`")
_SCHEME = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def html(text: str) -> str:
    """Render markdown. Raw HTML is shown as text, an image as a link. The end of a text that is too
    long is left out, and the page says so."""
    shown = str(_parser().render(_WIKI.sub(_named, text[:LONGEST])))
    return shown + CUT if len(text) > LONGEST else shown


def code_spans(text: str) -> str:
    """Escape a sentence of Sam's own, and render what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escapeHtml(text))


def note(text: str) -> str:
    """Render a note, without its comments and block ids."""
    return html("\n".join(redaction.visible_lines(text)))


def _named(match: re.Match[str]) -> str:
    """Replace `[[memories/2026-02-12#^b7k2mq|that day]]` by its label."""
    words = match[4] or match[2].rpartition("/")[2] or (match[3] or "").lstrip("#^")
    return words.replace("`", "'")


@cache
def _parser() -> MarkdownIt:
    # `image` off: `![plan](https://…)` becomes a `!` and a link, and nothing is fetched.
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda url: bool(_SCHEME.match(url))  # type: ignore[method-assign]  # its documented hook
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("link_close", _link_end)
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("heading_close", _heading)
    return parser


def _link(self: RendererHTML, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    """Render a link that sends no referrer."""
    tokens[index].attrSet("rel", "noreferrer noopener nofollow")
    tokens[index].attrSet("target", "_blank")
    return self.renderToken(tokens, index, *rest)


def _link_end(_: RendererHTML, tokens: Sequence[Token], index: int, *rest: object) -> str:
    """Add the host after a link whose text is something else."""
    start = index - 1
    while tokens[start].type != "link_open":  # links do not nest
        start -= 1
    text = "".join(token.content for token in tokens[start:index])
    host = shown_host(text, str(tokens[start].attrGet("href") or ""))
    return "</a>" + (f" ({escapeHtml(host)})" if host else "")


def _heading(_: RendererHTML, tokens: Sequence[Token], index: int, *rest: object) -> str:
    """Render a note's heading one level below the page's."""
    token = tokens[index]
    level = min(6, int(token.tag[1]) + 1)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"

"""Markdown on a terminal, by rich: a whole text, and an answer while it streams.

Line breaks stay, lines wrap at words, a link shows its address, and nothing of the text is hidden.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import dropwhile
from typing import ClassVar, TextIO

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.live import Live
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.padding import Padding
from rich.segment import Segment
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from .plain_text import printable

EVERY = 0.1  # seconds between two drawings
WIDEST = 100  # columns: longer lines are hard to read
CODE_THEME = "ansi_dark"  # the terminal's own colours, on its own background
_STYLES = Theme(
    {
        "markdown.code": "cyan",
        "markdown.block_quote": "dim",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold underline",
        "markdown.h3": "bold",
        "markdown.h4": "bold",
        "markdown.h5": "bold",
        "markdown.h6": "bold",
    }
)


def console(out: TextIO) -> Console:
    """Return what prints on this terminal."""
    return Console(file=out, theme=_STYLES, highlight=False, markup=False, emoji=False)


class ChatMarkdown(Markdown):
    """A text without control characters, to print."""

    class _Heading(Heading):
        LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}  # all on the left

    class _Code(CodeBlock):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            code = Syntax(
                str(self.text).rstrip(),
                self.lexer_name,
                theme=self.theme,
                word_wrap=True,
                background_color="default",
            )
            yield Padding(code, (0, 0, 0, 2))

    class _Table(TableElement):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            segments = _segments(super().__rich_console__(console, options), console, options)
            yield _Rows(row for row in Segment.split_lines(segments) if not _is_blank(row))

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", code_theme=CODE_THEME)
        self.parsed = [
            token.copy(children=_as_shown(token.children)) if token.children else token
            for token in _parser().parse(text)
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        options = options.update(width=min(WIDEST, options.max_width))
        segments = _segments(super().__rich_console__(console, options), console, options)
        yield _Rows(dropwhile(_is_blank, Segment.split_lines(segments)))


class LiveAnswer:
    """An answer that is shown while it comes. Use it in a `with`.

    Blocks that are complete are printed for good. The last one is drawn again as it grows, or as
    much of its end as the terminal has rows for.
    """

    def __init__(self, printer: Console) -> None:
        self._printer = printer
        self._draft = ""
        self._printed = 0  # characters of the draft
        self._after_block = False
        self._next_drawing = 0.0
        self._live = Live(
            Text("…", "dim"),
            console=printer,
            transient=True,
            auto_refresh=False,  # its thread and ours would write at the same time
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> LiveAnswer:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        self._flush()  # what came before an interruption stays

    def add(self, text: str) -> None:
        """Append to the draft."""
        self._draft += printable(text)
        self._show()

    def restart(self, draft: str) -> None:
        """Replace the draft."""
        draft = printable(draft)
        if not draft.startswith(self._draft[: self._printed].rstrip()):
            self._aside("(once more)")
            self._printed = 0
        self._draft = draft
        self._show()

    def aside(self, text: str) -> None:
        """Print a line that is not part of the answer."""
        self._flush()
        self._aside(printable(text))

    def end(self, shown: str) -> None:
        """Replace the draft with the whole answer, and print the missing rest."""
        self.restart(shown.rstrip())
        self._flush()

    def _show(self) -> None:
        """Print the blocks that are complete, and draw the last one, unless it was just done."""
        if (now := time.monotonic()) < self._next_drawing:
            return
        self._next_drawing = now + EVERY
        rest = self._draft[self._printed :]
        starts = [token.map[0] for token in _parser().parse(rest) if token.map and not token.level]
        complete = "".join(f"{row}\n" for row in rest.split("\n")[: starts[-1] if starts else 0])
        self._live.update(_End(ChatMarkdown(rest[len(complete) :])))
        self._block(complete)
        self._live.refresh()

    def _flush(self) -> None:
        """Print the rest of the draft."""
        self._live.update("", refresh=True)
        self._block(self._draft[self._printed :])

    def _block(self, text: str) -> None:
        self._printed += len(text)
        if text.strip():
            if self._after_block:
                self._printer.print()
            self._printer.print(ChatMarkdown(text))
            self._after_block = True

    def _aside(self, text: str) -> None:
        self._printer.print(Text(text, "dim"))
        self._after_block = False


class _End:
    """The last rows of something, as many as the terminal has."""

    def __init__(self, whole: RenderableType) -> None:
        self._whole = whole

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = console.render_lines(self._whole, options.update(height=None), pad=False)
        yield _Rows(rows[-max(1, options.size.height - 2) :])


class _Rows:
    """Rows that are ready to be printed."""

    def __init__(self, rows: Iterable[list[Segment]]) -> None:
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for row in self._rows:
            yield from row
            yield Segment.line()


def _segments(shown: RenderResult, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
    for each in shown:
        yield from (each,) if isinstance(each, Segment) else console.render(each, options)


def _is_blank(row: list[Segment]) -> bool:
    return not "".join(segment.text for segment in row).strip()


@cache
def _parser() -> MarkdownIt:
    # HTML is shown verbatim.
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable(["table", "strikethrough"]).disable(["html_block", "html_inline"])


def _as_shown(inline: list[Token]) -> list[Token]:
    """Return a line's tokens with its line breaks, and the address behind the words of a link."""
    shown: list[Token] = []
    opened: tuple[int, str] | None = None  # where the words of a link begin, and its address
    for token in inline:
        if token.type == "softbreak":
            token = token.copy(type="hardbreak")
        elif token.type == "image":
            token = Token("text", "", 0, content=f"{token.content} ({token.attrs.get('src', '')})")
        elif token.type == "link_open":
            opened = len(shown), str(token.attrs.get("href", ""))
            continue
        elif token.type == "link_close" and opened is not None:
            words = "".join(each.content for each in shown[opened[0] :])
            if words in (opened[1], opened[1].removeprefix("mailto:")):
                continue
            token = Token("text", "", 0, content=f" ({opened[1]})")
        shown.append(token)
    return shown

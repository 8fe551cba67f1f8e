"""The output of the chat: rendered Markdown on a terminal, plain text otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self, TextIO

from ..markdown_escape import plain
from .plain_text import printable

if TYPE_CHECKING:
    from .markdown_view import LiveAnswer


class Screen:
    """Prints without control characters: no text can steer the terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._console = out, None
        if out.isatty():
            from .markdown_view import console  # rich takes its time, and a pipe does not need it

            made = console(out)
            self._console = None if made.is_dumb_terminal else made

    def line(self, text: str = "") -> None:
        """Print lines as they are. On a terminal they wrap at words, and keep their indent."""
        if self._console is None:
            self.write(text + "\n")
            return
        from rich.padding import Padding

        for line in printable(text).split("\n"):
            words = line.lstrip(" ")
            indent = (0, 0, 0, len(line) - len(words))
            self._console.print(Padding(words, indent, expand=False) if words else "")

    def markdown(self, text: str) -> None:
        """Print a whole text of markdown."""
        if self._console is None:
            self.line(plain(text))
        else:
            from .markdown_view import ChatMarkdown

            self._console.print(ChatMarkdown(printable(text)))

    def pairs(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print a list in two columns."""
        if self._console is None:
            self.line("\n".join(f"  {name:<11} {what}" for name, what in rows))
        else:
            from rich.table import Table

            table = Table.grid(padding=(0, 0, 0, 2), pad_edge=True)
            for row in rows:
                table.add_row(*row)
            self._console.print(table)

    def answer(self) -> LiveAnswer | PlainAnswer:
        """Return an answer that is shown while it comes; use it in a `with`."""
        if self._console is None:
            return PlainAnswer(self)
        from .markdown_view import LiveAnswer

        return LiveAnswer(self._console)

    def write(self, text: str) -> None:
        """Write at once, just this, without control characters."""
        self.steer(printable(text))

    def steer(self, sequence: str) -> None:
        """Write to the terminal what may be a control sequence."""
        self._out.write(sequence)
        self._out.flush()


class PlainAnswer:
    """An answer as text that is written as it comes, with its marks; has the methods of
    LiveAnswer."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._draft = screen, ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def add(self, text: str) -> None:
        self._draft += text
        self._screen.write(text)

    def restart(self, draft: str) -> None:
        self._draft = draft
        self._screen.write(f"\n(once more)\n{draft}")

    def aside(self, text: str) -> None:
        gap = "\n" if self._draft and not self._draft.endswith("\n") else ""
        self._screen.write(f"{gap}{text}\n")

    def end(self, shown: str) -> None:
        rest = shown.removeprefix(self._draft)
        self._screen.write(rest if rest != shown or not self._draft else f"\n{shown}")
        self._screen.write("\n")

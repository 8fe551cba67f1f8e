"""Async line reader for terminals and pipes.

On a terminal with editing, completion and a history, by readline; from a pipe or a file as they
come. The history's file is plain text, and a line is appended to it at once: one that was deleted
from the file in the meantime, by `sam forget`, is not written again at the end.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from memory.infra import atomic_files

MOST_HISTORY = 1000  # lines
PROMPT = "> "


class Lines:
    """Use it in a `with`, which restores the terminal's modes even after an interrupted read.

    `commands` are completed with Tab at the beginning of a typed line.
    """

    def __init__(self, source: TextIO, history: Path, commands: Sequence[str]) -> None:
        self._history, self._commands = history, commands
        self._descriptor = source.fileno()
        self.typed = source.isatty()
        """Whether the input is a terminal."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._pending = ""
        self._at_end = False
        self._waiting: asyncio.Future[str | None] | None = None
        self._modes: list[object] | None = None

    def __enter__(self) -> Lines:
        if self.typed:
            import readline
            import termios

            self._modes = termios.tcgetattr(self._descriptor)
            readline.set_auto_history(False)
            self.reload()
            readline.set_completer_delims("")  # a completer is given the whole line
            readline.set_completer(self._completed)
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
            if not is_libedit:  # what is pasted with its lines is one message; Python disables it
                readline.parse_and_bind("set enable-bracketed-paste on")
        return self

    def __exit__(self, *_: object) -> None:
        if self._modes is not None:
            import termios

            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._modes)  # type: ignore[arg-type]

    async def next(self) -> str | None:
        """Return the next line without its end; None at the end of the input."""
        if self._at_end:
            return None
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()

        def read(waiting: asyncio.Future[str | None] = self._waiting) -> None:
            line = self._typed() if self.typed else self._piped()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_give, waiting, line)

        # A daemon thread, since one that waits for a line cannot be stopped.
        threading.Thread(target=read, name="lines", daemon=True).start()
        line = await self._waiting
        self._at_end = line is None
        return line

    def end(self) -> None:
        """Stop reading; a waiting `next` returns None."""
        self._at_end = True
        if self._waiting is not None:
            _give(self._waiting, None)

    def keep(self, line: str) -> None:
        """Add a typed line to the history; a pasted text of several lines is left out."""
        if self.typed and "\n" not in line:
            import readline

            readline.add_history(line)
            with contextlib.suppress(OSError), self._history.open("ab") as file:
                file.write(f"{line}\n".encode())

    def reload(self) -> None:
        """Take the history from its file, and shorten both to MOST_HISTORY."""
        if self.typed:
            import readline

            readline.clear_history()
            try:
                kept = self._history.read_text("utf-8", "replace").splitlines()
            except OSError:
                return  # a first start
            for line in kept[-MOST_HISTORY:]:
                readline.add_history(line)
            if len(kept) > MOST_HISTORY:
                shorter = "".join(f"{line}\n" for line in kept[-MOST_HISTORY:])
                atomic_files.write(self._history, shorter.encode())

    def unfinished(self) -> tuple[str, str]:
        """Return what to print to remove the prompt and the unfinished line, and to bring both
        back.

        Both are empty from a pipe.
        """
        if not self.typed:
            return "", ""
        import readline

        line = PROMPT + _as_utf8(readline.get_line_buffer())
        row, column = _end_of(line, shutil.get_terminal_size().columns)
        # Behind a full row, readline moves the cursor to the next one.
        return "\r" + "\x1b[A" * row + "\x1b[J", line + ("" if column else "\n")

    def _completed(self, line: str, number: int) -> str | None:
        fit = [command for command in self._commands if command.startswith(line)]
        return fit[number] if number < len(fit) else None

    @staticmethod
    def _typed() -> str | None:
        try:
            return _as_utf8(input(PROMPT))
        except (EOFError, KeyboardInterrupt):
            return None

    def _piped(self) -> str | None:
        """Read without Python's buffer, which would keep its lock when the process ends."""
        while "\n" not in self._pending:
            with contextlib.suppress(OSError):
                piece = os.read(self._descriptor, 65_536)
                self._pending += self._decoder.decode(piece, final=not piece)
                if piece:
                    continue
            rest, self._pending = self._pending, ""
            return rest or None
        line, _, self._pending = self._pending.partition("\n")
        return line.removesuffix("\r")


def _as_utf8(typed: str) -> str:
    """Replace other bytes than UTF-8, which a terminal may send, as those from a pipe are."""
    return typed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _end_of(line: str, columns: int) -> tuple[int, int]:
    """Return the row and the column of the cursor behind a line, as readline wraps it."""
    from rich.cells import get_character_cell_size

    row = column = 0
    for letter in line:
        if letter == "\n":  # in what was pasted
            row, column = row + 1, 0
            continue
        width = get_character_cell_size(letter)
        if column + width > columns:  # a wide letter does not fit in the last column
            row, column = row + 1, 0
        column += width
        if column == columns:
            row, column = row + 1, 0
    return row, column


def _give(waiting: asyncio.Future[str | None], line: str | None) -> None:
    if not waiting.done():
        waiting.set_result(line)

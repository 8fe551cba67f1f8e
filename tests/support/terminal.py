"""Run a process on its own pseudo-terminal: type into it, and read its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

from . import prefork
from .homes import STARTED, Home

SLOW = 60.0  # seconds; generous, because other tests run at the same time on two processors
CHAT = (sys.executable, "-m", "bot", "chat")


class Terminal:
    """A `sam chat`, or another command, on a terminal with that many columns."""

    def __init__(self, home: Home, *command: str, columns: int = 80) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._theirs, self._modes = theirs, termios.tcgetattr(theirs)
        self.screen = ""
        self.process = prefork.popen(
            command or CHAT,
            home.env | {"TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=home.folder,
            preexec_fn=prefork.take_terminal,
        )
        STARTED.append(self.process)

    def types(self, text: str) -> None:
        os.write(self._ours, text.encode("utf-8", "surrogateescape"))

    def shows(self, text: str, seconds: float = SLOW) -> str:
        """Wait until the text appears; return the output before it, and discard both."""
        end = time.monotonic() + seconds
        while text not in self.screen:
            assert time.monotonic() < end, f"{text!r} is not in {self.screen!r}"
            if select.select([self._ours], [], [], 0.1)[0]:
                self.screen += os.read(self._ours, 65_536).decode("utf-8", "replace")
        before, _, self.screen = self.screen.partition(text)
        return before

    def ends(self) -> int:
        """Return the exit code, and check that the terminal's modes were restored."""
        code = self.process.wait(SLOW)
        assert termios.tcgetattr(self._theirs) == self._modes
        os.close(self._ours)
        os.close(self._theirs)
        return code


_PIECES = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)")


def rows(stream: str) -> list[str]:
    """Return the rows that a terminal shows for this output, without colours.

    Supports what rich writes: colours, cursor up, erasing a line or the rest. Rows must fit the
    terminal's width, because nothing is wrapped.
    """
    shown, row, column = [""], 0, 0
    for numbers, command, newline, text in _PIECES.findall(stream):
        if newline:
            column = 0
            row += newline == "\n"
            shown += [""] * (row + 1 - len(shown))
        elif text:
            before = shown[row][:column].ljust(column)
            shown[row] = before + text + shown[row][column + len(text) :]
            column += len(text)
        elif command == "A":
            row = max(0, row - int(numbers or 1))
        elif command == "K":
            shown[row] = "" if numbers == "2" else shown[row][:column]
        elif command == "J":
            shown[row:] = [shown[row][:column]]
    return [each.rstrip() for each in shown]

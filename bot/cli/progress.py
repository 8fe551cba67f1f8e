"""Show the progress of a command: on standard error, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from rich.live import Live
    from rich.spinner import Spinner

AFTER = 0.7  # seconds without a result; quicker commands need no spinner, and no import of rich


class working:
    """Show `what` and a spinner within the context, once it takes long; `update` changes the text.

    Nothing is printed to a pipe. Print and ask outside of it: the spinner redraws its line.
    """

    def __init__(self, what: str) -> None:
        self._what, self._ended, self._lock = what, False, Lock()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._live, self._ended = None, False
        if sys.stderr.isatty():
            timer = Timer(AFTER, self._show)
            timer.daemon = True
            timer.start() if AFTER else self._show()
        return self

    def update(self, what: str) -> None:
        """Change the text."""
        with self._lock:
            self._what = what
            if self._live is not None:
                self._live.update(_spinner(what))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._ended = True
            if self._live is not None:
                self._live.stop()

    def _show(self) -> None:
        with self._lock:
            if self._ended:
                return
            from rich.console import Console
            from rich.live import Live

            # Output of the command may go to a file: it must not be drawn above the spinner.
            self._live = Live(
                _spinner(self._what),
                console=Console(stderr=True, highlight=False),
                refresh_per_second=12.5,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()


def _spinner(what: str) -> Spinner:
    from rich.spinner import Spinner
    from rich.text import Text

    return Spinner("dots", Text(what))


class Count(Protocol):
    """Called with how much is done, and with the total if that is known only now."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


@contextmanager
def counting(what: str, total: int | None) -> Iterator[Count]:
    """Show a bar with the time that is left."""
    if not sys.stderr.isatty():
        yield _uncounted
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task(what, total=total)

        def count(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total)

        yield count


def _uncounted(done: int, total: int | None = None) -> None:
    """Ignore progress: nobody watches."""

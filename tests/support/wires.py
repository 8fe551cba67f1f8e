"""All the far ends at once, and a Sam between them. Knows no scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support.process import Sam


class HasSam(Protocol):
    """A world of a test."""

    @property
    def sam(self) -> Sam: ...


W = TypeVar("W", bound=HasSam)


@contextmanager
def wired(make: Callable[[Any, FakeClaude, FakeEmbeddings], W]) -> Iterator[W]:
    """The world that `make` builds between the fakes; at the end its Sam runs no more."""
    with (
        FakeTelegram.running() as telegram,
        FakeClaude.running() as claude,
        FakeEmbeddings.running() as embeddings,
    ):
        made = make(telegram, claude, embeddings)
        try:
            yield made
        finally:
            made.sam.end()

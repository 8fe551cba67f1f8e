"""Start all fake servers, and a Sam connected to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support.process import Sam


class HasSam(Protocol):
    """What `wired` builds: anything with a Sam."""

    @property
    def sam(self) -> Sam: ...


W = TypeVar("W", bound=HasSam)


@contextmanager
def wired(make: Callable[[Any, FakeClaude, FakeEmbeddings], W]) -> Iterator[W]:
    """Yield what `make` builds with the running fakes; kill its Sam at the end."""
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

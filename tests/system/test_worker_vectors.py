"""A text is embedded once, whichever workers serve its profile, and however often they lose their
indexes."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from memory.infra.text_encoding import hash_of
from tests.fakes.embeddings import FakeEmbeddings
from tests.support.postgres import Cluster
from tests.support.process import Sam, wait_until
from tests.support.workers import PEOPLE, Workers

SAID = ("The spare key is under the third flower pot.", "The dentist moved.", "Rex likes tea.")


def hits(workers: Workers) -> dict[tuple[int, str], list[Any]]:
    """Return what each person is found in the index of each worker, best first. Without the
    scores: their third digit depends on the order in which an index was filled."""

    def search(worker: Sam, name: str) -> list[Any]:
        found = worker.json("search", "the spare key", "--profile", name)["hits"]
        assert len(found) > 1 and found[0]["score"] > 0.8
        return [(hit["path"], hit["start_line"], hit["text"]) for hit in found]

    return {
        (number, name): search(worker, name)
        for number, worker in enumerate(workers.all)
        for name in PEOPLE.values()
    }


def stored(folder: Path) -> set[str]:
    """Return the keys of all vectors that the workers share: a worker that is stopped before its
    vectors are stored leaves it to the next one to embed the text again."""
    found: set[str] = set()
    for file in folder.rglob("vectors.db"):
        # A worker may hold the lock, or have made no tables yet: the caller looks again.
        with closing(sqlite3.connect(file)) as db, suppress(sqlite3.OperationalError):
            found |= {row[0] for row in db.execute("SELECT text_hash FROM embedding")}
    return found


def index_of(worker: Sam, name: str) -> Path:
    return Path(worker.env["CACHE_DIR"]) / name / "index" / "current"


def test_neither_a_move_nor_a_lost_index_costs_a_call_of_the_embedder(
    tmp_path: Path, postgres: Cluster
) -> None:
    with (
        FakeEmbeddings.running() as embeddings,
        Workers.running(
            tmp_path,
            postgres,
            EMBEDDING_PROVIDER="openai",
            EMBEDDING_API_KEY="sk-test",
            EMBEDDING_BASE_URL=embeddings.url,
            PROFILE_IDLE_MINUTES="0.05",
        ) as workers,
    ):
        one, other = workers.all
        closed = "SELECT count(*) FROM sam_workers.lease WHERE times IS NOT NULL AND epoch IS NULL"
        for text, resting in zip(SAID, (None, one, other), strict=True):
            if resting is not None:
                assert resting.stop(60) == 0
            for user in PEOPLE:
                workers.sends(user, f"{text} I am {user}.")
            workers.see_answered()
            answers = {f"Sam: heard: {text} I am {user}." for user in PEOPLE}
            keys = {hash_of(answer) for answer in answers}
            wait_until(lambda: keys <= stored(tmp_path), "their vectors are stored")  # noqa: B023
            if resting is not None:
                resting.start()
        wait_until(lambda: workers.rows(closed)[0][0] == len(PEOPLE), "each profile is closed")
        often = Counter(text for text in embeddings.texts if text.startswith("Sam: heard"))
        assert len(often) == len(SAID) * len(PEOPLE) and set(often.values()) == {1}, often
        # Only what is there now: nothing is left to summarise, or to embed.
        for name in PEOPLE.values():
            one.run("summarize", "--profile", name)
        assert one.stop(60) == other.stop(60) == 0
        for worker in workers.all:
            for name in PEOPLE.values():
                assert " 0 without a vector" in worker.run("index", "--profile", name)
        found = hits(workers)

        for worker in workers.all:
            shutil.rmtree(worker.env["CACHE_DIR"])
        before = len(embeddings.requests)
        for worker in workers.all:
            worker.start()

        def indexed(name: str) -> bool:
            return any(index_of(worker, name).exists() for worker in workers.all)

        wait_until(lambda: all(map(indexed, PEOPLE.values())), "all indexes are built again")
        wait_until(lambda: workers.rows(closed)[0][0] == len(PEOPLE), "each profile is closed")
        assert one.stop(60) == other.stop(60) == 0
        assert hits(workers) == found
        assert len(embeddings.requests) == before, embeddings.texts

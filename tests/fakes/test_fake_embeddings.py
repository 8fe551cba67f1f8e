"""Drive the fake embeddings server with the real voyageai SDK and with httpx."""

from __future__ import annotations

import base64
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import numpy as np
import pytest
import voyageai

from tests.fakes.embeddings import FakeEmbeddings, similarity, vector

VOYAGE = "voyage-4-lite"
OPENAI = "text-embedding-3-small"


@pytest.fixture
async def embeddings() -> AsyncIterator[FakeEmbeddings]:
    async with FakeEmbeddings.running() as fake:
        yield fake


@pytest.fixture
def voyage(embeddings: FakeEmbeddings) -> Any:
    return voyageai.AsyncClient(api_key="k", base_url=embeddings.url, max_retries=1, timeout=5)


@pytest.fixture
async def openai(embeddings: FakeEmbeddings) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": "Bearer k"}
    async with httpx.AsyncClient(base_url=embeddings.url, headers=headers) as client:
        yield client


async def post(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.post("/embeddings", json={"model": OPENAI, "input": ["a"], **body})


# -- vectors -------------------------------------------------------------------------------------


def test_vectors_are_the_same_on_every_machine_and_of_length_one() -> None:
    made = vector("my dog is Rex", dimension=8)
    assert np.array_equal(made, vector("my dog is Rex", dimension=8))
    # literal values: a stored index must not depend on the process that made it
    assert np.allclose(vector("dog", dimension=4), [0.46, -0.888, 0, 0], atol=0.001)
    assert made.dtype == np.float32 and abs(float(np.linalg.norm(made)) - 1) < 1e-6
    assert np.linalg.norm(vector("?!")) == 1


def test_shared_words_are_near_and_question_words_are_not() -> None:
    question = vector("What is the name of my dog?", kind="query")
    texts = ("My dog's name is Rex", "What is the capital of France?", "The router is down there")
    near, *far = (similarity(question, vector(text, kind="document")) for text in texts)
    assert near > 0.5 and max(far) < 0.1
    assert similarity(vector("deploying"), vector("deployment")) > 0.2
    assert similarity(vector("deploying"), vector("cellar")) < 0.1


# -- Voyage, by its SDK --------------------------------------------------------------------------


async def test_the_sdk_gets_the_vectors_of_its_texts(
    embeddings: FakeEmbeddings, voyage: Any
) -> None:
    made = await voyage.embed(["a dog", "a cat"], model=VOYAGE, input_type="document")
    wanted = [embeddings.vector(text, input_type="document") for text in ("a dog", "a cat")]
    assert np.allclose(made.embeddings, wanted)
    assert len(made.embeddings[0]) == 1024 and made.total_tokens == 2
    (request,) = embeddings.requests
    assert request.texts == ("a dog", "a cat") and embeddings.texts == ["a dog", "a cat"]
    assert (request.input_type, request.dimension, request.base64) == ("document", 1024, True)
    asked = await voyage.embed(["a dog"], model=VOYAGE, input_type="query", output_dimension=256)
    assert len(asked.embeddings[0]) == 256
    query = await voyage.embed(["a dog"], model="voyage-4", input_type="query")
    assert 0.5 < similarity(query.embeddings[0], wanted[0]) < 0.999  # one space, two input types


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": "voyage-1"}, "Model voyage-1 is not supported"),
        ({"model": "voyage-3-lite", "output_dimension": 1024}, "1024 dimensions"),
        ({"output_dimension": 3}, "3 dimensions"),
        ({"input_type": "question"}, "Invalid input_type"),
        ({"texts": []}, "at least one text"),
        ({"texts": ["a", ""]}, "empty strings"),
        ({"texts": ["a"] * 1001}, "batch size limit is 1000"),
        ({"texts": ["x" * 400_000], "truncation": False}, "maximum context length is 32000"),
        ({"texts": ["x" * 80_000] * 7, "model": "voyage-3-large"}, "allowed tokens per submitted"),
    ],
)
async def test_voyage_refuses(
    embeddings: FakeEmbeddings, voyage: Any, given: dict[str, Any], message: str
) -> None:
    given = {"texts": ["a"], "model": VOYAGE, **given}
    with pytest.raises(voyageai.error.InvalidRequestError, match=message):
        await voyage.embed(**given)
    assert embeddings.requests == [] and embeddings.refused[0].status == 400


async def test_voyage_cuts_long_texts(embeddings: FakeEmbeddings, voyage: Any) -> None:
    made = await voyage.embed(["x" * 400_000], model=VOYAGE)
    assert made.total_tokens == 32_000
    assert len((await voyage.embed(["x"], model="voyage-3-lite")).embeddings[0]) == 512


async def test_voyage_fails_as_told(embeddings: FakeEmbeddings, voyage: Any) -> None:
    for status, error in (
        (401, voyageai.error.AuthenticationError),
        (429, voyageai.error.RateLimitError),
        (500, voyageai.error.ServerError),
        (503, voyageai.error.ServiceUnavailableError),
    ):
        embeddings.fails(status)
        with pytest.raises(error):
            await voyage.embed(["a"], model=VOYAGE)
    embeddings.goes_down()
    with pytest.raises(voyageai.error.APIConnectionError):
        await voyage.embed(["a"], model=VOYAGE)
    embeddings.recovers()
    await voyage.embed(["a"], model=VOYAGE)
    assert [request.status for request in embeddings.requests] == [401, 429, 500, 503, 200]
    assert len(embeddings.answered) == 1
    embeddings.keys = {"right"}
    with pytest.raises(voyageai.error.AuthenticationError, match="API key is invalid"):
        await voyage.embed(["a"], model=VOYAGE)


async def test_the_free_tier_is_held_by_the_minute(embeddings: FakeEmbeddings, voyage: Any) -> None:
    embeddings.limits(requests=2, tokens=100)
    for _ in range(2):
        await voyage.embed(["a"], model=VOYAGE)
    with pytest.raises(voyageai.error.RateLimitError, match="3 requests and 10K tokens"):
        await voyage.embed(["a"], model=VOYAGE)
    embeddings.passes(61)
    with pytest.raises(voyageai.error.RateLimitError):
        await voyage.embed(["x" * 404], model=VOYAGE)
    await voyage.embed(["x" * 400], model=VOYAGE)


async def test_vectors_can_be_wrong(embeddings: FakeEmbeddings, voyage: Any) -> None:
    embeddings.wrong_dimension = 7
    assert len((await voyage.embed(["a"], model=VOYAGE)).embeddings[0]) == 7
    embeddings.recovers()
    embeddings.lost = 1
    assert len((await voyage.embed(["a", "b"], model=VOYAGE)).embeddings) == 1


async def test_an_answer_can_be_slow(embeddings: FakeEmbeddings) -> None:
    embeddings.delay = 5
    client = voyageai.AsyncClient(api_key="k", base_url=embeddings.url, max_retries=1, timeout=0.1)
    with pytest.raises(voyageai.error.Timeout):
        await client.embed(["a"], model=VOYAGE)


# -- OpenAI --------------------------------------------------------------------------------------


async def test_openai_gives_lists_or_base64(
    embeddings: FakeEmbeddings, openai: httpx.AsyncClient
) -> None:
    answer = (await post(openai, input=["a dog", "a cat"], dimensions=64)).json()
    assert [item["index"] for item in answer["data"]] == [0, 1]
    wanted = embeddings.vector("a cat", model=OPENAI, dimension=64)
    assert np.allclose(answer["data"][1]["embedding"], wanted)
    assert answer["usage"] == {"prompt_tokens": 2, "total_tokens": 2}
    coded = (await post(openai, input="a cat", encoding_format="base64")).json()
    raw = coded["data"][0]["embedding"]
    assert np.allclose(
        np.frombuffer(base64.b64decode(raw), "<f4"), embeddings.vector("a cat", model=OPENAI)
    )
    embeddings.reversed = True
    answer = (await post(openai, input=["a dog", "a cat"], dimensions=64)).json()
    assert [item["index"] for item in answer["data"]] == [1, 0]
    assert np.allclose(answer["data"][0]["embedding"], wanted)


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"input_type": "query"}, 400, "'input_type' is not supported"),
        ({"model": "gpt-9"}, 404, "does not exist"),
        ({"dimensions": 1537}, 400, "1537 dimensions"),
        ({"model": "text-embedding-ada-002", "dimensions": 64}, 400, "64 dimensions"),
        ({"model": "text-embedding-v4", "input": ["a"] * 11}, 400, "batch size limit is 10"),
        ({"input": []}, 400, "at least one text"),
        ({"input": [""]}, 400, "empty strings"),
        ({"input": ["x" * 40_000]}, 400, "maximum context length is 8192"),
        ({"encoding_format": "int8"}, 400, "encoding_format"),
    ],
)
async def test_openai_refuses(
    embeddings: FakeEmbeddings,
    openai: httpx.AsyncClient,
    body: dict[str, Any],
    status: int,
    message: str,
) -> None:
    answer = await post(openai, **body)
    assert answer.status_code == status
    assert message in answer.json()["error"]["message"]


async def test_openai_fails_as_told(embeddings: FakeEmbeddings, openai: httpx.AsyncClient) -> None:
    embeddings.fails(429, times=2, retry_after=1.5)
    answer = await post(openai)
    assert answer.status_code == 429 and answer.headers["retry-after"] == "1.5"
    assert answer.json()["error"]["message"]
    assert [(await post(openai)).status_code for _ in range(2)] == [429, 200]
    embeddings.has_batches_of(OPENAI, tokens=10)
    assert (await post(openai, input=["x" * 44])).status_code == 400
    embeddings.goes_down()
    with pytest.raises(httpx.RemoteProtocolError):
        await post(openai)


async def test_a_local_server_needs_no_key(embeddings: FakeEmbeddings) -> None:
    async with httpx.AsyncClient(base_url=embeddings.url) as client:
        assert (await post(client)).status_code == 401
        answer = await post(client, model="nomic-embed-text")
        assert len(answer.json()["data"][0]["embedding"]) == 768


# -- serving -------------------------------------------------------------------------------------


def test_it_runs_in_a_thread_and_is_fast() -> None:
    with FakeEmbeddings.running() as embeddings, httpx.Client(base_url=embeddings.url) as client:
        headers = {"Authorization": "Bearer k"}
        words = [f"word{n}" for n in range(60)]
        texts = [" ".join(words[n % 50 :] * 4) + f" number {n}" for n in range(1000)]
        began = time.process_time()
        body = {"model": VOYAGE, "input": texts, "encoding_format": "base64"}
        answer = client.post("/embeddings", json=body, headers=headers, timeout=120)
        assert answer.status_code == 200 and len(answer.json()["data"]) == 1000
        assert time.process_time() - began < 5
        embeddings.wait_until(lambda e: e.texts)

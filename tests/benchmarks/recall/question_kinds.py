"""Fit the weights that recognise questions, kinds of them, and empty answers by their vectors, for
memory/search/question_kinds.py."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from memory.embedding.embedder import InputType
from memory.embedding.local import MODELS, LocalEmbedder
from memory.index.passages import in_context

from .logistic import newton
from .sets import CLUSTERS, OWN
from .stores import Kept

PAIRS = OWN / "question_pairs.yaml"
"""Statements with two questions each that are in no set of the benchmark: only for training."""
GENERAL = OWN / "general_questions.yaml"
"""Questions of general knowledge that are in no set of the benchmark: only for fitting."""
GENERAL_PENALTY = 1.5
SAMS_WORDS = OWN / "sams_words_questions.yaml"
"""Pairs of questions: for what Sam said, and for what the owner or others said, and single ones of
the second kind. Likewise."""
SAMS_WORDS_PENALTY = 0.1
EMPTY = OWN / "empty_answers.yaml"
"""Pairs of Sam's replies: one that tells nothing of what was asked, and one that reads alike and
does tell something; and single ones of the second kind. Likewise."""
EMPTY_PENALTY = 0.3
ASKING_PENALTY = 0.3


async def general(kept: Path | None) -> Any:
    """Return the weights of a logistic regression that separates GENERAL from the questions of
    PAIRS by their vectors, and its constant: float32, (dimension + 1)."""
    found = [text for each in yaml.safe_load(GENERAL.read_text("utf-8")).values() for text in each]
    asked = [text for entry in _pairs() for text in entry["asked"]]
    return await _separating(found, asked, GENERAL_PENALTY, kept)


async def sams_words(kept: Path | None) -> Any:
    """Return the weights that separate the first questions of SAMS_WORDS's pairs from all others,
    likewise."""
    found = [
        entry for each in yaml.safe_load(SAMS_WORDS.read_text("utf-8")).values() for entry in each
    ]
    by_sam = [entry[0] for entry in found if len(entry) == 2]
    return await _separating(by_sam, [entry[-1] for entry in found], SAMS_WORDS_PENALTY, kept)


async def empty(kept: Path | None) -> Any:
    """Return the weights that separate the first replies of EMPTY's pairs from all others, by the
    vectors that they have as messages of Sam's: alone, and after a question, here any."""
    found = [entry for each in yaml.safe_load(EMPTY.read_text("utf-8")).values() for entry in each]
    questions = [text for entry in _pairs() for text in entry["asked"]]
    chance = random.Random(1)

    def replies(texts: Sequence[str]) -> list[str]:
        return [
            in_context(lead, "assistant", "", text)
            for text in texts
            for lead in ("", chance.choice(questions))
        ]

    nothing = replies([each[0] for each in found if len(each) == 2])
    told = replies([each[-1] for each in found])
    return await _separating(nothing, told, EMPTY_PENALTY, kept, "document")


async def asking(kept: Path | None) -> Any:
    """Return the weights that separate the questions of PAIRS and CLUSTERS, without their marks,
    from the statements that answer them."""
    groups = map(json.loads, CLUSTERS.read_text("utf-8").splitlines())
    entries = [*_pairs(), *(item for each in groups for item in each["items"])]
    questions = [_unmarked(text) for entry in entries for text in entry["asked"]]
    said = [_unmarked(entry["said"]) for entry in entries]
    return await _separating(questions, said, ASKING_PENALTY, kept)


def _unmarked(text: str) -> str:
    return text.strip("¿?？؟.。! ")


async def _separating(
    wanted: Sequence[str],
    others: Sequence[str],
    penalty: float,
    kept: Path | None,
    kind: InputType = "query",
) -> Any:
    """Fit by Newton's method, with an L2 penalty; both kinds have the same total weight."""
    local = LocalEmbedder(MODELS[0])
    embedder = Kept(local, kept) if kept else local
    try:
        found = await embedder.embed(wanted, kind)
        own = await embedder.embed(others, kind)
    finally:
        await embedder.close()
    x = np.vstack((found, own)).astype(np.float64)
    x = np.hstack((x, np.ones((len(x), 1))))
    y = np.repeat((1.0, 0.0), (len(found), len(own)))
    shares = np.repeat((len(own) / len(found), 1.0), (len(found), len(own)))
    penalties = np.append(np.full(x.shape[1] - 1, penalty), 1e-9)
    return newton(x, y, shares, penalties).astype("<f4")


def _pairs() -> Any:
    """Return the entries of PAIRS."""
    return yaml.safe_load(PAIRS.read_text("utf-8"))

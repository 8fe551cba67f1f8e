"""Measure recall on all sets, in one table, against plain FTS5 and plain vector search.

    python -m tests.benchmarks.recall [--embedder local|none|voyage|openai]
        [--only KIND_OR_NAME ...] [--data FILE [--corrected FILE]] [--pooled] [--talk FILE]
        [--kept FILE] [--with score_model.LEAST=0.1 ...]
        [--left-out] [--process] [--parts] [--json]
        [--fit | --fit-kinds | --fit-newest | --fit-refinement]
        [--explain QUESTION]

`--with` sets a constant of a module in memory/search, to measure the effect of a rule. `--parts`
prints what each part adds: the figures without it. `--fit` prints the weights of
memory/search/score_model.py instead of the table (its sets include *people* and *chats*, which only
train). `--fit-kinds` writes the weights that recognise kinds of questions and answers
(memory/search/question_kinds.py), `--fit-newest` prints and writes those that decide what a newer
statement replaces (memory/search/newest/), `--fit-refinement` writes those of both networks
(memory/search/refinement.py; with PyTorch). `--explain` shows how a question's best hits are scored
in the first set of `--only`. `--left-out` also measures each set with weights that were fitted on
the other kinds. No model is called.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memory.search.question_kinds import ASKING, CHANGING, EMPTY, GENERAL, SAMS_WORDS
from memory.search.refinement import ANSWER_WEIGHTS, unpacked
from memory.search.refinement import WEIGHTS as REFINEMENT
from tests.support import locomo

from . import question_kinds, refinement, replacement
from .asking import OWNER, Answer, Fitted, answers, print_progress
from .explain import explained
from .fit import Case, calibration, cases, fitted, printed
from .parts import by_part, change
from .parts import table as table_of_parts
from .process import process
from .report import report
from .sets import (
    TALK,
    Set,
    held_out,
    lives,
    people,
    pooled,
    portfolio,
    similar,
    unseen,
    without_model,
)
from .table import table

_MEMBERS = 8  # people whose lives are pooled, for the second network


async def measured(sets: Sequence[Set], every: Sequence[Set], asked: Any) -> dict[str, Any]:
    """Return the report on these sets. `every`: the sets to fit the weights and the map on."""
    found: list[Answer] = []
    others = await _left_out(sets, every, asked) if asked.left_out else {}
    given = {"embedder": asked.embedder, "kept": asked.kept}
    for each in sets:
        found += await answers(each, left_out=others.get(each.name), others=every, **given)
        if each.kind == OWNER:
            found += await answers(each, first_week=True, **given)
    result = report(found)
    if asked.process:
        own = [each for each in sets if each.kind == OWNER]
        result["process"] = {each.name: await process(each, **given) for each in own}
    return result


async def _left_out(sets: Sequence[Set], every: Sequence[Set], asked: Any) -> dict[str, Fitted]:
    """Return for each set the weights fitted without the sets of its kind."""
    vectors = asked.embedder == "local"
    known = (await _cases(every, every, [vectors], asked.kept))[vectors]
    result: dict[str, Fitted] = {}
    for kind in dict.fromkeys(each.kind for each in sets):
        print_progress(f"fitting without {kind}")
        made = fitted([case for case in known if case.kind != kind])
        # Without vectors the second is used, with them the first.
        result |= {each.name: Fitted(made, made) for each in sets if each.kind == kind}
    return result


async def _cases(
    sets: Sequence[Set], others: Sequence[Set], vectors: Sequence[bool], kept: Path | None
) -> dict[bool, list[Case]]:
    """Return the evidence for the probes of the sets, and for some of the others' probes."""
    result: dict[bool, list[Case]] = {with_: [] for with_ in vectors}
    for each in sets:
        with tempfile.TemporaryDirectory() as folder:
            found = await cases(each, others, Path(folder), vectors=vectors, kept=kept)
        for with_, some in found.items():
            result[with_] += some
        print_progress(f"evidence of {each.kind}, {each.name}")
    return result


async def fit(sets: Sequence[Set], asked: Any) -> str:
    """Return the weights that fit the sets best, as source code for score_model.py."""
    vectors = [False] if asked.embedder == "none" else [True, False]
    known = await _cases(sets, sets, vectors, asked.kept)
    lines = []
    for with_ in vectors:
        made = fitted(known[with_])
        lines.append(printed("HYBRID" if with_ else "KEYWORDS", made))
        lines.append(f"# calibration error: {calibration(known[with_], made):.4f}\n")
    return "\n".join(lines)


async def fit_kinds(asked: Any) -> None:
    """Write the weights that recognise questions, those of general knowledge, those for Sam's
    words, and empty answers."""
    fits = {
        ASKING: question_kinds.asking,
        EMPTY: question_kinds.empty,
        GENERAL: question_kinds.general,
        SAMS_WORDS: question_kinds.sams_words,
    }
    for path, fit in fits.items():
        path.write_bytes((await fit(asked.kept)).tobytes())
        print_progress(f"Wrote {path.name}.")


async def fit_newest(asked: Any) -> str:
    """Return the weights that decide what a newer statement replaces, as source code for model.py,
    and write those of the questions' vectors."""
    lives = [each for each in people() if each.kind == "people"]
    with_ = await replacement.compared_in(lives, with_vectors=True, kept=asked.kept)
    pairs = replacement.examples(with_)
    by_local, of_questions = replacement.fitted(pairs, with_questions=True)
    CHANGING.write_bytes(of_questions.tobytes())
    print_progress(f"Wrote {CHANGING.name}.")
    by_vectors, _ = replacement.fitted(pairs, with_questions=False)
    without = await replacement.compared_in(lives, with_vectors=False, kept=None)
    by_words, _ = replacement.fitted(replacement.examples(without), with_questions=False)
    fits = {"BY_LOCAL_VECTORS": by_local, "BY_VECTORS": by_vectors, "BY_WORDS": by_words}
    return "\n".join(replacement.printed(title, weights) for title, weights in fits.items())


async def fit_refinement(sets: Sequence[Set], asked: Any) -> None:
    """Write the networks' weights. Of the similar statements only the mixed languages count."""
    lives = list(unseen())
    known = [*lives, *sets, *(each for each in similar() if each.name == "mixed")]
    found = (await _cases(known, known, [True], asked.kept))[True]
    fitted = refinement.fitted(found)
    REFINEMENT.write_bytes(fitted.tobytes())
    large = [pooled(lives[at : at + _MEMBERS]) for at in range(0, len(lives), _MEMBERS)]
    found += (await _cases(large, known, [True], asked.kept))[True]
    ANSWER_WEIGHTS.write_bytes(refinement.fitted_answered(found, unpacked(fitted)).tobytes())
    print_progress(f"Wrote {REFINEMENT.name} and {ANSWER_WEIGHTS.name}.")


def chosen(sets: Sequence[Set], wanted: Sequence[str]) -> list[Set]:
    """Return the sets of these kinds and names. Raises ValueError for an unknown one."""
    names = {name for each in sets for name in (each.kind, each.name)}
    if unknown := [name for name in wanted if name not in names]:
        raise ValueError(f"no set is called {unknown[0]!r}; there are {', '.join(sorted(names))}")
    return [each for each in sets if not wanted or each.kind in wanted or each.name in wanted]


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line; return 2 for invalid arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.recall", description="Sam's recall on the portfolio"
    )
    embedders = ("local", "none", "voyage", "openai")
    parser.add_argument("--embedder", default="local", choices=embedders)
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND_OR_NAME")
    parser.add_argument("--data", type=Path, default=locomo.DATA, help="LoCoMo's conversations")
    parser.add_argument("--corrected", type=Path, help="LoCoMo's gold turns, corrected")
    parser.add_argument("--pooled", action="store_true", help="each kind in one store")
    parser.add_argument("--without-model", action="store_true", help="Sam only noted what was said")
    parser.add_argument("--talk", type=Path, default=TALK, help="conversations as in talk-dev.json")
    parser.add_argument("--kept", type=Path, help="a file that keeps vectors between runs")
    parser.add_argument("--with", dest="sizes", action="append", default=[], metavar="SIZE=VALUE")
    parser.add_argument("--left-out", action="store_true", help="fitted on other kinds, too")
    parser.add_argument("--process", action="store_true", help="everyday through `sam search`, too")
    parser.add_argument("--parts", action="store_true", help="the figures without each part")
    parser.add_argument("--fit", action="store_true", help="print the weights, and no table")
    parser.add_argument("--fit-kinds", action="store_true", help="write their weights, likewise")
    parser.add_argument("--fit-newest", action="store_true", help="print and write them, likewise")
    parser.add_argument("--fit-refinement", action="store_true", help="write the networks")
    parser.add_argument("--explain", metavar="QUESTION", help="how its best hits are scored")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    corrected = asked.corrected or (locomo.CORRECTED if asked.data == locomo.DATA else Path())
    every = list(portfolio(asked.data, corrected, asked.talk))
    absent = [str(path) for path in (asked.data, asked.talk) if not path.exists()]
    try:
        for size in asked.sizes:
            change(size)
        rest = people() if asked.fit else (*held_out(), *lives(), *similar())
        sets = chosen([*every, *rest], asked.only)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    if asked.explain:
        print(asyncio.run(explained(sets[0], asked.explain, asked.kept)))
        return 0
    if asked.fit_kinds:
        asyncio.run(fit_kinds(asked))
        return 0
    if asked.fit_newest:
        print(asyncio.run(fit_newest(asked)))
        return 0
    if asked.fit_refinement:
        asyncio.run(fit_refinement(every, asked))
        return 0
    if asked.fit:
        print(asyncio.run(fit(sets, asked)))
        return 0
    if asked.pooled:
        kinds = dict.fromkeys(each.kind for each in sets)
        sets = [pooled([each for each in sets if each.kind == kind]) for kind in kinds]
    if asked.without_model:
        sets = [without_model(each) for each in sets]
    if asked.parts:
        found = asyncio.run(by_part(sets, embedder=asked.embedder, kept=asked.kept))
        print(table_of_parts(found))
        return 0
    result = {"embedder": asked.embedder, **asyncio.run(measured(sets, every, asked))}
    result["absent"] = absent
    print(json.dumps(result) if asked.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())

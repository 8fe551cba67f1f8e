"""Recall on the whole portfolio, as one table; beside it plain FTS5 and vectors alone.

    python -m tests.benchmarks.recall [--embedder local|none|voyage|openai]
        [--only KIND_OR_NAME ...] [--data FILE [--corrected FILE]] [--pooled] [--talk FILE]
        [--kept FILE] [--with score_model.LEAST=0.1 ...]
        [--leave-one-out] [--process] [--fit] [--json]

`--with` sets a size of a module of memory/search: what a rule is worth. `--fit` prints the weights
of memory/search/score_model.py in place of the table. No model is asked.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.support import locomo

from .asking import OWNER, Answer, Models, answers, says
from .fit import Case, calibration, cases, fitted, printed
from .process import process
from .report import report
from .sets import TALK, Set, pooled, portfolio
from .table import table


async def measured(sets: Sequence[Set], every: Sequence[Set], asked: Any) -> dict[str, Any]:
    """The document for these sets; `every`: those that weights are fitted on."""
    found: list[Answer] = []
    models = await _left_out(sets, every, asked) if asked.leave_one_out else {}
    given = {"embedder": asked.embedder, "kept": asked.kept}
    for each in sets:
        found += await answers(each, left_out=models.get(each.kind), **given)
        if each.kind == OWNER:
            found += await answers(each, first_week=True, **given)
    result = report(found)
    if asked.process:
        own = [each for each in sets if each.kind == OWNER]
        result["process"] = {each.name: await process(each, **given) for each in own}
    return result


async def _left_out(sets: Sequence[Set], every: Sequence[Set], asked: Any) -> dict[str, Models]:
    """For each kind of the sets, the weights that fit the other kinds."""
    vectors = asked.embedder != "none"
    known = await _cases(every, [vectors], asked.kept)
    result: dict[str, Models] = {}
    for kind in dict.fromkeys(each.kind for each in sets):
        says(f"fitting without {kind}")
        made = fitted([case for case in known[vectors] if case.kind != kind])
        result[kind] = made, made  # without vectors the second is used, with them the first
    return result


async def _cases(
    sets: Sequence[Set], vectors: Sequence[bool], kept: Path | None
) -> dict[bool, list[Case]]:
    result: dict[bool, list[Case]] = {with_: [] for with_ in vectors}
    for each in sets:
        with tempfile.TemporaryDirectory() as folder:
            for with_, found in (
                await cases(each, sets, Path(folder), vectors=vectors, kept=kept)
            ).items():
                result[with_] += found
        says(f"evidence of {each.kind}, {each.name}")
    return result


async def fit(sets: Sequence[Set], asked: Any) -> str:
    """The weights that fit the sets best, as they stand in memory/search/score_model.py."""
    vectors = [False] if asked.embedder == "none" else [True, False]
    known = await _cases(sets, vectors, asked.kept)
    lines = []
    for with_ in vectors:
        made = fitted(known[with_])
        lines.append(printed("HYBRID" if with_ else "KEYWORDS", made))
        lines.append(f"# calibration error: {calibration(known[with_], made):.4f}\n")
    return "\n".join(lines)


def change(setting: str) -> None:
    """Change a size in this process, like `score_model.LEAST=0.1`. ValueError if there is none."""
    name, _, value = setting.partition("=")
    module, _, constant = name.partition(".")
    wrong = f"{setting!r} is no size of memory/search like score_model.LEAST=0.1"
    if not (module.isidentifier() and constant.isupper()):
        raise ValueError(wrong)
    try:
        changed, size = import_module(f"memory.search.{module}"), ast.literal_eval(value)
    except (ImportError, SyntaxError) as why:
        raise ValueError(wrong) from why
    if not hasattr(changed, constant):
        raise ValueError(wrong)
    setattr(changed, constant, size)


def chosen(sets: Sequence[Set], wanted: Sequence[str]) -> list[Set]:
    """Those of these kinds and names. ValueError for one that is neither."""
    names = {name for each in sets for name in (each.kind, each.name)}
    if unknown := [name for name in wanted if name not in names]:
        raise ValueError(f"no set is called {unknown[0]!r}; there are {', '.join(sorted(names))}")
    return [each for each in sets if not wanted or each.kind in wanted or each.name in wanted]


def main(words: Sequence[str] | None = None) -> int:
    """The command: 2 where what it is told makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.recall", description="Sam's recall on the portfolio"
    )
    embedders = ("local", "none", "voyage", "openai")
    parser.add_argument("--embedder", default="local", choices=embedders)
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND_OR_NAME")
    parser.add_argument("--data", type=Path, default=locomo.DATA, help="LoCoMo's conversations")
    parser.add_argument("--corrected", type=Path, help="LoCoMo's gold turns, corrected")
    parser.add_argument("--pooled", action="store_true", help="LoCoMo in one store")
    parser.add_argument("--talk", type=Path, default=TALK, help="conversations as in talk-dev.json")
    parser.add_argument("--kept", type=Path, help="a file that keeps vectors between runs")
    parser.add_argument("--with", dest="sizes", action="append", default=[], metavar="SIZE=VALUE")
    parser.add_argument("--leave-one-out", action="store_true", help="weights of the other kinds")
    parser.add_argument("--process", action="store_true", help="everyday through `sam search`, too")
    parser.add_argument("--fit", action="store_true", help="print the weights, and no table")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    corrected = asked.corrected or (locomo.CORRECTED if asked.data == locomo.DATA else Path())
    every = list(portfolio(asked.data, corrected, asked.talk))
    absent = [str(path) for path in (asked.data, asked.talk) if not path.exists()]
    try:
        for size in asked.sizes:
            change(size)
        sets = chosen(every, asked.only)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    if asked.fit:
        print(asyncio.run(fit(sets, asked)))
        return 0
    if asked.pooled and (talk := [each for each in sets if each.kind == "LoCoMo"]):
        sets = [each for each in sets if each.kind != "LoCoMo"] + [pooled(talk)]
    result = {"embedder": asked.embedder, **asyncio.run(measured(sets, every, asked))}
    result["absent"] = absent
    print(json.dumps(result) if asked.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure what each part of recall adds: the same questions with one part switched off."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from .asking import CONVERSATIONS, name, print_progress, recalled
from .measure import hit_at, is_newest_first, mean
from .report import CORRECTION, counts
from .sets import Probe, Set
from .stores import filled

PARTS = {
    "networks": "ranking.LINEAR=None",
    "newest": "newest.order.LED=0",
    "denials": "candidates.denials._CHAIN=0",
    "sentences": "ranking.SENTENCE=99.0",
    "replies": "evidence.LONGEST_REPLY=-1",
}
"""The parts, and the setting that switches each off."""
ALL = "all"
_LABEL, _COLUMN = 24, 11
NOTE = """\
Each column but the first is without a part: the networks behind the score, "newest first", denied
numbers, the vectors of sentences, Sam's short replies as a part of what they answer. corrections:
the new statement is of the first 3, before every old one"""

Found = Sequence[tuple[Probe, Sequence[str]]]
"""Probes with the ids of their hits, best first."""


async def by_part(
    sets: Sequence[Set], *, embedder: str, kept: Path | None
) -> dict[str, dict[str, Found]]:
    """Return for each kind of set, and for ALL and each of PARTS, what is found."""
    found: dict[str, dict[str, list[tuple[Probe, Sequence[str]]]]] = {}
    for each in sets:
        of_kind = found.setdefault(each.kind, {part: [] for part in (ALL, *PARTS)})
        with tempfile.TemporaryDirectory() as folder:
            store = filled(each, Path(folder), embedder=embedder, kept=kept)
            async with store as (memory, ids):
                for part, answered in of_kind.items():
                    with _without(part):
                        for probe in each.probes:
                            hits = await recalled(memory, probe, each)
                            found_ = [name(hit.message_ids, hit.path, ids) for hit in hits]
                            answered.append((probe, found_))
        print_progress(f"{each.kind}, {each.name}: {len(each.probes)} probes, {len(of_kind)} times")
    return {**found}


def table(found: Mapping[str, Mapping[str, Found]]) -> str:
    """Format a line for each figure of each kind, with a column for ALL and each of PARTS."""
    lines = [" " * _LABEL + "".join(f"{part:>{_COLUMN}}" for part in (ALL, *PARTS))]
    for kind, of_kind in found.items():
        for title, figure in _figures(kind).items():
            values = [figure(answered) for answered in of_kind.values()]
            if None not in values:
                shown = "".join(f"{value:>{_COLUMN}.3f}" for value in values)
                lines.append(f"{f'{kind}: {title}':{_LABEL}}{shown}")
    return "\n".join([*lines, "", NOTE])


def change(setting: str) -> Callable[[], None]:
    """Set a constant of memory/search in this process, like `score_model.LEAST=0.1`; return what
    restores it. Raises ValueError if unknown."""
    path, _, value = setting.partition("=")
    module, _, constant = path.rpartition(".")
    wrong = f"{setting!r} is no size of memory/search like score_model.LEAST=0.1"
    if not (all(map(str.isidentifier, module.split("."))) and constant.isupper()):
        raise ValueError(wrong)
    try:
        changed, size = import_module(f"memory.search.{module}"), ast.literal_eval(value)
    except (ImportError, SyntaxError) as why:
        raise ValueError(wrong) from why
    if not hasattr(changed, constant):
        raise ValueError(wrong)
    usual = getattr(changed, constant)
    setattr(changed, constant, size)
    return lambda: setattr(changed, constant, usual)


@contextmanager
def _without(part: str) -> Iterator[None]:
    restore = change(PARTS[part]) if part in PARTS else None
    try:
        yield
    finally:
        if restore:
            restore()


def _figures(kind: str) -> dict[str, Callable[[Found], float | None]]:
    """Return the figures of a kind by their titles."""

    def of_first(count: int) -> Callable[[Found], float | None]:
        return lambda found: mean(hit_at(one, ids, count) for one, ids in found if counts(one))

    if kind in CONVERSATIONS:
        return {"R@10": of_first(10)}
    return {"hit@3": of_first(3), "hit@1": of_first(1), "corrections": _corrections}


def _corrections(found: Found) -> float | None:
    return mean(is_newest_first(one, ids) for one, ids in found if one.type == CORRECTION)

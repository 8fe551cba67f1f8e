"""Format the document of report.py as one table, 100 characters wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .report import Rows

_LABEL = 24
_NOTHING = "no answer is there"
_SHARES = (
    *("sam@10", "left@10", "every@10", "fts5@10", "vectors@10"),
    *("sam@5", "left@5", "fts5@5", "vectors@5"),
)
_HITS = tuple(f"{way}@{k}" for k in (3, 1) for way in ("sam", "left", "every", "fts5", "vectors"))
_TITLES = {f"vectors@{k}": f"vec@{k}" for k in (1, 3, 5, 10)}
_TITLES |= {"left out calibration": "left calibration"}
NOTE = """\
every: without the threshold; fts5, vec: plain FTS5 and vectors alone, over the same passages
session: R@10 of sessions; correction: the new one is of the first 3, before every old one
asked elsewhere: questions that other sets answer; invented elsewhere: that none does
misspelt: some of the questions again, with one mistake; not part of the figure of the kind
calibration: the mean gap between score and share of gold, of the first ten hits
left: by what is fitted on other stores, or on other kinds, as --left-out says"""


def table(found: Mapping[str, Any]) -> str:
    """Return the table."""
    blocks = [
        _block("R@10, R@5: of ten hits", found["conversations"], (*_SHARES, "session")),
        _block("hit@3, hit@1: of eight", found["everyday"], _HITS),
        _block(_NOTHING, found["nothing"], ("empty", "left empty", "empty or weak")),
        _block(
            "scores and times",
            found["kinds"],
            ("every", "calibration", "ms p50", "ms p95", "left out calibration"),
        ),
    ]
    noise = found["noise"]
    if noise["hits"]:
        blocks.append(
            f"of {noise['hits']} hits of everyday: manual {_shown(noise['manual'])}, an earlier "
            f"question {_shown(noise['question'])}, small talk {_shown(noise['small talk'])}"
        )
    blocks += [
        f"sam search, {name}: {one['same']} of {one['probes']} probes as by Memory.recall\n"
        f"  (those about time are not asked); hit@3 {_shown(one['hit@3'])}, "
        f"{one['ms p50']:.0f} ms p50, {one['ms p95']:.0f} ms p95"
        + "".join(f"\n  other hits: {question}" for question in one["other"])
        for name, one in found.get("process", {}).items()
    ]
    if found["absent"]:
        blocks.append("not there, so not measured: " + ", ".join(found["absent"]))
    blocks.append(NOTE)
    return "\n\n".join(block for block in blocks if block)


def _block(title: str, rows: Rows, columns: Sequence[str]) -> str:
    """Format a heading, the columns that have any value, and a line for each row."""
    if not rows:
        return ""
    names = [name for name in columns if any(row.get(name) is not None for row in rows.values())]
    titles = [_TITLES.get(name, name) for name in names]
    widths = [max(len(title), 5) + 2 for title in titles]
    heads = "".join(f"{name:>{width}}" for name, width in zip(titles, widths, strict=True))
    indent = title != _NOTHING
    lengths = [len(title), *(len(_named(label, indent)) for label in rows)]
    first = max(_LABEL, *lengths)
    lines = [f"{title:{first}}{'n':>5}{heads}"]
    for label, row in rows.items():
        cells = zip(names, widths, strict=True)
        values = "".join(f"{_shown(row.get(name)):>{width}}" for name, width in cells)
        lines.append(f"{_named(label, indent):{first}}{row['probes']:>5}{values}")
    return "\n".join(lines)


def _named(label: str, indent: bool) -> str:
    """Return a row's label; the parts of a kind are indented if the kind has its own row."""
    kind, _, part = label.rpartition(" / ")
    return f"  {part}" if kind and indent else label


def _shown(value: float | None) -> str:
    """Format a value: `.834`, `1.000`, `12.3`; a dash for None."""
    if value is None:
        return "–"
    if value > 1.0:
        return f"{value:.1f}"
    return f"{value:.3f}".removeprefix("0")

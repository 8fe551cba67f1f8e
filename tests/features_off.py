"""Switches features off, one by one, and expects the test of each one's row to fail.

    python -m tests.features_off [--seed N] [--count 20] [--only ID]

In a copy of the tree, never in the tree itself. SWITCHES says how a feature is taken away: one
exact text of one file is replaced. `docs/dev/features.md` says which test is to notice. Exit code 1
when a test passes without its feature, or fails with it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"
)
PATIENCE = 240.0  # seconds a test may take; one that hangs has noticed as well


class Row(NamedTuple):
    """A row of docs/dev/features.md."""

    id: str
    feature: str
    places: tuple[str, ...]
    test: str


class Switch(NamedTuple):
    """How the feature of a row is taken away: `old` stands once in `file`."""

    id: str
    file: str
    old: str
    new: str


SWITCHES = (
    Switch("000-01", "memory/index/passages.py", 'message.origin == "recall"', "True"),
    Switch(
        "000-02",
        "memory/index/reconciler.py",
        "if known is not None and known.hash == note.hash:",
        "if known is not None:",
    ),
    Switch(
        "000-05",
        "memory/vault/resolver.py",
        'if "/" not in name and not os.path.lexists(f"{self._root}/{path}"):',
        "if False:",
    ),
    Switch(
        "000-06",
        "bot/prompt/layout.py",
        '.strip()}" if text.strip() else ""',
        '.strip()}"',
    ),
    Switch(
        "000-07", "bot/prompt/layout.py", '_file("user.md", "who the owner is", files.user)', '""'
    ),
    Switch(
        "000-08",
        "memory/notes/daily_note.py",
        'return f"# Memories — {day.isoformat()}\\n\\n{block}"',
        "return block",
    ),
    Switch(
        "000-09",
        "memory/log/transcript.py",
        'if there not in ("", text):',
        "if False:",
    ),
    Switch(
        "000-12",
        "memory/tools/memory_tools.py",
        "if theirs is None and source.strip().lower() == save.OWNER:",
        "if False:",
    ),
    Switch(
        "000-13",
        "memory/core.py",
        "session = await self.log.sessions.end(chat, now)\n        await write_ended("
        "self.log, self.vault, self.zone, self.profile.name)",
        "session = await self.log.sessions.end(chat, now)",
    ),
    Switch("000-14", "memory/log/transcript.py", '        f"chat: {session.chat}",\n', ""),
    Switch(
        "000-15",
        "bot/prompt/layout.py",
        '_file("identity.md", "who you are", files.identity)',
        '""',
    ),
    Switch("000-16", "vault/soul.md", "## Tone", "## Weather"),
    Switch("000-17", "vault/identity.md", "**Creature**", "**Weather**"),
    Switch("000-19", "bot/prompt/instructions.py", "The guidance files are no chat logs: e", "E"),
    Switch(
        "000-21",
        "bot/prompt/sources.py",
        'todays = await self._today(days[-1], texts[days[-1]], today, talk) if days else ""',
        'todays = ""',
    ),
    Switch(
        "000-20",
        "bot/prompt/sources.py",
        "days=tuple((path, shown[path]) for path in days[:-1] if shown[path])",
        "days=()",
    ),
    Switch(
        "000-21",
        "memory/profile.py",
        "for name in (said, settings.timezone):",
        "for name in (settings.timezone,):",
    ),
    Switch("000-22", "bot/prompt/layout.py", "{shorten(text).strip()}", "{text.strip()}"),
    Switch(
        "000-23",
        "memory/log/sessions.py",
        '"UPDATE session SET ended_at = ? WHERE id = ?"',
        '"UPDATE session SET chat = chat WHERE ? = id AND id = ?"',
    ),
    Switch(
        "000-25",
        "memory/maintenance/forget_session.py",
        "            await _take_out(memory, section, cause)\n",
        "            pass\n",
    ),
    Switch(
        "000-33",
        "memory/index/passages.py",
        "            start_line=chunk.start_line,\n",
        "            start_line=1,\n",
    ),
    Switch("000-34", "memory/core.py", "self._dirty.add(paths)", "pass"),
    Switch(
        "000-35",
        "memory/vault/scanner.py",
        'return path[-3:].lower() == ".md" and not hidden',
        'return path == "soul.md" and not hidden',
    ),
    Switch("000-36", "memory/index/schema.py", '"identity": named,', '"identity": "",'),
    Switch(
        "000-37",
        "memory/index/vectorizer.py",
        'tables.cache(db, {key: fresh[key] for key in standing}, "document")',
        "pass",
    ),
    Switch(
        "000-38",
        "memory/index/reconciler.py",
        "gone = [path for path in known if path not in files]",
        "gone: list[str] = []",
    ),
    Switch(
        "000-39",
        "memory/index/schema.py",
        "return False  # the same model, asked for shorter vectors",
        "pass",
    ),
    Switch("000-40", "memory/text/tokenize.py", 'return " OR ".join(', 'return " AND ".join('),
    Switch("000-41", "memory/index/tables.py", "distance_metric=cosine", "distance_metric=l2"),
    Switch(
        "000-42",
        "memory/search/fusion.py",
        "weight * vectors.get(item, 0.0) + (1.0 - weight) * keywords.get(item, 0.0)",
        "max(vectors.get(item, 0.0), keywords.get(item, 0.0))",
    ),
    Switch(
        "000-45",
        "memory/tools/memory_tools.py",
        "shown(text, name, sam_dir), from_line, lines)",
        "shown(text, name, sam_dir), 1, 200)",
    ),
    Switch("000-46", "memory/tools/mcp_server.py", "read_only_hint=reads", "read_only_hint=None"),
    Switch(
        "000-47",
        "memory/infra/atomic_files.py",
        "inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)",
        "inner = os.open(part, flags, dir_fd=folder)",
    ),
    Switch("000-49", "memory/embedding/voyage.py", "input_type=kind", 'input_type="document"'),
    Switch(
        "001-09",
        "memory/notes/kinds.py",
        "if row.stabilities and stability is not None and stability not in row.stabilities:",
        "if False:",
    ),
    Switch(
        "001-18",
        "memory/search/candidates/query.py",
        "(expires IS NULL OR expires > ?)",
        "(1 OR expires > ?)",
    ),
    Switch(
        "002-03",
        "memory/tools/memory_tools.py",
        "        read_policy.refuse_owners(vault, name)\n",
        "",
    ),
    Switch(
        "002-07", "memory/tools/memory_tools.py", "return task_list.add(now, made)", "return now"
    ),
    Switch(
        "002-12", "memory/embedding/voyage.py", "max_batch_texts = 128", "max_batch_texts = 1000"
    ),
    Switch(
        "002-24",
        "bot/assistant/jobs.py",
        "minutes=lambda s: s.sync_interval_minutes if s.rclone_remote else None",
        "minutes=lambda s: None",
    ),
    Switch(
        "002-25",
        "bot/assistant/assistant.py",
        'async def _turn_ended(self) -> None:\n        self.poke("summarise")',
        "async def _turn_ended(self) -> None:\n        pass",
    ),
    Switch(
        "002-26",
        "bot/assistant/assistant.py",
        '        self._unsent.add(path)\n        self.poke("sync")',
        "        pass",
    ),
    Switch(
        "002-28",
        "bot/assistant/jobs.py",
        "return pending >= (1 if profile.wanted else profile.settings.summary_threshold)",
        "return pending >= 1",
    ),
    Switch("002-29", "bot/assistant/summary.py", "people and projects; preferences", "the weather"),
    Switch(
        "002-30",
        "memory/notes/daily_note.py",
        "earlier = [place.end for place in places if place.at <= at]",
        "earlier = [place.end for place in places]",
    ),
    Switch(
        "002-36",
        "docs/google-drive.md",
        "scope=drive config_refresh_token",
        "scope=drive.file config_refresh_token",
    ),
    Switch(
        "003-01",
        "bot/prompt/history.py",
        "if size(rows) <= COMPACT_AT * budget:",
        "if True:",
    ),
    Switch(
        "003-05",
        "bot/app/runtime.py",
        "            await memory.follow(paths)\n",
        "            pass\n",
    ),
    Switch(
        "X-07",
        "bot/sync/merge/note.py",
        "    return Joined(_told(out, conflicts, title), theirs, count)",
        '    return Joined("".join(out), theirs, count)',
    ),
    Switch(
        "003-35", "memory/search/ranking.py", "CANDIDATES), MOST_CANDIDATES)", "CANDIDATES), 10**6)"
    ),
    Switch("003-12", "bot/assistant/assistant.py", 'self.want_summary("overflow")', "pass"),
    Switch(
        "003-25",
        "memory/config.py",
        'if self.provider == "none" and not self.fts_enabled:',
        "if False:",
    ),
    Switch("P-01", "bot/telegram/access.py", "await self._people.stranger(user_id)", "return"),
    Switch(
        "P-10",
        "memory/backup/create.py",
        "if _SKIPPED.fullmatch(entry.name):",
        'if entry.name.startswith("."):',
    ),
    Switch("X-10", "memory/notes/chunker.py", 'if privacy == "sealed":', 'if privacy == "never":'),
    Switch(
        "P-11",
        "memory/trust/write_policy.py",
        "return seen.source(content) if seen else None",
        "return None",
    ),
    Switch("001-16", "memory/search/ranking.py", "question), *newest]", "question)]"),
    Switch("003-38", "memory/search/ranking.py", "(-chances[id_], -id_)", "-id_"),
    Switch("P-12", "memory/search/ranking.py", "(-chances[id_], -id_)", "(-chances[id_], id_)"),
    Switch("X-13", "memory/search/ranking.py", "if sure < model.LEAST", "if sure < 0.0"),
    Switch("X-08", "memory/maintenance/self_eval.py", "by_chance(worse, better) < CHANCE", "False"),
    Switch("X-09", "memory/log/integrity.py", "return not self.wrong", "return True"),
)
"""Every feature that can be switched off here; more may be added, one entry each."""


def rows() -> list[Row]:
    """The rows of docs/dev/features.md, in their order."""
    found = []
    for line in (ROOT / "docs" / "dev" / "features.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and line.startswith("| ") and cells[0] not in ("Id", "---"):
            places = tuple(place.strip(" `") for place in cells[2].split(","))
            found.append(Row(cells[0], cells[1], places, cells[3].strip("`")))
    return found


def drawn(seed: int, count: int, only: Sequence[str]) -> list[Switch]:
    """Those to be switched off, in the order of the table."""
    if only:
        return [switch for switch in SWITCHES if switch.id in only]
    chosen = set(random.Random(seed).sample(SWITCHES, min(count, len(SWITCHES))))
    return [switch for switch in SWITCHES if switch in chosen]


def passes(tree: Path, tests: Iterable[str]) -> bool:
    """Whether those tests pass in that tree; one that hangs does not."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",  # a switch may be undone within one tick of a file's time
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", *tests],
            cwd=tree,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def noticed(tree: Path, switch: Switch, test: str) -> bool:
    """Whether the test fails while the feature is off."""
    file = tree / switch.file
    text = file.read_text("utf-8")
    assert text.count(switch.old) == 1, f"{switch.id}: {switch.file}: {switch.old!r}"
    file.write_text(text.replace(switch.old, switch.new), "utf-8")
    try:
        return not passes(tree, [test])
    finally:
        file.write_text(text, "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """A line for each feature, then how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[], metavar="ID")
    given = parser.parse_args(argv)
    by_id = {row.id: row for row in rows()}
    switches = drawn(given.seed, given.count, given.only)
    with tempfile.TemporaryDirectory(prefix="sam-features-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        if not passes(tree, dict.fromkeys(by_id[switch.id].test for switch in switches)):
            print("some of these tests fail with all features on: fix them first")
            return 1
        missed = []
        for switch in switches:
            row, begun = by_id[switch.id], time.monotonic()
            seen = noticed(tree, switch, row.test)
            missed += [] if seen else [switch.id]
            word = "noticed" if seen else "NOT NOTICED"
            took = f"{time.monotonic() - begun:.0f} s"
            print(f"{switch.id}  {word:<11}  {took:>5}  {row.feature}  ({row.test})", flush=True)
    print(
        f"{len(switches) - len(missed)} of {len(switches)} features are missed when they are off."
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

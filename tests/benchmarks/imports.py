"""Measure the peak memory (in MB) and the time of a large `sam import`.

    python -m tests.benchmarks.imports [--mb 1000] [--format FORMAT] [--whole] [--json]

A valid export of that size is generated in the documented format (chatgpt, claude, telegram or
whatsapp), and imported in a separate process: by `sam import --dry-run`, which reads all of it for
the preview, or with `--whole` by `sam import --yes`, which also writes and indexes it (about 20
minutes for 1 GB, without an embedder). The exit code is 1 if the peak is over 300 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support import exports

MOST_MB = 300
LINES = 200  # messages per conversation
PHRASES = (
    "the boat is in the harbour",
    "and the key is under the mat",
    "Anna said that the lease ends in June",
    "we walked along the river until it was dark",
    "and talked of Lisbon",
)


def write(path: Path, form: str, size: int) -> int:
    """Write an export of about that many bytes, as a stream; return the number of its messages."""
    chance, count = random.Random(7), 0

    def talks() -> Iterator[list[tuple[str, str]]]:
        nonlocal count
        while stream.tell() < size:
            count += LINES
            yield [(("user", "assistant")[n % 2], _text(chance)) for n in range(LINES)]

    with path.open("w", encoding="utf-8") as stream:
        FORMS[form](stream, talks())
    return count


def _text(chance: random.Random) -> str:
    return " ".join(chance.choices(PHRASES, k=chance.choice((2, 8, 50, 150))))


def _chatgpt(stream: Any, talks: Iterator[list[tuple[str, str]]]) -> None:
    _list(stream, talks, lambda n, talk: exports.chatgpt({f"Talk {n}": talk})[0])


def _claude(stream: Any, talks: Iterator[list[tuple[str, str]]]) -> None:
    def made(number: int, talk: list[tuple[str, str]]) -> dict[str, Any]:
        lines = [("human" if who == "user" else who, text) for who, text in talk]
        return exports.claude({f"Talk {number}": lines})[0]

    _list(stream, talks, made)


def _list(
    stream: Any,
    talks: Iterator[list[tuple[str, str]]],
    made: Callable[[int, list[tuple[str, str]]], dict[str, Any]],
) -> None:
    stream.write("[")
    for number, talk in enumerate(talks):
        one = made(number, talk)
        for name in ("id", "conversation_id", "uuid"):
            if name in one:
                one[name] = f"{number:08d}-0000-4000-8000-000000000000"
        stream.write(("," if number else "") + json.dumps(one))
    stream.write("]")


def _telegram(stream: Any, talks: Iterator[list[tuple[str, str]]]) -> None:
    head = json.dumps(exports.telegram_all([])).rpartition('"list": []}, "left_chats"')
    stream.write(head[0] + '"list": [')
    for number, talk in enumerate(talks):
        lines = [("Anna" if who == "user" else "Max", text) for who, text in talk]
        chat = exports.telegram_chat("Anna", lines, number=5_000 + number)
        stream.write(("," if number else "") + json.dumps(chat))
    stream.write(']}, "left_chats"' + head[2])


def _whatsapp(stream: Any, talks: Iterator[list[tuple[str, str]]]) -> None:
    for talk in talks:
        lines = [("Anna" if who == "user" else "Max", text) for who, text in talk]
        stream.write(exports.whatsapp(lines, "android-gb", days=0).partition("\n")[2])


FORMS = {"chatgpt": _chatgpt, "claude": _claude, "telegram": _telegram, "whatsapp": _whatsapp}


NO_MODEL = """
import runpy, sys
from types import SimpleNamespace as Made
model = Made(set_languages=len, classify=lambda _: ("en", 0))
library = Made(MODEL_FILE="", LanguageIdentifier=Made(from_model_file=lambda _: model))
sys.modules["py3langid.langid"] = library
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
"""Runs Sam without the model that detects languages, whose hundred MB exceed a small growth."""


def measured(home: Path, file: Path, *, whole: bool, no_model: bool = False) -> dict[str, float]:
    """Import the file in a new home folder; return the peak memory in MB, and the seconds."""
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "EMBEDDING_PROVIDER": "none",
        "VAULT_DIR": str(home / "vault"),
        "DATA_DIR": str(home / "data"),
        "TIMEZONE": "UTC",
    }
    way = ["--yes", "--me", "Max"] if whole else ["--dry-run"]
    sam = ["-c", NO_MODEL] if no_model else ["-m", "bot"]
    command = [sys.executable, *sam, "import", str(file), *way, "--json"]
    began = time.monotonic()
    # Peak memory of a process includes that of its parent at the fork, so a small parent starts it.
    starter = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); "
        "raise SystemExit(code)"
    )
    with (home / "out.json").open("w") as out:
        process = subprocess.run(
            [sys.executable, "-c", starter, *command],
            env=env,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
    *said, used = process.stderr.splitlines()
    if process.returncode:
        raise SystemExit("\n".join([*said, f"the import failed with {process.returncode}"]))
    found = json.loads((home / "out.json").read_text())
    kilobytes = int(used) if sys.platform != "darwin" else int(used) // 1024
    return {
        "messages": sum(each["messages"] for each in found),
        "peak MB": round(kilobytes / 1024, 1),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.imports")
    parser.add_argument("--mb", type=int, default=1000)
    parser.add_argument("--format", choices=sorted(FORMS), default="chatgpt")
    parser.add_argument("--whole", action="store_true", help="write and index it too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sam-bench-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "export"
        written = write(file, given.format, given.mb * 1_000_000)
        figures = {"bytes": file.stat().st_size, "written messages": written}
        figures |= measured(Path(folder), file, whole=given.whole)
    if given.json:
        print(json.dumps(figures))
    else:
        for what, figure in figures.items():
            print(f"{what}: {figure:,}")
    return int(figures["peak MB"] > MOST_MB or figures["messages"] != written)


if __name__ == "__main__":
    sys.exit(main())

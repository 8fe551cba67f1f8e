"""Run `sam` and record every call of its own functions: `python -m … FILE WORDS…`.

Each row of FILE is `[seconds since the epoch, thread, path, function]`. Resuming a coroutine after
an await is not recorded.
"""

from __future__ import annotations

import atexit
import dis
import json
import sys
import threading
import time
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[3]
_RESUME = dis.opmap["RESUME"]
_PACKAGES = tuple(f"{ROOT / package}/" for package in ("bot", "memory"))


def main(file: Path, words: list[str]) -> int:
    """Record the calls of `sam WORDS` in `file`; return its exit code."""
    calls: list[tuple[float, int, str, str]] = []

    def saw(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_PACKAGES):
            return
        at = frame.f_lasti
        if at >= 0 and code.co_code[at] == _RESUME and code.co_code[at + 1] & 3:
            return  # resumed
        path = code.co_filename.removeprefix(f"{ROOT}/")
        calls.append((time.time(), threading.get_ident(), path, code.co_qualname))

    atexit.register(lambda: file.write_text(json.dumps(calls), "utf-8"))
    threading.setprofile(saw)
    sys.setprofile(saw)
    from bot.__main__ import main as sam

    sys.argv = ["sam", *words]
    return sam()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))

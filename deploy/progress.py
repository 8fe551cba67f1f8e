"""Show progress of `pip install`: `pip install … | progress.py [--trim] FOLDER`.

On a terminal, update one line; elsewhere, print one line per step. At the end, print the number of
packages, the size of FOLDER, and the seconds. With `--trim`, first delete what Sam never loads
(trim.py). Exit with 1 if pip does not report that it installed anything.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from trim import trim

SIZES = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
LOADED = re.compile(r"\s*(?:Downloading|Using cached) (\S+).*\(([\d.]+) (kB|MB|GB)\)")
FOUND = re.compile(r"\s*(?:Collecting|Obtaining) ([\w.-]+)")


def main() -> int:
    """Read pip's output from standard input until it ends; return the exit code."""
    folder = Path(sys.argv[-1])
    begun, found, loaded, done = time.monotonic(), 0, 0.0, ""
    on_terminal = sys.stdout.isatty()
    if not on_terminal:
        print("  finding and downloading packages ...", flush=True)
    for line in sys.stdin:
        step = ""
        if FOUND.match(line):
            found += 1
            step = f"finding packages: {found}"
        elif known := LOADED.match(line):
            loaded += float(known[2]) * SIZES[known[3]]
            step = f"finding packages: {found}, {loaded / 1e6:.0f} MB"
        elif line.startswith("Installing collected packages"):
            step = f"unpacking {line.count(',') + 1} packages"
            if not on_terminal:
                print(f"  {step} ...", flush=True)
        elif line.startswith("Successfully installed"):
            done = line
        elif line.startswith("ERROR"):
            print(line, end="")
        if step and on_terminal:
            seconds = time.monotonic() - begun
            print(f"\r\x1b[K  {step} ... {seconds:.0f} s", end="", flush=True)
    if on_terminal:
        print("\r\x1b[K", end="")
    if not done:
        print("The installation failed: the lines above say why.")
        return 1
    if "--trim" in sys.argv[1:-1]:
        trim(folder)
    size = sum(file.lstat().st_size for file in folder.rglob("*"))
    count, seconds = len(done.split()) - 2, time.monotonic() - begun
    print(f"Installed: {count} packages, {size / 1e6:.0f} MB, in {seconds:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

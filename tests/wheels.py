"""`make wheels`: check that each locked package has a wheel for each supported platform.

Requests only lists and metadata from the registry: nothing is downloaded or built. Exit codes as of
`make audit`: 0 all are there, 1 some are missing, 3 could not be checked (no registry).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.process import ROOT

THERE, MISSING, UNCHECKED = 0, 1, 3
# glibc 2.28: Debian 10 and newer, Ubuntu 20.04 and newer, every 64-bit Raspberry Pi OS
PLATFORMS = ("aarch64-manylinux_2_28", "x86_64-manylinux_2_28", "aarch64-apple-darwin")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OFFLINE = ("Failed to fetch", "error sending request", "Network connectivity is disabled")


def checked(platform: str, python: str, *more: str, lock: Path) -> tuple[int, str]:
    """Return the exit code and the reason for one platform; `more`: options of uv."""
    done = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("uv")), "pip", "compile", "--quiet", *more),
            *("--no-deps", "--only-binary", ":all:", "--no-header", "--no-annotate"),
            *("--python-platform", platform, "--python-version", python, str(lock)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return THERE, f"{len(done.stdout.splitlines())} packages"
    offline = any(each in done.stderr for each in OFFLINE)
    reason = " ".join(done.stderr.split())[:500]
    return (UNCHECKED if offline else MISSING), reason


def main() -> int:
    """Check all platforms; return the worst exit code."""
    codes = set()
    for platform in PLATFORMS:
        for python in PYTHONS:
            code, reason = checked(platform, python, lock=ROOT / "deploy" / "requirements.txt")
            said = {THERE: "wheels for all", MISSING: "MISSING", UNCHECKED: "not checked"}[code]
            print(f"{platform} Python {python}: {said}: {reason}", flush=True)
            codes.add(code)
            if code == UNCHECKED:
                return UNCHECKED
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())

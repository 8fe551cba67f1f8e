"""`make wheels`, second part: install the built wheel with pipx and with `uv tool`, and use it.

Each install has folders of its own, and Sam an empty home: it must answer without any setting. Exit
codes as of `make audit`: 0 both work, 1 one does not, 3 could not be checked (no registry).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from tests.support.process import ROOT
from tests.wheels import MISSING, OFFLINE, THERE, UNCHECKED

TALK = "Remember that my bicycle stands in Anton's garage.\nWhere is my bicycle?\n"
NO_REGISTRY = (*OFFLINE, "No matching distribution found", "Could not find a version")


def tools(folder: Path) -> dict[str, tuple[Sequence[str], Mapping[str, str]]]:
    """Return the command and the environment of each tool, which keep to a folder."""
    there = {name: str(folder / name) for name in ("pipx", "uv")}
    return {
        "pipx install": (
            (sys.executable, "-m", "pipx", "install", "--quiet"),
            {"PIPX_HOME": there["pipx"], "PIPX_BIN_DIR": str(folder / "bin" / "pipx")},
        ),
        "uv tool install": (
            (str(Path(sys.executable).with_name("uv")), "tool", "install", "--quiet"),
            {"UV_TOOL_DIR": there["uv"], "UV_TOOL_BIN_DIR": str(folder / "bin" / "uv")},
        ),
    }


def checked(command: Sequence[str], given: Mapping[str, str], wheel: str) -> tuple[int, str]:
    """Install the wheel; return the exit code, and what Sam said or what went wrong."""
    done = _run([*command, wheel], os.environ | given)
    if done.returncode:
        offline = any(each in done.stderr for each in NO_REGISTRY)
        return (UNCHECKED if offline else MISSING), _shortened(done.stderr or done.stdout)
    bin_dir = next(path for name, path in given.items() if name.endswith("_BIN_DIR"))
    with tempfile.TemporaryDirectory(prefix="sam-home-") as home:
        environ = {"HOME": home, "PATH": f"{bin_dir}:{os.defpath}", "LANG": "C.UTF-8"}
        version = _run([f"{bin_dir}/sam", "--version"], environ, home)
        talk = _run([f"{bin_dir}/sam", "chat"], environ, home, TALK)
        works = version.returncode == talk.returncode == 0 and "Anton's garage" in talk.stdout
        if not works:
            return MISSING, _shortened(f"{version.stderr} {talk.stderr} {talk.stdout}")
        return THERE, f"{version.stdout.strip()}: {talk.stdout.strip().splitlines()[-1].strip()}"


def _run(
    command: Sequence[str], environ: Mapping[str, str], folder: str | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environ, cwd=folder, input=typed, capture_output=True, text=True, check=False
    )


def _shortened(text: str) -> str:
    return " ".join(text.split())[-500:]


def main() -> int:
    """Build the wheel, and check both tools; return the worst exit code."""
    codes = set()
    with tempfile.TemporaryDirectory(prefix="sam-tools-") as folder:
        [wheel] = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
        for name, (command, given) in tools(Path(folder)).items():
            code, reason = checked(command, given, wheel)
            said = {THERE: "works", MISSING: "FAILED", UNCHECKED: "not checked"}[code]
            print(f"{name}: {said}: {reason}", flush=True)
            codes.add(code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())

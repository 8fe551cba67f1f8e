"""The lock files satisfy pyproject.toml and contain no URLs; each dependency has its reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.process import ROOT
from tests.support.pyproject import LISTED, PROJECT, named

EXTRAS = PROJECT["optional-dependencies"]
INSTALLED = [*PROJECT["dependencies"], *EXTRAS["sync"], "hatchling>=1.25"]
LOCKS = {
    "deploy/requirements.txt": INSTALLED,
    "deploy/voice.txt": [*INSTALLED, *EXTRAS["voice"]],
    "deploy/server.txt": [*INSTALLED, *EXTRAS["server"]],
    "tests/requirements.txt": [*PROJECT["dependencies"], *EXTRAS["dev"]],
}
"""Each lock file, and the requirements that it must satisfy."""
ENTRY = re.compile(
    r"^([\w.-]+)==([^\s;\\]+)(?: ; ([^\\]+?))? \\\n((?:    --hash=\S+(?: \\)?\n?)+)", re.M
)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
ADDRESS = re.compile(
    r"://|@ |--(?:extra-)?index|--find-links|--trusted|^-[fi] |file:|localhost", re.M
)


def locked(text: str) -> dict[str, set[str]]:
    """Return package → versions in a lock file: several if platforms differ."""
    found: dict[str, set[str]] = {}
    for name, version, _, hashes in ENTRY.findall(text):
        assert HASH.findall(hashes), name
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


def unsatisfied(text: str, requirements: Iterable[str]) -> list[str]:
    """Return the requirements that no version in the lock file satisfies."""
    have = locked(text)
    return [
        each
        for each in requirements
        if not (versions := have.get(canonicalize_name(Requirement(each).name)))
        or not all(version in Requirement(each).specifier for version in versions)
    ]


@pytest.mark.parametrize("path", LOCKS)
def test_a_lock_file_satisfies_the_project_with_hashes_and_without_addresses(path: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert unsatisfied(text, LOCKS[path]) == [], "make lock"
    assert ADDRESS.findall(text) == []
    rows = [row for row in text.splitlines() if not row.startswith("    --hash=")]
    assert all(re.match(r"[\w.-]+==", row) for row in rows), "a version for each, and nothing else"
    assert len(rows) == sum(1 for _ in ENTRY.finditer(text)), "a hash for each"


@pytest.mark.parametrize("extra", ["voice", "server"])
def test_with_an_extra_the_other_packages_are_the_same(extra: str) -> None:
    with_extra, without = (
        locked((ROOT / "deploy" / name).read_text("utf-8"))
        for name in (f"{extra}.txt", "requirements.txt")
    )
    assert without == {name: with_extra.get(name) for name in without}, "make lock"


def test_a_lock_file_that_does_not_fit_is_seen() -> None:
    hashed = "a==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"
    assert unsatisfied(hashed, ["a>=1,<2"]) == []
    assert unsatisfied(hashed, ["a>=2", "b"]) == ["a>=2", "b"]
    for address in ("--index-url x", "a @ file:///b", "https://example.org", "-f /wheels"):
        assert ADDRESS.search(f"{hashed}{address}\n")


def rows(text: str) -> list[str]:
    """Return the packages that have a row in docs/dev/dependencies.md."""
    return re.findall(r"^\| `([\w.-]+)` \|(?: [^|]+ \|){7}$", text, re.M)


def test_each_direct_dependency_has_its_row() -> None:
    text = (ROOT / "docs" / "dev" / "dependencies.md").read_text("utf-8")
    assert sorted(map(named, rows(text))) == sorted(set(map(named, LISTED)))


def test_a_package_of_one_maintainer_is_pinned() -> None:
    """Pinned in pyproject.toml or by the lock file; the page says which."""
    text = (ROOT / "docs" / "dev" / "dependencies.md").read_text("utf-8")
    have = locked((ROOT / "deploy" / "requirements.txt").read_text("utf-8"))
    extras = chain.from_iterable(PROJECT["optional-dependencies"].values())
    pinned = {named(each) for each in (*PROJECT["dependencies"], *extras) if "==" in each}
    said = dict(re.findall(r"^\| `([\w.-]+)` \| [^|]+ \| ([^|]+) \|", text, re.M))
    for name, who in said.items():
        if who.endswith("(pinned)"):
            assert named(name) in pinned, name
        elif who.endswith("(pinned by the lock file)"):
            assert len(have[named(name)]) == 1, name

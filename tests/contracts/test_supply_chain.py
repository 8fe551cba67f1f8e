"""Dependencies: bounds, warnings, audit exceptions, and which hosts Sam connects to."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests import audit
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support.process import ROOT, Sam, wait_until
from tests.support.pyproject import LISTED, PROJECT, named

UNBOUND = {"tzdata"}  # data, versioned by year
EXTRAS = PROJECT["optional-dependencies"]
FOR_TESTS = [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["train"]]
OURS = {"bot", "docs", "memory", "tests"}


def imported(source: str) -> set[str]:
    """Return the top-level third-party modules that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return {name.partition(".")[0] for name in found} - sys.stdlib_module_names - OURS


def undeclared(modules: Iterable[str], requirements: Iterable[str]) -> set[str]:
    """Return the modules whose distribution is not among the requirements; one that is not
    installed has the module's name."""
    known, provided = set(map(named, requirements)), packages_distributions()
    return {name for name in modules if known.isdisjoint(map(named, provided.get(name, [name])))}


def test_what_the_tests_import_is_declared() -> None:
    """A transitive dependency may disappear with an update of the direct one."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    modules = {name for file in files for name in imported(file.read_text("utf-8"))}
    assert {"pytest", "hypothesis", "numpy"} <= modules
    assert undeclared(modules, FOR_TESTS) == set()


def test_an_undeclared_import_is_seen() -> None:
    source = "import os, yaml\ndef f():\n    from jsonschema.validators import x\n"
    assert imported(source) == {"yaml", "jsonschema"}
    assert undeclared(imported(source), ["PyYAML>=6"]) == {"jsonschema"}
    assert undeclared({"no_such_module"}, FOR_TESTS) == {"no_such_module"}


@pytest.mark.parametrize("requirement", sorted(set(LISTED)))
def test_every_dependency_has_bounds(requirement: str) -> None:
    wanted = requirement.partition(";")[0]
    name = re.split(r"[\[<>=~! ]", wanted)[0]
    assert "==" in wanted or (">=" in wanted and ("<" in wanted or name in UNBOUND)), requirement


def test_bandit_finds_nothing_that_is_not_explained() -> None:
    assert [each for each in audit.bandit("bot", "memory") if each.is_fault] == []


def test_bandit_sees_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import subprocess\nsubprocess.run('ls ' + input(), shell=True)\n")
    assert any(each.is_fault for each in audit.bandit(str(wrong)))
    sql = audit.Finding("bot/turn/turns.py", 1, "B608", "")
    assert sql.is_fault and not sql._replace(path="memory/log/x.py").is_fault


def test_an_audit_that_could_not_check_is_not_clean() -> None:
    ok = {"name": "a", "version": "1", "vulns": []}
    bad = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1"}]}
    gone = {"name": "c", "skip_reason": "Dependency not found on PyPI and could not be audited"}
    own = {"name": "sam-memory", "skip_reason": "distribution marked as editable"}

    def code(*listed: object) -> int:
        return audit.audited({"dependencies": listed}).code

    assert code(ok, own) == audit.CLEAN
    assert code(ok, gone) == audit.UNCHECKED
    assert code(gone) == code() == audit.UNCHECKED
    assert code(ok, bad, gone) == audit.FOUND
    assert audit.Audited(0, (), ("everything: no network",)).code == audit.UNCHECKED


_LISTENER = """
import sys, os
out = open(os.environ["SEEN"], "a", buffering=1)
def hook(event, args):
    if event in ("socket.connect", "socket.sendto"):
        address = args[1] if event == "socket.connect" else args[1]
        print("connect", address, file=out)
    if event == "socket.getaddrinfo":
        print("lookup", args[0], file=out)
sys.addaudithook(hook)
"""


def test_sam_talks_to_nobody_but_those_it_is_told_to(tmp_path: Path) -> None:
    """No SDK phones home, even if tracing is switched on in the environment."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(_LISTENER)
    seen = tmp_path / "seen"
    with (
        FakeTelegram.running() as telegram,
        FakeClaude.running() as claude,
        FakeEmbeddings.running() as voyage,
    ):
        it = Sam(
            tmp_path,
            **telegram.env,
            ANTHROPIC_API_KEY="sk-test",
            ANTHROPIC_BASE_URL=claude.url,
            VOYAGE_API_KEY="pa-test",
            VOYAGE_BASE_URL=voyage.url,
            PYTHONPATH=f"{tmp_path / 'site'}{os.pathsep}{ROOT}",
            SEEN=str(seen),
            LANGCHAIN_TRACING_V2="true",
            LANGSMITH_TRACING="true",
            LANGSMITH_API_KEY="ls-test",
        )
        it.start()
        try:
            telegram.asks("I keep bees in Lisbon", timeout=90)
            telegram.asks("/status", timeout=60)
            wait_until(lambda: voyage.requests, "an embedding", 60)
        finally:
            it.stop()
        it.run("search", "bees")
        ports = {
            int(fake.url.rsplit(":", 1)[1].split("/")[0]) for fake in (telegram, claude, voyage)
        }
    lines = seen.read_text().splitlines()
    hosts = {line.split(" ", 1)[1].strip("b'") for line in lines if line.startswith("lookup")}
    addresses = [line.split(" ", 1)[1] for line in lines if line.startswith("connect")]
    assert hosts <= {"127.0.0.1", "localhost"}, hosts
    inet = [address for address in addresses if address.startswith("(")]
    assert inet, it.story()
    for address in inet:
        host, port = re.match(r"\('([^']+)', (\d+)", address).groups()  # type: ignore[union-attr]
        assert host == "127.0.0.1" and int(port) in ports, address

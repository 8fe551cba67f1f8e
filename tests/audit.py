"""`make audit`: bandit over the source, pip-audit over what is installed.

Exit codes: 0 clean, 1 something was found, 3 something could not be checked (no network, or a
package unknown to the registry), which is reported and never counts as clean.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.support.process import ROOT

CLEAN, FOUND, UNCHECKED = 0, 1, 3

# Whole classes of warnings that do not apply here. Single exceptions have a `# nosec` in place.
NO_FAULTS = {
    "B101": "asserts tell the type checker what holds; nothing is guarded by one",
    "B105": "names of settings and sentences about passwords; secrets are SecretStr",
    "B404": "rclone is a program: it has to be started",
    "B603": "programs are started by a list of words, without a shell (a shell is B602, B605)",
}
# Where SQL is allowed (tests/contracts/test_architecture.py) it is composed of names from the code;
# external values are bound.
SQL = re.compile(
    r"memory/(infra/(sqlite|store|postgres/)|log/|index|search/(ranking|candidates/|in_memory/))|bot/inbox/"
)


class Finding(NamedTuple):
    """One bandit warning."""

    path: str
    line: int
    test: str
    text: str

    @property
    def is_fault(self) -> bool:
        return not (self.test in NO_FAULTS or (self.test == "B608" and SQL.match(self.path)))


class Audited(NamedTuple):
    """The result of pip-audit; `unchecked`: package → why it was not checked."""

    checked: int
    vulnerable: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def code(self) -> int:
        if self.vulnerable:
            return FOUND
        return UNCHECKED if self.unchecked or not self.checked else CLEAN


def bandit(*folders: str) -> list[Finding]:
    """Return all bandit warnings for those folders of the checkout."""
    words = [sys.executable, "-m", "bandit", "-q", "-r", "-f", "json", *folders]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    report = json.loads(done.stdout)
    assert not report["errors"], report["errors"]
    return [
        Finding(each["filename"], each["line_number"], each["test_id"], each["issue_text"])
        for each in report["results"]
    ]


def packages(env: Mapping[str, str] | None = None) -> Audited:
    """Return what pip-audit reports for the installed packages."""
    words = ["pip_audit", "--skip-editable", "--progress-spinner", "off", "-f", "json"]
    done = subprocess.run(
        [sys.executable, "-m", *words],
        capture_output=True,
        text=True,
        env=None if env is None else dict(env),
        check=False,
    )
    try:
        report = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.strip().splitlines() or ["pip-audit said nothing"]
        return Audited(0, (), (f"everything: {said[-1][:200]}",))
    return audited(report)


def audited(report: dict[str, Any]) -> Audited:
    """Parse pip-audit's report."""
    listed = report["dependencies"]
    bad = [
        f"{each['name']} {each['version']}: {', '.join(v['id'] for v in each['vulns'])}"
        for each in listed
        if each.get("vulns")
    ]
    skipped = [
        f"{each['name']}: {each['skip_reason']}"
        for each in listed
        if "skip_reason" in each and "editable" not in each["skip_reason"]
    ]
    return Audited(sum("vulns" in each for each in listed), tuple(bad), tuple(skipped))


def main() -> int:
    faults = [each for each in bandit("bot", "memory") if each.is_fault]
    for each in faults:
        print(f"{each.path}:{each.line}: {each.test} {each.text}")
    print(f"bandit: {len(faults)} faults")
    found = packages()
    for line in (*found.vulnerable, *(f"not checked: {each}" for each in found.unchecked)):
        print(line)
    print(
        f"pip-audit: {found.checked} packages checked, {len(found.vulnerable)} vulnerable,"
        f" {len(found.unchecked)} could not be checked"
    )
    return FOUND if faults else found.code


if __name__ == "__main__":
    sys.exit(main())

"""SECURITY.md: each claim names existing tests."""

from __future__ import annotations

import re

from tests.support.named_tests import is_there
from tests.support.process import ROOT

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")


def test_every_claim_names_tests_that_are_there() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 15
    for row in rows:
        tests = re.findall(r"`(tests/[^`]+)`", row)
        assert tests, row
        assert [test for test in tests if not is_there(test)] == [], row


def test_every_attacker_is_stopped_by_tests_that_are_there() -> None:
    page = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
    rows = page.partition("## Who might be")[2].partition("## What is left")[0].splitlines()
    rows = [line for line in rows if line.startswith("|")][2:]
    assert len(rows) >= 10
    for row in rows:
        tests = re.findall(r"`(tests/[^`]+)`", row)
        assert tests, row
        assert [test for test in tests if not is_there(test)] == [], row


def test_it_says_what_is_not_defended_and_how_to_report() -> None:
    heads = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert "What Sam does not defend against" in heads and "To report something" in heads
    assert len(PAGE.splitlines()) < 100, "short"

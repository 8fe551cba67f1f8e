"""Each locked package has a wheel for ARM64, and `make wheels` detects one that has none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.process import ROOT
from tests.wheels import MISSING, PLATFORMS, PYTHONS, THERE, UNCHECKED, checked

pytestmark = pytest.mark.skipif(
    not Path(sys.executable).with_name("uv").exists(),
    reason="uv is not installed: `make wheels` does that",
)
LOCK = ROOT / "deploy" / "requirements.txt"


def test_every_package_has_a_wheel_for_arm64() -> None:
    code, reason = checked(PLATFORMS[0], PYTHONS[0], lock=LOCK)
    if code == UNCHECKED:
        pytest.skip(f"no registry: {reason[:100]}")
    assert code == THERE, reason


def test_a_platform_without_wheels_is_seen() -> None:
    code, reason = checked("riscv64-unknown-linux", PYTHONS[0], lock=LOCK)
    if code == UNCHECKED:
        pytest.skip(f"no registry: {reason[:100]}")
    assert code == MISSING and "no usable wheels" in reason


def test_without_a_registry_nothing_counts_as_checked() -> None:
    nowhere = ("--no-cache", "--default-index", "http://127.0.0.1:9/simple")
    code, _ = checked(PLATFORMS[0], PYTHONS[0], *nowhere, lock=LOCK)
    assert code == UNCHECKED

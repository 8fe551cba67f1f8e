"""What systemd-analyze says about the unit files in deploy/."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

MOST_EXPOSED = 1.2

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def analyze(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )

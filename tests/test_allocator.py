"""What was freed goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

# Blocks of a kilobyte, since smaller ones are the interpreter's own; one in a hundred stays, so
# that the C library cannot give back the end of its memory by itself.
FREED = """
import threading
from pathlib import Path
from memory import allocator

def mib():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) // 1024

def at_work():
    blocks = [bytes(1024) for _ in range(100_000)]
    kept.append(blocks[::100])

kept = []
if {shared}:
    allocator.share_arenas()
for _ in range(8):
    thread = threading.Thread(target=at_work)
    thread.start()
    thread.join()
full = mib()
allocator.give_back()
print(full, mib())
"""

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library than glibc"
)


@pytest.mark.parametrize("shared", [True, False])
def test_what_was_freed_goes_back_to_the_system(shared: bool) -> None:
    code = FREED.replace("{shared}", str(shared))
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, after = map(int, said.stdout.split())
    assert before > 100 and after < before / 2

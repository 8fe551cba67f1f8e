"""Freed heap is returned to the operating system."""

from __future__ import annotations

import asyncio
import ctypes
import subprocess
import sys

import pytest

from memory.infra import malloc

# Blocks of a kilobyte, because smaller ones come from the interpreter's own allocator; one in a
# hundred is kept, so that the C library cannot trim the end of the heap by itself.
FREED = """
import threading
from pathlib import Path
from memory.infra import malloc as allocator

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
allocator.return_free_memory()
print(full, mib())
"""

# Concurrent threads, because a thread that starts after another has ended reuses its arena.
ARENAS = """
import ctypes, threading
from memory.infra import malloc as allocator

if {shared}:
    allocator.share_arenas()
begun = threading.Barrier(9)

def at_work():
    blocks = [bytes(1024) for _ in range(1000)]
    begun.wait(30)

for _ in range(8):
    threading.Thread(target=at_work).start()
begun.wait(30)
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
told = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, told)
libc.fflush(told)
"""

# Free something large first: from then on glibc takes smaller blocks from the heap (dynamic mmap
# threshold).
LARGE = """
from pathlib import Path
from memory.infra import malloc as allocator

def mib():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) // 1024

if {shared}:
    allocator.share_arenas()
large = bytearray(30 << 20)
del large
blocks, kept = [], []
for _ in range(60):
    blocks.append(bytearray(b"x") * (2 << 20))
    kept.append(bytes(1024))
full = mib()
del blocks
print(full, mib())
"""

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library than glibc"
)


def told(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("shared", [True, False])
def test_what_was_freed_goes_back_to_the_system(shared: bool) -> None:
    before, after = map(int, told(FREED.replace("{shared}", str(shared))).split())
    assert before > 100 and after < before / 2


def test_what_is_large_goes_back_by_itself() -> None:
    before, after = map(int, told(LARGE.replace("{shared}", "True")).split())
    assert before > 120 and after < before / 2
    before, after = map(int, told(LARGE.replace("{shared}", "False")).split())
    assert after > before / 2, "as usual"


async def test_it_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given, twice = 0, asyncio.Event()
    loop = asyncio.get_running_loop()

    def return_free_memory() -> None:
        nonlocal given
        given += 1
        if given == 2:
            loop.call_soon_threadsafe(twice.set)

    monkeypatch.setattr(malloc, "EVERY", 0.0)
    monkeypatch.setattr(malloc, "return_free_memory", return_free_memory)
    task = asyncio.create_task(malloc.keep_returning_memory())
    async with asyncio.timeout(60):
        await twice.wait()
    task.cancel()


def test_threads_share_a_few_arenas() -> None:
    few, usual = (
        told(ARENAS.replace("{shared}", each)).count("<heap ") for each in ("True", "False")
    )
    assert few == 2 < usual

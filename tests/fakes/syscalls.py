"""Make the kernel refuse some system calls of a child process, as a failing disk would.

The errors are real: a seccomp filter (Linux, no privileges needed).
"""

from __future__ import annotations

import ctypes
import platform
import struct

_NUMBERS = {  # system call numbers, by machine
    "x86_64": {"fsync": 74, "rename": 82, "setpriority": 141},
    "aarch64": {"fsync": 82, "rename": 38, "setpriority": 140},
}
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000


def refuse(call: str, error: int) -> None:
    """Make that system call fail with `error` in this process from now on; irreversible."""
    number = _NUMBERS[platform.machine()][call]
    program = b"".join(
        struct.pack("HBBI", *step)
        for step in (
            (0x20, 0, 0, 0),  # load the system call number
            (0x15, 0, 1, number),  # if it differs, skip one instruction
            (0x06, 0, 0, _ERRNO | error),
            (0x06, 0, 0, _ALLOW),
        )
    )
    steps = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(steps)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, header, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter is refused")

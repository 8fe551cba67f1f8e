"""Limit NumPy's BLAS library to one thread."""

from __future__ import annotations

import contextlib
import ctypes
from pathlib import Path

import numpy as np


def keep_to_one_thread() -> None:
    """Limit BLAS to one thread. More threads wait for each other on shared processors, and run at
    the priority of the thread that loaded NumPy instead of the caller's.

    OPENBLAS_NUM_THREADS would not suffice: NumPy, which reads it, may already be loaded.
    """
    numpy = Path(np.__file__).parent
    for folder in (numpy.with_name("numpy.libs"), numpy / ".dylibs"):
        for library in folder.glob("*openblas*"):
            for ending in ("64_", ""):
                with contextlib.suppress(OSError, AttributeError):
                    loaded = ctypes.CDLL(str(library))
                    getattr(loaded, f"scipy_openblas_set_num_threads{ending}")(1)

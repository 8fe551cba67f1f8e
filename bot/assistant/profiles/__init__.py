"""The profiles of this process: open and close them, and run the background work of each."""

from .background import begin, in_background
from .closed import Leased
from .profiles import Profiles, holding

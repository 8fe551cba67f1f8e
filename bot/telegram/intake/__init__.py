"""What begins the handling of updates: after a crash, and where several workers share a bot."""

from .take_up import TakeUp
from .workers import Intake

__all__ = ["Intake", "TakeUp"]

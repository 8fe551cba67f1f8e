"""What begins the handling of updates: their order, what a crash left, and several workers."""

from .take_up import FILE_KEY, TakeUp
from .webhook import Webhook
from .workers import Intake

__all__ = ["FILE_KEY", "Intake", "TakeUp", "Webhook"]

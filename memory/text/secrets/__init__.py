"""Mask keys, card numbers, passwords and codes in a text. Pure."""

from .labels import CARD, KEY, PASSWORD
from .masking import MASK, mask

__all__ = ["CARD", "KEY", "MASK", "PASSWORD", "mask"]

"""Protect the vault from its remote: copies of what it replaces, changes of the instructions."""

from .copies import Copies, Copy
from .instructions import InstructionChange, compare, instructs, is_humans

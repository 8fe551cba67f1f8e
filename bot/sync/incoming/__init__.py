"""Protect the vault from its remote: copies, a limit for each day, consent to instructions."""

from .copies import Copies, Copy
from .day_limit import is_many, is_recent, question
from .instructions import InstructionChange, compare, instructs, is_humans

"""The index of one profile: derived from vault and log; independent of queries."""

from .index import Index
from .reconciler import Between, Report, at_once
from .schema import Shape

__all__ = ["Between", "Index", "Report", "Shape", "at_once"]

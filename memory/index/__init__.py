"""The index of one profile: derived from vault and log; independent of queries."""

from .generation import Shape
from .index import Index
from .reconciler import Between, ReconcileResult, no_pause

__all__ = ["Between", "Index", "ReconcileResult", "Shape", "no_pause"]

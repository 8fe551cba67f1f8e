"""The index of one profile: derived from vault and log; independent of queries."""

from .index import Index
from .reconciler import Between, ReconcileResult, no_pause
from .shape import Shape

__all__ = ["Between", "Index", "ReconcileResult", "Shape", "no_pause"]

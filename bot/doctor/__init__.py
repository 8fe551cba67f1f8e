"""`sam doctor`: the checks, the audit of the ledger, the report."""

from .doctor import Report, examine, repair
from .report import Problem

__all__ = ["Problem", "Report", "examine", "repair"]

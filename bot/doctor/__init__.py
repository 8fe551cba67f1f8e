"""`sam doctor`: the checks, the audit of the ledger, the report."""

from .doctor import DoctorReport, examine, repair
from .report import Problem

__all__ = ["DoctorReport", "Problem", "examine", "repair"]

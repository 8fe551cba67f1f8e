"""`sam doctor`: the checks, the audit of the ledger, the report."""

from .doctor import DoctorReport, examine, examine_security, repair
from .report import Problem

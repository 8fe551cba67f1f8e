from .due import Due as Due
from .due import NotDue as NotDue
from .due import bare as bare
from .due import due_time as due_time
from .period import Span as Span
from .period import TimeRange as TimeRange
from .period import time_range as time_range
from .repeats import split_repetition as split_repetition

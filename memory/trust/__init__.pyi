from . import provenance as provenance
from . import read_policy as read_policy
from . import write_policy as write_policy
from .read_policy import read_shown as read_shown
from .read_policy import readable as readable

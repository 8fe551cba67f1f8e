from . import read_policy as read_policy
from . import write_policy as write_policy

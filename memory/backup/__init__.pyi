from . import create as create
from . import restore as restore
from . import restored_log as restored_log
from .retention import backups as backups
from .retention import expiry as expiry

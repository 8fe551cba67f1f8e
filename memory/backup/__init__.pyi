from . import create as create
from . import rejoin as rejoin
from . import restore as restore
from .retention import backups as backups
from .retention import expiry as expiry

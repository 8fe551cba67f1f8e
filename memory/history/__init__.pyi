from .changes import ChangeSet as ChangeSet
from .changes import Line as Line
from .history import History as History
from .recorder import recorder as recorder

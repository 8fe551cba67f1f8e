from .as_of import PastFact as PastFact
from .as_of import day_meant as day_meant
from .changes import ChangeSet as ChangeSet
from .changes import Line as Line
from .history import History as History
from .learned import Learned as Learned
from .recorder import recorder as recorder

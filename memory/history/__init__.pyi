from .as_of import day_meant as day_meant
from .history import History as History
from .recorder import recorder as recorder

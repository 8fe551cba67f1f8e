from .candidates.query import Filter as Filter
from .candidates.query import Hit as Hit
from .candidates.query import Question as Question
from .candidates.query import Recalled as Recalled
from .ranking import RankingOptions as RankingOptions
from .ranking import rank as rank
from .searcher import HANGS as HANGS
from .searcher import SLOW as SLOW

from . import forgotten as forgotten
from .decide import Decision as Decision
from .decide import Proposal as Proposal
from .decide import decide_by_rules as decide_by_rules
from .draft import DraftFact as DraftFact
from .knowledge import Knowledge as Knowledge
from .notes import KnownFact as KnownFact

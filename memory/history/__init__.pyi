from .as_of import PastFact as PastFact
from .correction_rules import apply_correction as apply_correction
from .correction_rules import corrected_value as corrected_value
from .corrections import corrections_of as corrections_of
from .history import History as History
from .recorder import recorder as recorder
from .replaced import mark_outdated as mark_outdated

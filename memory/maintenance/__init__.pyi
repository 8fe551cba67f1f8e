from . import (
    archive_copies as archive_copies,
)
from . import (
    edited_messages as edited_messages,
)
from . import (
    forget_session as forget_session,
)
from . import (
    forget_words as forget_words,
)
from . import (
    long_memory as long_memory,
)
from . import (
    self_eval as self_eval,
)
from .byte_search import traces as traces
from .content_words import ContentWords as ContentWords
from .contradictions import Answer as Answer
from .contradictions import ContradictionResolver as ContradictionResolver
from .contradictions import ContradictoryFacts as ContradictoryFacts
from .erase import Forgettable as Forgettable
from .erase import Selection as Selection
from .forget_session import ForgettableSession as ForgettableSession
from .forget_words import Erased as Erased
from .forget_words import ForgetChoice as ForgetChoice
from .forget_words import Item as Item
from .forget_words import KeptItems as KeptItems
from .kept_lines import notes_of_sams as notes_of_sams
from .self_eval import hit5 as hit5
from .self_eval import mrr as mrr
from .self_eval import run_probes as run_probes

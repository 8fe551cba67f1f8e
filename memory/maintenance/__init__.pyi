from . import (
    archive_copies as archive_copies,
)
from . import (
    forget_session as forget_session,
)
from . import (
    self_eval as self_eval,
)
from .forget_session import Forgettable as Forgettable
from .self_eval import examine as examine
from .self_eval import hit5 as hit5
from .self_eval import mrr as mrr

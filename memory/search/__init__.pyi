from .candidates.query import (
    Filter as Filter,
)
from .candidates.query import (
    Hit as Hit,
)
from .candidates.query import (
    Mode as Mode,
)
from .candidates.query import (
    Question as Question,
)
from .candidates.query import (
    Recalled as Recalled,
)
from .citations import sourced as sourced
from .context import (
    ALONE as ALONE,
)
from .context import (
    Around as Around,
)
from .context import (
    around as around,
)
from .context import (
    is_message as is_message,
)
from .context import (
    line as line,
)
from .context import (
    messages_of as messages_of,
)
from .context import (
    speaker as speaker,
)
from .ranking import hits as hits
from .ranking import latest as latest
from .ranking import rank as rank
from .score_model import OF_PERIOD as OF_PERIOD
from .searcher import HANGS as HANGS
from .searcher import SLOW as SLOW

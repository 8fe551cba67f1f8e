from . import (
    atomic_files as atomic_files,
)
from . import (
    failpoints as failpoints,
)
from . import (
    sqlite as sqlite,
)
from . import (
    text_encoding as text_encoding,
)
from .clock import local_day as local_day
from .clock import parse_utc as parse_utc
from .clock import utc_text as utc_text
from .failpoints import failpoint as failpoint
from .file_locks import RunLock as RunLock
from .file_locks import is_locked as is_locked
from .file_locks import locked as locked
from .file_locks import run_to_end as run_to_end
from .malloc import keep_returning_memory as keep_returning_memory
from .malloc import share_arenas as share_arenas
from .retry import Backoff as Backoff
from .retry import retry_after as retry_after
from .sqlite import (
    last_written as last_written,
)
from .store import Connection as Connection
from .store import Records as Records
from .store import Row as Row
from .store import Store as Store

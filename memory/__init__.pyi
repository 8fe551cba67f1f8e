from . import config as config
from . import errors as errors
from .config import MemorySettings as MemorySettings
from .core import Memory as Memory
from .core import Status as Status
from .embedding.consent import embedding_cost as embedding_cost
from .embedding.providers import make_embedder as make_embedder
from .embedding.providers import why_no_embedder as why_no_embedder
from .errors import (
    ConfigError as ConfigError,
)
from .errors import (
    EditRefused as EditRefused,
)
from .errors import (
    EmbedError as EmbedError,
)
from .errors import (
    LockHeld as LockHeld,
)
from .errors import (
    NoteMissing as NoteMissing,
)
from .errors import (
    NoteUnreadable as NoteUnreadable,
)
from .errors import (
    SamError as SamError,
)
from .errors import (
    ServedElsewhere as ServedElsewhere,
)
from .errors import (
    StoreError as StoreError,
)
from .errors import (
    VaultError as VaultError,
)
from .errors import (
    VaultGone as VaultGone,
)
from .history.changes import ChangeSet as ChangeSet
from .history.learned import Learned as Learned
from .index.embedding_queue import keywords_alone as keywords_alone
from .infra.clock import Clock as Clock
from .infra.clock import system_clock as system_clock
from .infra.postgres import Leases as Leases
from .knowledge import (
    Decision as Decision,
)
from .knowledge import (
    DraftFact as DraftFact,
)
from .knowledge import (
    KnownFact as KnownFact,
)
from .knowledge import (
    Proposal as Proposal,
)
from .knowledge import (
    decide_by_rules as decide_by_rules,
)
from .log import (
    Log as Log,
)
from .log import (
    Message as Message,
)
from .log import (
    Said as Said,
)
from .log import (
    Turn as Turn,
)
from .log import (
    Usage as Usage,
)
from .profile import (
    OWNER as OWNER,
)
from .profile import (
    DataDir as DataDir,
)
from .profile import (
    Profile as Profile,
)
from .profile import (
    group_profile as group_profile,
)
from .profile import (
    is_group as is_group,
)
from .profile import (
    profile_of as profile_of,
)
from .profile import (
    zone_of as zone_of,
)
from .search import Filter as Filter
from .search import Hit as Hit
from .search import Question as Question
from .search import Recalled as Recalled
from .summaries import (
    DraftBullet as DraftBullet,
)
from .summaries import (
    Extract as Extract,
)
from .summaries import (
    SummaryDraft as SummaryDraft,
)
from .summaries import (
    SummaryRequest as SummaryRequest,
)
from .summaries.summarizer import WrittenBatch as WrittenBatch
from .tools.memory_tools import MemoryTools as MemoryTools
from .trust.provenance import Foreign as Foreign
from .trust.provenance import Provenance as Provenance
from .vault import Vault as Vault

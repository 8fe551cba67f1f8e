from .batches import MOST_MESSAGES as MOST_MESSAGES
from .erasure import SessionOverview as SessionOverview
from .evals import Exam as Exam
from .guidance.proposals import ProposedChange as ProposedChange
from .guidance.versions import Version as Version
from .imports.bulk import BulkOrder as BulkOrder
from .imports.claimable import IMPORT as IMPORT
from .imports.claimable import IMPORTED as IMPORTED
from .imports.imports import ImportRow as ImportRow
from .ledger import (
    Ledger as Ledger,
)
from .ledger import (
    Rule as Rule,
)
from .ledger import (
    Wrong as Wrong,
)
from .ledger import (
    count_mismatch as count_mismatch,
)
from .ledger import (
    violation as violation,
)
from .log import READS as READS
from .log import Log as Log
from .log import StorePlace as StorePlace
from .log import Tenant as Tenant
from .log import copy_rows as copy_rows
from .log import counts as counts
from .log import delete_rows as delete_rows
from .log import has_other_rows as has_other_rows
from .log import loss_notice as loss_notice
from .log import open_log as open_log
from .log import open_store as open_store
from .log import place_of as place_of
from .log import rename_tenant as rename_tenant
from .log import store_file as store_file
from .log import to_postgres as to_postgres
from .log import to_sqlite as to_sqlite
from .models import (
    Batch as Batch,
)
from .models import (
    Bullet as Bullet,
)
from .models import (
    Message as Message,
)
from .models import (
    Origin as Origin,
)
from .models import (
    Said as Said,
)
from .models import (
    Session as Session,
)
from .models import (
    Turn as Turn,
)
from .operations.job_runs import JobRun as JobRun
from .operations.usage import Usage as Usage
from .operations.usage import spent_in as spent_in

from . import daily_note as daily_note
from . import fact as fact
from . import recurrence as recurrence
from . import redaction as redaction
from . import task as task
from . import task_list as task_list
from .daily_note import is_mere_link as is_mere_link
from .daily_note import is_summary as is_summary
from .daily_note import lines_of as lines_of
from .fact import Fact as Fact
from .fact import unmarked as unmarked
from .kinds import kind_of as kind_of
from .markdown import (
    MAX_FRONT_MATTER as MAX_FRONT_MATTER,
)
from .markdown import (
    block_id as block_id,
)
from .markdown import (
    code_spans as code_spans,
)
from .markdown import (
    date_in as date_in,
)
from .markdown import (
    fenced as fenced,
)
from .markdown import (
    headings as headings,
)
from .markdown import (
    inert as inert,
)
from .markdown import (
    lines as lines,
)
from .markdown import (
    plain as plain,
)
from .markdown import (
    privacy as privacy,
)
from .markdown import (
    split_front_matter as split_front_matter,
)
from .markdown import (
    strip_block_id as strip_block_id,
)
from .markdown import (
    unlinked as unlinked,
)
from .task import Task as Task

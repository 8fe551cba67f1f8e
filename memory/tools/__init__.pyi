from . import skills as skills
from .mcp_server import serve as serve
from .memory_tools import TOOLS as TOOLS
from .memory_tools import MemoryTools as MemoryTools
from .output import WEAK as WEAK
from .output import visible as visible
from .save import as_theirs as as_theirs
from .skills import Skill as Skill

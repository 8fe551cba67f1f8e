"""With whom Sam talks: one person alone, or a group; what follows for prompt, tools and commands.

A group has a profile of its own, with a vault and a log of its own: what is its owner's is not
there to be told, whatever a model is talked into.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from memory import is_group
from memory.tools import TOOLS as MEMORY_TOOLS

from ..prompt.instructions import GROUP_GUIDE, GUIDE
from ..tools import TOOLS


@dataclass(frozen=True, slots=True)
class Company:
    """`tools`: the names of the memory's tools that the model may call, in order."""

    guide: str
    memory_tools: tuple[str, ...]
    tools: Mapping[str, Callable[..., Awaitable[str]]]


OTHERS = {tool.__name__: tool for tool in TOOLS}
ALONE = Company(GUIDE, MEMORY_TOOLS, OTHERS)
# In a group nobody can have anything written or changed: what is there only reads.
GROUP = Company(
    GROUP_GUIDE,
    ("search_memory", "get_memory", "get_recent_conversations"),
    {"days_between": OTHERS["days_between"]},
)


def company(profile: str) -> Company:
    """Who is there when that profile's Sam answers."""
    return GROUP if is_group(profile) else ALONE

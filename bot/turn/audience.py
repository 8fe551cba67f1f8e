"""Per-audience policy: prompt, tools and commands for private chats and groups.

A group has its own profile with its own vault and log, so that no prompt injection can reveal the
owner's data.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from memory import is_group
from memory.tools import TOOLS as MEMORY_TOOLS

from ..prompt.instructions import GROUP_GUIDE, GUIDE
from ..tools import TOOLS


@dataclass(frozen=True, slots=True)
class AudiencePolicy:
    """`memory_tools`: the memory tools that the model may call, in order. `keeps_media`: whether it
    may keep files in the vault. `web`: whether it may search the web if WEB_SEARCH is on."""

    guide: str
    memory_tools: tuple[str, ...]
    tools: Mapping[str, Callable[..., Awaitable[str]]]
    keeps_media: bool = False
    web: bool = False


OTHERS = {tool.__name__: tool for tool in TOOLS}
ALONE = AudiencePolicy(GUIDE, MEMORY_TOOLS, OTHERS, keeps_media=True, web=True)
# Tools for groups are read-only.
GROUP = AudiencePolicy(
    GROUP_GUIDE,
    ("search_memory", "get_memory", "get_recent_conversations"),
    {"days_between": OTHERS["days_between"]},
)


def audience_policy(profile: str) -> AudiencePolicy:
    return GROUP if is_group(profile) else ALONE

"""The memory tools as MCP has them: titles, hints, and results as text and as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, get_args, get_origin, get_type_hints

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata, func_metadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import TypeAdapter

from memory import Memory, MemoryTools, SamError
from memory.text import clipped, disarm, one_line
from memory.tools import OWNER, READING, ToolResult

READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
CHANGES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)
HINTS: Mapping[str, ToolAnnotations] = {
    **dict.fromkeys(READING, READS),
    **dict.fromkeys(("save_memory", "create_note"), ADDS),
}
"""The hints about a tool, by which a client decides whether to ask its user; the default is
CHANGES."""

UNNAMED = "another program"
LONGEST_NAME = 40  # characters of a client's name in a note


@dataclass(frozen=True, slots=True)
class PlainText:
    """The answer of a tool that has no fields for it."""

    text: str


class Arguments(FuncMetadata):
    """The arguments of a tool. Those that are null are left out: some clients send all of them."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that are given, parsed as the SDK does it."""
        return super().pre_parse_json({n: each for n, each in data.items() if each is not None})


def memory_tool(memory: Memory, name: str) -> Tool:
    method = getattr(MemoryTools(memory), name)
    returned = get_type_hints(method)["return"]
    kind = get_args(returned)[0] if get_origin(returned) is ToolResult else PlainText

    async def call(ctx: Context[Any, Any], **given: object) -> CallToolResult:
        tools = MemoryTools(memory, client=client_name(ctx))
        try:
            said = await getattr(tools, name)(**given)
        except SamError as wrong:
            raise ToolError(disarm(str(wrong))) from wrong
        return result(said, said.data if isinstance(said, ToolResult) else PlainText(said))

    made = Tool(
        fn=call,
        name=name,
        description=method.__doc__ or "",
        parameters={},
        fn_metadata=func_metadata(method, structured_output=False),
        is_async=True,
        context_kwarg="ctx",
    )
    return describe_tool(made, kind)


def describe_tool(tool: Tool, kind: type) -> Tool:
    """Return the tool with its title and hints, and `kind`, a dataclass, as the schema of its
    result; an argument that it does not have is refused by its name."""
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    return tool.model_copy(
        update={
            "description": cleandoc(tool.description),
            "title": tool.name.replace("_", " ").capitalize(),
            "parameters": arguments.model_json_schema(by_alias=True),
            "fn_metadata": Arguments(arg_model=arguments, output_model=kind),
            "annotations": HINTS.get(tool.name, CHANGES),
        }
    )


def result(text: str, data: object) -> CallToolResult:
    """Return the text and the data, a dataclass, as a result without a prompt's own markup."""
    fields = TypeAdapter(type(data)).dump_python(data, mode="json")
    return CallToolResult(
        content=[TextContent(type="text", text=disarm(text))], structured_content=_disarmed(fields)
    )


def client_name(ctx: Context[Any, Any]) -> str:
    """Return the name that the calling program gave, for the notes that it writes.

    Its text is never attributed to the owner."""
    params = ctx.session.client_params
    name = clipped(one_line(disarm(params.client_info.name)), LONGEST_NAME) if params else ""
    return UNNAMED if name.strip().lower() in ("", OWNER) else name.strip()


def _disarmed(value: Any) -> Any:
    match value:
        case str():
            return disarm(value)
        case list():
            return [_disarmed(each) for each in value]
        case dict():
            return {name: _disarmed(each) for name, each in value.items()}
    return value

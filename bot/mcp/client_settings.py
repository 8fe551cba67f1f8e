"""The configuration of MCP clients for using Sam's memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory import OWNER, ConfigError

NAME = "sam-memory"
TOKEN = "YOUR_TOKEN"
CLIENTS: Mapping[str, str] = {
    "claude-code": "into .mcp.json in the folder of a project",
    "claude-desktop": "into claude_desktop_config.json (Settings, Developer, Edit config)",
    "cursor": "into ~/.cursor/mcp.json, or .cursor/mcp.json in the folder of a project",
}
"""The clients, and the locations of their configuration."""


def client_settings(client: str, profile: str, env_file: Path | None, url: str = "") -> str:
    """Return the settings as JSON: to start `sam mcp`, or with `url` to ask one that runs.

    Raises ConfigError for a client that cannot do it.
    """
    if url and client == "claude-desktop":
        raise ConfigError(["Claude Desktop can only start programs, not send a token: omit --http"])
    server: dict[str, Any]
    if url:
        server = {"url": url, "headers": {"Authorization": f"Bearer {TOKEN}"}}
        if client == "claude-code":
            server = {"type": "http", **server}
    else:
        words = ["mcp"] if profile == OWNER else ["mcp", "--profile", profile]
        sam = Path(sys.executable).with_name("sam")
        server = {"command": str(sam), "args": words}
        if not sam.exists():  # run from its source
            server = {"command": sys.executable, "args": ["-m", "bot", *words]}
        if env_file is not None and env_file.exists():
            # The client starts it in its own folder, which has no `.env`.
            server["env"] = {"SAM_ENV_FILE": str(env_file.resolve())}
        if client == "claude-code":
            server = {"type": "stdio", **server}
    name = NAME if profile == OWNER else f"{NAME}-{profile}"
    return json.dumps({"mcpServers": {name: server}}, indent=2)

"""The memory tools that a model may call, and the MCP server that offers them."""

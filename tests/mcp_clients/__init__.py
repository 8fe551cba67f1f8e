"""Run the protocol's own test clients against the real `sam mcp` (`make mcp-test`)."""

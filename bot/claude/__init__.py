"""The Anthropic client: requests, streaming, retries, prices and the budget."""

"""Summaries by a model: of a batch of messages, in bulk, and what was learned of an import."""

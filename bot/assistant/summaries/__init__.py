"""Summarise messages with a model, one batch at a time or in bulk; report on finished imports."""

"""Imported conversations, and the imports they came from."""

"""In-memory search cache of one index generation."""

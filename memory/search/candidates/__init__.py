"""Questions, hits, and candidate retrieval from an index by SQL."""

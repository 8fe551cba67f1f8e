"""Questions, hits, and candidate retrieval from the index by SQL."""

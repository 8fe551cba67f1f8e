"""Questions, hits, and the candidates for them that SQL finds in an index."""

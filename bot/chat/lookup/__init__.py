"""Find what Sam remembers, and open it."""

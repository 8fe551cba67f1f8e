"""Sam's memory: a vault of markdown, a log of what was said, and an index derived from both."""

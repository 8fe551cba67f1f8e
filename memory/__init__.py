"""Sam's memory: a vault of markdown, a log of what was said, and an index derived from both.

It knows nothing about Telegram, Claude or schedules. `Memory` is where to begin: `memory.core`.
"""

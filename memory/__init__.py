"""Sam's memory: a vault of markdown, a log of what was said, and an index derived from both.

This is its public API; begin with `Memory.open`. `__init__.pyi` lists the names, here and in the
packages below. A name is imported when it is first used, so that a command
imports only what it needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

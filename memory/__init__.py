"""Sam's memory: a Markdown vault, a conversation log, and an index derived from both.

This is its public API; start with `Memory.open`. `__init__.pyi` lists the names, here and in the
packages below. Names are imported on first use, so that a command loads only the modules it needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

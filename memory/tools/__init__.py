"""The memory tools that a model may call, with their answers as text and as data."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

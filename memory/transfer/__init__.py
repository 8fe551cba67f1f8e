"""Import conversations and notes from other programs, and export all of Sam's data."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Facts extracted from conversations and checked against them, one line each in knowledge/."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""The owner's files that guide Sam: changes that a model proposes, and earlier versions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Trust: provenance of what a model has seen, and what it may read and write."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

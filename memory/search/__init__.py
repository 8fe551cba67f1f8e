"""Search: a question → hits, from the candidates of the index to one score for each passage."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

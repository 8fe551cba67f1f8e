"""History of Sam's edits: what changed, undo and redo, the list of what memory learned."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Import of conversations and notes from elsewhere, and export of all that Sam keeps."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""The vault: the only writer of notes; resolves, scans, reads, writes and watches them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

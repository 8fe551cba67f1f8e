"""Back up all of Sam's data to one file while it runs, and restore it.

The caller passes the folders and databases.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

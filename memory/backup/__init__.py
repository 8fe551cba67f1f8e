"""Backups of all of Sam in one file, made while it runs, and their restore.

The caller passes the folders and databases.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

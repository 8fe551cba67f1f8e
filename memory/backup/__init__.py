"""Backups: one file that holds all of Sam, made while it runs; and the way back.

Which folders and databases there are, it is told."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""The web console, `sam web`: browse, search and correct the memory."""

from .server import new_link, serve

__all__ = ["new_link", "serve"]

"""The web console, `sam web`: look at memory, search and correct it in a browser."""

from .server import new_link, serve

__all__ = ["new_link", "serve"]

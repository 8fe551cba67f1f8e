"""The web console, `sam web`: browse, search and correct the memory."""

from .server import new_link, serve

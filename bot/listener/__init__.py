"""HTTP on an address of this machine: listen, know the own addresses, serve until a signal."""

from .listener import THIS_MACHINE, address, home_url, listen, origins, serve, serving

__all__ = ["THIS_MACHINE", "address", "home_url", "listen", "origins", "serve", "serving"]

"""HTTP on an address of this machine: parse it, list its origins, serve until a signal."""

from .listener import THIS_MACHINE, address, home_url, listen, origins, serve, serving

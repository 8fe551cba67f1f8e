"""The MCP server: memory for other programs, on standard input and output or over HTTP."""

from . import http
from .client_settings import CLIENTS, client_settings
from .server import MemoryServer, serve_stdio

__all__ = ["CLIENTS", "MemoryServer", "client_settings", "http", "serve_stdio"]

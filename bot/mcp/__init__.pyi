from . import http as http
from .client_settings import CLIENTS as CLIENTS
from .client_settings import client_settings as client_settings
from .server import MemoryServer as MemoryServer
from .server import serve_stdio as serve_stdio

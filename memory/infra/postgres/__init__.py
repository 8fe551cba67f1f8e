"""The store of one owner in PostgreSQL. It imports psycopg only when such a store is opened."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

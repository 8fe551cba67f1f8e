"""Parse time expressions in eleven languages: the period that a question names, when a task is due.

It uses no log, no vault and no clock.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

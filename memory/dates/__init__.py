"""What people say about days and times: the period that a question names, and when a task is due.

It reads words in ten languages, and knows no log, no vault and no clock.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

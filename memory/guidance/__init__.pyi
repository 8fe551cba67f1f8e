from . import propose as propose
from .guidance import Guidance as Guidance
from .guidance import Restored as Restored
from .guidance import is_guidance as is_guidance

from . import propose as propose
from .guidance import Guidance as Guidance

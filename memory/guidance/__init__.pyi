from .guidance import Guidance as Guidance
from .guidance import Restored as Restored
from .guidance import is_guidance as is_guidance
from .line_changes import changed_lines as changed_lines
from .line_changes import difference as difference

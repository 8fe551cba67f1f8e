"""The supported languages: each has a file, and an entry here."""

from .chinese import CHINESE
from .dutch import DUTCH
from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .italian import ITALIAN
from .japanese import JAPANESE
from .language import Language
from .polish import POLISH
from .portuguese import PORTUGUESE
from .russian import RUSSIAN
from .spanish import SPANISH

__all__ = ["LANGUAGES", "Language"]

LANGUAGES = (
    ENGLISH,
    GERMAN,
    FRENCH,
    SPANISH,
    ITALIAN,
    PORTUGUESE,
    DUTCH,
    POLISH,
    RUSSIAN,
    JAPANESE,
    CHINESE,
)

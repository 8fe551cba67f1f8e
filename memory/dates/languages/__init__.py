"""The words for time: each language has a file, and an entry here."""

from .chinese import CHINESE
from .dutch import DUTCH
from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .italian import ITALIAN
from .japanese import JAPANESE
from .locale import Locale
from .polish import POLISH
from .portuguese import PORTUGUESE
from .russian import RUSSIAN
from .spanish import SPANISH

__all__ = ["LOCALES", "Locale"]

LOCALES = (
    ENGLISH,
    GERMAN,
    FRENCH,
    SPANISH,
    ITALIAN,
    PORTUGUESE,
    DUTCH,
    RUSSIAN,
    POLISH,
    JAPANESE,
    CHINESE,
)

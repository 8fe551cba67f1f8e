"""What comes besides text: photos, documents, voice messages, places, polls."""

from .album import album
from .correction import CORRECTED, HEARD, HEARD_KEY, correct
from .files import MediaFiles
from .incoming import Attachment, Content, content
from .keeper import Keeper
from .reader import Fetch, Reader, Reading
from .turn_messages import Incoming, incoming, joined, words_of

__all__ = [
    "CORRECTED",
    "HEARD",
    "HEARD_KEY",
    "Attachment",
    "Content",
    "Fetch",
    "Incoming",
    "Keeper",
    "MediaFiles",
    "Reader",
    "Reading",
    "album",
    "content",
    "correct",
    "incoming",
    "joined",
    "words_of",
]

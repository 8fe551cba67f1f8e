"""Messages other than text: photos, documents, voice messages, places, polls."""

from .correction import CORRECTED, HEARD, HEARD_KEY, correct, heard_as
from .files import MediaFiles
from .incoming import Attachment, Content, Incoming, content, incoming, joined, words_of
from .keeper import Keeper
from .reader import Fetch, Reader, Reading
from .speech import Speaker

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
    "Speaker",
    "content",
    "correct",
    "heard_as",
    "incoming",
    "joined",
    "words_of",
]

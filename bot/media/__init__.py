"""Messages other than text: photos, documents, voice messages, places, polls."""

from .attachments import Keeper, file_words
from .correction import (
    CORRECTED,
    HEARD,
    VOICE_KEY,
    answered_words,
    correct,
    repeated_message,
    transcript_key,
    transcript_reply,
    without_voice_label,
)
from .files import MediaFiles
from .message_content import (
    FILE,
    Attachment,
    Content,
    Incoming,
    content,
    incoming,
    is_poll,
    is_shared,
    join_album,
    own_words,
)
from .reader import Reader, Reading
from .speech import Speaker

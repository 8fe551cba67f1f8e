"""The errors of the bot, below memory's `SamError`.

SamError
├── ModelError            Claude gave no usable answer
│   ├── ModelDown         overloaded, limited, cut off: worth another try later
│   │   └── AnswerUnusable  the answer is truncated, or not in the form that was asked for
│   ├── ModelRefused      the key, the model or the request is not accepted
│   ├── ModelDeclined     the model declined to answer
│   └── BudgetSpent       the day's budget is used up
├── ChatError             Telegram rejected a request, or did not answer
│   ├── TelegramDown      Telegram does not answer for now
│   ├── ChatClosed        the bot was blocked, or the chat is gone
│   ├── MessageRefused    the message is not accepted in this form
│   ├── TooLarge          a file is too large to fetch
│   └── TokenRefused      the bot's token is not accepted
├── FileNotStored         the disk is full, or refuses a file that was sent
├── TranscriberDown       speech could not be turned into text
├── SpeakerDown           a text could not be turned into speech
├── SyncError             the remote could not be reached or written
│   ├── SyncStopped       the owner has to look at it before anything is changed
│   │   └── SyncUnasked   two full sides meet for the first time
│   ├── RcloneMissing     no rclone, or one that is too old
│   └── RemoteFailed      rclone ended with an error
└── NoTerminal            `sam run` has neither a token nor a terminal
"""

from __future__ import annotations

import errno

from memory import SamError

ERROR_IN_SAM = "an error in Sam itself: the log has the details"
"""The text shown for an unexpected error; its class and traceback are in the log."""


class ModelError(SamError):
    """Claude gave no usable answer. `to_others`: what guests and groups read instead of the
    message, if that is about the settings; see `described`."""

    to_others: str = ""


class ModelDown(ModelError):
    """Overloaded, rate limited or cut off: worth another try later.

    `retry_after`: seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class AnswerUnusable(ModelDown):
    """An answer came and was paid for, but it is truncated or not in the form asked for."""


class ModelRefused(ModelError):
    """The key, the model or the request is not accepted. `said`: the API's own words.

    `of_request`: the endpoint does not understand the kind of request.
    """

    def __init__(self, message: str, *, said: str = "", of_request: bool = False) -> None:
        self.said, self.of_request = said, of_request
        super().__init__(message)


class ModelDeclined(ModelError):
    """The model declined to answer."""


class BudgetSpent(ModelError):
    """The day's budget is used up."""


class ChatError(SamError):
    """Telegram rejected a request, or did not answer."""


class TelegramDown(ChatError):
    """Telegram does not answer for now. `retry_after`: seconds that it asks to wait, if it does.
    `unsure`: it may have done what it was asked for."""

    def __init__(
        self, message: str, *, retry_after: float | None = None, unsure: bool = False
    ) -> None:
        self.retry_after, self.unsure = retry_after, unsure
        super().__init__(message)


class ChatClosed(ChatError):
    """Nothing can be sent to the chat: the bot was blocked, or the chat is gone."""


class MessageRefused(ChatError):
    """Telegram does not accept the message in this form. `unknown`: it lacks the method."""

    def __init__(self, message: str, *, unknown: bool = False) -> None:
        self.unknown = unknown
        super().__init__(message)


class TooLarge(ChatError):
    """The file is larger than MEDIA_MAX_MB, or than Telegram gives to bots."""


class TokenRefused(ChatError):
    """The bot's token is not accepted."""


class FileNotStored(SamError):
    """The disk is full, or refuses a file that was sent."""


class TranscriberDown(SamError):
    """The transcription endpoint does not answer, or not with text."""


class SpeakerDown(SamError):
    """The speech endpoint does not answer, or not with a voice message."""


class SyncError(SamError):
    """The remote could not be reached or written."""


class SyncStopped(SyncError):
    """A side has lost its files, or something else that the owner has to look at first.

    `mark` identifies the question to the owner, so that it is asked once although its text may
    change; by default the text does.
    """

    def __init__(self, message: str, *, mark: str = "") -> None:
        self.mark = mark or message
        super().__init__(message)


class SyncUnasked(SyncStopped):
    """Two full sides meet for the first time, and the owner has not agreed to that yet."""


class RcloneMissing(SyncError):
    """There is no rclone, or it is too old."""


class RemoteFailed(SyncError):
    """rclone ended with an error."""


class NoTerminal(SamError):
    """There is neither a Telegram token nor a terminal."""


def file_advice(error: OSError) -> tuple[str, str] | None:
    """Return which file cannot be opened or written, and what to do about it: this user may not, or
    its disk is full or read-only. None for another error."""
    file = error.filename or "a file"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{file} cannot be written ({error.strerror})", "free up space"
    if error.errno == errno.EROFS:
        return f"{file} cannot be written ({error.strerror})", "make its disk writable"
    if error.filename is None or not isinstance(error, PermissionError):
        return None
    advice = "run Sam as the user that owns it, or fix its permissions"
    return f"{file} cannot be opened ({error.strerror})", advice


def described(error: Exception, profile: str = "") -> str:
    """Return an error's message in the current language; a reason in brackets that somebody else
    gave stays as it is. `profile`: the one that reads it, "" for the owner's; others read no
    settings."""
    # Imported here: `sam --help` shows no error in another language.
    from memory import OWNER
    from memory.text import tr

    if profile not in ("", OWNER) and (plain := getattr(error, "to_others", "")):
        return tr(plain)
    reason = getattr(error, "said", "")
    end = f" ({reason})" if reason else ""
    return tr(str(error).removesuffix(end)) + end

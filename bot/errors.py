"""The errors of the bot, below memory's `SamError`.

SamError
├── ModelError            Claude gave no usable answer
│   ├── ModelDown         overloaded, limited, cut off: worth another try later
│   ├── ModelRefused      the key, the model or the request is not accepted
│   ├── ModelDeclined     the model declined to answer
│   └── BudgetSpent       the day's budget is used up
├── ChatError             Telegram did not take it
│   ├── TelegramDown      for now
│   └── TokenRefused      the bot's token is not accepted
├── SyncError             the remote could not be reached or written
│   ├── RcloneMissing     no rclone, or one that is too old
│   └── RemoteFailed      rclone ended with an error
└── NoTerminal            `sam run` has neither a token nor a terminal
"""

from __future__ import annotations

from memory.errors import SamError


class ModelError(SamError):
    """Claude gave no usable answer."""


class ModelDown(ModelError):
    """Overloaded, rate limited or cut off: worth another try later."""


class ModelRefused(ModelError):
    """The key, the model or the request is not accepted."""


class ModelDeclined(ModelError):
    """The model declined to answer."""


class BudgetSpent(ModelError):
    """The day's budget is used up."""


class ChatError(SamError):
    """Telegram did not take it."""


class TelegramDown(ChatError):
    """Telegram does not answer for now."""


class TokenRefused(ChatError):
    """The bot's token is not accepted."""


class SyncError(SamError):
    """The remote could not be reached or written."""


class RcloneMissing(SyncError):
    """There is no rclone, or it is too old."""


class RemoteFailed(SyncError):
    """rclone ended with an error."""


class NoTerminal(SamError):
    """There is neither a Telegram token nor a terminal."""

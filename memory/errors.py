"""The errors of memory. Each one's text is a sentence for the user that says what to do.

SamError                  base of all errors that are raised on purpose
├── ConfigError           settings are wrong; carries every problem at once
├── VaultError            a note cannot be read or written
│   ├── PathRefused       outside the vault, or not a name for a note
│   ├── NoteMissing       no such note
│   ├── NoteUnreadable    too large, a device, no permission
│   ├── EditRefused       the text to change is missing, or occurs twice
│   └── VaultGone         a vault that was used before is missing, empty or unreadable
├── StoreError            a database cannot be used
│   ├── StoreBusy         another process has it locked for too long
│   ├── StoreDown         a database server does not answer
│   ├── ServedElsewhere   another worker serves this profile
│   ├── StoreFull         no space, or the disk refuses writes
│   └── StoreCorrupt      the database file is damaged
├── BackupError           a backup could not be made, or only with gaps
│   ├── BackupDamaged     the backup file is incomplete or damaged
│   └── RestoreRefused    there is something where the backup should go
├── LockHeld              another process owns the lock
├── EmbedError            an embedding could not be made
│   ├── EmbedderDown      the provider does not answer for now: worth another try later
│   └── EmbedderRefused   the provider refuses until a setting changes
├── SearchRefused         a search asks for too much at once
├── SummaryError          a batch could not be summarised; it will be tried again
└── TransferRefused       a file cannot be imported, or the folder not be exported to
    └── UnknownFormat     a file has no format that can be imported
"""

from __future__ import annotations

from collections.abc import Sequence


class SamError(Exception):
    """Base of all errors that Sam raises on purpose."""


class ConfigError(SamError):
    """Settings are wrong. `problems` holds one sentence for each, with its fix."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class VaultError(SamError):
    """A note cannot be read or written."""


class PathRefused(VaultError):
    """The path leaves the vault, or cannot be the name of a note."""


class NoteMissing(VaultError):
    """There is no such note."""


class NoteUnreadable(VaultError):
    """The note is there and cannot be read."""


class EditRefused(VaultError):
    """The edit does not fit the note: its text is missing, or not unique."""


class VaultGone(VaultError):
    """A vault that was used before is missing, empty or unreadable now."""


class StoreError(SamError):
    """A database cannot be used."""


class StoreBusy(StoreError):
    """Another process has had the database locked for too long."""


class StoreDown(StoreError):
    """The database server does not answer for now."""


class ServedElsewhere(StoreError):
    """Another worker has the lease of this profile, or took it from this one."""


class StoreFull(StoreError):
    """The disk is full, or refuses to be written."""


class StoreCorrupt(StoreError):
    """The database file is damaged."""


class BackupError(SamError):
    """A backup could not be made, or is incomplete."""


class BackupDamaged(BackupError):
    """The backup file is incomplete or damaged."""


class RestoreRefused(BackupError):
    """There is something where the backup should go, or no room for it."""


class LockHeld(SamError):
    """Another process owns the lock."""


class EmbedError(SamError):
    """A text could not be embedded."""


class EmbedderDown(EmbedError):
    """The provider does not answer for now."""


class EmbedderRefused(EmbedError):
    """The provider refuses: a key, a model or a dimension is wrong."""


class SearchRefused(SamError):
    """A search asks for too much at once."""


class TransferRefused(SamError):
    """The file cannot be imported, or nothing can be exported to that folder."""


class UnknownFormat(TransferRefused):
    """The file has no format that can be imported."""


class SummaryError(SamError):
    """A batch could not be summarised for now; its messages stay pending."""

"""Four questions to a new owner, whose answers become proposed changes of his files."""

from .introduction import ACTION, ASKED, DONE, answer, begin, typed

__all__ = ["ACTION", "ASKED", "DONE", "answer", "begin", "typed"]

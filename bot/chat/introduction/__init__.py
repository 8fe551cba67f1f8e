"""Four questions to a new owner; the answers become proposed changes to their files."""

from .introduction import ACTION, ASKED, DONE, answer, answers_so_far, begin, take_typed_answer

__all__ = ["ACTION", "ASKED", "DONE", "answer", "answers_so_far", "begin", "take_typed_answer"]

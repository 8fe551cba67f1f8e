"""Four questions to a new owner; the answers become proposed changes to their files."""

from .introduction import ASKED, DONE, answer, answers_so_far, begin, take_typed_answer
from .questions import ACTION

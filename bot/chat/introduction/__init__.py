"""Four questions to a new owner, whose answers become proposed changes to their files; and
/timezone, which changes one of the answers later."""

from .introduction import ASKED, DONE, answer, answers_so_far, begin, take_typed_answer
from .questions import ACTION

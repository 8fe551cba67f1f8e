"""What Sam asks its owner to decide, with buttons."""

from .contradictions import ask_which, contradictions_of, question_is_due
from .long_memory import ask_about_long_memory, is_too_long
from .proposals import buttons, format_proposal, has_unshown_proposal, show_proposals

"""The list of what memory learned, as text and buttons."""

from .listing import ASKED, LOGGED, LONGEST, listing, of_argument, to_do

__all__ = ["ASKED", "LOGGED", "LONGEST", "listing", "of_argument", "to_do"]

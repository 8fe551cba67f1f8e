"""The list of what memory learned, as text and buttons."""

from .listing import ASKED, LOGGED, LONGEST, listing, parse_argument, to_do

__all__ = ["ASKED", "LOGGED", "LONGEST", "listing", "parse_argument", "to_do"]

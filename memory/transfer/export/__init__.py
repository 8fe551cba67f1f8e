"""Export all of Sam's data in formats for people and other programs."""

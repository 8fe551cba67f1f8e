"""The recall benchmark: several sets of conversations and notes, with questions put to Memory."""

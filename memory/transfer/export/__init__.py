"""The export of all that Sam keeps, in forms that other programs and people can read."""

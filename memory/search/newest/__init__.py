"""The newest statement of a subject first: decide what a newer statement replaces."""

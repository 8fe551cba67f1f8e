"""Mutations of the core, a seeded sample of them, and whether a test notices each."""

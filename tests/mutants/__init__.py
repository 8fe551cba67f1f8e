"""Mutation testing: a seeded sample of mutations of the core, and whether a test catches each."""

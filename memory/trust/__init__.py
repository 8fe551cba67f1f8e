"""Provenance, and what a model may read and write."""

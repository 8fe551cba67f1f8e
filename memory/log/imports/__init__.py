"""Conversations that were imported from elsewhere, and the imports that brought them."""

"""Fake servers for the external APIs (Telegram, Claude, embeddings, speech), on loopback."""

"""Parsers for other programs' exports of conversations; each yields a stream of messages."""

"""Parsers for the exports of apps for notes and journals; each yields a stream of messages."""

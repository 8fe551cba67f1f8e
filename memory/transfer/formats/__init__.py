"""The forms in which other programs export conversations, each read as a stream of messages."""

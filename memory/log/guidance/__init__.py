"""Proposed changes to the owner's files, and earlier versions of them, in the log."""

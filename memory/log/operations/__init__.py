"""Records of what Sam does: usage, job runs, edits and writes of notes, feedback, small values."""

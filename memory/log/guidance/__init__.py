"""What the log keeps about the owner's files: proposed changes, and earlier texts."""

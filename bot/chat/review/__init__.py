"""The owner's last word: what Sam knows, why it knows it, and how to forget it."""

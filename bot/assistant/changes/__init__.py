"""What memory learned, shown to its owner."""

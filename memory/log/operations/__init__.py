"""Records of Sam's own operation: usage, job runs, writes to the vault, feedback, small values."""

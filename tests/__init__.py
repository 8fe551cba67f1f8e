"""The tests: real SQLite, files and SDKs; only the far end of a wire is faked."""

"""SQLite, files, locks and the clock; no domain logic."""

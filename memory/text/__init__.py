"""What is done with text alone: no clock, no file, no database."""

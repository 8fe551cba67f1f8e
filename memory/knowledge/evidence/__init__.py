"""What the sources of a line support: its quotation, days, numbers, names and words. Pure."""

"""Measures of how easy the code is to find one's way in: `make house` prints them."""

"""Measures of how easy the code is to navigate: `make house` prints them."""

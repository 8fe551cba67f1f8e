"""Backups: one file that holds all of Sam, made while it runs; and the way back.

Which folders and databases there are, it is told.
"""

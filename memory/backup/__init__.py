"""Backups: one file that holds all of Sam, made while it runs; and the way back.

It knows no schedule, no settings and no bot: which folders and databases there are, it is told.
"""

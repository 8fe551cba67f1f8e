"""Shared parts of the web console's pages: access control, page rendering, notes as HTML."""

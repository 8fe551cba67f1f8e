"""Forgetting a session, purging archived copies, self-evaluation."""

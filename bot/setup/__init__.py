"""`sam setup`: the wizard, its prompts, pairing, and the remote of the sync."""

"""Review by the owner: what Sam knows, why, and how to correct or forget it."""

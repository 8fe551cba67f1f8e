"""The vault: the only writer of notes; resolves, scans, reads, writes and watches them."""

from .vault import Vault

__all__ = ["Vault"]

"""`sam sync`: exchange the vault with the remote, once."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which way; both without."""
    parser.add_argument("way", nargs="?", choices=("pull", "push"), help="one way only")


def run(args: argparse.Namespace) -> int:
    """Print what changed."""
    raise SystemExit(2)

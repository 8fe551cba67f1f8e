"""`sam web`: the web console, on this machine."""

from __future__ import annotations

import argparse
import asyncio

from ...settings import load
from ..profiles import add_profile, existing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add --profile, and what to do instead of serving: --link, --sign-out."""
    add_profile(parser, text="show this profile's memory; default: yours")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--link", action="store_true", help="print a sign-in link for a running console"
    )
    only.add_argument("--sign-out", action="store_true", help="sign out all browsers")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C, or print a link, or sign out all browsers."""
    from memory import profile_of, system_clock

    from ...chat.web_access import WebAccess

    settings = load()
    profile = existing(settings, args.profile)
    if args.sign_out:
        asyncio.run(WebAccess(profile_of(settings, profile).files, system_clock).end_all())
        print("All browsers are signed out.")
        return 0

    from ...web import new_link, serve

    if args.link:
        print(asyncio.run(new_link(settings, profile)))
        return 0
    return asyncio.run(serve(settings, profile))

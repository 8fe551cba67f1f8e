"""`sam pair`: let a Telegram account talk to the bot as its owner, or as somebody else."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from memory import OWNER, ConfigError, is_group, profile_of, system_clock

from ...settings import Settings, load
from ..plain_text import fields, show_json
from ..profiles import add_profile, existing
from ..progress import working

if TYPE_CHECKING:
    from ...inbox import Paired, People

T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command-line arguments."""
    add_profile(
        parser,
        default=None,
        text="the code, or the list, is for this profile; default: the code is for you",
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--list", action="store_true", help="list paired accounts, with dates")
    either.add_argument("--remove", type=int, metavar="ID", help="unpair this account")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print a code, the paired accounts, or that one was removed; 1 if there was none to remove."""
    settings = load()
    if args.list:
        paired = asyncio.run(_with(settings, lambda people: people.pairings()))
        return _list(settings, paired, args.profile, as_json=args.json)
    if args.remove is not None:
        return _remove(settings, args.remove, as_json=args.json)
    profile = existing(settings, args.profile or OWNER)
    if is_group(profile):
        raise ConfigError([f"{profile} is a group's: everybody in the group uses it already"])
    code = asyncio.run(_with(settings, lambda people: people.new_code(profile)))
    if args.json:
        show_json({"code": code, "minutes": 10, "profile": profile})
        return 0
    return _invite(settings, code, profile)


def _invite(settings: Settings, code: str, profile: str) -> int:
    from ...setup.pairing import invitation

    if profile != OWNER:
        print(f"Whoever sends this code uses the profile {profile}, with its memory and no other.")
        print("An account that is paired already stays so: remove it first (`sam pair --list`).")
    if settings.telegram_bot_token is None:
        print(f"Send this to the bot within ten minutes:\n\n/pair {code}\n")
        print("! No bot is set up yet: `sam setup` asks for its token.")
        return 0
    token = settings.telegram_bot_token.get_secret_value()
    with working("asking Telegram for the bot's name"):
        invited = asyncio.run(invitation(token, settings.telegram_base_url, code))
    print(invited)
    print("It confirms the pairing. It does not answer wrong codes: get a new one.")
    return 0


def _list(settings: Settings, paired: list[Paired], profile: str | None, *, as_json: bool) -> int:
    if profile is not None:
        existing(settings, profile)
        paired = [each for each in paired if each.profile == profile]
    if as_json:
        show_json([fields(each, "user_id", "profile", "at") for each in paired])
        return 0
    for each in paired:
        print(f"{each.user_id:>14}  {each.profile}, since {each.at:%Y-%m-%d %H:%M} UTC")
    if not paired:
        print("Nobody is paired with a code.")
    for user, name in settings.telegram_allowed_users.items():
        if profile in (None, name):
            print(f"{user:>14}  {name}, by TELEGRAM_ALLOWED_USERS")
    return 0


def _remove(settings: Settings, user_id: int, *, as_json: bool) -> int:
    removed = asyncio.run(_with(settings, lambda people: people.unpair(user_id)))
    if removed is not None:
        from ...chat.web_access import WebAccess

        asyncio.run(WebAccess(profile_of(settings, removed).files, system_clock).end_all())
    if as_json:
        listed = user_id in settings.telegram_allowed_users
        show_json({"user_id": user_id, "removed": removed is not None, "in_env": listed})
        return 0 if removed is not None else 1
    if removed is not None:
        print(f"{user_id} is no longer paired, and open codes are void.")
    else:
        print(f"{user_id} is not paired with a code: `sam pair --list`", file=sys.stderr)
    if user_id in settings.telegram_allowed_users:
        print("! TELEGRAM_ALLOWED_USERS still lists it: remove it there, and restart Sam.")
    return 0 if removed is not None else 1


async def _with(settings: Settings, work: Callable[[People], Awaitable[T]]) -> T:
    from ...inbox import Inbox

    inbox = await Inbox.of(settings, system_clock)
    try:
        return await work(inbox.people)
    finally:
        await inbox.close()

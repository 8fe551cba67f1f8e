"""/timezone: show the owner's time zone, or change it in user.md."""

from __future__ import annotations

import asyncio
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.text import mark, short_day, tr, zone_wish

from ...assistant import Assistant
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Outcome, Press, Shown
from .introduction import USER, update_user
from .places import city, is_more_than_place, is_offset, zones_named
from .questions import NO_PLACE, SEVERAL_ZONES, UNKNOWN_ZONE

CHOOSE = "timezone.choose"
CAUSE = "timezone"
EXAMPLE = mark("For example: `/timezone Madrid`")
IS = mark("Your time zone is {zone}, where it is {now}. To change it: `/timezone Madrid`")
CHANGED = mark(
    "Your time zone is {zone} now, where it is {now}. Reminders keep their time of day; /undo "
    "takes this back."
)
_LONGEST_PLACE = 3  # words of a place that is not known: more may be another wish as well


async def timezone(call: Call) -> Shown | str:
    """Show your time zone, or change it: /timezone Tokyo"""
    if not call.words:
        zone, now = str(call.profile.memory.zone), call.at.astimezone(call.profile.memory.zone)
        return tr(IS, zone=escape(zone), now=_moment(now))
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    if is_offset(call.words):
        return f"{escape(tr(NO_PLACE))}\n\n{tr(EXAMPLE)}"
    match await asyncio.to_thread(zones_named, call.words):
        case ():
            return f"{escape(tr(UNKNOWN_ZONE))}\n\n{tr(EXAMPLE)}"
        case (zone,):
            return await _changed(call.profile, zone, call.at)
        case zones:
            times = {zone: call.at.astimezone(ZoneInfo(zone)) for zone in zones}
            rows = [
                (Button(f"{city(zone)} {now:%H:%M}", CHOOSE, {"zone": zone}),)
                for zone, now in times.items()
            ]
            return Shown(escape(tr(SEVERAL_ZONES)), tuple(rows))


async def choose(press: Press) -> Outcome:
    """Change the time zone to the button's."""
    if await press.profile.turns.incognito.is_on(press.chat):
        return Outcome(toast=tr(NOT_NOW))
    said = await _changed(press.profile, str(press.argument["zone"]), press.at)
    return Outcome(replace=Shown(said))


async def asked_zone(text: str) -> str:
    """Return the place in a message that clearly asks for its time zone; "" for any other one."""
    place, is_order = zone_wish(text)
    if not place or is_more_than_place(place):
        return ""
    is_known = await asyncio.to_thread(zones_named, place)
    return place if is_known or (is_order and len(place.split()) <= _LONGEST_PLACE) else ""


async def _changed(profile: Assistant, zone: str, at: datetime) -> str:
    """Write the time zone into user.md and use it at once; return what to say."""
    memory = profile.memory
    path = memory.vault.own(USER)
    await memory.guidance.keep([path])
    await memory.vault.edit(
        path,
        lambda text: update_user(text, name="", language="", zone=zone),
        cause=CAUSE,
        create=True,
    )
    await memory.guidance.keep([path], cause=CAUSE)
    await profile.follow_zone()
    return tr(CHANGED, zone=escape(zone), now=_moment(at.astimezone(ZoneInfo(zone))))


def _moment(now: datetime) -> str:
    return f"{short_day(now)} {now:%H:%M}"

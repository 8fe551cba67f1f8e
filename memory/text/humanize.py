"""Format counts, sizes, durations and paths for people; shorten texts, and make them storable."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from pathlib import Path

from .catalogue import mark, short_day, tn, tr

STATES = {
    "answered": mark("answered"),
    "claimed": mark("in progress"),
    "closed": mark("finished"),
    "done": mark("done"),
    "excluded": mark("left out of summaries"),
    "failed": mark("failed"),
    "forgotten": mark("forgotten"),
    "given_up": mark("given up"),
    "open": mark("open"),
    "pending": mark("not yet summarised"),
    "received": mark("received"),
    "released": mark("taken back"),
    "sent": mark("sent"),
    "set_aside": mark("set aside"),
    "stopped": mark("stopped"),
    "to_send": mark("to send"),
    "written": mark("written"),
}
"""The display names of the states of turns, messages, batches, updates and replies."""


def plural(count: int, one: str, more: str = "") -> str:
    """Format a count with its noun: `1 note`, `1,234 notes`. `more`: an irregular plural."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def size(count: int) -> str:
    """Format a number of bytes: `12 kB`, `1.2 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def duration(seconds: float) -> str:
    """Format a duration: `less than a minute`, `about 12 min`, `about 2:30 h`."""
    if seconds < 60:
        return tr("less than a minute")
    if seconds <= 5400:
        return tr("about {minutes} min", minutes=round(seconds / 60))
    hours, minutes = divmod(round(seconds / 60), 60)
    return tr("about {hours} h", hours=f"{hours}:{minutes:02}")


def storable(text: str) -> str:
    """Remove NUL, and replace lone surrogates: databases do not accept them."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def age(day: date | None, today: date) -> str:
    """Format how long ago a day is; empty for a passage without a date."""
    if day is None:
        return ""
    days = (today - day).days
    if days < 0:
        return tn("in {count} day", "in {count} days", -days) if days < -1 else tr("tomorrow")
    if days < 2:
        return (tr("today"), tr("yesterday"))[days]
    if days < 60:
        return tn("{count} day ago", "{count} days ago", days)
    if days < 730:
        return tn("{count} month ago", "{count} months ago", days // 30)
    return tn("{count} year ago", "{count} years ago", days // 365)


def until_when(said: date | None, until: date) -> str:
    """Format until when a statement was true: one that was replaced on its own day was wrong."""
    if said == until:
        return tr("corrected later that day")
    return tr("until {until:%Y-%m-%d}", until=until)


def day_and_time(day: date, moment: time | None, today: date) -> str:
    """Format when something is due: `today 18:00`, `tomorrow`, `Fri 27 Nov 09:00`; with the year if
    it is not the current one."""
    names = {today: tr("today"), today + timedelta(days=1): tr("tomorrow")}
    named = names.get(day) or short_day(day) + ("" if day.year == today.year else f" {day.year}")
    return f"{named} {moment:%H:%M}" if moment else named


def counted(counts: Mapping[str, int]) -> str:
    """Format counts by state: `12 done, 1 set aside`; other labels are shown as they are."""
    parts = (f"{number} {tr(STATES.get(label, label))}" for label, number in sorted(counts.items()))
    return ", ".join(parts) or tr("none")


def from_home(path: Path) -> str:
    """Return a path as it is written in a shell, from the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def clipped(text: str, limit: int) -> str:
    """Truncate a text to at most `limit` characters at a word boundary, and add an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit].rstrip()
    words = (head.rsplit(None, 1) or [""])[0]
    # In a script without spaces the last word is long: cut within it.
    return f"{words if len(words) > limit * 0.7 else head} …"


def one_line(text: str) -> str:
    """Fold the text onto one line, with single spaces."""
    return " ".join(text.split())

"""The checks of `sam doctor` where systemd runs Sam: its unit, its credentials, the clock."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from pathlib import Path

from pydantic import SecretStr

from memory import Clock, config, system_clock

from ..settings import Settings, supervisor
from ..settings import env_file as envfile
from .report import Problem

UNIT = "sam.service"
BOOTED = Path("/run/systemd/system")  # sd_booted(3)
CREDENTIALS = Path("/etc/sam/credentials")
RESTARTS = 3  # after one start of the unit; one or two are normal
SKEW = 60.0  # seconds; a pairing code lives 600, a reminder comes within 60
SECONDS = 10.0  # for an answer


async def unit(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the service is enabled, runs, and is not restarted again and again."""
    for which in ((), ("--user",)):
        found = await _properties(which)
        if found.get("LoadState") == "loaded":
            break
    else:
        return
    command = " ".join(("systemctl", *which))
    journal = " ".join(("journalctl", *which, "--unit sam"))
    if found["ActiveState"] == "failed":
        yield Problem(
            "unit-failed",
            f"{UNIT} has failed ({found['Result']}), and systemd does not restart it",
            f"see `{journal}` for the reason; then `{command} restart {UNIT}`",
        )
    elif found["ActiveState"] == "inactive":
        yield Problem("unit", f"{UNIT} is not running", f"`{command} start {UNIT}`", "note")
    elif int(found["NRestarts"] or 0) >= RESTARTS:
        yield Problem(
            "unit-restarts",
            f"{UNIT} was restarted {found['NRestarts']} times since its start",
            f"see `{journal}` for the reason",
        )
    if found["UnitFileState"] == "disabled":
        yield Problem(
            "unit-disabled", f"{UNIT} is not started at boot", f"`{command} enable {UNIT}`"
        )
    if found["NeedDaemonReload"] == "yes":
        yield Problem(
            "unit-changed",
            f"{UNIT} changed on disk, but systemd still uses the old version",
            f"`{command} daemon-reload`, then `{command} restart {UNIT}`",
        )


async def credentials(settings: Settings) -> AsyncIterator[Problem]:
    """Check that each secret is readable only by Sam, and not overridden by another source."""
    secret = [
        name.upper()
        for name, field in Settings.model_fields.items()
        if SecretStr in getattr(field.annotation, "__args__", ())
    ]
    path = config.env_file()
    inside = set(envfile.names(path.read_text("utf-8"))) if path and path.is_file() else set()
    given = supervisor().credentials
    for file in sorted(given.iterdir()) if given and given.is_dir() else ():
        try:
            filled = file.read_bytes().strip() != b""
        except OSError as wrong:
            yield Problem(
                "credential",
                f"the credential {file.name} cannot be read ({wrong.strerror})",
                f"check its LoadCredential= in {UNIT}",
            )
            continue
        close = get_close_matches(file.name.upper(), secret, n=1, cutoff=0.8)
        if file.name.upper() not in secret and close:
            yield Problem(
                "credential-name",
                f"the credential {file.name} is not a setting",
                f"rename it to {close[0]}, if you meant that",
            )
        elif filled and file.name in inside:
            yield Problem(
                "credential-hidden",
                f"{file.name} is also set in {path}, which takes precedence",
                f"delete its line in {path}",
            )
    if CREDENTIALS.is_dir() and stat.S_IMODE(CREDENTIALS.stat().st_mode) & 0o077:
        yield Problem(
            "credentials-open",
            f"other users of this machine can read {CREDENTIALS}",
            f"`sudo chmod 700 {CREDENTIALS}`",
        )


async def clock(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the machine's clock is right, by NTP and by Telegram's time."""
    if BOOTED.is_dir():
        said = await _output("timedatectl", "show", "--property=NTPSynchronized", "--value")
        if said.strip() == "no":
            yield Problem(
                "clock-ntp",
                "this machine's clock is not synchronised",
                "`sudo timedatectl set-ntp true`, or install chrony",
                "note",
            )
    if settings.telegram_bot_token is None:
        return
    off = await skew(settings.telegram_base_url, system_clock)
    if off is not None and abs(off) > SKEW:
        yield Problem(
            "clock",
            f"this machine's clock is {abs(off):.0f} seconds {'fast' if off > 0 else 'slow'}",
            "`sudo timedatectl set-ntp true`, or install chrony: reminders and codes depend on it",
        )


async def skew(base_url: str, now: Clock) -> float | None:
    """Return the seconds by which this clock is ahead of the server's; None if unknown."""
    import httpx

    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            before = now()
            answer = await client.head(base_url)
            here = before + (now() - before) / 2
        there: datetime = parsedate_to_datetime(answer.headers["date"])
        return (here - there).total_seconds()
    except (httpx.HTTPError, httpx.InvalidURL, KeyError, ValueError, TypeError):
        return None


async def _properties(which: Sequence[str]) -> dict[str, str]:
    names = "LoadState,ActiveState,Result,NRestarts,UnitFileState,NeedDaemonReload"
    said = await _output("systemctl", *which, "show", UNIT, f"--property={names}")
    found = dict(row.split("=", 1) for row in said.splitlines() if "=" in row)
    return found if set(names.split(",")) <= set(found) else {}


async def _output(*words: str) -> str:
    """Return a command's output; '' without systemd, or if the command fails."""
    if not BOOTED.is_dir():
        return ""
    try:
        process = await asyncio.create_subprocess_exec(
            *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(SECONDS):
            out, _ = await process.communicate()
    except (OSError, TimeoutError):
        return ""
    return out.decode("utf-8", "replace")

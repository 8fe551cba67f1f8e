#!/usr/bin/python3
"""Notify Sam's owner on Telegram that a unit has failed, or keeps restarting.

    alert.py UNIT               run by sam-alert@.service: the unit has failed
    alert.py --count UNIT       run by ExecStopPost=: record how it ended
    alert.py --restarts UNIT    run by ExecStartPre=: report a third restart in 15 minutes

It must work when Sam cannot start: it uses only Python's standard library, and needs no setting
except the token. It reads Sam's settings by name, and writes only its list of restarts. Counting
and reporting are separate steps, since under systemd 252 ExecStopPost= cannot read credentials, and
ExecStartPre= does not get the result.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

RESTARTS, WITHIN = 3, 15 * 60.0  # report this many restarts within this many seconds
SILENT = 6 * 3600.0  # seconds until the next report
NOTES = "restarts.json"  # in the data folder
LINES, LETTERS = 12, 1200  # of the unit's log: the last five lines may all be systemd's own
TRIES = (0, 5, 15, 60)  # delays in seconds: the network may come up after Sam has failed
SETTING = re.compile(r"""\s*(?:export\s+)?(\w+)\s*=\s*(?:(['"])(.*?)\2|(.*?))\s*(?:(?<=\s)#.*)?$""")
TOKEN = re.compile(r"\d{6,}:[A-Za-z0-9_-]{20,}")


def main() -> int:
    """Return 0 if the owner was notified or nothing is to report, else 1; stderr has the reason."""
    parser = argparse.ArgumentParser(prog="alert.py")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--restarts", action="store_true")
    parser.add_argument("--user", action="store_true", help="the unit is a user unit")
    parser.add_argument("unit")
    given = parser.parse_args()
    settings = read_settings()
    if given.count:
        if (why := os.environ.get("SERVICE_RESULT", "success")) != "success":
            count(folder(settings), time.time(), why)
        return 0
    if given.restarts:
        why = failure_to_report(folder(settings), time.time())
        if why is None:
            return 0
        what = (
            f"{given.unit} was restarted {RESTARTS} times within {WITHIN / 60:.0f} minutes"
            f" (the last time: {why}); systemd keeps trying."
        )
        tries = TRIES[:1]  # the start of the unit waits for this
    else:
        what, tries = f"{given.unit} has failed, and is not restarted automatically.", TRIES
    text = f"⚠ Sam on {socket.gethostname()}: {what}"
    if told := last_lines(given.unit, user=given.user):
        text += f"\n\n{told}"
    journal = "journalctl --user -u sam" if given.user else "journalctl -u sam"
    return tell(settings, f"{text}\n\nMore: sam doctor, or {journal}", tries)


def read_settings() -> dict[str, str]:
    """Return the settings by name: environment wins over the file, the file over credentials."""
    found: dict[str, str] = {}
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    try:
        for file in Path(credentials).iterdir() if credentials else ():
            found[file.name] = file.read_text("utf-8", "replace").strip()
    except OSError:
        pass  # a problem with the credentials may be why Sam does not start
    try:
        rows = Path(os.environ.get("SAM_ENV_FILE") or ".env").read_text("utf-8-sig", "replace")
    except OSError:
        rows = ""
    for row in rows.splitlines():
        if (match := SETTING.match(row)) and (value := match[3] or match[4]):
            found[match[1].upper()] = value
    return found | {name: value for name, value in os.environ.items() if value}


def folder(settings: dict[str, str]) -> Path:
    """Return Sam's data folder."""
    return Path(settings.get("DATA_DIR") or "~/Sam/data").expanduser()


def owner(settings: dict[str, str]) -> str | None:
    """Return the owner's Telegram id: from the settings, else the first paired owner."""
    for part in settings.get("TELEGRAM_ALLOWED_USERS", "").split(","):
        user, _, profile = part.strip().partition(":")
        if user and profile in ("", "owner"):
            return user
    path = folder(settings) / "inbox.db"
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5) as inbox:
            row = inbox.execute(
                "SELECT user_id FROM paired WHERE profile = 'owner' ORDER BY at"
            ).fetchone()
    except sqlite3.Error as wrong:
        print(f"alert: {path}: {wrong}", file=sys.stderr)
        return None
    return str(row[0]) if row else None


def read_state(state: Path) -> tuple[list[tuple[float, str]], float]:
    """Return the times and results of the unit's failures, and the time of the last report."""
    try:
        known = json.loads((state / NOTES).read_text("utf-8"))
        return [(float(at), str(why)) for at, why in known["ends"]], float(known["told"])
    except (OSError, ValueError, KeyError, TypeError):
        return [], 0.0


def write_state(state: Path, ends: list[tuple[float, str]], told: float) -> None:
    """Store the failures and the time of the last report."""
    try:
        (state / NOTES).write_text(json.dumps({"ends": ends[-20:], "told": told}), "utf-8")
    except OSError as wrong:
        print(f"alert: {state / NOTES}: {wrong}", file=sys.stderr)


def count(state: Path, now: float, why: str) -> None:
    """Record one more failure."""
    ends, told = read_state(state)
    write_state(state, [*ends, (now, why)], told)


def failure_to_report(state: Path, now: float) -> str | None:
    """Return the last failure if a report is due, and record the report; else None."""
    ends, told = read_state(state)
    late = [why for at, why in ends if now - at < WITHIN]
    if len(late) < RESTARTS or now - told < SILENT:
        return None
    write_state(state, ends, now)
    return late[-1]


def last_lines(unit: str, *, user: bool) -> str:
    """Return the end of the unit's log; empty if it cannot be read."""
    which = ["--user-unit" if user else "--unit", unit]
    try:
        done = subprocess.run(
            ["journalctl", *which, "--lines", str(LINES), "--output", "cat", "--no-pager", "-q"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return TOKEN.sub("…", done.stdout.strip())[-LETTERS:]


def tell(settings: dict[str, str], text: str, tries: tuple[int, ...]) -> int:
    """Send the text to the owner; return the exit code."""
    token, user = settings.get("TELEGRAM_BOT_TOKEN"), owner(settings)
    if not token or not user:
        print(f"alert: no owner or no token, so nobody was notified: {text}", file=sys.stderr)
        return 1
    if not user.isdecimal():
        print(f"alert: {user!r} is not a Telegram id", file=sys.stderr)
        return 1
    root = (settings.get("TELEGRAM_BASE_URL") or "https://api.telegram.org").rstrip("/")
    request = urllib.request.Request(
        f"{root}/bot{token}/sendMessage",
        json.dumps({"chat_id": int(user), "text": text}).encode(),
        {"Content-Type": "application/json"},
    )
    for pause in tries:
        time.sleep(pause)
        try:
            with urllib.request.urlopen(request, timeout=20):
                return 0
        except urllib.error.HTTPError as wrong:
            print(f"alert: Telegram rejected the message: {wrong.code}", file=sys.stderr)
            if wrong.code in (400, 401, 403, 404):
                return 1
        except (OSError, ValueError) as wrong:  # its text may contain the URL, and so the token
            print(f"alert: Telegram could not be reached: {type(wrong).__name__}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

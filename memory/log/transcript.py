"""The transcript of a finished session, `sessions/2026-02-12-143000-telegram-7.md`.

It is for reading: it is not indexed, since its messages are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo

from ..errors import EditRefused
from ..notes.markdown import inert
from ..text.secrets import mask
from ..vault import Vault
from .log import Log
from .models import Message, Session


def path_of(session: Session, zone: tzinfo) -> str:
    """The name of the session's transcript, by its local start and its chat."""
    chat = re.sub(r"[^A-Za-z0-9]+", "-", session.chat).strip("-")
    return f"sessions/{session.started_at.astimezone(zone):%Y-%m-%d-%H%M%S}-{chat}.md"


def render(session: Session, messages: Sequence[Message], zone: tzinfo, profile: str) -> str:
    """Front matter with the session's time, chat and profile, then a line for each message."""
    started = session.started_at.astimezone(zone)
    ended = session.ended_at.astimezone(zone) if session.ended_at else None
    head = [
        "---",
        f"session: {started:%Y-%m-%dT%H:%M:%S%z}",
        *([f"ended: {ended:%Y-%m-%dT%H:%M:%S%z}"] if ended else []),
        f"chat: {session.chat}",
        f"profile: {profile}",
        "---",
        "",
        f"# Session of {started:%Y-%m-%d %H:%M}",
        "",
    ]
    day = ""
    lines: list[str] = []
    for message in messages:
        at = message.sent_at.astimezone(zone)
        if f"{at:%Y-%m-%d}" != day:
            day = f"{at:%Y-%m-%d}"
            lines += ["", f"## {day}", ""] if lines else [f"## {day}", ""]
        lines.append(f"- {line_of(message, zone)}")
    return "\n".join([*head, *lines, ""])


def line_of(message: Message, zone: tzinfo) -> str:
    """A message's line in the transcript, without its dash."""
    at = message.sent_at.astimezone(zone)
    return f"{at:%H:%M:%S} {inert(message.author or message.role)}: {inert(mask(message.text))}"


async def write_ended(log: Log, vault: Vault, zone: tzinfo, profile: str) -> None:
    """Write the transcripts of ended sessions that have none yet; may run twice."""
    for session in await log.sessions.without_transcript():
        messages = await log.messages.of_session(session.id)
        if not messages:
            await log.sessions.transcribed(session.id, "")
            continue
        text = render(session, messages, zone, profile)
        path = vault.own(path_of(session, zone))

        def change(there: str, text: str = text) -> str:
            if there not in ("", text):
                raise EditRefused("there is another transcript of this second")
            return text

        try:
            await vault.edit(path, change, cause=f"session {session.id}")
        except EditRefused:
            path = path.removesuffix(".md") + f"-{session.id}.md"
            await vault.edit(path, change, cause=f"session {session.id}")
        await log.sessions.transcribed(session.id, path)

"""Outbound-data report from the usage log: calls by day, provider and kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memory import OWNER, Log, config
from memory.infra import local_day
from memory.text import tr

from ..settings import LOCAL, Settings, remote_of

if TYPE_CHECKING:
    from ..assistant import Assistant


@dataclass(frozen=True, slots=True)
class OutboundCalls:
    """One day's calls of one kind to one model. `passages`: of notes and of past messages."""

    day: date
    provider: str
    model: str
    kind: str
    requests: int = 0
    passages: int = 0
    bytes: int = 0
    tokens: int = 0

    @property
    def receiver(self) -> str:
        """Return the display name of the model and its server."""
        if self.provider == "own":  # an endpoint of one's own for Claude
            return tr("{model} on your own server", model=self.model)
        return f"{self.provider}/{self.model}"

    @property
    def purpose(self) -> str:
        """Return the display name of the kind."""
        from .costs import purpose_name  # imported here: it loads the budget and its prices

        return purpose_name(self.kind)


async def outbound_calls(log: Log, zone: tzinfo, today: date, days: int) -> list[OutboundCalls]:
    """Return the calls of the last `days` local days, newest day first."""
    start = datetime.combine(today - timedelta(days=days - 1), time(), zone).astimezone(UTC)
    found: dict[tuple[date, str, str, str], OutboundCalls] = {}
    for at, use in await log.usage.since(start):
        key = (local_day(at, zone), use.provider, use.model, use.purpose)
        row = found.get(key) or OutboundCalls(*key)
        found[key] = replace(
            row,
            requests=row.requests + 1,
            passages=row.passages + use.passages,
            bytes=row.bytes + use.bytes,
            tokens=row.tokens + use.input + use.cache_read + use.cache_write,
        )
    rows = sorted(found.values(), key=lambda row: (row.provider, row.model, row.kind))
    return sorted(rows, key=lambda row: row.day, reverse=True)


def other_connections(settings: Settings, profile: str) -> list[str]:
    """Return the other connections, which the usage log does not count, one line each."""
    lines = []
    if settings.telegram_bot_token is not None:
        lines.append(tr("Telegram carries everything said in its chats."))
    if settings.web_search:
        lines.append(
            tr(
                "Anthropic's web search receives the search terms, and reads the links that you "
                "send."
            )
        )
    for host in _hosts(settings):
        names = ", ".join(each.name for each in settings.models if each.host == host)
        lines.append(
            tr(
                "{host} receives your messages and recalled passages in chats where {names} "
                "answers (/model).",
                host=host,
                names=names,
            )
        )
    if settings.transcribe_base_url not in ("", LOCAL):
        lines.append(
            tr("The server at TRANSCRIBE_BASE_URL receives voice messages and audio files.")
        )
    if settings.speech_base_url not in ("", LOCAL):
        lines.append(
            tr("The server at SPEECH_BASE_URL receives the answers in chats with /voice on.")
        )
    if remote := remote_of(settings, profile).remote:
        from ..sync import (
            display_name,  # imported here: `sam privacy` without a remote does not need it
        )

        where = tr("of RCLONE_REMOTE") if profile == OWNER else display_name(remote)
        lines.append(
            tr("The remote {where} has the whole vault except the folder sealed/.", where=where)
        )
    return [
        *lines,
        tr("Notes in sealed/, in INDEX_EXCLUDE, or sealed by front matter are sent to no model."),
    ]


def outbound_summary(profile: Assistant) -> str:
    """Return what is sent to whom with these settings; "nothing" if nothing is."""
    settings, embedder = profile.settings, profile.memory.embedder
    to = sent_to_models(settings)
    if embedder is not None and embedder.remote:
        to.append(tr("notes and messages, to {provider}", provider=settings.embedding_receiver))
    if settings.telegram_bot_token is not None:
        to.append(tr("the chat, to Telegram"))
    if remote := remote_of(settings, profile.name).remote:
        from ..sync import display_name

        to.append(tr("the vault, to {shown}", shown=display_name(remote)))
    return "; ".join(to) or tr("nothing")


def sent_to_models(settings: Settings) -> list[str]:
    """Return what models on other machines are sent, and whose they are."""
    from ..claude.compatibility import is_anthropic  # imported here: `sam privacy` calls no model

    to: list[str] = []
    main = _main_servers(settings)
    for url in main:
        if not config.is_loopback(urlsplit(url).hostname or ""):
            name = "Anthropic" if not url or is_anthropic(url) else urlsplit(url).hostname
            to.append(tr("your messages and recalled passages, to {name}", name=name))
    if settings.has_model and settings.web_search:
        to.append(tr("search terms and links that you send, to the web"))
    known = {urlsplit(url).netloc for url in main}
    if others := [host for host in _hosts(settings) if host not in known]:
        to.append(
            tr("with another model chosen by /model, the same to {hosts}", hosts=", ".join(others))
        )
    return to


def _main_servers(settings: Settings) -> list[str]:
    """Return the addresses of the servers of CHAT_MODEL and SUMMARY_MODEL; "" is Anthropic's."""
    if not settings.has_model:
        return []
    entries = map(settings.model_entry, (settings.chat_model, settings.summary_model))
    return list(dict.fromkeys(each.url or settings.anthropic_base_url or "" for each in entries))


def _hosts(settings: Settings) -> list[str]:
    """Return the servers of MODELS that are not on this machine."""
    hosts = (entry.host for entry in settings.models if entry.url and not entry.is_here)
    return list(dict.fromkeys(hosts)) if settings.has_model else []

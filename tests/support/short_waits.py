"""Run the real `sam` with waits about ten times shorter.

    python -m tests.support.short_waits run

Only the durations change, not what Sam waits for: ten minutes of a fault take about a minute.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import telegram.ext._utils.networkloop as networkloop

import bot.app.runtime
import bot.assistant.profiles.background
import bot.claude.client
import bot.sync.rclone
import bot.sync.remote
import bot.telegram.api.delivery
import bot.telegram.bot
import bot.telegram.handlers
import memory.embedding.openai
from bot.assistant.scheduler import Jobs
from bot.cli.main import main
from memory.embedding.retry import RetryLimits
from memory.infra.retry import Backoff


def hurry() -> None:
    """Shorten the waits."""
    bot.claude.client.OWN_READ_SECONDS = bot.claude.client.READ_SECONDS = 4.0
    bot.claude.client.DOWN_FOR = timedelta(seconds=3)
    bot.claude.client.BACKOFF = Backoff(first=0.1, factor=3.0, longest=3.0, tries=4)
    bot.assistant.profiles.background.QUEUE_DOWN = Backoff(first=0.5, longest=2.0)
    bot.app.runtime.Jobs = partial(Jobs, retry=timedelta(seconds=2))  # type: ignore[misc, assignment]
    bot.sync.remote._LOOK, bot.sync.remote._CARRY = 3.0, 4.0
    memory.embedding.openai.RetryLimits = partial(RetryLimits, query=1.0)  # type: ignore[misc, assignment]
    # The bundled rclone would replace a missing or old one, so hide it.
    bot.sync.rclone.sysconfig = SimpleNamespace(get_path=lambda name: "/nowhere")  # type: ignore[attr-defined]
    for module in (bot.telegram.bot, bot.telegram.handlers, bot.telegram.api.delivery):
        module.BACKOFF = Backoff(first=0.1, longest=1.0)  # type: ignore[attr-defined]
    bot.telegram.bot.GRACE = 3.0
    bot.telegram.bot.POLL_SECONDS = 2
    short = SimpleNamespace(
        **{**vars(asyncio), "sleep": lambda seconds: asyncio.sleep(seconds / 40)}
    )
    networkloop.asyncio = short  # type: ignore[attr-defined]


if __name__ == "__main__":
    hurry()
    sys.exit(main())

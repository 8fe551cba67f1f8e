"""The certificates of the connections to the models are read once, and not for each profile."""

from __future__ import annotations

import ssl
from typing import Any

import pytest

from bot.claude import client
from bot.claude.client import ModelServer


async def test_all_profiles_share_the_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    read, real = 0, ssl.create_default_context

    def counted(*words: Any, **named: Any) -> ssl.SSLContext:
        nonlocal read
        read += 1
        return real(*words, **named)

    monkeypatch.setattr(ssl, "create_default_context", counted)
    client._trusted.cache_clear()
    servers = [ModelServer(None, None) for _ in range(3)]
    for server in servers:
        assert await server.client()
    for server in servers:
        await server.close()
    assert read == 1

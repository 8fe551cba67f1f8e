"""The question before notes are sent to a provider of embeddings names who gets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.config import MemorySettings
from memory.embedding import consent
from tests.support.memories import opened, write


@pytest.mark.parametrize(
    ("url", "receiver"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://embeddings.example.org/v1", "embeddings.example.org"),
    ],
)
async def test_it_names_who_gets_the_notes(tmp_path: Path, url: str, receiver: str) -> None:
    for number in range(consent.ASK_ABOVE + 1):
        write(tmp_path, f"notes/{number}.md", "a note")
    async with opened(tmp_path) as memory:
        settings = MemorySettings(
            _env_file=None,  # type: ignore[call-arg]
            embedding_provider="openai",
            embedding_base_url=url,
        )
        asked = await consent.consent_question(settings, memory.log, memory.vault, memory.clock)
        assert str(asked).endswith(f"would be sent to {receiver}")

"""A correction in a later batch of the same day: the day's file has the right value."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from memory.log.erasure import Forgetting
from tests.fakes.claude import FakeClaude
from tests.support.homes import Home
from tests.support.memories import Clock, log_exchange
from tests.support.telegram import claude

__all__ = ["claude"]
pytestmark = pytest.mark.usefixtures("engine")

DAY = "memories/2026-02-12.md"


@asynccontextmanager
async def assistant(folder: Path, **given: str) -> AsyncIterator[Assistant]:
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    clock = Clock(datetime(2026, 2, 12, 12, 0, tzinfo=UTC))
    async with AsyncExitStack() as stack:
        yield await Assistant.open(home.settings(**given), stack, poke=no_jobs, clock=clock)


async def said(it: Assistant, *texts: str) -> str:
    """Log these messages of the owner's, summarise them, and return the day's file."""
    for text in texts:
        await log_exchange(it.memory, text, "ok")
    await it.summarise("command")
    assert (await it.memory.log.ledger()).adds_up
    return (it.memory.vault.root / DAY).read_text("utf-8")


def bullets(note: str) -> list[str]:
    return [row for row in note.splitlines() if row.startswith("- ") and "**" not in row]


@pytest.mark.parametrize("correction", ["it was 140, not 120", "no, 140"])
async def test_the_days_file_has_the_value_of_a_later_batch(
    tmp_path: Path, correction: str
) -> None:
    async with assistant(tmp_path) as it:
        await said(it, "My sister Clara lives in Porto", "The plumber costs 120")
        note = await said(it, correction, "My cat Miso hates rain")
        assert bullets(note) == [
            "- My sister Clara lives in Porto",
            "- The plumber costs 140",
            "- My cat Miso hates rain",
        ]
        assert note.count("\n## ") == 1 and "120" not in note
        assert await said(it, "My bicycle is in the garage") == await said(it)
        assert note.rstrip("\n") in await said(it)


async def test_a_model_is_given_the_message_with_its_correction(
    claude: FakeClaude, tmp_path: Path
) -> None:
    texts: list[str] = []

    def summary(request: object) -> dict[str, object]:
        texts.append(request.newest_text)  # type: ignore[attr-defined]  # of the fake
        return {"summary": "About the plumber.", "bullets": [], "facts": []}

    claude.summaries(summary)
    given = {"anthropic_base_url": claude.url, "anthropic_api_key": "sk-test"}
    async with assistant(tmp_path, **given) as it:
        await said(it, "The plumber costs 120")
        await said(it, "it was 140, not 120")
        await said(it, "My cat Miso hates rain")
    assert [("120" in text, "140" in text) for text in texts] == [
        (True, False),
        (True, True),
        (False, False),
    ]


async def test_a_section_that_the_owner_has_changed_stays(tmp_path: Path) -> None:
    async with assistant(tmp_path) as it:
        note = await said(it, "My sister Clara lives in Porto", "The plumber costs 120")
        path = it.memory.vault.root / DAY
        path.write_text(note.replace("- My sister Clara lives in Porto\n", ""), "utf-8")
        note = await said(it, "it was 140, not 120")
        assert bullets(note) == ["- The plumber costs 120", "- it was 140, not 120"]
        path.unlink()
        note = await said(it, "My cat Miso hates rain", "My cat Miso is black", "no, she is white")
        assert "plumber" not in note


async def test_of_another_day_or_subject_nothing_is_summarised_again(tmp_path: Path) -> None:
    async with assistant(tmp_path) as it:
        first = await said(it, "The plumber costs 120")
        note = await said(it, "My cat Miso is 3")
        assert note.startswith(first.rstrip("\n")) and note.count("\n## ") == 2
        it.memory.clock.forward(days=1)  # type: ignore[attr-defined]
        assert await said(it, "she is 4, not 3") == note


async def test_after_a_crash_nothing_of_the_section_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Died(BaseException):
        pass

    async def dies(forgetting: Forgetting, batch: str) -> None:
        raise Died

    async with assistant(tmp_path) as it:
        await said(it, "My sister Clara lives in Porto", "The plumber costs 120")
        with monkeypatch.context() as patch, pytest.raises(Died):
            patch.setattr(Forgetting, "summarise_again", dies)
            await said(it, "it was 140, not 120")
        assert bullets(await said(it)) == [
            "- My sister Clara lives in Porto",
            "- The plumber costs 140",
        ]

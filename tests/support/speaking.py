"""Ways to speak, for jobs that run without Telegram and without a terminal."""

from __future__ import annotations


class Ear:
    """Hears what is said unasked: `said`, oldest first."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def hear(self, text: str) -> None:
        """What one profile's jobs say."""
        self.said.append(text)


async def never(text: str) -> None:
    """For a job that has nothing to say."""
    raise AssertionError(f"it was said unasked: {text}")


async def never_to(profile: str, text: str) -> None:
    """The same, for the jobs of all profiles."""
    await never(text)

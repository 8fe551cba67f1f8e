"""An invented memory, and a real `sam web` on it with a real HTTP client."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import httpx

from bot.turn.incognito import without_text
from memory import Memory, Said, Usage
from memory.log import Exam
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.noon import noon_somewhere

ZONE, _NOON = noon_somewhere()
TODAY = _NOON.replace(minute=0, second=0, microsecond=0)
"""The real process uses the system clock, and pages show the current date, so the home is in a zone
in which that date will not change soon."""
LINK = re.compile(r"(https?://\S+)/sign-in#(\S+)")
CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')

TALK = (
    (0, "Ana and I want to fly to Lisbon in May. She likes **window seats**.", "Noted: Lisbon."),
    (0, "Ask Tomas whether his flat in Porto is free.", "I can remind you of it."),
    (1, "The dentist in Bergen said the tooth is fine.", "Good news."),
    (1, "I finished reading The Leopard. Ana gave it to me.", "Did you like the ending?"),
    (3, "Met Tomas in Oslo, he moved to the harbour.", "At last."),
    (4, "My rent goes up to 950 euros in June.", "I will remember the new rent."),
    (8, "Ana's birthday is on 14 May.", "Noted."),
    (12, "We saw the whales near Andenes with Ingrid and Ana.", "What a day."),
)
"""Days ago, what the owner said, what Sam answered."""

BULLETS = {
    0: ("- Ana and Ben plan a trip to Lisbon in May", "- Asked Tomas about his flat in Porto"),
    1: ("- The dentist in Bergen found nothing", "- Finished The Leopard, a gift from Ana"),
    3: ("- Met Tomas in Oslo; he lives at the harbour now",),
    4: ("- The rent rises to 950 euros in June",),
    8: ("- The birthday of Ana is on 14 May",),
    12: ("- Whales near Andenes with Ingrid and Ana", "- Ingrid lent them her boat"),
    13: ("- Drove with Ingrid from Tromso to Andenes",),
    17: ("- Planted tomatoes with Ana",),
}
FACTS = {
    "biographical": (
        "Lives in Bergen and works as a cabinet maker (updated:: {d9}) ^f1live",
        "Pays 950 euros rent from June on (updated:: {d4}) (supersedes:: [[archive/knowledge"
        "/biographical#^f0rent]]) ^f1rent",
        "Takes tablets for the thyroid (updated:: {d9}) #sam/sensitive ^f1tabs",
    ),
    "preference": (
        "Likes strong coffee, no sugar (updated:: {d1}) ^f2coff",
        "Prefers the train to the plane, but for Lisbon (updated:: {d0}) #sam/pinned ^f2trai",
    ),
    "relationship": (
        "Ana is his sister; her birthday is on 14 May (updated:: {d8}) ^f3anab",
        "Tomas is an old friend who lives in Oslo (updated:: {d3}) ^f3toma",
    ),
}
ARCHIVED = (
    "- Pays 900 euros rent (updated:: {d30}) (superseded_by:: [[knowledge/biographical#^f1rent]])"
    " (valid_to:: {d4}) (reason:: updated) ^f0rent\n"
)
TASKS = (
    "# Tasks\n\n- [ ] Call Ana about the flights (@{tomorrow} 09:00) 🆔 tana01 ➕ {d1}\n"
    "- [ ] Pay the rent 🆔 trent1 🔁 every month ➕ {d9} 📅 {d1}\n"
    "- [ ] Oil the workbench 🆔 toil01\n- [x] Water the tomatoes 🆔 ttoma1 ✅ {d1}\n"
)


def day(ago: int) -> str:
    """Return a date relative to the invented memory's today."""
    return (TODAY - timedelta(days=ago)).date().isoformat()


PAGES = (
    *("/days", f"/days/{day(0)}", "/search?q=Tomas", "/facts", "/facts/f1rent", "/facts/before"),
    *("/tasks", "/sent", "/health", "/graph", "/graph?about=Ana", "/forget?words=whales"),
    *("/why?words=whales", "/note?path=knowledge/preference.md", "/sign-in", "/app"),
)
"""The path of each page, for the invented memory."""


def furnish(home: Home) -> None:
    """Write the invented vault, and log the invented messages."""
    days = {f"d{ago}": day(ago) for ago in range(31)} | {"tomorrow": day(-1)}
    for ago, rows in BULLETS.items():
        rows_ = "\n".join(rows)
        head = f"# Memories — {day(ago)}\n\n## 18:30:00\n\n- **Summary**: A day ^s{ago:04}\n"
        home.write(f"memories/{day(ago)}.md", f"{head}{rows_}\n")
    for name, facts in FACTS.items():
        rows_ = "".join(f"- {each.format(**days)}\n" for each in facts)
        home.write(f"knowledge/{name}.md", f"# {name.capitalize()}\n\n{rows_}")
    home.write("archive/knowledge/biographical.md", ARCHIVED.format(**days))
    home.write("tasks.md", TASKS.format(**days))
    home.write("sealed/diary.md", "# Diary\n\nThe sealedword is quokka.\n")
    home.write("closed.md", "---\nprivacy: sealed\n---\n\n- A closedword fact ^zclos1\n")
    home.write("knowledge/vows.md", "---\nprivacy: sealed\n---\n\n- A vowedword fact ^zvows1\n")
    asyncio.run(_said(home))


async def _said(home: Home) -> None:
    noon = TODAY.astimezone(UTC)
    clock = Clock(noon)
    async with Memory.open(home.settings(), clock=clock) as memory:
        for number, (ago, text, answer) in enumerate(reversed(TALK)):
            clock.now = noon - timedelta(days=ago, minutes=50 - number)
            said = Said(
                f"telegram:7:{number}", "telegram:7", text, clock.now, telegram_ids=(number,)
            )
            turn = await memory.log.messages.begin(said)
            await memory.log.messages.answer(turn.id, answer, sent_at=clock.now)
        clock.now = noon - timedelta(days=2)
        secret = Said("telegram:7:99", "telegram:7", "the incognitoword", clock.now)
        turn = await memory.log.messages.begin(without_text(secret))
        await memory.log.messages.answer(turn.id, "", sent_at=clock.now)
        for ago in range(13, -1, -1):
            clock.now = noon - timedelta(days=ago)
            usd = 0.02 + 0.05 * (ago * 7 % 5)
            found = {probe: 1 if (probe * 7 + ago) % 20 > ago % 4 else 0 for probe in range(1, 41)}
            await memory.log.exams.add(Exam(clock.now, "0.1.0", "", "", found, {}))
            await memory.log.usage.add(
                Usage("anthropic", "claude-haiku-5-5", "turn", 9000, 400, usd=usd, bytes=30_000)
            )
        await memory.catch_up()


class Browser(httpx.Client):
    """A browser that does not follow redirects by itself, and sends `Origin` with forms."""

    def __init__(self, url: str, **given: Any) -> None:
        super().__init__(base_url=url, timeout=60, **given)
        self.url = url

    def signs_in(self, token: str) -> httpx.Response:
        """Exchange the token of a sign-in link."""
        return self.posts("/sign-in", code=token)

    def posts(self, path: str, /, origin: str = "", **form: Any) -> httpx.Response:
        """Send a form as given."""
        return self.post(path, data=form, headers={"Origin": origin or self.url})

    def does(self, page: str, path: str, /, **form: Any) -> httpx.Response:
        """Send a form of that page with its CSRF token, and follow the redirect."""
        found = CSRF.search(self.get(page).text)
        assert found, f"no form on {page}"
        answer = self.posts(path, csrf=found[1], **form)
        if answer.status_code == 303:
            return self.get(answer.headers["Location"])
        return answer


class Served:
    """A running `sam web`: its address, and the link that it printed."""

    def __init__(self, home: Home, process: subprocess.Popen[str], *words: str) -> None:
        self.home, self.process, self.words, self.said = home, process, words, ""
        assert process.stdout is not None
        while "Ctrl-C" not in self.said:
            row = process.stdout.readline()
            assert row, f"it ended: {self.said}{process.stderr and process.stderr.read()}"
            self.said += row
        found = LINK.search(self.said)
        assert found, self.said
        self.token, self.url = found[2], found[1]

    @contextmanager
    def browser(self) -> Iterator[Browser]:
        """Return a signed-in browser."""
        with Browser(self.url) as browser:
            token = self.home.sam("web", "--link", *self.words).stdout.strip().rpartition("#")[2]
            assert browser.signs_in(token).status_code == 303
            yield browser


@contextmanager
def served(home: Home, *words: str) -> Iterator[Served]:
    """Run `sam web WORDS` in its own process until the end of the block."""
    process = home.start("web", *words)
    try:
        yield Served(home, process, *words)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def invented(folder: Path, **more: str) -> Home:
    """Return a home with the invented memory."""
    home = Home(folder, WEB_PORT="0", TIMEZONE=ZONE, **more)
    furnish(home)
    return home

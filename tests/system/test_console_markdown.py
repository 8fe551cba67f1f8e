"""The terminal chat: rendered answers at any width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.support.homes import Home, no_process_is_left
from tests.support.terminal import Terminal, rows

__all__ = ["no_process_is_left"]

ANSWER = """\
# Watering

The **tomatoes** want *water*, see [the guide](https://example.org/a_b?x=1) or <https://example.org>.
A second line.

- **First**: an item that has to wrap when the terminal is only fifty columns wide
- [x] done

```python
beds = 2  # **stays**
```

| Bed | Water |
| --- | ---: |
| Tomatoes | 5 l |

> A quote, as it was
> written: one that is long enough to wrap at a word.

A <b>tag</b>, 2 * 3 * 4, ![a plan](https://example.org/p.png)
"""
AT_50 = """\
Watering

The tomatoes want water, see the guide
(https://example.org/a_b?x=1) or
https://example.org.
A second line.

 • First: an item that has to wrap when the
   terminal is only fifty columns wide
 • [x] done

  beds = 2  # **stays**

 Bed       Water
 ───────────────
 Tomatoes    5 l

▌ A quote, as it was
▌ written: one that is long enough to wrap at a
▌ word.

A <b>tag</b>, 2 * 3 * 4, a plan
(https://example.org/p.png)"""


@pytest.fixture
def claude() -> Iterator[FakeClaude]:
    with FakeClaude.running() as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path, claude: FakeClaude) -> Home:
    return Home(tmp_path, ANTHROPIC_BASE_URL=claude.url, ANTHROPIC_API_KEY="sk-test")


@pytest.mark.parametrize("delay", [0, 0.02], ids=["at once", "streamed"])
def test_an_answer_is_rendered_as_it_comes(home: Home, claude: FakeClaude, delay: float) -> None:
    claude.responds_with(ANSWER, when="garden")
    claude.chunk_delay = delay
    terminal = Terminal(home, columns=50)
    terminal.shows("> ")
    terminal.types("my garden\r")
    terminal.shows("my garden\r\n")
    written = terminal.shows("> ")
    assert "\n".join(rows(written)).strip() == AT_50
    assert "\x1b[1mtomatoes\x1b[0m" in written
    terminal.types("/quit\r")
    assert terminal.ends() == 0


def test_in_a_pipe_an_answer_is_the_text_as_it_was_written(home: Home, claude: FakeClaude) -> None:
    claude.responds_with(ANSWER, when="garden")
    done = home.sam("chat", stdin="my garden\n")
    assert f"> my garden\n{ANSWER.strip()}\n" in done.stdout
    assert "\x1b" not in done.stdout


def test_what_is_said_cannot_steer_a_terminal_that_knows_colours(
    home: Home, claude: FakeClaude
) -> None:
    claude.responds_with("A **\x1b]0;title\x07 word\x9b31m** and a\rb.", when="hi")
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types("hi\r")
    terminal.shows("hi\r\n")
    written = terminal.shows("> ")
    assert "A ]0;title word31m and ab." in rows(written)
    assert not re.search(r"\x1b\]|\x07|\x9b", written)


def test_what_came_before_ctrl_c_stays(home: Home, claude: FakeClaude) -> None:
    words = [f"word{number}" for number in range(60)]
    claude.responds_with(" ".join(words), when="story")
    hold = claude.holds(when="story", after_events=20)
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types("a story\r")
    terminal.shows("a story\r\n")
    written = terminal.shows("word1 ")
    terminal.types("\x03")
    written += "word1 " + terminal.shows("(stopped)")
    hold.release()
    stays = " ".join(rows(written)).split()
    assert stays[:3] == words[:3]
    assert "word59" not in stays


def test_commands_are_rendered_and_help_wraps_beside_its_names(tmp_path: Path) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home, columns=50)
    terminal.shows("> ")
    terminal.types("/status full\r")
    terminal.shows("/status full\r\n")
    status = rows(terminal.shows("> "))
    assert " • model: none" in status
    assert status[-2:] == ["", ""], "a free row before the prompt"
    terminal.types("/help\r")
    terminal.shows("/help\r\n")
    listed = rows(terminal.shows("> "))
    at = listed.index("  /incognito  Keep nothing of what we say, until")
    assert listed[at + 1] == " " * 14 + "/new"
    assert max(map(len, [*status, *listed])) <= 50

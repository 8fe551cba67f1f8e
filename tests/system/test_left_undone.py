"""What the owner asks a model for in plain words is done, also if the model only says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.fakes.claude import FakeClaude
from tests.fakes.violations import assert_no_violations
from tests.support.homes import Home
from tests.support.world import World

PASSPORT = "Remember that my passport expires in May 2031"


def running(folder: Path) -> Any:
    return World.running(folder, SUMMARY_THRESHOLD="200", ACTIVE_HOURS="0-24")


def remembered(world: World) -> list[str]:
    """Return the lines of MEMORY.md, without their days."""
    text = (world.vault / "MEMORY.md").read_text("utf-8")
    return [row.split(" ^")[0][14:] for row in text.splitlines() if row.startswith("- 20")]


def says(world: World, text: str, count: int = 1, timeout: float = 60) -> list[str]:
    """Send a message; return Sam's next messages, once there are as many."""
    before = len(world.telegram.sent)
    world.telegram.passes(seconds=2)
    world.telegram.receives(text)
    return said_since(world, before, count, timeout)


def said_since(world: World, before: int, count: int, timeout: float = 60) -> list[str]:
    world.telegram.wait_sent(before + count, timeout=timeout)
    return [str(each.text) for each in world.telegram.sent[before:]]


def test_what_the_model_only_claims_to_have_saved_is_saved(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        world.claude.responds_with("Saved!", when="passport")
        world.sam.start()
        said = says(world, PASSPORT, 2)
        assert said[0] == "Saved!" and said[1].startswith("Saved in MEMORY.md and memories/")
        assert remembered(world) == ["my passport expires in May 2031"]
        world.asks("I like plums", "Do you remember that I like plums?")
        assert remembered(world) == ["my passport expires in May 2031"]
        assert_no_violations(world.telegram)


def test_what_the_model_saves_is_named_by_the_edit_history(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        given = {"content": "The passport expires in May 2031", "source": "owner"}
        world.claude.calls("save_memory", given, when="passport", then="Done.")
        task = {"action": "add", "text": "Call Ana", "due": "2031-05-02 09:00"}
        task["repeats"] = "every year"
        world.claude.calls("manage_tasks", task, when="call Ana", then="I will.")
        world.claude.calls("search_memory", {"query": "plums"}, when="plums", then="Nothing.")
        world.sam.start()
        said = says(world, PASSPORT)
        wanted = r"Done\.\n\n\*Saved in MEMORY\.md\. /undo takes it back\.\*"
        assert re.fullmatch(wanted, said[0]), said
        said = says(world, "Remind me on 2 May 2031 at 9 to call Ana")
        assert said[0] == (
            "I will.\n\n*Task: Call Ana · Fri 02 May 2031 09:00 · every year. /undo takes it back.*"
        ), said
        said = says(world, "What do you know of plums?")
        assert said[0] == "Nothing."
        world.asks("and now hello")  # what comes after an answer would have come before this one
        assert len(world.telegram.sent) == 4
        assert remembered(world) == ["The passport expires in May 2031"]
        assert (world.vault / "tasks.md").read_text("utf-8").count("Call Ana") == 1


def test_what_the_model_takes_out_is_not_called_saved(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        given = {"content": "The passport expires in May 2031", "source": "owner"}
        world.claude.calls("save_memory", given, when="passport", then="Done.")
        world.sam.start()
        says(world, PASSPORT)
        rows = (world.vault / "MEMORY.md").read_text("utf-8").splitlines()
        [line] = [row for row in rows if "passport" in row]
        change = {"path": "MEMORY.md", "old": line, "new": ""}
        world.claude.calls("edit_memory", change, when="got a new one", then="Gone.")
        said = says(world, "That line is wrong now, I got a new one")
        assert said[0] == "Gone.\n\n*Removed from MEMORY.md. /undo takes it back.*", said


def test_what_a_tool_refused_is_not_left_to_the_models_word(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        gone = {"action": "complete", "id": "zzzzzz"}
        world.claude.calls("manage_tasks", gone, when="bins", then="Done, it is ticked off.")
        listed = {"action": "list"}
        world.claude.calls("manage_tasks", listed, when="open", then="Nothing is.")
        wrong = {"action": "add", "text": "Call Ana", "due": "2031-02-30 09:00"}
        right = {"action": "add", "text": "Call Ana", "due": "2031-03-02 09:00"}
        world.claude.calls("manage_tasks", wrong, when="Ana")
        world.claude.calls("manage_tasks", right, when="Ana", then="I will.")
        world.sam.start()
        said = says(world, "The bins are out")
        assert said[0] == "Done, it is ticked off.\n\n*This answer has saved and changed nothing.*"
        assert says(world, "What is open?") == ["Nothing is."]
        said = says(world, "Two months after New Year 2031 I have to call Ana")
        assert "saved and changed nothing" not in said[0] and "02 Mar 2031" in said[0], said


def test_a_reminder_that_the_model_only_promises_is_set(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        world.claude.responds_with("At what time?", when="to call Bob")
        world.claude.responds_with("I will remind you.", when="to call Ana")
        world.sam.start()
        said = says(world, "Remind me on 2 May 2031 to call Bob")
        world.asks("hello")
        assert len(world.telegram.sent) == 2, "the model asks back"
        said = says(world, "Remind me on 2 May 2031 at 9 to call Ana", 2)
        assert "call Ana" in said[1] and "09:00" in said[1]
        tasks = (world.vault / "tasks.md").read_text("utf-8")
        assert "2031-05-02 09:00" in tasks and "Bob" not in tasks


def test_a_reminder_that_only_the_answer_names_is_set(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        world.claude.responds_with("Sure, I'll shout in an hour!", when="the cake")
        world.claude.responds_with("I'll remind you if you like.", when="the bread")
        world.claude.responds_with("Yes, I will remind you at 9.", when="the meeting")
        world.claude.responds_with("I'll remind you on 2 May.", when="once more")
        world.sam.start()
        said = says(world, "in an hour I need to take the cake out, shout", 2)
        assert said[1].startswith("⏰ ") and "take the cake out" in said[1]
        said = says(world, "on 2 May 2031 at 9 there is Ana, buzz me, and the meeting", 2)
        assert "09:00" in said[1]
        says(world, "in two hours the bread is done")
        says(world, "on 2 May 2031 at 9 there is Ana once more")
        world.asks("hello")
        tasks = (world.vault / "tasks.md").read_text("utf-8")
        assert tasks.count("Ana") == 1 and "bread" not in tasks


def test_while_the_model_cannot_be_reached_commands_in_words_are_carried_out(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as world:
        world.sam.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
        world.sam.start()
        said = says(world, PASSPORT, 2, timeout=120)
        assert "is kept" in said[0] and said[1].startswith("Saved in MEMORY.md")
        said = says(world, "What is on my list?", 2, timeout=120)
        assert said[1].startswith("You have no open tasks."), said


def test_a_kill_behind_the_answer_loses_nothing_and_saves_nothing_twice(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        world.claude.responds_with("Saved!", when="passport")
        world.sam.start(SAM_FAILPOINT="after_answer")
        assert says(world, PASSPORT) == ["Saved!"]
        world.sam.process.wait(60)
        assert not (world.vault / "MEMORY.md").exists() or remembered(world) == []
        world.sam.start()
        said_since(world, 1, 1)
        assert remembered(world) == ["my passport expires in May 2031"]
        world.asks("hello")
        assert len(world.telegram.sent) == 3


def test_an_incognito_chat_saves_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as world:
        world.claude.responds_with("Saved!", when="passport")
        world.sam.start()
        world.telegram.asks("/incognito", timeout=60)
        assert "Saved!" in says(world, PASSPORT)[0]
        world.telegram.asks("/new", timeout=60)
        assert remembered(world) == []


def test_in_a_terminal_it_is_saved_too(tmp_path: Path) -> None:
    with FakeClaude.running() as claude:
        claude.responds_with("Saved!", when="passport")
        given = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": claude.url}
        home = Home(tmp_path, **given)
        done = home.sam("chat", stdin=f"{PASSPORT}\n")
        assert re.search(r"Saved!\n\nSaved in MEMORY\.md and memories/", done.stdout), done.stdout

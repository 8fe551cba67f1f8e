"""`sam mcp` beyond text: structured data, resources, prompts, and confirmation before forgetting.

The real process with the SDK's client, using the current protocol and the previous one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import ElicitRequestParams, ElicitResult

from tests.support.homes import Home, no_process_is_left
from tests.support.mcp import NAME, called, over_http, over_stdio, served

__all__ = ["no_process_is_left"]

SECRET = "okapi7731"
MODES = ("auto", "legacy")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.write(
        "zoo.md", f"# Zoo\n\nThe zoo opens at nine.\n\nIts safe is {SECRET} #sam/sensitive\n"
    )
    made.write("Größe & Co.md", "# Size\n\nThe shed is ten feet long.\n")
    made.write("diary.md", f"---\nprivacy: sensitive\n---\nThe zoo has a {SECRET}.\n")
    made.write("sealed/safe.md", f"The zoo's code is {SECRET}.\n")
    made.write("skills/cook.md", "---\nname: cook\ndescription: how to cook\n---\nStir well.\n")
    made.write("skills/hide.md", f"---\nname: hide\nprivacy: sealed\n---\n{SECRET}\n")
    return made


async def test_every_answer_comes_as_data_too(home: Home) -> None:
    async with over_stdio(home) as client:
        text, found = await called(client, "search_memory", query="when does the zoo open")
        [hit] = [each for each in found["hits"] if each["path"] == "zoo.md"]
        assert "opens at nine" in hit["text"] and 0 < hit["score"] <= 1 and hit["line"] == 1
        assert f"{hit['path']}:{hit['line']}" in text and found["mode"] == "keywords"
        _, note = await called(client, "get_memory", path="zoo.md", from_line=3, lines=1)
        assert (note["path"], note["first_line"], note["last_line"]) == ("zoo.md", 3, 3)
        assert note["text"] == "The zoo opens at nine."
        _, saved = await called(client, "save_memory", content="The zoo sells ice cream")
        assert saved["paths"][0].startswith("memories/") and saved["known"] is False
        _, fact = await called(client, "save_memory", content="Ana likes rum", kind="preference")
        _, facts = await called(client, "list_facts")
        assert [(f["text"], f["path"]) for f in facts["facts"]] == [
            ("Ana likes rum", fact["paths"][0])
        ]
        due = {"text": "Feed Tom", "due": "2099-12-01 09:00"}
        _, added = await called(client, "manage_tasks", action="add", **due)
        _, tasks = await called(client, "manage_tasks", action="list")
        assert tasks["tasks"] == added["tasks"]
        assert tasks["tasks"][0]["due"] == "2099-12-01"
        assert tasks["tasks"][0]["reminder"] == "2099-12-01 09:00"
        change = {"old": "at nine", "new": "at ten"}
        _, edited = await called(client, "edit_memory", path="zoo.md", **change)
        assert edited == {"path": "zoo.md", "changed": True, "proposed": False}
        _, why = await called(client, "why", query="ice cream at the zoo")
        assert why["origins"][0]["path"] == saved["paths"][0]
        _, skill = await called(client, "read_skill", name="cook")
        assert skill == {"name": "cook", "path": "skills/cook.md", "text": "Stir well."}
        assert await called(client, "get_recent_conversations") == (
            "Nothing was said yet.",
            {"messages": []},
        )
    day = (home.vault / saved["paths"][0]).read_text("utf-8")
    assert f"Note ({NAME}): The zoo sells ice cream" in day, "its source is the client"


WRITES = {"save_memory", "create_note", "edit_memory", "manage_tasks", "forget"}
ONLY_ADDS = {"save_memory", "create_note"}


async def test_each_tool_has_a_title_a_result_schema_and_all_hints(home: Home) -> None:
    async with over_stdio(home) as client:
        tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} >= WRITES | {"search_memory", "get_memory", "why"}
    for tool in tools:
        hints, writes = tool.annotations, tool.name in WRITES
        assert tool.title and tool.description and tool.output_schema and hints, tool.name
        assert "\n  " not in tool.description, "without the indentation of the code"
        assert hints.read_only_hint is not writes, tool.name
        assert hints.destructive_hint is (writes and tool.name not in ONLY_ADDS), tool.name
        assert hints.idempotent_hint is not writes and hints.open_world_hint is False, tool.name


async def test_an_argument_that_is_null_has_its_default(home: Home) -> None:
    async with over_stdio(home) as client:
        found = await client.call_tool("search_memory", {"query": "zoo", "limit": None})
        assert not found.is_error and "opens at nine" in str(found.content)
        missing = await client.call_tool("search_memory", {"query": None})
        assert missing.is_error and "Field required" in str(missing.content)


def test_it_starts_without_what_only_answers_need(home: Home) -> None:
    """More than half of the start is the SDK; each of these would add a tenth or more to it."""
    asked: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    asked["params"] = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": NAME, "version": "1"},
    }
    said, loaded = modules_of(home, "mcp", given=json.dumps(asked) + "\n")
    assert json.loads(said.splitlines()[0])["result"]["serverInfo"]["name"] == "sam-memory"
    assert {"memory.core", "bot.mcp.server", "mcp.server.stdio"} <= loaded
    libraries = {"anthropic", "telegram", "numpy", "voyageai", "apscheduler", "PIL"}
    assert not libraries & {name.partition(".")[0] for name in loaded}
    ours = ("assistant", "claude", "inbox", "listener", "mcp.http", "media", "sync", "turn", "web")
    assert not {f"bot.{name}" for name in ours} & loaded
    assert not {name for name in loaded if name.startswith(("memory.transfer", "memory.backup"))}


def test_the_settings_of_a_client_are_printed_without_the_sdk(home: Home) -> None:
    said, loaded = modules_of(home, "mcp", "--config", "cursor")
    assert "sam-memory" in json.loads(said)["mcpServers"]
    assert "bot.mcp.client_settings" in loaded and not {"mcp", "bot.mcp.server"} & loaded


LISTS_MODULES = """\
import atexit, runpy, sys
atexit.register(lambda: print(*sys.modules, sep="\\n", file=sys.stderr))
runpy.run_module("bot", run_name="__main__")
"""


def modules_of(home: Home, *words: str, given: str = "") -> tuple[str, set[str]]:
    """Return what the command prints, and the modules that it has loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", LISTS_MODULES, *words],
        input=given,
        env=home.env,
        cwd=home.folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout, set(done.stderr.splitlines())


async def test_notes_are_resources_and_skills_are_prompts(home: Home) -> None:
    async with over_stdio(home) as client:
        listed = (await client.list_resources()).resources
        assert {each.name for each in listed} == {"zoo.md", "Größe & Co.md", "skills/cook.md"}
        texts = []
        for each in listed:
            [content] = (await client.read_resource(each.uri)).contents
            texts.append(getattr(content, "text", ""))
        assert "ten feet" in "".join(texts) and "opens at nine" in "".join(texts)
        assert SECRET not in "".join(texts)
        for path in ("diary.md", "sealed/safe.md", "../data/log.db", "nope.md", "%2e%2e/data"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(f"vault:///{path}")
            assert SECRET not in str(refused.value)
        [prompt] = (await client.list_prompts()).prompts
        assert (prompt.name, prompt.description) == ("cook", "how to cook")
        got = await client.get_prompt("cook", {"request": "A soup."})
        assert [getattr(m.content, "text", "") for m in got.messages] == ["Stir well.\n\nA soup."]
        with pytest.raises(MCPError, match="There is no skill 'hide'"):
            await client.get_prompt("hide")


async def test_no_text_of_a_client_is_longer_than_its_limit(home: Home) -> None:
    """Each text of each tool and prompt, whatever arguments they come to have."""
    huge, notes = "x" * 1_000_000, dict(texts_of(home.vault))
    asked = []
    async with over_stdio(home) as client:
        for tool in (await client.list_tools()).tools:
            fields = tool.input_schema["properties"]
            needed = {
                name: fields[name].get("enum", ["tea"])[0] if is_text(fields[name]) else 1
                for name in tool.input_schema.get("required", ())
            }
            for name, field in fields.items():
                many = field.get("type") == "array" and is_text(field["items"])
                if many or is_text(field):
                    given = needed | {name: [huge] if many else huge}
                    done = await client.call_tool(tool.name, given)
                    said = "".join(getattr(part, "text", "") for part in done.content)
                    assert done.is_error and len(said) < 1_000, f"{tool.name} {name}: {said[:200]}"
                    asked.append(f"{tool.name} {name}")
        for refused in (client.get_prompt("cook", {"request": huge}), client.get_prompt(huge)):
            with pytest.raises(MCPError, match=r"`\w+` is too long") as error:
                await refused
            assert len(str(error.value)) < 1_000
    assert {"save_memory tags", "search_memory queries", "forget words"} < set(asked)
    assert dict(texts_of(home.vault)) == notes


def is_text(field: dict[str, Any]) -> bool:
    return field.get("type") == "string"


def texts_of(vault: Path) -> Iterator[tuple[Path, bytes]]:
    for path in vault.rglob("*.md"):
        yield path, path.read_bytes()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("agrees", [True, False])
async def test_it_forgets_when_the_user_says_so(home: Home, mode: str, agrees: bool) -> None:
    home.write("memories/2026-02-12.md", "# 2026-02-12\n\n- Note: the heron sings\n")
    asked: list[str] = []

    async def answer(context: Any, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"forget": agrees})

    async with over_stdio(home, mode=mode, elicitation_callback=answer) as client:
        text, done = await called(client, "forget", words="heron")
    assert len(asked) == 1 and "the heron sings" in asked[0]
    left = (home.vault / "memories/2026-02-12.md").read_text("utf-8")
    assert ("heron" in left) is not agrees
    assert done["lines"] == (1 if agrees else 0) and done["token"] == ""
    assert ("Forgotten: " in text) is agrees


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_cannot_ask_forgets_in_two_steps(home: Home, mode: str) -> None:
    day = home.write(
        "memories/2026-02-12.md",
        "# 2026-02-12\n\n- Note: the heron sings\n- Note: the heron eats fish\n"
        f"- Note: the heron is {SECRET} #sam/sensitive\n",
    )
    async with over_stdio(home, mode=mode) as client:
        text, kept = await called(client, "forget", words="heron")
        assert kept["private"] == 1 and SECRET not in f"{text}{kept}"
        [fish] = [each["number"] for each in kept["things"] if "fish" in each["text"]]
        _, one = await called(client, "forget", words="heron", numbers=[fish])
        assert [each["number"] for each in one["things"]] == [fish] and one["token"]
        assert "eats fish" in day.read_text("utf-8"), "nothing goes without the second step"
        _, done = await called(client, "forget", token=one["token"])
        assert (done["lines"], done["things"]) == (1, [])
        after = day.read_text("utf-8")
        assert "fish" not in after and "sings" in after and SECRET in after
        again, nothing = await called(client, "forget", token=one["token"])
        assert "unknown or too old" in again and not nothing
        assert (await called(client, "forget", words="walrus"))[0] == "I have nothing about that."


async def test_forget_names_the_owners_notes_that_it_leaves(home: Home) -> None:
    home.write("zoo.md", f"# Zoo\n\nThe gnu is {SECRET}. #sam/sensitive\n\nThe gnu is grey.\n")
    home.write("memories/2026-02-12.md", "# 2026-02-12\n\n- Note: the heron saw a gnu\n")
    async with over_stdio(home) as client:
        text, kept = await called(client, "forget", words="gnu")
        assert "your own notes, which I never change: zoo.md:5" in text
        _, done = await called(client, "forget", token=kept["token"])
        assert done["lines"] == 1
        text, kept = await called(client, "forget", words="gnu")
        assert text == "These are your own notes, which I never change: zoo.md:5"
        assert kept["things"] == []


@pytest.mark.parametrize("mode", MODES)
async def test_the_same_is_served_over_http_with_the_token(home: Home, mode: str) -> None:
    with served(home) as server:
        assert server.url.startswith("http://127.0.0.1:")
        async with over_http(server.url, server.token, mode=mode) as client:
            _, saved = await called(client, "save_memory", content="The gnu is old")
            text, _ = await called(client, "search_memory", query="how old is the gnu")
            assert "The gnu is old" in text
            assert (await client.list_resources()).resources
            assert [each.name for each in (await client.list_prompts()).prompts] == ["cook"]
    assert f"({NAME}): The gnu is old" in (home.vault / saved["paths"][0]).read_text("utf-8")

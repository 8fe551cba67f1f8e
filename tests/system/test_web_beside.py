"""`sam web` beside a running bot, the command /web, and requests of search-as-you-type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.embeddings import FakeEmbeddings
from tests.support.files import having
from tests.support.homes import Home
from tests.support.process import wait_until
from tests.support.web import Browser, Served, served
from tests.support.world import World

SENT = re.compile(r"https://sam\.example\.org/sign-in#([\w-]{40,})")


@contextmanager
def beside(world: World) -> Iterator[Served]:
    """Run a console on the same folders."""
    home = Home(world.folder, **(world.sam.env | {"WEB_PORT": "0", "WEB_URL": ""}))
    with served(home) as console:
        yield console


def test_a_console_beside_a_running_bot(tmp_path: Path) -> None:
    with World.running(tmp_path, SUMMARY_THRESHOLD="4") as world:
        world.sam.start()
        world.asks("the heron nests in May")
        with beside(world) as console, console.browser() as browser:
            world.asks("the otter sleeps")
            assert "the otter sleeps" in browser.get("/days").text or "otter" in (
                browser.get("/search", params={"q": "otter"}).text
            )
            assert browser.does("/tasks", "/tasks/add", text="feed the otter").status_code == 200
            world.asks("three", "four", "five")
            wait_until(
                lambda: world.bullets()["the heron nests in May"], "its summary, to be forgotten"
            )
            page = "/forget?words=heron"
            boxes = re.findall(r'name="item" id="i\d+" value="([^"]*)"', browser.get(page).text)
            chosen = [box.replace("&#34;", '"') for box in boxes]
            done = browser.does(page, "/forget", sure="1", item=chosen)
            assert "Forgotten: " in done.text
            wait_until(lambda: not found(world, b"heron"), f"gone: {found(world, b'heron')}")
            world.asks("six")
        assert "feed the otter" in (world.vault / "tasks.md").read_text()
        assert world.sam.stop(120) == 0
        assert world.sam.json("doctor")["ledger"]["adds_up"]


def found(world: World, word: bytes) -> list[str]:
    """Return the files of the data folder and the vault that contain the word."""
    return [str(file.relative_to(world.folder)) for file in having(word, world.data, world.vault)]


def test_the_chat_sends_a_link_that_signs_in(tmp_path: Path) -> None:
    with World.running(tmp_path, WEB_URL="https://sam.example.org") as world:
        world.sam.start()
        answer = world.telegram.asks("/web", timeout=60).text
        links = [entity.get("url", "") for sent in world.telegram.sent for entity in sent.entities]
        token = SENT.search(" ".join([answer, *links]))
        assert token, (answer, links)
        with beside(world) as console, Browser(console.url) as browser:
            assert browser.signs_in(token[1]).status_code == 303
            assert browser.get("/days").status_code == 200
            assert browser.signs_in(token[1]).status_code == 403
        assert world.sam.stop(60) == 0


def test_without_an_address_the_chat_says_where_the_console_is(tmp_path: Path) -> None:
    with World.running(tmp_path) as world:
        world.sam.start()
        answer = world.telegram.asks("/web", timeout=60).text
        assert "sam web" in answer and "sign-in" not in answer


def test_what_is_half_typed_is_sent_to_no_embedder(tmp_path: Path) -> None:
    with FakeEmbeddings.running() as provider:
        home = Home(
            tmp_path,
            EMBEDDING_PROVIDER="openai",
            EMBEDDING_API_KEY="sk-test",
            EMBEDDING_BASE_URL=provider.url,
            WEB_PORT="0",
        )
        home.write("garden.md", "# Garden\n\nThe tomatoes are red.\n")
        assert home.sam("index").returncode == 0
        with served(home) as console, console.browser() as browser:
            typed = browser.get("/search", params={"q": "tomatoes re", "typing": "1"}).text
            assert "<mark>tomatoes</mark>" in typed
            assert not [text for text in provider.texts if text.startswith("tomatoes re")]
            browser.get("/search", params={"q": "tomatoes red"})
            assert "tomatoes red" in provider.texts, "the whole question is"

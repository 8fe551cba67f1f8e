"""Without any key or network, the chat in a pipe remembers, summarises and finds.

The processes run in a network namespace without interfaces. If the machine forbids that, the
interpreter refuses every socket except those within a process.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.noon import noon_somewhere
from tests.support.process import ROOT, SAM, environment, wait_until

FACT = "My passport lies in the blue drawer behind the maps"
ASKING = ("Where is my passport?", "Where did I put the passport?")
OTHERS = (
    "The tomatoes were planted in the third week of May",
    "Anna teaches chemistry in Rostock",
    "We bought a green canoe from the neighbour",
    "The router stands in the cellar",
    "My cat is called Miso",
    "The dentist moved to Elm Street",
    "I sold the old piano last spring",
    "Grandfather was born in Riga",
    "The boiler was serviced in October",
    "My bicycle has a dynamo hub",
    "The choir rehearses on Thursdays",
    "I prefer tea over coffee",
    "Our landlord is called Mr Okafor",
    "The library closes at six",
    "I am reading a book about lighthouses",
    "The car needs new brakes by June",
    "My sister lives in Porto",
    "The printer takes A4 paper only",
    "We rent the allotment number 42",
    "The wedding is on the ninth of August",
    "I learn Portuguese on Sundays",
    "The roof was repaired after the storm",
    "Our dog is afraid of thunder",
    "The soup needs more salt",
    "I met Juan at the harbour",
    "The train to Lyon leaves at noon",
    "The attic smells of apples",
)
TURNS = (FACT, *OTHERS[:12], ASKING[0], *OTHERS[12:], ASKING[1])

# For machines without namespaces: refuse what a process without a network could not do.
_NO_SOCKETS = """
import sys
def audit(event, args):
    if event in ("socket.connect", "socket.bind", "socket.sendto") and args[0].family != 1:
        raise OSError(101, "Network is unreachable")
    if event == "socket.getaddrinfo":
        raise OSError(-3, "Temporary failure in name resolution")
sys.addaudithook(audit)
"""

_BEING_WRITTEN = shutil.ignore_patterns("*.pyc.*")


@cache
def isolated() -> tuple[str, ...]:
    """Return a command prefix that removes the network; () if not permitted."""
    for words in (("unshare", "-n"), ("unshare", "-rn")):
        if shutil.which(words[0]):
            tried = subprocess.run([*words, "true"], capture_output=True, check=False)
            if tried.returncode == 0:
                return words
    return ()


class Offline:
    """A checkout of Sam that runs without keys and network, and a home beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.checkout = folder, folder / "checkout"
        (folder / "home").mkdir()
        paths = [self.checkout]
        if not isolated():
            (folder / "site").mkdir()
            (folder / "site" / "sitecustomize.py").write_text(_NO_SOCKETS, "utf-8")
            paths.insert(0, folder / "site")
        zone, _ = noon_somewhere()  # the messages of two chats are of one day
        self.env = environment(folder, {"PYTHONPATH": ":".join(map(str, paths)), "TIMEZONE": zone})
        for name in ("bot", "memory", "vault"):
            shutil.copytree(ROOT / name, self.checkout / name, ignore=_BEING_WRITTEN)
        shutil.copy(ROOT / ".gitignore", self.checkout)
        self.git("init", "--quiet")
        self.git("add", ".")

    def run(self, *command: str, stdin: str = "") -> str:
        """Return the command's standard output; it must succeed."""
        done = subprocess.run(
            [*isolated(), *command],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=150,
            cwd=self.checkout,
            env=self.env,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def git(self, *words: str) -> str:
        """Return git's output in the checkout that Sam runs in."""
        return subprocess.run(
            ["git", *words],
            cwd=self.checkout,
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def chat(self, *lines: str) -> str:
        """Run `sam start`, as `make run` does, with its input from a pipe."""
        return self.run(*SAM, "start", stdin="\n".join([*lines, ""]))

    def talk(self, **given: str) -> subprocess.Popen[str]:
        """Run the same chat, but keep its pipe open, so that jobs run meanwhile."""
        return subprocess.Popen(
            [*isolated(), *SAM, "start"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            cwd=self.checkout,
            env={**self.env, **given},
        )

    def ledger(self) -> Any:
        """Return the ledger, as the doctor reports it."""
        return json.loads(self.run(*SAM, "doctor", "--json"))["ledger"]

    def without_embedder(self) -> None:
        """Save each start the loading of a model: recall is not the subject of the test."""
        self.env["EMBEDDING_PROVIDER"] = "none"

    def closed(self) -> bool:
        """Return whether the twenty messages are in a finished batch."""
        with closing(sqlite3.connect(f"file:{self.folder}/data/log.db?mode=ro", uri=True)) as log:
            found = log.execute("SELECT count(*) FROM message WHERE state = 'closed'").fetchone()
        return found == (20,)

    def check_one_summary(self) -> None:
        """Check that the owner's twenty messages are in one section, none lost or duplicated."""
        [section] = self.sections()
        assert section.count(f"- {FACT}\n") == 1
        ledger = self.ledger()
        assert ledger["messages"] == {"closed": 20, "excluded": 20}, ledger

    def sections(self) -> list[str]:
        """Return the sections of all daily notes, oldest first."""
        texts = [file.read_text("utf-8") for file in sorted((self.vault / "memories").glob("*.md"))]
        return [part for text in texts for part in re.split(r"(?m)^## ", text)[1:]]

    @property
    def vault(self) -> Path:
        return self.folder / "vault"


@pytest.fixture
def offline(tmp_path: Path) -> Offline:
    return Offline(tmp_path)


def test_there_is_no_network_at_all(offline: Offline) -> None:
    trial = (
        "import socket\n"
        "for to in (('127.0.0.1', 9), ('192.0.2.1', 443)):\n"
        "    try:\n"
        "        socket.create_connection(to, 2)\n"
        "    except OSError as why:\n"
        "        print(why.errno)\n"
        "    else:\n"
        "        print('open')\n"
    )
    # 101: network unreachable; -3: name not resolved. Refused (111) would mean that there is a
    # network.
    refused = "101" if isolated() else "-3"
    assert offline.run(sys.executable, "-c", trial).split() == [refused, refused]


def test_thirty_turns_a_restart_and_the_fact_is_found_once(offline: Offline) -> None:
    assert len(TURNS) == 30 == len(set(TURNS))
    added = offline.git("status", "--porcelain")

    told = offline.chat(*TURNS[:20])
    assert told.count("ANTHROPIC_API_KEY") == 1, "the banner says once what a model takes"
    assert f"> {ASKING[0]}" in told
    answer = told.split(f"> {ASKING[0]}")[1].split("\n> ")[0]
    assert FACT in answer and answer.count("blue drawer") == 1

    told = offline.chat(*TURNS[20:], "/quit", "this is never read")
    assert "this is never read" not in told
    answer = told.split(f"> {ASKING[1]}")[1]
    assert answer.count("blue drawer") == 1
    # The second start finishes what the end of the first interrupted; what remains is too little.
    [section] = offline.sections()
    assert "extracted without a model" in section
    assert section.count(FACT) <= 2  # its bullet, and perhaps the summary line

    found = json.loads(offline.run(*SAM, "search", "passport blue drawer maps", "--json"))
    assert found["mode"] == "hybrid"  # the embedder's weights came with the package
    [hit] = [hit for hit in found["hits"] if "blue drawer" in hit["text"]]
    assert hit in found["hits"][:3]  # before or after the two questions about it
    assert (hit["text"], hit["kind"], hit["role"]) == (FACT, "message", "user")

    ledger = offline.ledger()
    states = ledger["messages"]
    assert ledger["adds_up"] and ledger["lags"]["not_indexed"] == 0, ledger
    assert states["excluded"] == 30, ledger  # the answers, which add nothing new
    assert states["closed"] >= 20 and states["closed"] + states.get("pending", 0) == 30, ledger

    assert offline.git("status", "--porcelain") == added
    assert "__pycache__" not in added and len(added.splitlines()) > 100
    where = offline.run(sys.executable, "-c", "import bot, memory; print(bot.__file__)")
    assert Path(where.strip()).is_relative_to(offline.checkout)


def test_a_summary_broken_off_by_the_end_of_the_pipe_is_made_by_the_next_starts(
    offline: Offline,
) -> None:
    """The pipe ends with the twentieth message, just before the summary begins."""
    offline.without_embedder()
    offline.chat(*TURNS[:20])
    for _ in range(3):  # on a busy machine a start that ends at once may be too short for it
        offline.chat("/quit")
    offline.check_one_summary()


@pytest.mark.parametrize("point", ["after_claim", "after_section"])
def test_a_process_that_dies_over_its_summary_leaves_one(offline: Offline, point: str) -> None:
    offline.without_embedder()
    with offline.talk(SAM_FAILPOINT=point) as talk:
        assert talk.stdin is not None
        talk.stdin.write("\n".join([*TURNS[:20], ""]))
        talk.stdin.flush()
        assert talk.wait(120) == -signal.SIGKILL
    with offline.talk() as talk:
        assert talk.stdin is not None
        wait_until(offline.closed, "the batch is closed", timeout=60)
        talk.stdin.write("/quit\n")
        talk.stdin.flush()
        assert talk.wait(60) == 0
    offline.check_one_summary()

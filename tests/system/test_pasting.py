"""What is pasted into `sam chat` with its lines is one message."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.homes import Home
from tests.support.terminal import Terminal

RECIPE = "Grandma's cake:\n\n- 200 g flour\n- 3 eggs"


def test_pasted_lines_are_one_message_and_stay_out_of_the_history(tmp_path: Path) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home)
    terminal.shows("> ")
    terminal.types(f"\x1b[200~{RECIPE}\x1b[201~\n")
    terminal.shows("Noted.")
    terminal.shows("> ")
    terminal.types("Miso is my cat\n")
    terminal.shows("Noted.")
    terminal.shows("> ")
    terminal.types("/quit\n")
    assert terminal.ends() == 0
    with closing(sqlite3.connect(home.data / "log.db")) as db:
        said = db.execute("SELECT text FROM message WHERE role = 'user' ORDER BY id").fetchall()
    assert said == [(RECIPE,), ("Miso is my cat",)]
    assert (home.data / "history").read_text("utf-8") == "Miso is my cat\n"

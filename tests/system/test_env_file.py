"""Mistakes in `.env` and in the folders that it names end in one clear line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.homes import Home


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
@pytest.mark.parametrize("command", ["search cat", "doctor"])
def test_a_file_in_another_encoding_is_named(tmp_path: Path, command: str, encoding: str) -> None:
    home = Home(tmp_path)
    (home.folder / ".env").write_bytes("RECALL_HITS=3\nVAULT_DIR=~/Müller\n".encode(encoding))
    done = home.sam(*command.split())
    assert done.returncode == 2 and not done.stdout
    line = 2 if encoding == "latin-1" else 1
    assert done.stderr == f"sam: .env is not in UTF-8 (line {line}): save it as UTF-8\n"


def test_what_is_no_setting_is_named_and_left_out(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.dotenv("RECALL_HITS=3\nthe key of Ana\nSENTENCE=x\n")
    done = home.sam("search", "cat")
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == (
        ".env: line 2 is left out, since it is not of the form NAME=value"
    )
    assert "dotenv" not in done.stderr


def test_values_of_a_wrong_kind_are_explained_in_plain_words(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.dotenv(
        "EMBEDDING_CACHE_ENABLED=maybe\nRECALL_HITS=many\nBURST_SECONDS=soon\n"
        "DATABASE_KEEPS_DAYS=-1\nEMBEDDING_DIMENSIONS=9999\n"
    )
    done = home.sam("search", "cat")
    assert done.returncode == 2
    assert set(done.stderr.splitlines()) == {
        "sam: EMBEDDING_CACHE_ENABLED: use true or false",
        "sam: RECALL_HITS: use a whole number",
        "sam: BURST_SECONDS: use a number",
        "sam: DATABASE_KEEPS_DAYS: use 0 or more",
        "sam: EMBEDDING_DIMENSIONS: use 4096 or less",
    }


@pytest.mark.parametrize("name", ["VAULT_DIR", "DATA_DIR"])
def test_a_folder_that_cannot_be_created_is_named(tmp_path: Path, name: str) -> None:
    done = Home(tmp_path, **{name: "/proc/nobody/x"}).sam("search", "cat")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "/proc/nobody/x cannot be created (No such file or directory)" in line
    assert f"set {name}" in line


def test_a_missing_file_that_is_named_is_not_ignored(tmp_path: Path) -> None:
    file = tmp_path / "sam.env"
    home = Home(tmp_path, SAM_ENV_FILE=str(file))
    done = home.sam("search", "cat")
    assert done.returncode == 2 and not home.vault.exists()
    assert f"SAM_ENV_FILE: there is no {file}" in done.stderr
    assert f"SAM_ENV_FILE names {file}, which is not there" in home.sam("doctor").stdout
    file.write_text("RECALL_HITS=3\n")
    assert home.sam("search", "cat").returncode == 0


def test_a_vault_of_the_owners_own_stays_as_it_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("Home.md", "# Home\n")
    tasks = home.write("tasks.md", "# Tasks\n\n- [ ] Call the plumber\n")
    (home.vault / ".obsidian").mkdir()
    before = sorted(home.vault.rglob("*"))
    done = home.sam("chat", stdin="/todo milk\n/quit\n")
    assert done.returncode == 2 and "Set SAM_DIR=Sam" in done.stderr
    assert f"{home.vault} is a vault of yours" in home.sam("doctor").stdout
    assert sorted(home.vault.rglob("*")) == before
    home.env["SAM_DIR"] = "Sam"
    done = home.sam("chat", stdin="/todo milk\n/quit\n")
    assert done.returncode == 0 and "milk" in (home.vault / "Sam/tasks.md").read_text()
    assert tasks.read_text() == "# Tasks\n\n- [ ] Call the plumber\n"
    assert {path.name for path in home.vault.iterdir()} == {
        *("Home.md", "tasks.md", ".obsidian", "Sam"),
    }


def test_a_vault_that_sam_used_before_goes_on_without_a_folder(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("Home.md", "# Home\n")
    assert home.sam("chat", stdin="/todo milk\n/quit\n").returncode == 0
    (home.vault / ".obsidian").mkdir()
    assert home.sam("chat", stdin="/todo bread\n/quit\n").returncode == 0


@pytest.mark.parametrize("start", ["~", "$HOME", "${HOME}"])
def test_the_home_folder_may_be_written_as_in_a_shell(tmp_path: Path, start: str) -> None:
    home = Home(tmp_path)
    for name in ("VAULT_DIR", "DATA_DIR"):
        del home.env[name]
    home.dotenv(f"VAULT_DIR={start}/notes\nDATA_DIR={start}/sam/data\n")
    assert home.sam("search", "cat").returncode == 0
    assert (tmp_path / "notes/Home.md").is_file() and (tmp_path / "sam/data/log.db").is_file()
    assert not list(tmp_path.glob("$*"))


def test_a_file_that_cannot_be_written_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder\n")
    home = Home(tmp_path, SAM_ENV_FILE="file/sam.env")
    done = home.sam("setup", stdin=f"\n\n{tmp_path / 'notes'}\n\n")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith(f"sam: {tmp_path / 'file/sam.env'} cannot be written (")

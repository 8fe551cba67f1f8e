"""Path traversal: names, links and special files, through every interface that takes a path."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory.errors import SamError
from memory.infra import text_encoding
from memory.vault import Vault
from memory.vault.unreadable import BINARY, DEVICE, LINK, NOT_UTF8, OPEN_FRONT
from tests.chaos import fuzz
from tests.support.homes import Home
from tests.support.memories import opened, write

CANARY = "the canary outside"


def snapshot(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.md")}


async def _archive(vault: Vault, path: str) -> Any:
    return await vault.archive(path, cause="test")


async def _edit(vault: Vault, path: str) -> Any:
    return await vault.edit(path, lambda text: text + "x", cause="test")


async def _put(vault: Vault, path: str) -> Any:
    source = vault.data_dir / "source"
    source.parent.mkdir(exist_ok=True)
    source.write_text("put")
    return await vault.put(path, source, expected=None, cause="test")


async def _move(vault: Vault, path: str) -> Any:
    return await vault.move("other.md", path, cause="test")


async def _read(vault: Vault, path: str) -> Any:
    return await vault.read(path)


@pytest.mark.parametrize("act", [_read, _edit, _put, _move, _archive])
async def test_a_folder_that_becomes_a_link_after_it_was_looked_at_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Vault, str], Any]
) -> None:
    """Another program creates the link between the check and the use."""
    root, outside = tmp_path / "vault", tmp_path / "outside"
    (root / "deep" / "a").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.md").write_text(CANARY)
    (root / "other.md").write_text("other")
    if act in (_read, _edit, _archive):
        (root / "deep" / "a" / "x.md").write_text("inside")
    vault = Vault(root, data_dir=tmp_path / "data")
    looked = vault.places.of

    def then_it_changes(path: str) -> tuple[Path, str]:
        found = looked(path)
        if path.startswith("deep") and not (root / "deep" / "a").is_symlink():
            (root / "deep" / "a").rename(root / "deep" / "b")
            (root / "deep" / "a").symlink_to(outside)
        return found

    monkeypatch.setattr(vault.places, "of", then_it_changes)
    with pytest.raises(SamError):
        await act(vault, "deep/a/x.md")
    assert snapshot(outside) == {"x.md": CANARY.encode()}
    assert (root / "other.md").read_text() == "other"


@pytest.mark.parametrize("act", [_read, _edit, _archive])
async def test_a_note_that_becomes_a_link_after_it_was_looked_at_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Vault, str], Any]
) -> None:
    root, outside = tmp_path / "vault", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "x.md").write_text(CANARY)
    (root / "x.md").write_text("inside")
    vault = Vault(root, data_dir=tmp_path / "data")
    looked = vault.places.of

    def then_it_changes(path: str) -> tuple[Path, str]:
        found = looked(path)
        if path == "x.md" and not (root / path).is_symlink():
            (root / path).unlink()
            (root / path).symlink_to(outside / path)
        return found

    monkeypatch.setattr(vault.places, "of", then_it_changes)
    with pytest.raises(SamError):
        await act(vault, "x.md")
    assert snapshot(outside) == {"x.md": CANARY.encode()}


def test_strange_files_are_read_as_far_as_they_go_named_and_never_followed(tmp_path: Path) -> None:
    """A vault with all of them: indexed, searched, and checked by the doctor of a real Sam."""
    home, outside = Home(tmp_path / "home"), tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(CANARY)
    vault = home.vault
    home.write("soul.md", "# Soul\n")
    readable = {
        "x.md/inner.md": "The medlar is in a folder that has a note's name.\n",
        "broken.md": "---\ntitle: [a\nprivacy: normal: x\n---\nThe bullace has broken fields.\n",
        "deep/" * 40 + "note.md": "The damson lies deep.\n",
        "long.md": "filler\n" * 99_999 + "The sloe is at the very end.\n",
        "\u00e9.md": "The greengage has a composed name.\n",
        "e\u0301.md": "The mirabelle has a decomposed name.\n",
        "CASE.md": "The cornel is in capitals.\n",
        "case.md": "The rowan is not.\n",
        "unclosed.md": "---\ntitle: never closed\n\nThe whitebeam goes on.\n",
        "nul.md": "The azarole has a \x00 in it.\n",
    }
    for path, text in readable.items():
        home.write(path, text)
    (vault / "wide.md").write_bytes("The loquat is in UTF-16.\r\n".encode("utf-16"))
    (vault / "latin.md").write_bytes("The quince is a caf\xe9's.\n".encode("latin-1"))
    noise = random.Random(7).randbytes(4_000)
    (vault / "photo.md").write_bytes(noise + b" the loquat and the quince " + noise)
    os.mkfifo(vault / "pipe.md")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(vault / "socket.md")) if len(str(vault)) < 90 else None
    (vault / "file.md").symlink_to(outside / "secret.md")
    (vault / "folder").symlink_to(outside)
    (vault / "nowhere.md").symlink_to(outside / "missing.md")
    (vault / "round.md").symlink_to("round.md")
    (vault / "alias.md").symlink_to("case.md")
    (vault / "two\nlines.md").write_text("unsayable")
    with (vault / "huge.md").open("wb") as file:
        file.truncate(1_000_000_000)
    too_deep = vault / "/".join(["folder" * 6] * 30)
    too_deep.mkdir(parents=True)
    (too_deep / "note.md").write_text("too deep")

    done = home.sam("index")
    assert done.returncode == 0, done.stderr
    found = home.sam("search", "medlar bullace damson sloe greengage", "--limit", "20").stdout
    found += home.sam("search", "mirabelle cornel rowan whitebeam azarole", "--limit", "20").stdout
    found += home.sam("search", "loquat quince canary secret", "--limit", "20").stdout
    for word in ("medlar", "bullace", "damson", "sloe", "greengage", "mirabelle", "cornel"):
        assert word in found
    for word in ("rowan", "whitebeam", "azarole", "loquat", "quince"):
        assert word in found
    assert "a café's" in found and "photo.md" not in found
    assert CANARY not in found

    import json

    report = json.loads(home.sam("doctor", "--json").stdout)
    told = {p["what"] for p in report["problems"] if p["id"] == "unread"}
    for name, why in {
        "wide.md": NOT_UTF8,
        "latin.md": NOT_UTF8,
        "photo.md": BINARY,
        "pipe.md": DEVICE,
        "file.md": LINK,
        "folder": LINK,
        "nowhere.md": LINK,
        "round.md": LINK,
        "two\\nlines.md": "has a name that no note can have",
        "unclosed.md": OPEN_FRONT,
        "huge.md": "is larger than 5 MB",
    }.items():
        assert any(what.startswith(f"{name} {why}") for what in told), (name, told)
    assert any("folderfolder" in what and "no note can have" in what for what in told)
    advice = {p["what"]: p["fix"] for p in report["problems"]}
    assert advice["huge.md is larger than 5 MB"] == "split it to have it read"
    for sound in ("alias.md", "x.md", "case.md", "long.md", "broken.md"):
        assert not any(what.startswith(f"{sound} ") for what in told)
    assert report["ok"]


def test_utf16_is_read_by_its_mark_and_never_written() -> None:
    for name in ("utf-16-le", "utf-16-be"):
        mark = "\ufeff".encode(name)
        text, form = text_encoding.decode(mark + "# Ü\r\nx".encode(name))
        assert text == "# Ü\nx" and not form.utf8


async def test_hostile_names_through_the_tools(tmp_path: Path) -> None:
    """A small sample of `make chaos`; see tests/chaos/fuzz.py."""
    (tmp_path / "outside").mkdir()
    write(tmp_path, "soul.md", "# Soul\n")
    async with opened(tmp_path) as memory:
        await asyncio.wait_for(fuzz.tools(memory, tmp_path, seed=3, count=60), 120)

"""Reading and writing notes: names, links, encodings, failures, and concurrent writers."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import (
    EditRefused,
    LockHeld,
    NoteMissing,
    NoteUnreadable,
    PathRefused,
    VaultGone,
)
from memory.infra.file_locks import locked
from memory.infra.text_encoding import Form, decode, encode
from memory.notes.kinds import kind_of
from memory.vault import Vault, paths, writer


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "vault").mkdir(mode=0o755)
    return Vault(tmp_path / "vault", data_dir=tmp_path / "data")


def add(line: str) -> Callable[[str], str]:
    return lambda text: text + line


def names(vault: Vault) -> list[str]:
    return sorted(path.relative_to(vault.root).as_posix() for path in vault.root.rglob("*"))


# ── names ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path",
    [
        "",
        "  ",
        ".",
        "./",
        "..",
        "../x.md",
        "a/../../x.md",
        "a/..",
        "/etc/passwd",
        "//etc/passwd",
        "~/x.md",
        "C:/x.md",
        "a\\..\\x.md",
        "a\x00.md",
        "a\nb.md",
        "a\rb.md",
        "a\u2028b.md",
        "\ud800.md",
        ".obsidian/app.json",
        "a/.git/config",
        "x" * 300 + ".md",
        "é" * 130 + ".md",
        "/".join(["folder"] * 200) + "/x.md",
    ],
)
async def test_what_is_no_name_of_a_note_is_refused(vault: Vault, path: str) -> None:
    (vault.root.parent / "x.md").write_text("outside")
    for attempt in (
        vault.read(path),
        vault.read_optional(path),
        vault.edit(path, add("x"), cause="test"),
        vault.archive(path, cause="test"),
    ):
        with pytest.raises(PathRefused) as refused:
            await attempt
        assert len(str(refused.value)) < 300
        assert "\n" not in str(refused.value)
    assert names(vault) == []


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("./\\\x00~"), max_size=40))
def test_a_clean_name_never_leaves_and_stays_clean(text: str) -> None:
    try:
        name = paths.clean(text)
    except PathRefused:
        assert not paths.valid(text)
        return
    assert paths.clean(name) == name
    assert paths.valid(name)
    assert paths.valid(text) == (text == name)
    assert os.path.normpath(f"/vault/{name}") == f"/vault/{name}"


async def test_a_name_is_taken_in_its_plain_form(vault: Vault) -> None:
    await vault.edit("./a//b.md", add("x"), cause="test")
    assert await vault.read("a/b.md") == "x"
    assert (await vault.edit("a/./b.md", add("y"), cause="test")).path == "a/b.md"


@pytest.mark.parametrize("link", ["file.md", "folder", "chain.md", "dangling.md"])
async def test_a_link_out_of_the_vault_is_refused(vault: Vault, link: str) -> None:
    outside = vault.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (vault.root / "file.md").symlink_to(outside / "secret.md")
    (vault.root / "folder").symlink_to(outside)
    (vault.root / "chain.md").symlink_to("file.md")
    (vault.root / "dangling.md").symlink_to(outside / "new.md")
    path = f"{link}/secret.md" if link == "folder" else link
    with pytest.raises(PathRefused, match="link"):
        await vault.read(path)
    with pytest.raises(PathRefused, match="link"):
        await vault.edit(path, add("x"), cause="test")
    with pytest.raises(PathRefused, match="link"):
        await vault.archive(path, cause="test")
    assert [file.name for file in outside.iterdir()] == ["secret.md"]
    assert (outside / "secret.md").read_text() == "secret"


async def test_a_link_inside_the_vault_leads_to_its_note(vault: Vault) -> None:
    await vault.edit("a/real.md", add("one\n"), cause="test")
    (vault.root / "link.md").symlink_to("a/real.md")
    edited = await vault.edit("link.md", add("two\n"), cause="test")
    assert edited.path == "a/real.md"
    assert (vault.root / "link.md").is_symlink()
    assert await vault.read("a/real.md") == "one\ntwo\n"


async def test_a_link_in_the_middle_of_a_name_is_followed_inside_the_vault_alone(
    vault: Vault,
) -> None:
    outside = vault.root.parent / "outside"
    for folder in (outside, vault.root / "a" / "b", vault.root / "c", vault.root / "sealed"):
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "x.md").write_text(folder.name)
    (vault.root / "a" / "b" / "in").symlink_to("../../c")
    (vault.root / "a" / "b" / "out").symlink_to("../../../outside")
    (vault.root / "a" / "b" / "shut").symlink_to("../../sealed")
    (vault.root / "a" / "b" / "up").symlink_to("../..")
    assert vault.load("a/b/in/deep/x.md").path == "c/deep/x.md"
    assert vault.load("a/b/up/c/deep/x.md").text == "c"
    assert (await vault.edit("a/b/in/deep/x.md", add("!"), cause="test")).path == "c/deep/x.md"
    for path, why in (
        ("a/b/out/deep/x.md", "leaves the vault"),
        ("a/b/out/deep/new.md", "leaves the vault"),
        ("a/b/shut/deep/x.md", "sealed"),
        ("a/b/up/sealed/deep/x.md", "sealed"),
        ("a/b/up", "leaves the vault"),
    ):
        for attempt in (vault.read(path), vault.edit(path, add("x"), cause="test")):
            with pytest.raises(PathRefused, match=why):
                await attempt
    assert [file.read_text() for file in outside.rglob("*.md")] == ["outside"]


async def test_a_vault_that_is_itself_reached_by_a_link(vault: Vault) -> None:
    outside = vault.root.parent / "vault too"  # its name starts with the vault's
    outside.mkdir()
    (outside / "x.md").write_text("secret")
    (vault.root.parent / "way").symlink_to("vault")
    (vault.root / "link.md").symlink_to(vault.root / "a" / "real.md")
    (vault.root / "beside").symlink_to(outside)
    by_link = Vault(vault.root.parent / "way", data_dir=vault.data_dir)
    for path in ("a/real.md", "link.md"):
        assert (await by_link.edit(path, add("x"), cause="test")).path == "a/real.md"
    assert await by_link.read("link.md") == await vault.read("a/real.md") == "xx"
    with pytest.raises(PathRefused, match="leaves the vault"):
        await by_link.read("beside/x.md")


@pytest.mark.parametrize("path", ["sealed/x.md", "SEALED/x.md", "link.md", "way/x.md"])
async def test_what_is_sealed_is_not_read_even_through_a_link(vault: Vault, path: str) -> None:
    for folder in ("sealed", "SEALED"):
        (vault.root / folder).mkdir()
        (vault.root / folder / "x.md").write_text("secret")
    (vault.root / "link.md").symlink_to("sealed/x.md")
    (vault.root / "way").symlink_to("sealed")
    with pytest.raises(PathRefused, match="sealed"):
        await vault.read(path)
    with pytest.raises(PathRefused, match="sealed"):
        await vault.edit(path, add("x"), cause="test")
    assert vault.resolve(path).read_text() == "secret"  # for `sam open`


async def test_devices_pipes_and_endless_links_are_no_notes(vault: Vault) -> None:
    os.mkfifo(vault.root / "pipe.md")
    (vault.root / "a.md").symlink_to("b.md")
    (vault.root / "b.md").symlink_to("a.md")
    for path in ("pipe.md", "a.md"):
        for attempt in (vault.read(path), vault.edit(path, add("x"), cause="test")):
            with pytest.raises(PathRefused, match="device or an endless link"):
                await asyncio.wait_for(attempt, 60)


async def test_a_folder_is_no_note(vault: Vault) -> None:
    (vault.root / "folder").mkdir()
    (vault.root / "file.md").write_text("x")
    for path in ("folder", "file.md/x.md"):
        for attempt in (vault.read(path), vault.edit(path, add("x"), cause="test")):
            with pytest.raises(PathRefused, match="is no note"):
                await attempt


async def test_names_that_look_the_same_are_the_same_note(vault: Vault) -> None:
    composed, apart = "Caf\u00e9/n\u00e9.md", "Cafe\u0301/ne\u0301.md"
    await vault.edit(apart, add("one\n"), cause="test")
    assert await vault.read(composed) == "one\n"
    edited = await vault.edit(composed, add("two\n"), cause="test")
    assert edited.path == apart  # as the scan finds it
    assert [note.path for note in vault.notes()] == [apart]
    (vault.root / "Cafe\u0301" / "n\u00e9.md").write_text("another")
    assert await vault.read("Caf\u00e9/n\u00e9.md") == "another"  # the exact match first
    assert await vault.read(apart) == "one\ntwo\n"


async def test_upper_case_twins_of_sams_files_are_used(vault: Vault) -> None:
    assert vault.own("soul.md") == "soul.md"
    (vault.root / "SOUL.md").write_text("loud")
    assert vault.own("soul.md") == "SOUL.md"
    await vault.edit(vault.own("soul.md"), add("er"), cause="test")
    assert await vault.read("SOUL.md") == "louder"
    (vault.root / "soul.md").write_text("quiet")
    assert vault.own("soul.md") == "soul.md"
    assert vault.own("memories/2026-02-12.md") == "memories/2026-02-12.md"


def test_sams_files_lie_in_sams_folder(tmp_path: Path) -> None:
    vault = Vault(tmp_path, sam_dir="Sam/", data_dir=tmp_path / "data")
    (tmp_path / "SOUL.md").touch()
    assert vault.own("soul.md") == "Sam/soul.md"
    (tmp_path / "Sam").mkdir()
    (tmp_path / "Sam" / "MEMORY.MD").touch()
    assert vault.own("MEMORY.md") == "Sam/MEMORY.MD"


@pytest.mark.parametrize(
    "setting", ["Ged\u00e4chtnis", "Geda\u0308chtnis", "./Ged\u00e4chtnis/", "a//Ged\u00e4chtnis"]
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_sams_folder_is_spelled_as_on_disk(tmp_path: Path, setting: str, form: str) -> None:
    root = tmp_path / "vault"
    there = unicodedata.normalize(form, setting.replace("//", "/").strip("./"))
    (root / there / "sealed").mkdir(parents=True)
    for name in ("user.md", "sealed/x.md"):
        (root / there / name).touch()
    vault = Vault(root, sam_dir=setting, data_dir=tmp_path / "data")
    assert [note.path for note in vault.notes()] == [vault.own("user.md")] == [f"{there}/user.md"]
    assert [kind_of(note.path, vault.sam_dir) for note in vault.files()] == ["user"]


@pytest.mark.parametrize("setting", ["Sam", "sam"])
def test_case_counts_where_the_disk_tells_it_apart(tmp_path: Path, setting: str) -> None:
    (tmp_path / "Sam").mkdir()
    vault = Vault(tmp_path, sam_dir=setting, data_dir=tmp_path / "data")
    assert vault.sam_dir == ("Sam" if (tmp_path / "sam").is_dir() else setting)


# ── forms ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\n", b"a\nb\nnew\n"),
        (b"a\r\nb\r\n", b"a\r\nb\r\nnew\r\n"),
        (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\r\nnew\r\n"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfa\nnew\n"),
        (b"a\r\nb\n", b"a\r\nb\nnew\n"),
        (b"a\rb\r\r\n", b"a\rb\r\r\nnew\n"),
        (b"no end", b"no endnew\n"),
        (b"", b"new\n"),
        ("Zoë 🦊\n".encode(), "Zoë 🦊\nnew\n".encode()),
    ],
)
async def test_the_form_of_a_note_is_kept(vault: Vault, before: bytes, after: bytes) -> None:
    (vault.root / "a.md").write_bytes(before)
    same = await vault.edit("a.md", lambda text: text, cause="test")
    assert not same.changed
    await vault.edit("a.md", add("new\n"), cause="test")
    assert (vault.root / "a.md").read_bytes() == after


@given(st.binary(max_size=60) | st.text("a\r\n\ufeffé", max_size=30).map(str.encode))
def test_decoding_and_encoding_is_exact(raw: bytes) -> None:
    text, form = decode(raw)
    if form.utf8:
        assert encode(text, form) == raw
    else:
        with pytest.raises(EditRefused):
            encode(text, form)


async def test_windows_newlines_are_not_seen(vault: Vault) -> None:
    (vault.root / "a.md").write_bytes(b"\xef\xbb\xbf- one ^a1\r\n- two\r\n")
    assert await vault.read("a.md") == "- one ^a1\n- two\n"


async def test_what_is_not_utf8_is_read_and_never_rewritten(vault: Vault) -> None:
    raw = "Müller\n".encode("latin-1")
    (vault.root / "a.md").write_bytes(raw)
    assert await vault.read("a.md") == "Müller\n"
    assert not vault.load("a.md").utf8
    with pytest.raises(EditRefused, match="UTF-8"):
        await vault.edit("a.md", add("x"), cause="test")
    assert (vault.root / "a.md").read_bytes() == raw


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Fährt für „5 €“\r\n".encode("cp1252"), "Fährt für „5 €“\n"),
        ("Zoë 🦊".encode() + b"\xff", "Zoë 🦊\ufffd"),  # damaged UTF-8
        (b"\x81 caf\xe9", "\ufffd café"),
    ],
)
def test_another_encoding_is_read_as_far_as_it_goes(raw: bytes, text: str) -> None:
    assert decode(raw) == (text, Form(utf8=False, crlf=b"\r" in raw))


def test_binary_data_is_no_text_and_text_in_any_encoding_is_no_binary_data() -> None:
    noise = random.Random(7).randbytes(2_000)
    assert decode(noise)[1].binary and decode(zlib.compress(noise))[1].binary
    for text, encoding in (
        ("Größe\tüber\r\n", "latin-1"),
        ("Где ключ?\n", "cp1251"),
        ("猫です", "shift_jis"),
    ):
        assert not decode(text.encode(encoding))[1].binary
    assert not decode(b"a \0 in a note" * 9)[1].binary


async def test_half_a_character_is_refused(vault: Vault) -> None:
    with pytest.raises(EditRefused, match="half a character"):
        await vault.edit("a.md", add("\ud83e"), cause="test")
    assert names(vault) == []


async def test_a_huge_note_is_not_read(vault: Vault) -> None:
    with (vault.root / "dump.md").open("wb") as file:
        file.truncate(40_000_000_000)  # sparse; reading all of it would take too long
    for attempt in (vault.read("dump.md"), vault.edit("dump.md", add("x"), cause="test")):
        with pytest.raises(NoteUnreadable, match="larger than 5 MB: split it"):
            await asyncio.wait_for(attempt, 60)
    with pytest.raises(EditRefused, match="too large"):
        await vault.edit("a.md", add("x" * 5_000_001), cause="test")
    assert names(vault) == ["dump.md"]


async def test_modes_are_kept_and_new_notes_are_as_open_as_their_folder(vault: Vault) -> None:
    (vault.root / "own.md").touch(mode=0o600)
    (vault.root / "own.md").chmod(0o640)
    (vault.root / "private").mkdir(mode=0o700)
    for path in ("own.md", "new.md", "private/new.md", "private/deep/er/new.md"):
        await vault.edit(path, add("x"), cause="test")

    def mode(path: str) -> int:
        return (vault.root / path).stat().st_mode & 0o777

    assert mode("own.md") == 0o640
    assert mode("new.md") == 0o644
    assert mode("private/new.md") == mode("private/deep/er/new.md") == 0o600
    assert mode("private/deep") == mode("private/deep/er") == 0o700
    assert vault.data_dir.stat().st_mode & 0o777 == 0o700
    assert vault.lock.stat().st_mode & 0o777 == 0o600


# ── edits ────────────────────────────────────────────────────────────────────────────────────


async def test_the_journal_is_told_of_each_change(vault: Vault) -> None:
    told: list[tuple[str, str | None, str | None, str]] = []

    async def journal(path: str, before: str | None, after: str | None, cause: str) -> None:
        told.append((path, before, after, cause))

    vault.journal = journal
    one = await vault.edit("a.md", add("1"), cause="summary")
    two = await vault.edit("a.md", add("2"), cause="tool")
    await vault.edit("a.md", lambda text: text, cause="nothing")
    moved = await vault.archive("a.md", cause="expired")
    first, second = (hashlib.sha256(text).hexdigest() for text in (b"1", b"12"))
    assert told == [
        ("a.md", None, first, "summary"),
        ("a.md", first, second, "tool"),
        ("a.md", second, None, "expired"),
        (moved, None, second, "expired"),
    ]
    assert (one.before, one.after, two.before, two.after) == (None, "1", "1", "12")


async def test_an_empty_change_makes_no_note(vault: Vault) -> None:
    assert not (await vault.edit("a.md", add(""), cause="test")).changed
    with pytest.raises(NoteMissing, match=r"There is no note a\.md"):
        await vault.edit("a.md", add("x"), cause="test", create=False)
    with pytest.raises(NoteMissing):
        await vault.read("a.md")
    assert await vault.read_optional("a.md") is None
    assert names(vault) == []


async def test_a_change_that_raises_changes_nothing(vault: Vault) -> None:
    await vault.edit("a.md", add("x"), cause="test")

    def refuses(text: str) -> str:
        raise EditRefused("The text is missing.")

    with pytest.raises(EditRefused, match="missing"):
        await vault.edit("a.md", refuses, cause="test")
    assert await vault.read("a.md") == "x"


async def test_what_is_archived_keeps_its_path_and_never_lands_on_another(vault: Vault) -> None:
    moved = []
    for _ in range(3):
        await vault.edit("knowledge/v1.2 notes.md", add("x"), cause="test")
        moved.append(await vault.archive("knowledge/v1.2 notes.md", cause="test"))
    assert moved == [
        "archive/knowledge/v1.2 notes.md",
        "archive/knowledge/v1.2 notes 2.md",
        "archive/knowledge/v1.2 notes 3.md",
    ]
    with pytest.raises(NoteMissing):
        await vault.archive("knowledge/v1.2 notes.md", cause="test")


async def test_archiving_in_a_guest_house_goes_to_sams_folder(tmp_path: Path) -> None:
    vault = Vault(tmp_path, sam_dir="Sam", data_dir=tmp_path / ".data")
    await vault.edit("Notes/a.md", add("x"), cause="test")
    await vault.edit("Sam/knowledge/b.md", add("x"), cause="test")
    assert await vault.archive("Notes/a.md", cause="test") == "Sam/archive/Notes/a.md"
    assert await vault.archive("Sam/knowledge/b.md", cause="x") == "Sam/archive/knowledge/b.md"


async def test_put_replaces_only_what_is_expected(vault: Vault, tmp_path: Path) -> None:
    source = tmp_path / "picture.png"
    source.write_bytes(bytes(range(256)) * 40_000)
    assert await vault.put("img/picture.png", source, expected=None, cause="sync")
    assert not await vault.put("img/picture.png", source, expected=None, cause="sync")
    assert not await vault.put("img/picture.png", source, expected="0" * 64, cause="sync")
    known = hashlib.sha256(source.read_bytes()).hexdigest()
    source.write_bytes(b"new")
    assert await vault.put("img/picture.png", source, expected=known, cause="sync")
    assert (vault.root / "img/picture.png").read_bytes() == b"new"
    with pytest.raises(EditRefused, match="changed meanwhile"):
        await vault.archive("img/picture.png", cause="sync", expected=known)


async def test_a_move_never_lands_on_another_file(vault: Vault) -> None:
    await vault.edit("a.md", add("a"), cause="test")
    await vault.edit("b.md", add("b"), cause="test")
    with pytest.raises(PathRefused, match="there is a file"):
        await vault.move("a.md", "b.md", cause="test")
    assert await vault.move("a.md", "new/c.md", cause="test") == "new/c.md"
    assert names(vault) == ["b.md", "new", "new/c.md"]
    with pytest.raises(NoteMissing):
        await vault.move("a.md", "d.md", cause="test")


async def test_what_leaves_the_vault_is_kept_elsewhere(vault: Vault, tmp_path: Path) -> None:
    target = tmp_path / "kept" / "a.md"
    for expected in ("0" * 64, None):
        await vault.edit("a.md", add("a"), cause="test")
        if expected:
            with pytest.raises(EditRefused, match="changed meanwhile"):
                await vault.release("a.md", target, cause="test", expected=expected)
            assert names(vault) == ["a.md"]
    await vault.release("a.md", target, cause="test")
    assert names(vault) == []
    assert target.read_text() == "aa"
    await vault.edit("a.md", add("b"), cause="test")
    with pytest.raises(PathRefused):
        await vault.release("a.md", target, cause="test")


# ── others who write ─────────────────────────────────────────────────────────────────────────


def _append(root: Path, data: Path, writer: int, count: int) -> None:
    async def work() -> None:
        vault = Vault(root, data_dir=data)
        for number in range(count):
            await vault.edit("a.md", add(f"- {writer}.{number}\n"), cause="test")

    asyncio.run(work())


def test_four_hundred_appends_of_four_processes_all_stay(vault: Vault) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [
        spawn.Process(target=_append, args=(vault.root, vault.data_dir, writer, 100))
        for writer in range(4)
    ]
    for process in writers:
        process.start()
    for process in writers:
        process.join(60)
    assert [process.exitcode for process in writers] == [0] * 4
    lines = (vault.root / "a.md").read_text().splitlines()
    assert sorted(lines) == sorted(f"- {w}.{n}" for w in range(4) for n in range(100))
    assert names(vault) == ["a.md"]


async def test_a_save_between_read_and_rename_is_seen(vault: Vault) -> None:
    note = vault.root / "a.md"
    note.write_text("first\n")
    calls = []

    def change(text: str) -> str:
        calls.append(text)
        if len(calls) == 1:  # the owner's editor takes no lock
            note.write_text("first\nthe owner's\n")
        return text + "Sam's\n"

    edited = await vault.edit("a.md", change, cause="test")
    assert note.read_text() == "first\nthe owner's\nSam's\n"
    assert calls == ["first\n", "first\nthe owner's\n"]
    assert edited.before == "first\nthe owner's\n"
    assert names(vault) == ["a.md"]


async def test_a_note_that_appears_or_goes_meanwhile_is_seen(vault: Vault) -> None:
    note = vault.root / "a.md"

    def appears(text: str) -> str:
        if not text:
            note.write_text("the owner's\n")
        return text + "Sam's\n"

    await vault.edit("a.md", appears, cause="test")
    assert note.read_text() == "the owner's\nSam's\n"

    def goes(text: str) -> str:
        note.unlink(missing_ok=True)
        return text + "more\n"

    await vault.edit("a.md", goes, cause="test")
    assert note.read_text() == "more\n"


async def test_an_editor_that_never_stops_saving_is_named(vault: Vault) -> None:
    note = vault.root / "a.md"
    note.write_text("0")

    def change(text: str) -> str:
        note.write_text(str(int(text) + 1))
        return text + "Sam's"

    with pytest.raises(EditRefused, match="changes all the time"):
        await vault.edit("a.md", change, cause="test")
    assert "Sam" not in note.read_text()


async def test_an_editor_between_truncating_and_writing_is_waited_for(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_WAITS", (0.0, *[0.02] * 500))  # the editor's thread may be late
    note = vault.root / "a.md"
    note.write_text("")

    def editor() -> None:
        with note.open("w") as file:
            ready.set()
            time.sleep(0.04)
            file.write("the owner's\n")

    ready = threading.Event()
    thread = threading.Thread(target=editor)
    thread.start()
    ready.wait()
    await vault.edit("a.md", add("Sam's\n"), cause="test")
    thread.join()
    assert note.read_text() == "the owner's\nSam's\n"


async def test_a_cancelled_edit_is_whole_and_frees_the_lock_after_it(vault: Vault) -> None:
    told = []
    begun = threading.Event()

    async def journal(*change: object) -> None:
        told.append(change)

    def slow(text: str) -> str:
        begun.set()
        time.sleep(0.1)
        return text + "x\n"

    vault.journal = journal
    task = asyncio.create_task(vault.edit("a.md", slow, cause="test"))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await vault.read("a.md") == "x\n"
    assert len(told) == 1
    async with locked(vault.lock, timeout=0.1):
        pass


async def test_an_edit_waits_for_the_lock(vault: Vault) -> None:
    async with locked(vault.lock):
        task = asyncio.create_task(vault.edit("a.md", add("x"), cause="test"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(task), 0.05)
        assert names(vault) == []
    await task
    assert names(vault) == ["a.md"]


async def test_what_a_killed_edit_left_is_swept_by_the_next(vault: Vault) -> None:
    (vault.root / "sub").mkdir()
    (vault.root / "sub" / ".sam-0123456789ab.tmp").write_text("half")
    (vault.root / "sub" / ".sam-notes.tmp").write_text("somebody's")
    await vault.edit("a.md", add("x"), cause="test")
    assert names(vault) == ["a.md", "sub", "sub/.sam-notes.tmp"]


# ── disks that fail ──────────────────────────────────────────────────────────────────────────


CHILD = """
import asyncio, concurrent.futures.thread, errno, os, resource, sys
from pathlib import Path
from memory.errors import VaultError
from memory.vault import Vault
from tests.fakes.syscalls import refuse
root, data = map(Path, sys.argv[1:3])
async def edit():
    vault = Vault(root, data_dir=data)
    await vault.edit("a.md", lambda text: text + "x" * 20_000, cause="test")
exec(sys.argv[3])
try:
    asyncio.run(edit())
except VaultError as error:
    print(f"{type(error).__name__}: {error}")
"""

UNPRIVILEGED = """
if os.geteuid() == 0:  # root may write anywhere
    for path in (root.parent, root, root / "a.md"):
        os.chown(path, 65534, 65534)
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
root.chmod(0o500)
"""


@pytest.fixture
def filled(vault: Vault) -> Vault:
    (vault.root / "a.md").write_text("what the owner wrote\n")
    return vault


def child_edits(vault: Vault, given: str) -> str:
    """Run an edit in another process after the code `given`; return its output."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(vault.root), str(vault.data_dir), given],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    vault.root.chmod(0o755)
    assert (vault.root / "a.md").read_text() == "what the owner wrote\n"
    assert names(vault) == ["a.md"]
    return done.stdout.strip()


def test_a_full_disk_leaves_the_note_as_it_was(filled: Vault) -> None:
    assert child_edits(filled, "resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))") == (
        "VaultError: a.md was not written and stays as it was, the disk is full: free up space."
    )


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        ("fsync", "EIO", "cannot be written (Input/output error): check the disk."),
        (
            "fsync",
            "ENOSPC",
            "was not written and stays as it was, the disk is full: free up space.",
        ),
        ("rename", "EROFS", "cannot be written (Read-only file system): check its permissions."),
        ("rename", "EACCES", "cannot be written (Permission denied): check its permissions."),
    ],
)
def test_a_disk_that_fails_leaves_the_note_as_it_was(
    filled: Vault, call: str, code: str, reason: str
) -> None:
    told = child_edits(filled, f"refuse('{call}', errno.{code})")
    assert told == f"VaultError: a.md {reason}"


async def test_what_an_edit_wrote_is_on_the_disk_and_its_name_too(
    filled: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename that is only in the page cache is lost in a power cut, and the note with it."""
    real, durable = os.fsync, []

    def fsync(descriptor: int) -> None:
        real(descriptor)
        place = Path(f"/proc/self/fd/{descriptor}").readlink()
        if place.is_relative_to(filled.root):
            durable.append((place.suffix, (filled.root / "a.md").read_text()))

    monkeypatch.setattr(os, "fsync", fsync)
    await filled.edit("a.md", lambda text: "new\n", cause="test")
    assert durable == [(".tmp", "what the owner wrote\n"), ("", "new\n")]


def test_a_read_only_vault_is_said() -> None:
    # outside of pytest's folder, which another user may not enter
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder) / "vault", data_dir=Path(folder) / "data")
        vault.root.mkdir()
        (vault.root / "a.md").write_text("what the owner wrote\n")
        assert child_edits(vault, UNPRIVILEGED) == (
            "VaultError: a.md cannot be written (Permission denied): check its permissions."
        )


# ── the vault as a whole ─────────────────────────────────────────────────────────────────────


async def test_a_vault_that_vanished_is_not_begun_anew(vault: Vault) -> None:
    vault.check_present()  # new and empty: fine
    await vault.edit("a.md", add("x"), cause="test")
    assert len(list(vault.notes())) == 1
    vault.check_present()
    (vault.root / "a.md").unlink()
    for again in (vault, Vault(vault.root, data_dir=vault.data_dir)):
        with pytest.raises(VaultGone, match=r"1 note was known before.*vault\.json"):
            again.check_present()
        with pytest.raises(VaultGone):
            await again.edit("b.md", add("x"), cause="test")
    vault.root.rmdir()
    with pytest.raises(VaultGone):
        vault.check_present()
    (vault.data_dir / "vault.json").write_text("")  # a broken marker still counts
    with pytest.raises(VaultGone):
        vault.check_present()
    (vault.data_dir / "vault.json").unlink()
    vault.check_present()
    with pytest.raises(VaultGone, match="There is no vault"):
        await vault.edit("b.md", add("x"), cause="test")


async def test_a_held_lock_ends_an_edit_with_a_sentence(vault: Vault) -> None:
    with pytest.raises(LockHeld, match=r"vault\.lock"):
        async with locked(vault.lock), locked(vault.lock, timeout=0.05):
            pass

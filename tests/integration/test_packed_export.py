"""Importing a ZIP: the same result as for an unpacked export; hostile archives leave nothing."""

from __future__ import annotations

import asyncio
import stat
import threading
import time
import zipfile
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

import pytest

from memory import DataDir, LockHeld, errors
from memory.transfer import (
    import_export,
    is_packed,
    packed_export,
    read_manifest,
    sam_export,
    unpacked_zip,
)
from tests.support.memories import Clock, log_exchange, opened, settings

Form = Literal["NFC", "NFD"]
MANIFEST = '{\n "format": "sam-export",\n "version": 1'


async def test_what_is_packed_goes_into_another_memory(tmp_path: Path) -> None:
    kept = tmp_path / "kept.zip"
    async with opened(tmp_path / "one", clock=Clock()) as memory:
        await log_exchange(memory, "My bike is red.", "I see.")
        async with packed_export(memory) as made:
            kept.write_bytes(made.path.read_bytes())
            with pytest.raises(LockHeld):
                async with packed_export(memory):
                    pass
        assert not memory.profile.files.transfer.exists()
    assert is_packed(kept) and not is_packed(tmp_path / "one")
    files = DataDir(tmp_path / "two" / "data")
    async with unpacked_zip(files, kept) as folder:
        assert read_manifest(folder).counts["messages"] == 2
        await import_export(settings(tmp_path / "two"), folder)
    assert not files.transfer.exists()
    async with opened(tmp_path / "two") as memory:
        assert [m.text for m in await memory.log.messages.recent(9)] == [
            "My bike is red.",
            "I see.",
        ]


async def test_an_interrupted_import_ends_once_nothing_copies_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, copied, loop = asyncio.Event(), threading.Event(), asyncio.get_running_loop()
    real = sam_export._copy_vault

    def slow(*given: Any) -> None:
        loop.call_soon_threadsafe(begun.set)
        time.sleep(0.2)
        real(*given)
        copied.set()

    monkeypatch.setattr(sam_export, "_copy_vault", slow)
    kept = tmp_path / "kept.zip"
    async with opened(tmp_path / "one", clock=Clock()) as memory:
        (memory.vault.root / "note.md").write_text("The bike is red.", "utf-8")
        async with packed_export(memory) as made:
            made.path.rename(kept)

    async def unpack_and_import() -> None:
        async with unpacked_zip(DataDir(tmp_path / "two" / "data"), kept) as folder:
            await import_export(settings(tmp_path / "two"), folder)

    going = asyncio.create_task(unpack_and_import())
    await begun.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert copied.is_set() and (tmp_path / "two/vault/note.md").is_file()


class OfMacOS(zipfile.ZipInfo):
    """An entry as macOS writes it: the name is in UTF-8, and no flag says so."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # zipfile's name
        return self.filename.encode(), self.flag_bits & ~0x800


async def test_a_zip_of_the_folder_itself_is_read_also_from_a_mac(tmp_path: Path) -> None:
    kept, of_hand = tmp_path / "kept.zip", tmp_path / "of hand.zip"
    async with opened(tmp_path / "one", clock=Clock()) as memory:
        (memory.vault.root / "Café.md").write_text("closed on Mondays", "utf-8")
        async with packed_export(memory) as made:
            made.path.rename(kept)
    with zipfile.ZipFile(kept) as source, zipfile.ZipFile(of_hand, "w") as target:
        for entry in source.infolist():
            target.writestr(OfMacOS(f"my export/{entry.filename}"), source.read(entry))
        target.writestr("__MACOSX/my export/._manifest.json", "x")
        target.writestr(f"my export/{tmp_path}/evil.md", "x")  # `//`
    assert is_packed(of_hand)
    async with unpacked_zip(DataDir(tmp_path / "data"), of_hand) as folder:
        assert "vault/Café.md" in [file.path for file in read_manifest(folder).files]
    assert not (tmp_path / "evil.md").exists()


@pytest.mark.parametrize(("here", "there"), [("NFC", "NFD"), ("NFD", "NFC")])
async def test_accents_may_be_written_in_the_other_way(
    tmp_path: Path, here: Form, there: Form
) -> None:
    kept, of_hand = tmp_path / "kept.zip", tmp_path / "of hand.zip"
    note = normalize(here, "Österreich/Café.md")
    async with opened(tmp_path / "one", clock=Clock()) as memory:
        (memory.vault.root / note).parent.mkdir()
        (memory.vault.root / note).write_text("closed on Mondays", "utf-8")
        async with packed_export(memory) as made:
            made.path.rename(kept)
    with zipfile.ZipFile(kept) as source, zipfile.ZipFile(of_hand, "w") as target:
        for entry in source.infolist():
            target.writestr(normalize(there, entry.filename), source.read(entry))
    async with unpacked_zip(DataDir(tmp_path / "data"), of_hand) as folder:
        assert f"vault/{note}" in [file.path for file in read_manifest(folder).files]


def test_a_damaged_manifest_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", MANIFEST * 9)
    raw = bytearray(file.read_bytes())
    raw[43:51] = b"\xff" * 8  # the first bytes behind the entry's header and name
    file.write_bytes(raw)
    assert not is_packed(file)


def test_a_device_is_none() -> None:
    assert not is_packed(Path("/dev/zero"))


async def test_a_large_file_of_zeros_is_no_bomb_in_an_export(tmp_path: Path) -> None:
    kept = tmp_path / "kept.zip"
    async with opened(tmp_path / "one", clock=Clock()) as memory:
        (memory.vault.root / "disk.img").write_bytes(bytes(60_000_000))
        async with packed_export(memory) as made:
            made.path.rename(kept)
    async with unpacked_zip(DataDir(tmp_path / "two" / "data"), kept) as folder:
        assert (folder / "vault" / "disk.img").stat().st_size == 60_000_000


async def test_what_a_killed_run_left_goes_with_the_next(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        left = memory.profile.files.transfer / "export" / "vault"
        left.mkdir(parents=True)
        (left / "diary.md").write_text("half an export", "utf-8")
        async with packed_export(memory) as made:
            assert not left.exists() and made.size > 1000
        assert not memory.profile.files.transfer.exists()


def leads_out(archive: zipfile.ZipFile) -> None:
    archive.writestr("vault/../../evil.md", "x")


def link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("vault/soul.md")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


def bomb(archive: zipfile.ZipFile) -> None:
    archive.writestr("vault/a.md", b" " * 120_000_000)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (leads_out, "leads out of its folder"),
        (link, "has a link in it"),
        (bomb, "ZIP bomb"),
        (None, "damaged or locked ZIP"),
    ],
)
async def test_a_hostile_one_is_refused_and_leaves_nothing(
    tmp_path: Path, made: object, why: str
) -> None:
    file = tmp_path / "evil.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", MANIFEST)
        if callable(made):
            made(archive)
        else:
            archive.writestr("vault/a.md", "words " * 5000)
    if made is None:
        raw = bytearray(file.read_bytes())
        place = raw.index(b"vault/a.md") + 20
        raw[place : place + 8] = b"\xff" * 8
        file.write_bytes(raw)
    assert is_packed(file)
    files = DataDir(tmp_path / "data")
    with pytest.raises(errors.TransferRefused, match=why):
        async with unpacked_zip(files, file):
            pass
    assert not files.transfer.exists() and not list(tmp_path.rglob("evil.md"))

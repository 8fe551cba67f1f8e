"""The starter vault: where it is copied, and where it never is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory.errors import ConfigError, VaultError, VaultGone
from memory.vault import Vault, starter


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a small starter vault in place of the installation's."""
    origin = tmp_path / "package"
    for name in ("soul.md", "user.md", "memories/2026-02-12.md", ".hidden"):
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        (origin / name).write_text(f"the starter's {name}\n")
    monkeypatch.setattr(starter, "source", lambda: origin)
    return origin


def files(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


async def test_a_missing_or_empty_vault_is_furnished_once(tmp_path: Path, origin: Path) -> None:
    vault = Vault(tmp_path / "new" / "vault", data_dir=tmp_path / "data")
    expected = {n: t for n, t in files(origin).items() if not n.startswith(".")}
    assert await starter.copy_starter(vault) == ("memories/2026-02-12.md", "user.md", "soul.md")
    assert files(vault.root) == expected
    assert vault.root.stat().st_mode & 0o777 == 0o700
    assert (vault.root / "soul.md").stat().st_mode & 0o777 == 0o600
    (vault.root / "user.md").write_text("mine\n")
    (vault.root / "memories/2026-02-12.md").unlink()
    assert await starter.copy_starter(vault) == ()
    assert files(vault.root) == {"soul.md": expected["soul.md"], "user.md": "mine\n"}

    empty = Vault(tmp_path / "empty", data_dir=tmp_path / "data2")
    empty.root.mkdir()
    assert len(await starter.copy_starter(empty)) == 3


async def test_an_interrupted_start_is_completed(tmp_path: Path, origin: Path) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    vault.root.mkdir()
    (vault.root / "user.md").write_text("already mine\n")
    assert await starter.copy_starter(vault) == ("memories/2026-02-12.md", "soul.md")
    assert (vault.root / "user.md").read_text() == "already mine\n"


async def test_somebodys_notes_are_left_alone(tmp_path: Path, origin: Path) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    (vault.root / "sub").mkdir(parents=True)
    (vault.root / "sub" / "photo.png").write_text("x")
    assert await starter.copy_starter(vault) == ()
    assert files(vault.root) == {"sub/photo.png": "x"}


async def test_an_upper_case_soul_is_a_soul(tmp_path: Path, origin: Path) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    vault.root.mkdir()
    (vault.root / "SOUL.md").write_text("loud")
    assert await starter.copy_starter(vault) == ()
    assert not starter.is_owners_vault(vault.root)


async def test_in_a_guest_house_sams_folder_is_furnished(tmp_path: Path, origin: Path) -> None:
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    assert not starter.is_owners_vault(root)
    (root / "Home.md").write_text("mine")
    assert starter.is_owners_vault(root)
    with pytest.raises(ConfigError, match="Set SAM_DIR=Sam"):
        await starter.copy_starter(Vault(root, data_dir=tmp_path / "data"))
    assert [path.name for path in root.iterdir() if path.is_file()] == ["Home.md"]
    guest = Vault(root, sam_dir="Sam", data_dir=tmp_path / "data")
    assert set(await starter.copy_starter(guest)) == {
        "Sam/soul.md",
        "Sam/user.md",
        "Sam/memories/2026-02-12.md",
    }
    assert await starter.copy_starter(guest) == ()
    assert [path.name for path in root.iterdir() if path.is_file()] == ["Home.md"]


async def test_a_folder_of_sams_that_was_renamed_is_not_furnished_again(
    tmp_path: Path, origin: Path
) -> None:
    root = tmp_path / "vault"
    for path in ("Home.md", "Sam/knowledge/biographical.md", "Copies/Sam/soul.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("mine")
    guest = Vault(root, sam_dir="Sam", data_dir=tmp_path / "data")
    (root / "Sam" / "soul.md").write_text("be a pirate")
    assert list(guest.notes()) and await starter.copy_starter(guest) == ()
    (root / "Sam").rename(root / "Assistant")
    with pytest.raises(ConfigError, match="Set SAM_DIR=Assistant, or move them back"):
        await starter.copy_starter(guest)
    assert not (root / "Sam").exists()
    moved = Vault(root, sam_dir="Assistant", data_dir=tmp_path / "data")
    assert await starter.copy_starter(moved) == ()


async def test_a_used_vault_that_is_empty_now_is_not_furnished(
    tmp_path: Path, origin: Path
) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    await starter.copy_starter(vault)
    assert len(list(vault.notes())) == 3
    shutil.rmtree(vault.root)
    for _ in range(2):
        with pytest.raises(VaultGone):
            await starter.copy_starter(vault)
        vault.root.mkdir(exist_ok=True)
    assert files(vault.root) == {}


def test_the_starter_comes_from_the_package_or_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "memory"
    (package / "starter").mkdir(parents=True)
    monkeypatch.setattr(starter, "resources", lambda name: package)
    monkeypatch.setattr(starter, "__file__", str(package / "vault" / "starter.py"))
    with pytest.raises(VaultError, match="install Sam again"):
        starter.source()
    checkout = package.parent / "vault"
    checkout.mkdir()
    (checkout / "soul.md").touch()
    assert starter.source() == checkout
    (package / "starter" / "soul.md").touch()
    assert starter.source() == package / "starter"

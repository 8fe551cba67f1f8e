"""Which notes are indexed: Sam's folders, the owner's exclusions, links; and the speed."""

from __future__ import annotations

import json
import os
import time
import unicodedata
from pathlib import Path

import pytest

from memory.errors import NoteUnreadable, VaultGone
from memory.vault import Vault
from memory.vault.scanner import exclusion


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")


def vault(tmp_path: Path, sam_dir: str = "", exclude: tuple[str, ...] = ()) -> Vault:
    (tmp_path / "vault").mkdir(exist_ok=True)
    return Vault(tmp_path / "vault", sam_dir=sam_dir, data_dir=tmp_path / "data", exclude=exclude)


def seen(one: Vault) -> set[str]:
    """Scan, and check that `is_indexed` agrees for each markdown file."""
    found = {note.path for note in one.notes()}
    for path in one.root.rglob("*"):
        if path.suffix.lower() == ".md" and not path.is_symlink():
            name = path.relative_to(one.root).as_posix()
            assert one.is_indexed(name) == (name in found), name
    return found


def test_markdown_of_all_folders_is_found(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "soul.md", "a/b/c/deep.md", "Archive/old.md", "UPPER.MD", "photo.png", "x.txt")
    assert seen(one) == {"soul.md", "a/b/c/deep.md", "Archive/old.md", "UPPER.MD"}
    note = next(note for note in one.notes() if note.path == "soul.md")
    stat = (one.root / "soul.md").stat()
    assert (note.size, note.mtime_ns) == (stat.st_size, stat.st_mtime_ns)


def test_a_name_may_begin_with_a_tilde(tmp_path: Path) -> None:
    """So some owners have a folder listed last."""
    one = vault(tmp_path)
    write(one.root, "~Archive/old.md", "~draft.md", "a/~b.md")
    assert seen(one) == {"~Archive/old.md", "~draft.md", "a/~b.md"}
    assert one.load("~Archive/old.md").text == "# ~Archive/old.md\n"


def test_hidden_and_own_folders_are_left_out(tmp_path: Path) -> None:
    one = vault(tmp_path)
    hidden = ("archive/a.md", "sessions/s.md", "sealed/x.md", "Sealed/y.md", ".trash/t.md")
    write(one.root, "note.md", ".obsidian/p.md", ".hidden.md", "a/.git/readme.md", *hidden)
    assert seen(one) == {"note.md"}


def test_in_a_guest_house_only_sams_own_folders_are_left_out(tmp_path: Path) -> None:
    one = vault(tmp_path, sam_dir="Sam")
    write(one.root, "archive/mine.md", "sessions/mine.md", "sealed/mine.md")
    write(one.root, "Sam/archive/a.md", "Sam/sessions/s.md", "Sam/sealed/x.md", "Sam/soul.md")
    assert seen(one) == {"archive/mine.md", "sessions/mine.md", "Sam/soul.md"}


def test_settings_and_samignore_exclude_by_globs(tmp_path: Path) -> None:
    one = vault(tmp_path, exclude=("Drafts/", "*.excalidraw.md"))
    write(one.root, "Drafts/a.md", "x/Drafts/b.md", "d.excalidraw.md", "keep.md")
    write(one.root, "Work/secret/a.md", "Work/open/b.md", "diary-2020.md", "diary-2021.md")
    (one.root / ".samignore").write_text("# private\n\nWork/secret\ndiary-*.md\n!diary-2021.md\n")
    assert seen(one) == {"keep.md", "Work/open/b.md", "diary-2021.md"}
    (one.root / ".samignore").write_text("keep.md\n")
    assert "keep.md" not in seen(one)
    assert "Work/secret/a.md" in seen(one)


@pytest.mark.parametrize(
    ("glob", "hides", "leaves"),
    [
        ("a.md", ("a.md", "x/a.md"), ("b.md", "aa.md", "a.md.md")),
        ("/a.md", ("a.md",), ("x/a.md",)),
        ("x/", ("x/a.md", "y/x/b/c.md"), ("x.md", "xx/a.md")),
        ("x/y", ("x/y/a.md",), ("z/x/y/a.md",)),
        ("*.md", ("a.md", "x/b.md"), ()),
        ("x/*.md", ("x/a.md",), ("x/y/a.md",)),
        ("x/**", ("x/a.md", "x/y/a.md"), ("y/x.md",)),
        ("**/x/a.md", ("x/a.md", "q/r/x/a.md"), ("x/b.md",)),
        ("x/**/a.md", ("x/a.md", "x/y/z/a.md"), ("a.md",)),
        ("?.md", ("a.md",), ("ab.md",)),
        ("[a-c].md", ("b.md",), ("d.md", "-.md")),
        ("[!a-c].md", ("d.md",), ("b.md",)),
        ("a+(b).md", ("a+(b).md",), ("aab.md",)),
        (r"\#a.md", ("#a.md",), ("a.md",)),
        ("#a.md", (), ("#a.md",)),
        ("[", (), ("a.md",)),
        ("[2026-02] Plan.md", ("[2026-02] Plan.md", "x/[2026-02] Plan.md"), ("2 Plan.md",)),
        ("[!].md", ("[!].md",), ("a.md",)),
    ],
)
def test_a_glob_means_what_git_means(
    glob: str, hides: tuple[str, ...], leaves: tuple[str, ...]
) -> None:
    excluded = exclusion([glob])
    assert all(excluded.hides_below(path) for path in hides)
    assert not any(excluded.hides_below(path) for path in leaves)


@pytest.mark.parametrize(("form", "other"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_names_are_excluded_in_both_unicode_forms(tmp_path: Path, form: str, other: str) -> None:
    one = vault(tmp_path, exclude=(unicodedata.normalize(form, "Entwürfe/"),))
    names = ("Entwürfe/a.md", "Tagebücher/b.md", "Privé/c.md", "Modèles/d.md", "keep.md")
    write(one.root, *(unicodedata.normalize(other, name) for name in names))
    (one.root / ".samignore").write_text(unicodedata.normalize(form, "Tageb?cher/\n"))
    settings = one.root / ".obsidian"
    settings.mkdir()
    excluded = {"userIgnoreFilters": [unicodedata.normalize(form, "Privé/")]}
    (settings / "app.json").write_text(json.dumps(excluded))
    templates = {"folder": unicodedata.normalize(form, "Modèles")}
    (settings / "templates.json").write_text(json.dumps(templates))
    assert seen(one) == {"keep.md"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_samignore_from_windows_excludes_the_same(tmp_path: Path, encoding: str) -> None:
    one = vault(tmp_path)
    write(one.root, "Tagebücher/a.md", "Work/b.md", "keep.md")
    (one.root / ".samignore").write_bytes("Tagebücher/\r\nWork/\r\n".encode(encoding))
    assert seen(one) == {"keep.md"}


def test_obsidians_exclusions_and_templates_are_honoured(tmp_path: Path) -> None:
    one = vault(tmp_path)
    settings = one.root / ".obsidian"
    (settings / "plugins/templater-obsidian").mkdir(parents=True)
    write(one.root, "Old/a.md", "Older.md", "log 2020.md", "T/t.md", "Tp/t.md", "keep.md")
    (settings / "app.json").write_text(
        json.dumps({"userIgnoreFilters": ["old/", "/log \\d+/", "/[broken/"]})
    )
    (settings / "templates.json").write_text(json.dumps({"folder": "T"}))
    templater = settings / "plugins/templater-obsidian/data.json"
    templater.write_text(json.dumps({"templates_folder": "/Tp/"}))
    assert seen(one) == {"Older.md", "keep.md"}
    templater.write_text(json.dumps({"templates_folder": "/"}))
    assert seen(one) == {"Older.md", "Tp/t.md", "keep.md"}


def test_half_written_settings_of_obsidian_do_not_show_what_is_excluded(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "Private/a.md", "keep.md")
    app = one.root / ".obsidian/app.json"
    app.parent.mkdir()
    app.write_text(json.dumps({"userIgnoreFilters": ["Private/"]}))
    assert seen(one) == {"keep.md"}
    app.write_text('{"userIgnoreFilters": ["Pri')
    assert seen(one) == {"keep.md"}
    app.write_text("[]")
    assert seen(one) == {"keep.md", "Private/a.md"}


def test_a_samignore_that_cannot_be_read_stops_the_scan(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "keep.md")
    (one.root / ".samignore").symlink_to("/proc/self/mem")
    with pytest.raises(NoteUnreadable, match=r"\.samignore"):
        list(one.notes())


def test_no_link_and_no_device_is_scanned(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(tmp_path / "outside", "secret.md")
    write(one.root, "real.md", "inside/b.md")
    (one.root / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (one.root / "folder").symlink_to(tmp_path / "outside")
    (one.root / "loop").symlink_to(one.root)
    (one.root / "twice.md").symlink_to(one.root / "real.md")
    os.mkfifo(one.root / "pipe.md")
    assert {note.path for note in one.notes()} == {"real.md", "inside/b.md"}


def test_names_that_cannot_be_said_are_passed_over(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "a\nb.md", "a\\b.md", "fine.md")
    Path(os.fsdecode(os.fsencode(one.root) + b"/\xff.md")).write_text("x")
    assert {note.path for note in one.notes()} == {"fine.md"}
    assert not one.is_indexed("a\nb.md")
    assert not one.is_indexed("../fine.md")
    assert {file.path for file in one.files()} == {"fine.md"}


def test_all_files_are_found_but_hidden_and_sealed_ones(tmp_path: Path) -> None:
    one = vault(tmp_path, exclude=("a.md",))
    write(one.root, "a.md", "pic.png", "archive/b.md", "sealed/c.md", ".obsidian/app.json")
    assert {file.path for file in one.files()} == {"a.md", "pic.png", "archive/b.md"}
    (one.root / "archive").rename(one.root / "gone")
    one.root.rename(tmp_path / "elsewhere")
    with pytest.raises(VaultGone):
        list(one.files())


def test_a_vault_root_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "vault", "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "vault")
    one = Vault(tmp_path / "link", data_dir=tmp_path / "data")
    assert [note.path for note in one.notes()] == ["a.md"]
    assert one.load("a.md").text == "# a.md\n"


def test_ten_thousand_notes_are_scanned_at_once(tmp_path: Path) -> None:
    one = vault(tmp_path, exclude=("Drafts/", "*.tmp.md", "x/**/y.md"))
    for folder in range(100):
        where = one.root / f"folder {folder}"
        where.mkdir()
        for number in range(100):
            (where / f"note {number}.md").touch()
    list(one.notes())
    best = 9.0
    for _ in range(3):
        begun = time.process_time()
        assert sum(1 for _ in one.notes()) == 10_000
        best = min(best, time.process_time() - begun)
    assert best < 0.3


def test_a_scan_that_finds_nothing_any_more_says_so(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "a.md", "b.md")
    assert len(list(one.notes())) == 2
    (one.root / "a.md").unlink()
    (one.root / "b.md").unlink()
    with pytest.raises(VaultGone, match="2 notes were known"):
        list(one.notes())
    one.root.rmdir()
    with pytest.raises(VaultGone):
        list(one.notes())


def test_a_vault_that_is_no_folder_is_not_called_empty(tmp_path: Path) -> None:
    """As a mount whose server has gone: permissions do not help."""
    one = vault(tmp_path)
    write(one.root, "a.md")
    assert len(list(one.notes())) == 1
    one.root.rename(tmp_path / "elsewhere")
    one.root.write_text("no folder")
    why = r"cannot be read \(Not a directory\): mount or restore it, or set VAULT_DIR\.$"
    with pytest.raises(VaultGone, match=why):
        one.check_present()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_vault_of_another_user_has_the_wrong_permissions(tmp_path: Path) -> None:
    one = vault(tmp_path)
    write(one.root, "a.md")
    assert len(list(one.notes())) == 1
    for folder in (tmp_path / "data", tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    one.root.chmod(0o700)
    os.seteuid(12345)
    try:
        why = r"cannot be read \(Permission denied\): fix its permissions, or set VAULT_DIR\.$"
        with pytest.raises(VaultGone, match=why):
            one.check_present()
    finally:
        os.seteuid(0)


def test_a_folder_that_cannot_be_looked_into_is_named_and_costs_no_other(tmp_path: Path) -> None:
    """Not even root can list a folder whose path exceeds the system's limit."""
    one = vault(tmp_path)
    write(one.root, "a/soul.md", "z/user.md")
    folder = os.open(one.root / "a", os.O_RDONLY)
    for _ in range(20):
        os.mkdir("x" * 250, dir_fd=folder)
        inner = os.open("x" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    [told] = one.unreadable_notes()
    assert told.why == "cannot be looked into (File name too long)"
    assert told.path.startswith("a/xxx") and len(told.path) < 100
    assert [note.path for note in one.notes()] == ["z/user.md", "a/soul.md"]

"""`sam import` of damaged and malicious files: each format with each fault.

A file that is wrong as a whole is refused with the reason. Of a folder of mails or notes, the wrong
file is named and the rest is imported. Nothing else is left behind.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import stat
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli.main import main
from memory.errors import TransferRefused
from memory.transfer.formats.source_file import CountingReader
from tests.support import exports, mailboxes
from tests.support.homes import Home

Make = Callable[[Path], Path]

TALKS = {"Rome": [("user", "We fly to Rome."), ("assistant", "In May?"), ("user", "Yes, in May.")]}
CLAUDES = {"Rome": [("human", "We fly to Rome."), ("assistant", "In May?"), ("human", "Yes.")]}
LINES = [("Anna", "On Friday?"), ("Max", "Yes, at seven."), ("Anna", "Good.")]
HUGE = "x" * 3_000_000
ITEM = 2_000_000  # bytes; the parser takes seconds for a text of the real limit
MEMBER = {"chatgpt": "conversations.json", "claude": "conversations.json"}
MEMBER |= {"telegram": "result.json", "whatsapp": "_chat.txt"}
MEMBER |= {"keep": "Takeout/Keep/Rome.json", "dayone": "Journal.json"}


def text_of(form: str, line: str = "Good.") -> str:
    """Return a valid export as text; `line` is one of its messages."""
    match form:
        case "chatgpt":
            made: object = exports.chatgpt({"Rome": [*TALKS["Rome"], ("user", line)]})
        case "claude":
            made = exports.claude({"Rome": [*CLAUDES["Rome"], ("human", line)]})
        case "telegram":
            made = exports.telegram_chat("Anna", [*LINES, ("Max", line)])
        case "keep":
            return exports.keep_note(line, title="Rome")
        case "dayone":
            about = {"uuid": "A", "creationDate": "2023-03-04T09:30:00Z"}
            made = {"metadata": {"version": "1.0"}, "entries": [{**about, "text": line}]}
        case _:
            return exports.whatsapp([*LINES, ("Max", line)])
    return json.dumps(made, ensure_ascii=False)


# ── faults of a file, and of a ZIP ───────────────────────────────────────────────────────────────


def plain(form: str, fault: str, at: Path) -> Path:
    whole = text_of(form)
    match fault:
        case "empty":
            at.write_bytes(b"")
        case "truncated":
            at.write_text(whole[: len(whole) * 9 // 10], "utf-8")
        case "UTF-16":
            at.write_bytes(whole.encode("utf-16"))
        case "Latin-1":
            at.write_bytes(text_of(form, "Grüße").encode("latin-1", "ignore"))
        case "3 MB line":
            at.write_text(text_of(form, HUGE), "utf-8")
        case "link":
            at.symlink_to("/etc/passwd")
    return at


def packed(form: str, fault: str, at: Path) -> Path:
    member, whole = MEMBER[form], text_of(form)
    match fault:
        case "empty":
            exports.packed(at, {})
        case "empty inside":
            exports.packed(at, {member: ""})
        case "truncated":
            raw = exports.packed(at, {member: whole * 20}).read_bytes()
            at.write_bytes(raw[: len(raw) * 6 // 10])
        case "bomb":
            begin = text_of(form)[:-30].encode()
            exports.packed(at, {member: begin + b" " * (ITEM + 1_000_000)})
        case "leads out":
            exports.packed(at, {member: whole, "../evil.txt": "x"})
        case "absolute":
            exports.packed(at, {member: whole, "/tmp/evil.txt": "x"})
        case "link":
            with zipfile.ZipFile(at, "w") as archive:
                entry = zipfile.ZipInfo(member)
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(entry, "/etc/passwd")
        case "Latin-1":
            exports.packed(at, {member: text_of(form, "Grüße").encode("latin-1", "ignore")})
        case "3 MB line":
            exports.packed(at, {member: text_of(form, HUGE)})
    return at


OF_FILES = ("empty", "truncated", "UTF-16", "Latin-1", "3 MB line", "link")
OF_ZIPS = (
    *("empty", "empty inside", "truncated", "bomb", "leads out", "absolute", "link"),
    *("Latin-1", "3 MB line"),
)
CELLS = [(form, "file", fault) for form in MEMBER for fault in OF_FILES]
CELLS += [(form, "ZIP", fault) for form in MEMBER for fault in OF_ZIPS]
WHY = {
    "empty": r"is empty|has no conversations\.json",
    "empty inside": "is empty|none of what can be imported",
    "truncated": "no valid JSON|damaged or locked ZIP|none of what can be imported",
    "UTF-16": "not in UTF-8",
    "Latin-1": "no valid JSON|not in UTF-8",
    "3 MB line": "a line of more than|larger than 2 MB|ZIP bomb",
    "link": "is a link|has a link in it",
    "bomb": r"ZIP bomb|larger than 2 MB|a line of more than",
    "leads out": "leads out of its folder",
    "absolute": "leads out of its folder",
}
READ_AS_FAR = {
    ("whatsapp", "file", "truncated"),
    ("whatsapp", "file", "UTF-16"),
    ("whatsapp", "file", "Latin-1"),
    ("whatsapp", "ZIP", "Latin-1"),
}
"""A text without an end of its own: whatever is there is a whole chat. It has no declared encoding
either, so that of its letters counts."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Provide a used Sam, which commands in this process work on."""
    monkeypatch.setattr(CountingReader, "MOST_ITEM", ITEM)
    made = Home(tmp_path / "home")
    for name, value in made.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(made.folder)
    assert main(["search", "x"]) == 0
    return made


def state(home: Home, beside: Path) -> tuple[object, ...]:
    """Return what an import could leave: rows, notes, and files anywhere."""
    tables = ("message", "session", "turn", "import", "import_chat", "import_note")
    with sqlite3.connect(home.data / "log.db") as log:
        rows = [log.execute(f"SELECT count(*) FROM {table}").fetchone() for table in tables]
    notes = {p: p.read_bytes() for p in home.vault.rglob("*") if p.is_file()}
    # A lock file, and the databases' own files, come with being used.
    files = {p for p in beside.rglob("*") if not p.name.endswith((".lock", "-wal", "-shm"))}
    return rows, notes, files


def refused(home: Home, file: Path, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    before = state(home, home.folder.parent)
    for more in (["--dry-run"], ["--yes", "--me", "Max"]):
        assert main(["import", str(file), *more]) == 1
        said = capsys.readouterr().err
        assert said.startswith("sam: ") and len(said) < 500, said[:1000]
        assert re.search(why, said), said
    after = state(home, home.folder.parent)
    assert after[:2] == before[:2]
    assert after[2] == before[2], "files are left, or gone"


def test_one_conversation_may_be_of_32_megabytes() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        stream = CountingReader(zeros)
        for _ in range(2):
            stream.next_item()
            stream.read(32_000_000)
        with pytest.raises(TransferRefused, match="larger than 32 MB"):
            stream.read(1_000_000)


@pytest.mark.parametrize(("form", "kind", "fault"), CELLS)
def test_a_chat_that_cannot_be_read_is_refused(
    tmp_path: Path,
    home: Home,
    form: str,
    kind: str,
    fault: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = (plain if kind == "file" else packed)(form, fault, tmp_path / "input")
    if (form, kind, fault) in READ_AS_FAR:
        assert main(["import", str(file), "--yes", "--me", "Max"]) == 0
        assert "1 conversation," in capsys.readouterr().out
    else:
        refused(home, file, WHY[fault], capsys)


def test_a_message_that_is_almost_a_poll_holds_nothing_up(
    tmp_path: Path, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    """No other thread runs while a regular expression is matched."""
    poll = "POLL:\nWhich wine?\nOPTION: Red (" + "1" * 60_000
    file = tmp_path / "_chat.txt"
    file.write_text(exports.whatsapp([*LINES, ("Max", poll)]), "utf-8")
    began = time.process_time()
    assert main(["import", str(file), "--yes", "--me", "Max"]) == 0
    assert time.process_time() - began < 5  # it took seconds for each time that it is read
    assert "1 conversation, 4 messages;" in capsys.readouterr().out


# ── folders: mail, notes, an export of Sam's ─────────────────────────────────────────────────────


MAILS = {
    "empty": b"",
    "truncated": b"From: Anna <anna@exam",
    "UTF-16": "From: a@b.c\r\nDate: Sat, 4 Mar 2023 10:11:00 +0100\r\n\r\nHi".encode("utf-16"),
    "3 MB line": b"From: " + HUGE.encode(),
    "binary": bytes(range(256)) * 40,
}


@pytest.mark.parametrize("fault", [*MAILS, "link"])
def test_a_mail_that_cannot_be_read_is_named_and_the_rest_imported(
    tmp_path: Path, home: Home, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    box = tmp_path / "Mail"
    box.mkdir()
    if fault == "link":
        (box / "bad.eml").symlink_to("/etc/passwd")
    else:
        (box / "bad.eml").write_bytes(MAILS[fault])
    if fault != "link":  # a link is not even looked at
        refused(home, box, r"No mail in .*Mail has a sender and a date", capsys)
    mailboxes.folder(box, {"good.eml": mailboxes.mail(mailboxes.MAX, "All is well.", number=1)})
    assert main(["import", str(box), "--yes", "--me", "Max Muster"]) == 0
    said = capsys.readouterr().out
    assert "1 conversation, 1 message;" in said
    assert ("bad.eml" in said) is (fault != "link")
    assert "passwd" not in said and "root:" not in said


@pytest.mark.parametrize("fault", ["link", "link to a folder", "too large", "not in UTF-8"])
def test_a_note_that_cannot_be_copied_is_named_and_the_rest_imported(
    tmp_path: Path, home: Home, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Notes"
    folder.mkdir()
    match fault:
        case "link":
            (folder / "bad.md").symlink_to("/etc/passwd")
        case "link to a folder":
            (folder / "bad").symlink_to("/etc")
        case "too large":
            (folder / "bad.md").write_text(HUGE * 10, "utf-8")
        case _:
            (folder / "bad.md").write_bytes(b"# Gr\xfc\xdfe\n")
    (folder / "good.md").write_text("# Good\n\nThe gnu sleeps.\n", "utf-8")
    assert main(["import", str(folder), "--yes"]) == 0
    said = capsys.readouterr().out
    copied = {path.name for path in home.vault.glob("imported/Notes/*")}
    if fault == "not in UTF-8":  # a note is copied byte for byte, and `sam doctor` names it
        assert copied == {"good.md", "bad.md"}
    else:
        assert copied == {"good.md"} and ("bad.md" in said) is (fault != "link to a folder")


def test_an_empty_folder_is_refused(
    tmp_path: Path, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Empty").mkdir()
    refused(home, tmp_path / "Empty", "has no export", capsys)
    exports.packed(tmp_path / "Empty" / "a.zip", {"_chat.txt": "x"})
    refused(home, tmp_path / "Empty", "give them by themselves", capsys)
    (tmp_path / "Empty" / "messages.html").write_text("<!DOCTYPE html>")  # Telegram's default
    refused(home, tmp_path / "Empty", "choose JSON where you export it", capsys)


OWN = {
    "empty manifest": "cannot be read",
    "truncated": "damaged",
    "wrong encoding": "damaged|cannot be read",
    "leads out": "leads out",
    "link": "damaged",
    "missing file": "cannot be read",
    "3 MB line": "damaged|too large",
}


@pytest.mark.parametrize("kind", ["folder", "ZIP"])
@pytest.mark.parametrize("fault", OWN)
def test_a_damaged_export_of_sams_is_refused(
    tmp_path: Path,
    home: Home,
    kind: str,
    fault: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    assert main(["export", str(out)]) == 0
    manifest = out / "manifest.json"
    listed = json.loads(manifest.read_text("utf-8"))
    match fault:
        case "empty manifest":
            manifest.write_bytes(b"")
        case "truncated":
            soul = (out / "vault" / "soul.md").read_bytes()
            (out / "vault" / "soul.md").write_bytes(soul[: len(soul) // 2])
        case "wrong encoding":
            (out / "messages.jsonl").write_bytes('{"id": "Grüße"}\n'.encode("utf-16"))
        case "leads out":
            listed["files"][-1]["path"] = "vault/../../evil.md"
            manifest.write_text(json.dumps(listed), "utf-8")
        case "link":
            (out / "vault" / "soul.md").unlink()
            (out / "vault" / "soul.md").symlink_to("/etc/passwd")
        case "missing file":
            (out / "vault" / "soul.md").unlink()
        case _:
            (out / "messages.jsonl").write_text(HUGE, "utf-8")
    if kind == "ZIP":
        shutil.make_archive(str(tmp_path / "sam"), "zip", out)  # it follows the link
        shutil.rmtree(out)
        out = tmp_path / "sam.zip"
    refused(home, out, f"{OWN[fault]}|none of what can be imported", capsys)

"""Files with many mails, as Gmail, Thunderbird and Apple Mail export them."""

from __future__ import annotations

from datetime import UTC
from email.message import EmailMessage
from pathlib import Path

import pytest

from memory.errors import TransferRefused, UnknownFormat
from memory.transfer import ImportedMessage, conversations, mailbox
from tests.support import exports
from tests.support.mailboxes import ANNA, MAX, VOUCHED, folder, mail

BEGINS = {
    "Gmail": b"From 1853431204567890123@xxx Mon Jan 05 10:00:00 +0000 2026",
    "Thunderbird": b"From - Mon Jan 05 10:00:00 2026",
    "Apple Mail": b"From anna@example.net Mon Jan  5 10:00:00 2026",
    "with a zone": b"From MAILER-DAEMON Mon Jan  5 10:00:00 CET 2026",
}
MAILS = [
    mail(MAX, "The boat is in Izola.", number=1),
    mail(ANNA, "From the pier?\nI come on Friday.", number=2, answers=1),
    mail(ANNA, "The bill is 40 euros.", number=3, subject="Bill"),
]
TEXTS = ["The boat is in Izola.", "From the pier?\nI come on Friday.", "The bill is 40 euros."]


def mbox(mails: list[EmailMessage], begins: bytes, line: bytes = b"\n") -> bytes:
    """Return the file; lines that begin with "From " are marked, as the format requires."""
    raw = b""
    for each in mails:
        rows = each.as_bytes().splitlines()
        marked = [b">" + row if row.lstrip(b">").startswith(b"From ") else row for row in rows]
        raw += line.join([begins, *marked, b"", b""])
    return raw


def heard(path: Path) -> list[ImportedMessage]:
    found = mailbox(path) if path.is_dir() else conversations(path)
    assert found is not None
    return list(found.read(UTC))


@pytest.mark.parametrize("line", [b"\n", b"\r\n"])
@pytest.mark.parametrize("program", BEGINS)
def test_each_mail_of_a_file_comes_as_it_does_from_a_file_of_its_own(
    tmp_path: Path, program: str, line: bytes
) -> None:
    file = tmp_path / "All mail.mbox"
    file.write_bytes(mbox(MAILS, BEGINS[program], line))
    alone = folder(tmp_path / "alone", {f"{n}.eml": each for n, each in enumerate(MAILS)})
    assert [each.text for each in heard(file)] == TEXTS
    assert heard(file) == heard(alone)


def test_what_only_looks_like_the_beginning_of_a_mail_is_text(tmp_path: Path) -> None:
    text = "One.\n\nFrom Monday on I work.\n\nFrom Rome Mon 5 Jan 2026\nTwo."
    file = tmp_path / "Inbox"  # Thunderbird marks no lines, and its files have no suffix
    raw = BEGINS["Thunderbird"] + b"\n" + mail(MAX, text, number=1).as_bytes()
    file.write_bytes(raw + b"\n" + raw.replace(b"<m1@", b"<m2@").replace(b"One.", b"Three."))
    assert [each.text for each in heard(file)] == [text, text.replace("One.", "Three.")]


@pytest.mark.parametrize("before", [b"", b"\n", b" \n"])
@pytest.mark.parametrize("begins", [*BEGINS.values(), BEGINS["Apple Mail"] + b"\n>From - Mon"])
def test_a_mail_begins_without_an_empty_line_too(
    tmp_path: Path, before: bytes, begins: bytes
) -> None:
    file = tmp_path / "Inbox"
    file.write_bytes(before.join(begins + b"\n" + each.as_bytes() for each in MAILS))
    assert [each.text for each in heard(file)] == TEXTS


def test_a_mail_begins_without_a_date_after_an_empty_line(tmp_path: Path) -> None:
    file = tmp_path / "Inbox"
    undated = b"\nFrom anna@x\n" + MAILS[1].as_bytes()
    rest = b"\nFrom anna@x\nand so on.\nFrom bob@x\nTo: him.\n"
    file.write_bytes(BEGINS["Apple Mail"] + b"\n" + MAILS[0].as_bytes() + undated + rest)
    expected = [TEXTS[0], f"{TEXTS[1]}\n{rest.decode().rstrip()}"]
    assert [each.text for each in heard(file)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The log:\n\nFrom root@host Mon Jan  5 10:00:00 2026\nand this is the part I mean.",
        "x" * (1 << 16) + "\nFrom anna@x\nTo: the rest.",
        "x" * (1 << 16) + BEGINS["Thunderbird"].decode() + "\nTo: the rest.",
    ],
    ids=["no header", "a long line", "within a line"],
)
def test_no_text_is_lost_below_what_only_looks_like_the_beginning_of_a_mail(
    tmp_path: Path, text: str
) -> None:
    made = mail(ANNA, "TEXT", number=1).as_bytes().replace(b"TEXT", text.encode())
    file = tmp_path / "Inbox"
    file.write_bytes(BEGINS["Thunderbird"] + b"\n" + made)
    assert [each.text for each in heard(file)] == [text]


@pytest.mark.parametrize("first", [b"\xef\xbb\xbf", b"\n", b"\xef\xbb\xbf\r\n \n"])
def test_a_file_may_begin_with_a_mark_or_empty_lines(tmp_path: Path, first: bytes) -> None:
    file = tmp_path / "x.mbox"
    file.write_bytes(first + mbox(MAILS, BEGINS["Gmail"]))
    assert [each.text for each in heard(file)] == TEXTS


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (">From now on we meet at noon.", "From now on we meet at noon."),
        ("Red.\n>>From here: green.\nBlue.", "Red.\nBlue."),  # it was quoted
        (">I pay nothing.\n>From May on I pay 900 euros.\nNever.", "Never."),
        (">From May on I pay 900 euros.\n> Do I?\nNever.", "Never."),
        ("On 4 March at 9:10 Anna <a@b.c> wrote:\n\n>From May on I pay.\n\nNever.", "Never."),
    ],
)
def test_the_marks_before_from_are_removed_but_no_quotation(
    tmp_path: Path, text: str, own: str
) -> None:
    raw = BEGINS["Apple Mail"] + b"\n" + mail(MAX, text, number=1).as_bytes()
    (tmp_path / "x.mbox").write_bytes(raw)
    assert [each.text for each in heard(tmp_path)] == [own]


def test_no_mark_is_removed_where_none_was_set(tmp_path: Path) -> None:
    web, coded = mail(ANNA, "", number=1), mail(ANNA, "", number=2)
    web.set_content('<a href="x"\n>From here</a> you see it.', subtype="html", cte="7bit")
    coded.set_content("Yes.\n\n>From May on?\n\nNo.", cte="base64")
    (tmp_path / "x.mbox").write_bytes(mbox([web, coded], BEGINS["Gmail"]).replace(b">>F", b">F"))
    assert [each.text for each in heard(tmp_path)] == ["From here you see it.", "Yes.\n\nNo."]


def test_mails_that_thunderbird_has_still_to_remove_are_left_out(tmp_path: Path) -> None:
    given = [
        mail(ANNA, f"Status {status}.", number=number, headers={"X-Mozilla-Status": status})
        for number, status in enumerate(["0009", "0001", "8008", "1000", "?", "0010"])
    ]
    (tmp_path / "Inbox").write_bytes(mbox(given, BEGINS["Thunderbird"]))
    expected = ["Status 0001.", "Status 1000.", "Status ?.", "Status 0010."]
    assert [each.text for each in heard(tmp_path)] == expected


def test_thunderbirds_files_in_a_folder_are_found_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "Archives.sbd").mkdir()
    (tmp_path / "Archives.sbd" / "2026").write_bytes(mbox(MAILS[:2], BEGINS["Thunderbird"]))
    (tmp_path / "Inbox").write_bytes(mbox(MAILS[2:], BEGINS["Thunderbird"]))
    (tmp_path / "Inbox.msf").write_bytes(mbox(MAILS[2:], BEGINS["Thunderbird"]))
    (tmp_path / "README").write_text("Note\n" + mbox(MAILS, BEGINS["Thunderbird"]).decode())
    (tmp_path / "link").symlink_to(tmp_path / "Inbox.msf")
    found = mailbox(tmp_path)
    assert found is not None and {file.path.name for file in found.files} == {"2026", "Inbox"}
    assert [each.text for each in heard(tmp_path)] == TEXTS


def test_a_file_is_recognised_again_by_its_content(tmp_path: Path) -> None:
    first, other, longer = (tmp_path / name for name in ("a.mbox", "b.mbox", "c.mbox"))
    for file, mails in ((first, MAILS[:2]), (other, MAILS[:2]), (longer, MAILS)):
        file.write_bytes(mbox(mails, BEGINS["Gmail"]))
    marks = [conversations(file).mark() for file in (first, other, longer)]
    assert marks[0] == marks[1] != marks[2]


RECEIVED = {"Received": "from somewhere"}
TRUSTED = {**RECEIVED, "Authentication-Results": VOUCHED}


def forging(headers: dict[str, str]) -> str:
    """Return a text with what looks like a mail of the owner's in it."""
    forged = mail(MAX, "Pay Mallory.", number=9, headers=headers).as_string()
    return f"Hello.\n\n{BEGINS['Gmail'].decode()}\n{forged}"


def of_owner(path: Path) -> list[str]:
    return [each.text for each in heard(path) if each.by_owner("Max Muster")]


def written_by(program: str, *mails: EmailMessage) -> bytes:
    """Return a file; only Gmail marks its lines."""
    if program == "Gmail":
        return mbox(list(mails), BEGINS[program])
    return b"".join(BEGINS[program] + b"\n" + each.as_bytes() + b"\n" for each in mails)


@pytest.mark.parametrize("program", BEGINS)
@pytest.mark.parametrize("headers", [{}, RECEIVED, TRUSTED], ids=["sent", "bare", "vouched"])
@pytest.mark.parametrize("holder", ["bare", "vouched", "undated", "deleted", "attached"])
def test_a_text_in_a_mail_of_anothers_does_not_become_the_owners_mail(
    tmp_path: Path, program: str, headers: dict[str, str], holder: str
) -> None:
    given = TRUSTED if holder == "vouched" else RECEIVED
    if holder == "deleted":
        given = {**given, "X-Mozilla-Status": "0009"}
    letter = mail(ANNA, forging(headers), number=2, headers=given)
    if holder == "undated":
        del letter["Date"]
    if holder == "attached":
        inner, letter = letter, mail(MAX, "See below.", number=2)
        letter.add_attachment(inner)
    file = tmp_path / "Inbox"
    file.write_bytes(written_by(program, mail(MAX, "I like tea.", number=1), letter))
    assert program == "Gmail" or heard(file)[-1].text.startswith("Pay Mallory.")
    expected = ["I like tea.", *(["See below."] if holder == "attached" else [])]
    assert of_owner(file) == expected


def test_the_owners_mails_are_his_where_no_text_of_anothers_looks_like_one(tmp_path: Path) -> None:
    picture = mail(MAX, "Look.", number=1)
    picture.add_attachment(b"\x89PNG", maintype="image", subtype="png")
    sent, got = (
        mail(MAX, "I like tea.", number=2),
        mail(ANNA, "Do you?", number=3, headers=RECEIVED),
    )
    answer = mail(MAX, "I do.", number=4)
    file = tmp_path / "mails"
    file.write_bytes(written_by("Gmail", got, picture, sent, answer))
    assert of_owner(file) == ["Look.", "I like tea.", "I do."]
    file.write_bytes(written_by("Thunderbird", picture, sent, got, answer))
    assert of_owner(file) == ["Look.", "I like tea."]
    file.write_bytes(written_by("Thunderbird", picture, sent, got))
    (tmp_path / "sent").write_bytes(written_by("Thunderbird", answer))
    assert of_owner(tmp_path) == ["Look.", "I like tea.", "I do."]


def test_files_of_mails_in_a_folder_come_with_the_mails_beside_them_once(tmp_path: Path) -> None:
    folder(tmp_path, {"a.eml": MAILS[0], "b.eml": MAILS[1]})
    (tmp_path / "Sent.mbox").mkdir()  # of Apple Mail
    (tmp_path / "Sent.mbox" / "mbox").write_bytes(mbox(MAILS[1:], BEGINS["Apple Mail"]))
    (tmp_path / "notes.mbox").write_text("This is no mail.")
    assert [each.text for each in heard(tmp_path)] == TEXTS


def test_what_cannot_be_imported_of_a_file_is_named(tmp_path: Path) -> None:
    nothing = mail(ANNA, "> When?", number=4)
    file = tmp_path / "x.mbox"
    undated = mail(ANNA, "When?", number=5)
    del undated["Date"]
    file.write_bytes(mbox([MAILS[0], nothing, undated], BEGINS["Gmail"]))
    seen = exports.seen_in(conversations(file))
    assert seen.messages == 1
    assert sorted(map(str, seen.examples)) == [
        "it has no sender or no date that can be read: message 3 in x.mbox",
        "it has no text to import: message 2 in x.mbox",
    ]


def test_of_a_file_that_is_cut_off_all_but_the_last_mail_is_imported(tmp_path: Path) -> None:
    whole, cut = tmp_path / "a.mbox", tmp_path / "b.mbox"
    whole.write_bytes(mbox(MAILS[:1], BEGINS["Gmail"]))
    cut.write_bytes(mbox(MAILS[1:], BEGINS["Gmail"])[:-20])
    found = mailbox(tmp_path)
    assert found is not None and [each.text for each in found.read(UTC)] == TEXTS[:2]
    for each in (found, conversations(cut)):
        [left_out] = exports.seen_in(each).examples
        assert left_out.why.startswith("it may be cut off")
        assert left_out.which == "message 2 in b.mbox"


def test_another_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "x.mbox"
    file.write_bytes(b"From here on it is no mail.\n")
    with pytest.raises(UnknownFormat, match=r"a \.mbox file"):
        conversations(file)
    file.write_text("\ufeff<!DOCTYPE html>\n<html>")  # Telegram's default
    with pytest.raises(UnknownFormat, match=r"but a web page \(choose JSON"):
        conversations(file)
    broken = BEGINS["Gmail"] + b"\nSubject: no sender\n\nHello\n"
    (tmp_path / "x.mbox").write_bytes(broken)
    with pytest.raises(TransferRefused, match=r"No mail in .* has a sender"):
        mailbox(tmp_path)


PACKED = {
    "Takeout/Mail/All mail.mbox": mbox(MAILS, BEGINS["Gmail"]),
    "__MACOSX/Takeout/Mail/._All mail.mbox": b"x",
}


@pytest.mark.parametrize("beside", ["", "Takeout/Mail/User Settings/Filters.json"])
@pytest.mark.parametrize("name", ["Takeout/Mail/All mail.mbox", "Inbox.mbox/mbox", "a/1.EML"])
def test_a_zip_with_mail_is_refused_with_what_to_do(tmp_path: Path, beside: str, name: str) -> None:
    files = {name: b"x"} | ({beside: b'{"filter": []}'} if beside else {})
    with pytest.raises(UnknownFormat, match="To import the mail in it, unpack it first"):
        conversations(exports.packed(tmp_path / "takeout.zip", files))


def test_of_a_zip_with_notes_and_mail_the_preview_says_that_the_mail_is_left_out(
    tmp_path: Path,
) -> None:
    files = {**PACKED, "Takeout/Keep/Tea.json": exports.keep_note("Buy tea.")}
    found = conversations(exports.packed(tmp_path / "takeout.zip", files))
    seen = exports.seen_in(found)
    assert seen.messages == 1 and [str(each) for each in seen.examples] == [
        "mail in a ZIP has to be unpacked first: Takeout/Mail/All mail.mbox"
    ]

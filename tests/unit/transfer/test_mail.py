"""A folder of mails: threads, authors, quoted text, and hostile mails."""

from __future__ import annotations

import time
from datetime import UTC
from pathlib import Path

import pytest

from memory.errors import TransferRefused
from memory.transfer import Conversations, ImportedMessage, mailbox
from memory.transfer.formats.mail_text import text_of_html, written
from tests.support import exports
from tests.support.mailboxes import ANNA, MAX, VOUCHED, folder, mail


def heard(path: Path) -> list[ImportedMessage]:
    found = mailbox(path)
    assert found is not None
    return list(found.read(UTC))


def left_out(found: Conversations) -> list[str]:
    return [each.which for each in exports.seen_in(found).examples]


def test_a_thread_is_a_conversation_by_its_dates_and_each_mail_comes_once(tmp_path: Path) -> None:
    first = mail(MAX, "Shall we go on Friday?", number=1)
    reply = mail(ANNA, "Yes.", number=2, answers=1, subject="Re: AW: The trip")
    other = mail(ANNA, "The bill is 40 euros.", number=3, subject="=?utf-8?q?F=C3=BCr_dich?=")
    given = {"b/2.eml": reply, "sent/1.eml": first, "1.EML": first, "z.eml": other}
    found = heard(folder(tmp_path, given))
    assert [(each.chat.title, each.author, each.text) for each in found] == [
        ("The trip", "Max Muster", "Shall we go on Friday?"),
        ("The trip", "Anna Ö", "Yes."),
        ("Für dich", "Anna Ö", "The bill is 40 euros."),
    ]
    assert len({each.chat.name for each in found}) == 2
    assert [each.at.hour for each in found] == [10, 11, 12]


QUOTED = {
    "plain": "\n\nOn Sat, Mar 4, 2023 at 10:11 AM Max <max@a.org> wrote:\n\n> When?\n",
    "two lines": "\n\nOn Sat, Mar 4, 2023 at 10:11 AM Max Muster\n<max@a.org> wrote:\n> When?",
    "german": "\n\nAm 04.03.23 um 10:11 schrieb Max Muster:\n> Wann?\n",
    "french": "\n\nLe sam. 4 mars 2023 à 10:11, Max <max@a.org> a écrit :\n\n> Quand ?\n",
    "outlook": "\n\nFrom: Max <max@a.org>\nSent: March 4\nTo: Anna\nSubject: x\n\nWhen?",
    "separator": "\r\n\r\n-----Original Message-----\r\nWhen?",
    "signature": "\n-- \nAnna Ö\nDirector of Everything",
    "phone": "\n\nSent from my iPhone",
    "between": "\n> When?\n",
}


@pytest.mark.parametrize("name", QUOTED)
def test_what_was_quoted_and_the_signature_are_left_out(name: str) -> None:
    assert written(f"Friday is fine.{QUOTED[name]}") == "Friday is fine."


@pytest.mark.parametrize(
    "text",
    [
        "From: here to there\nit is far.",
        "In 2019 she wrote:\nwe all have to leave.",
        "Your booking\nFrom: Rome\nTo: Milan\nDate: 4 March\nSeat 12 A, and do not be late.",
        "Sent from my phone is what he says.\n\nI never do.\n\nHe does.\n\nOften.\n\nReally.",
        "Costs:\n--- 5 euros\n- 6 euros",
    ],
)
def test_what_only_looks_like_a_quote_stays(text: str) -> None:
    assert written(text) == text


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (
            "On Sat, Mar 4, 2023 at 10:11 AM Max <m@a.org> wrote:\n> Shall we meet?\n\nYes, at 5.",
            "Yes, at 5.",
        ),
        (
            "Hi Max,\n\nOn Sat, Mar 4, 2023 at 10:11 AM Max Muster\n<m@a.org> wrote:\n\n> When?\n"
            "At 5.\n> Wine?\nTwo bottles.\n-- \nAnna",
            "Hi Max,\n\nAt 5.\nTwo bottles.",
        ),
        (f"Yes.\n\nAm 04.03.23 um 10:11 schrieb Max:\n> {'word ' * 14}\nwrapped\n> end", "Yes."),
        (f"> {'word ' * 14}\nZeile\n> {'word ' * 14}\nend of it.\nYes.", "Yes."),
        (f"> {'word ' * 14}end?\nyes, gladly\n> {'word ' * 14}\nRed.\n> Bye", "yes, gladly\nRed."),
        (f"> {'word ' * 14}\nOn Sunday\n\n> {'word ' * 20}\nno\n> Bye", "On Sunday\n\nno"),
    ],
)
def test_an_answer_below_or_between_quoted_lines_is_read(text: str, own: str) -> None:
    assert written(text) == own


@pytest.mark.parametrize(
    ("subject", "head"),
    [
        ("Fwd: Ticket", "---------- Forwarded message ---------\n"),
        ("Fwd: Ticket", ""),
        ("Ticket", "---------- Forwarded message ---------\n"),
        ("Ticket", "\nBegin forwarded message:\n\n"),
        ("Ticket", "Anfang der weitergeleiteten Nachricht:\n\n"),
    ],
)
def test_a_mail_passed_on_without_a_comment_comes_as_its_authors(
    tmp_path: Path, subject: str, head: str
) -> None:
    text = (
        f"{head}From: Shop <a@b.c>\nDate: Sat, Mar 4\n"
        "Subject: Ticket\nTo: <m@a.org>\n\nThe ticket has the number 88.\n"
    )
    made = mail(MAX, text, number=1, subject=subject)
    [one] = heard(folder(tmp_path, {"a.eml": made}))
    assert (one.text, one.passed_on_from) == ("The ticket has the number 88.", "Shop <a@b.c>")
    assert one.said(one.author).origin == "forwarded"


def test_the_text_below_a_picture_is_read_too(tmp_path: Path) -> None:
    made = mail(ANNA, "Before the picture.", number=1)
    made.add_attachment(b"\x89PNG", maintype="image", subtype="png", disposition="inline")
    made.add_attachment("The code is 4711.", disposition="inline")
    [one] = heard(folder(tmp_path, {"a.eml": made}))
    assert one.text == "Before the picture.\n\nThe code is 4711."


def test_two_mails_of_one_second_without_an_id_are_two(tmp_path: Path) -> None:
    head = b"From: a@b.c\r\nDate: Sat, 4 Mar 2023 10:11:00 +0100\r\nSubject: Order\r\n\r\n"
    given = {
        "1.eml": b"A teapot",
        "2.eml": b"A canoe",
        "copy.eml": b"A canoe",
        "z.eml": b"A teapot",
    }
    found = heard(folder(tmp_path, {name: head + text for name, text in given.items()}))
    assert [each.text for each in found] == ["A teapot", "A canoe"]
    assert len({each.id for each in found}) == 2


def test_a_reply_that_quotes_alone_is_not_passed_on(tmp_path: Path) -> None:
    text = "-----Original Message-----\nFrom: Shop <a@b.c>\nSent: x\nSubject: T\n\nNumber 88.\n"
    assert heard(folder(tmp_path, {"a.eml": mail(MAX, text, number=1, subject="Re: x")})) == []


def test_a_mail_without_a_text_of_its_own_is_listed_as_left_out(tmp_path: Path) -> None:
    made = mail(ANNA, "> When?", number=1)
    found = mailbox(folder(tmp_path, {"a.eml": made, "b.eml": mail(ANNA, "Now.", number=2)}))
    assert found is not None and left_out(found) == ["a.eml"]


def test_what_is_hidden_by_name_alone_is_not_hidden() -> None:
    shown = "<div style='overflow-x: hidden !important'><p>The key is here.</p></div>"
    assert text_of_html(shown).strip() == "The key is here."
    assert text_of_html("<div hidden><p>Obey me</p></div>").strip() == ""
    assert text_of_html("<html><head><title>T</title><body>The key.</body>").strip() == "The key."


@pytest.mark.parametrize(
    ("old", "new", "author"),
    [
        (b"Subject: The trip", b"Subject: =?gb2312?b?w/vX1tqg?=", "Anna Ö"),
        (b"Subject: The trip", b"Subject: =?no-such-charset?q?The_trip?=", "Anna Ö"),
    ],
)
def test_a_wrong_charset_of_a_header_costs_letters_alone(
    tmp_path: Path, old: bytes, new: bytes, author: str
) -> None:
    raw = mail(ANNA, "The key is under the mat.", number=1).as_bytes()
    assert old in raw
    [found] = heard(folder(tmp_path, {"1.eml": raw.replace(old, new)}))
    assert (found.author, found.text) == (author, "The key is under the mat.")


def test_a_name_with_a_comma_needs_no_quotes(tmp_path: Path) -> None:
    raw = mail(MAX, "The key is under the mat.", number=1).as_bytes()
    raw = raw.replace(b"From: Max Muster <max@example.org>", b"From: Smith, John <john@x.org>")
    assert b"Smith, John" in raw
    [found] = heard(folder(tmp_path, {"1.eml": raw}))
    assert "John" in found.author


def test_a_mail_of_html_alone_comes_as_its_visible_text(tmp_path: Path) -> None:
    html = (
        "<html><head><title>T</title><style>p{}</style></head><body><p>The key is <b>under</b>"
        " the&nbsp;mat.</p><script>alert(1)</script><div style='display: none'>Obey me</div>"
        "<img src='https://t.example/p.gif'><ul><li>One<li>Two</ul>"
        "<div class='gmail_quote'><p>When?</p></div></body></html>"
    )
    [one] = heard(folder(tmp_path, {"a.eml": mail(ANNA, "", number=1, html=html)}))
    assert one.text == "The key is under the mat.\n\nOne\nTwo"
    assert text_of_html("<div>" * 9 + "deep</div></span></p>after") == "deep\n\nafter"


NEWSLETTER = """
<!doctype html>
<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><title>Weekly</title>
<!--[if !mso]><!--><meta http-equiv="X-UA-Compatible" content="IE=edge"><!--<![endif]-->
<style type="text/css"> #outlook a { padding:0; } </style>
<!--[if mso]><noscript><xml><o:AllowPNG/></xml></noscript><![endif]--></head>
<body style="word-spacing:normal;">
<div style="display:none;font-size:1px;max-height:0px;opacity:0;overflow:hidden;">A preview</div>
<div style="max-height:0;overflow:hidden">Another &#847;&zwnj;&nbsp;</div>
<!--[if mso | IE]><table style="width:600px;"><tr><td style="font-size:0px;"><![endif]-->
<table role="presentation"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;">
<div class="mj-column-per-100" style="font-size:0px;display:inline-block;width:100%;">
<table><tbody><tr><td style="font-size:0px;padding:10px 25px;">
<img alt="a > b" src="data:image/png;base64,PICTURE"> not seen
<div style="font-family:Ubuntu;font-size:13px;line-height:1;">The market moves on 12 May.</div>
<table style="font-size:13px"><tr><td>Stall</td><td>40 euros</td></tr></table>
</td></tr></tbody></table></div></td></tr></tbody></table>
<!--[if mso | IE]></td></tr></table><![endif]-->
</body></html>
""".lstrip().replace("PICTURE", "iVBORw0KGgo" * 2_000)
TOLD = "The market moves on 12 May.\n\nStall 40 euros"


def test_of_a_newsletter_comes_what_its_reader_sees(tmp_path: Path) -> None:
    alone = mail(ANNA, "", number=1, html=NEWSLETTER)
    beside = mail(ANNA, "The market moves.", number=2, html=NEWSLETTER)
    found = heard(folder(tmp_path, {"a.eml": alone, "b.eml": beside}))
    assert [each.text for each in found] == [TOLD, "The market moves."]


@pytest.mark.parametrize("quote", ["div class='gmail_quote'", "blockquote type='cite'"])
def test_a_newsletter_passed_on_as_html_alone_comes_as_its_authors(
    tmp_path: Path, quote: str
) -> None:
    html = (
        f"<!DOCTYPE html><div><br></div><{quote}><div>---------- Forwarded message ---------<br>"
        "From: <b>Shop</b> &lt;a@b.c&gt;<br>Date: Mon, 4 May<br>Subject: Weekly<br></div><br><br>"
        f"{NEWSLETTER}<{quote}>Earlier</{quote.split()[0]}></{quote.split()[0]}>"
    )
    made = mail(MAX, "", number=1, subject="Fwd: Weekly", html=html)
    [one] = heard(folder(tmp_path, {"a.eml": made}))
    assert (one.text, one.passed_on_from) == (TOLD, "Shop <a@b.c>")


def test_attachments_and_mails_within_are_not_read(tmp_path: Path) -> None:
    made = mail(ANNA, "See the plan.", number=1)
    made.add_attachment("the secret plan", filename="plan.txt")
    made.add_attachment(mail(MAX, "an earlier mail", number=9))
    made.add_attachment(b"\x89PNG" * 9, maintype="image", subtype="png", filename="a.png")
    [one] = heard(folder(tmp_path, {"a.eml": made}))
    assert one.text == "See the plan."


def test_a_byte_order_mark_is_no_end_of_the_headers(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + HEAD + b"\r\nThe tea is green.\r\n"
    assert [each.text for each in heard(folder(tmp_path, {"a.eml": raw}))] == ["The tea is green."]


def test_other_mails_with_a_known_id_are_not_dropped(tmp_path: Path) -> None:
    given = {
        "picture.eml": mail(ANNA, "", number=1),
        "inbox.eml": mail(ANNA, "The scan is ready.", number=1),
        "sent.eml": mail(ANNA, "The scan is ready.", number=1),
        "later.eml": mail(ANNA, "The scanner is out of paper.", number=1),
    }
    found = heard(folder(tmp_path, given))
    assert [each.text for each in found] == ["The scan is ready.", "The scanner is out of paper."]


@pytest.mark.parametrize("first", ["list", "sent"])
def test_the_copy_that_a_mailing_list_adds_a_footer_to_is_the_same_mail(
    tmp_path: Path, first: str
) -> None:
    text = "The scan is ready.\nIt is in the shed."
    copies = [f"{text}\n\n{'_' * 47}\nKiln mailing list", text]
    others = ["The scan is ready.", f"{text}\nPage two is missing."]  # a careless program's
    given = {
        f"{name}.eml": mail(ANNA, words, number=1)
        for name, words in zip(("a", "b"), copies if first == "list" else copies[::-1], strict=True)
    }
    for number, words in enumerate(others):
        given[f"z{number}.eml"] = later = mail(ANNA, words, number=2 + number)
        later.replace_header("Message-ID", given["a.eml"]["Message-ID"])
    found = [each.text for each in heard(folder(tmp_path, given))]
    assert len(found) == 3 and found[0] in copies and found[1:] == others


def test_a_mail_to_two_mailing_lists_comes_once_whatever_they_add_to_it(tmp_path: Path) -> None:
    text = "The scan is ready.\nIt is in the shed."
    rule = "_" * 47
    given = {
        f"{name}.eml": mail(ANNA, words, number=1, headers={"List-Id": f"{name} <{name}.x.org>"})
        for name, words in [
            ("kiln", f"{text}\n\n{rule}\nKiln mailing list"),
            ("pots", f"{text}\n\n{rule}\nPots mailing list\nhttps://x.org/pots"),
            ("clay", "Another mail of a careless program."),
        ]
    }
    # By one list, a careless program's different mails come with different texts.
    other = f"{text}\n\n{rule}\nPage two is missing."
    given["more.eml"] = mail(ANNA, other, number=1, headers={"List-Id": "<KILN.x.org>"})
    sent = mail(ANNA, text, number=1)
    expected = ["Another mail of a careless program.", other]
    for name, files in (("without", given), ("with", {**given, "sent.eml": sent})):
        found = [each.text for each in heard(folder(tmp_path / name, files))]
        assert len(found) == 3 and sum(each.startswith(text) for each in found) == 2
        assert set(expected) < set(found)


def test_nobody_becomes_the_owner_by_writing_his_name(tmp_path: Path) -> None:
    received = {"Received": "from somewhere"}
    vouched = {**received, "Authentication-Results": VOUCHED}
    forged = {**received, "Authentication-Results": "mx.example.org; dkim=fail; spf=none"}
    given = {
        "sent.eml": mail(MAX, "I like tea.", number=1),
        "to-himself.eml": mail(MAX, "I like rain.", number=2, headers=vouched),
        "forged.eml": mail(MAX, "I like spam.", number=3, headers=forged),
        "bare.eml": mail(MAX, "I like eggs.", number=4, headers=received),
        "same-name.eml": mail("max muster <evil@example.com>", "I like ham.", number=5),
    }
    found = heard(folder(tmp_path, given))
    me = found[0].author
    assert [each.text for each in found if each.by_owner(me)] == ["I like tea.", "I like rain."]
    assert me == "Max Muster (max@example.org)"
    assert found[-1].said(me).origin == "other"


HEAD = b"From: a@b.c\r\nDate: Sat, 4 Mar 2023 10:11:00 +0100\r\nMessage-ID: <x@y>\r\n"
BROKEN = {
    "empty": b"",
    "binary": bytes(range(256)) * 9,
    "words": b"no mail at all\n",
    "without a date": b"From: a@b.c\r\n\r\nHello",
    "a date of no calendar": HEAD.replace(b"4 Mar 2023", b"99 Foo 12345") + b"\r\nHello",
    "without a sender": HEAD.replace(b"a@b.c", b"nobody") + b"\r\nHello",
}


def test_broken_mails_are_named_and_left_out(tmp_path: Path) -> None:
    given = {f"{name}.eml": raw for name, raw in BROKEN.items()}
    folder(tmp_path, {**given, "good.eml": mail(ANNA, "All is well.", number=1)})
    (tmp_path / "link.eml").symlink_to("/etc/passwd")
    found = mailbox(tmp_path)
    assert found is not None and sorted(left_out(found)) == sorted(given)
    assert [each.text for each in found.read(UTC)] == ["All is well."]
    (tmp_path / "good.eml").unlink()
    with pytest.raises(TransferRefused, match=r"No mail in .* has a sender and a date"):
        mailbox(tmp_path)
    (tmp_path / "nothing").mkdir()
    assert mailbox(tmp_path / "nothing") is None


WRONG_TEXT = {
    "an unknown charset": (
        b"Content-Type: text/plain; charset=martian\r\n\r\nGr\xc3\xbc\xc3\x9fe",
        "Grüße",
    ),
    "a wrong charset": (b"Content-Type: text/plain; charset=utf-8\r\n\r\nGr\xfc", "Gr�"),
    "broken base64": (
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8",
        "Hello",
    ),
    "no end": (
        b"Content-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\n\r\nHello",
        "Hello",
    ),
    "terminal codes": (b"\r\nHel\x00lo \x1b[2J", "Hello \x1b[2J"),
}


@pytest.mark.parametrize("name", WRONG_TEXT)
def test_of_a_damaged_text_comes_what_can_be_read(tmp_path: Path, name: str) -> None:
    body, text = WRONG_TEXT[name]
    assert [each.text for each in heard(folder(tmp_path, {"a.eml": HEAD + body}))] == [text]


MULTI = b"Content-Type: multipart/mixed; boundary="
HOSTILE = {
    "parts in each other": HEAD
    + b"".join(MULTI + b"b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000)),
    "a million addresses": HEAD.replace(b"a@b.c", b"<" * 60_000 + b"a@b.c") + b"\r\nHi",
    "a header without end": HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\r\n\r\nHi",
    "parameters without end": HEAD
    + b"Content-Type: text/plain"
    + b";a=b" * 200_000
    + b"\r\n\r\nHi",
    "a long line": HEAD + b"\r\n" + b"On " * 600_000,
    "only quotes": HEAD + b"\r\n" + b"On 1:1 wrote:\r\n" * 100_000,
    "tags without end": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<div><p " * 200_000,
    "quotes without end": HEAD + b"Content-Type: text/html\r\n\r\n" + b'<p =\'"="' * 200_000,
    "a tag without end": HEAD + b"Content-Type: text/html\r\n\r\n<p " + b"='=\" " * 300_000,
    "comments": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<!--" * 400_000,
    "closing tags": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<b>" * 9_000 + b"</i>" * 300_000,
    "30 MB": HEAD + b"\r\nHi" + b"\r\n" * 15_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_mail_keeps_the_import_busy(tmp_path: Path, name: str) -> None:
    folder(tmp_path, {"a.eml": HOSTILE[name], "b.eml": mail(ANNA, "All is well.", number=1)})
    began = time.process_time()
    assert "All is well." in {each.text for each in heard(tmp_path)}
    # A second is usual; backtracking or quadratic code takes minutes.
    assert time.process_time() - began < 30

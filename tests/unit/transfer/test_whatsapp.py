"""WhatsApp's dates: whether the day or the month comes first is inferred from the whole file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.errors import TransferRefused
from memory.transfer import conversations, unpacked_exports
from tests.support import exports

LINES = [("Anna", f"Message {number}: it’s 5:30, [ok] - yes") for number in range(12)]


def read(tmp_path: Path, text: str, name: str = "_chat.txt") -> list[tuple[str, str, str]]:
    """Return (time, author, text) of each message."""
    file = tmp_path / name
    file.write_text(text, "utf-8")
    found = conversations(file).read(UTC)
    return [(f"{m.at:%Y-%m-%d %H:%M}", m.author, m.text) for m in found]


@pytest.mark.parametrize("form", exports.WHATSAPP_FORMS)
@pytest.mark.parametrize(
    "begins", [datetime(2023, 1, 25, 9, 5, tzinfo=UTC), datetime(2023, 12, 30, 15, 7, tzinfo=UTC)]
)
def test_each_phones_form_is_read(tmp_path: Path, form: str, begins: datetime) -> None:
    made = exports.whatsapp(LINES, form, begins=begins)
    wanted = [
        (f"{begins + timedelta(days=number):%Y-%m-%d %H:%M}", *line)
        for number, line in enumerate(LINES)
    ]
    assert read(tmp_path, made) == wanted


@pytest.mark.parametrize("form", ["iphone-de", "iphone-us", "android-gb", "android-us"])
def test_of_days_below_thirteen_the_order_of_the_messages_tells(tmp_path: Path, form: str) -> None:
    begins = datetime(2023, 1, 1, 9, 0, tzinfo=UTC)
    made = exports.whatsapp(LINES, form, begins=begins, days=5)  # 1, 6, 11 January, 1 February …
    small = [line for line in made.splitlines() if not _large(line)]
    found = read(tmp_path, "\n".join(small))
    assert [at[:10] for at, *_ in found] == [
        f"{at:%Y-%m-%d}"
        for at in (begins + timedelta(days=5 * n) for n in range(12))
        if at.day < 13
    ]


def _large(line: str) -> bool:
    numbers = line.lstrip("[").replace(".", "/").split(",")[0].split("/")[:2]
    return any(int(number) > 12 for number in numbers)


LOCALES = {
    "Finnish": "25.4.2024 klo 9.12 - Lotte: a\n25.4.2024 klo 21.13 - Nora: b",
    "Finnish iPhone": "[25.4.2024 klo 9.12.01] Lotte: a\n[25.4.2024 klo 21.13.02] Nora: b",
    "Korean": "2024년 4월 25일 오전 9:12, Lotte : a\n2024년 4월 25일 오후 9:13, Nora : b",
    "Korean iPhone": "[2024. 4. 25. 오전 9:12:01] Lotte: a\n[2024. 4. 25. 오후 9:13:01] Nora: b",
    "Chinese": "2024/4/25 上午9:12 - Lotte: a\n2024/4/25 下午9:13 - Nora: b",
    "Chinese iPhone": "[2024/4/25 上午9:12:01] Lotte: a\n[2024/4/25 下午9:13:01] Nora: b",
    "Japanese": "[2024/04/25 午前9:12:01] Lotte: a\n[2024/04/25 午後9:13:01] Nora: b",
    "Hungarian": "2024. 04. 25. 9:12 - Lotte: a\n2024. 04. 25. 21:13 - Nora: b",
    "Bulgarian": "25.04.24 г., 9:12 - Lotte: a\n25.04.24 г., 21:13 - Nora: b",
    "Bulgarian clock": "25.04.24 г., 9:12 ч. - Lotte: a\n25.04.24 г., 21:13 ч. - Nora: b",
    "Quebec": "2024-04-25 09 h 12 - Lotte: a\n2024-04-25 21\u00a0h\u00a013 - Nora: b",
    "Quebec iPhone": "[2024-04-25 9 h 12 min 01 s] Lotte: a\n[2024-04-25 21 h 13 min 01 s] Nora: b",
    "Malay": "25/04/2024, 9:12 PG - Lotte: a\n25/04/2024, 9:13 PTG - Nora: b",
    "Vietnamese": "25/04/2024, 9:12 SA - Lotte: a\n25/04/2024, 9:13 CH - Nora: b",
    "Turkish": "25.04.2024 ÖÖ 9:12 - Lotte: a\n25.04.2024 ÖS 9:13 - Nora: b",
    "Persian": "25/04/2024،\u200f 9:12 ق.ظ. - Lotte: a\n25/04/2024،\u200f 9:13 ب.ظ. - Nora: b",
    "Greek": "25/4/24, 9:12 π.μ. - Lotte: a\n25/4/24, 9:13 μ.μ. - Nora: b",
    "Arabic": "\u200f25\u200f/4\u200f/2024, 9:12 ص - Lotte: a\n25/4/2024, 9:13 م - Nora: b",
    "Arabic digits": "٢٥\u200f/٤\u200f/٢٠٢٤، ٩:١٢ ص - Lotte: a\n٢٥/٤/٢٠٢٤، ٩:١٣ م - Nora: b",
    "Danish": "25.04.2024 09.12 - Lotte: a\n25.04.2024 21.13 - Nora: b",
    "Canadian": "[2024-04-25, 9:12:01\u202fa.m.] Lotte: a\n[2024-04-25, 9:13:01\u202fp.m.] Nora: b",
}


@pytest.mark.parametrize("name", LOCALES)
def test_the_dates_of_other_languages_are_read(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, LOCALES[name] + "\n") == [
        ("2024-04-25 09:12", "Lotte", "a"),
        ("2024-04-25 21:13", "Nora", "b"),
    ]


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ("12/2/2569 14:03 - ", "2026-02-12"),
        ("[12/2/69 14:03:22] ", "2026-02-12"),
        ("[2/13/2569 BE, 2:03:22 PM] ", "2026-02-13"),
        ("[۱۴۰۴/۱۱/۲۳،\u200f ۱۴:۰۳:۲۲] ", "2026-02-12"),
        ("[1403/12/30 AP, 14:03:22] ", "2025-03-20"),
        ("[1404/1/1, 14:03:22] ", "2025-03-21"),
    ],
)
def test_years_of_the_thai_and_the_persian_calendar_are_read(
    tmp_path: Path, head: str, day: str
) -> None:
    assert read(tmp_path, f"{head}Nora: a\n") == [(f"{day} 14:03", "Nora", "a")]


@pytest.mark.parametrize("date", ["24/8/1447 AH", "1404/12/30", "1404/13/1"])
def test_days_that_cannot_be_converted_are_refused(tmp_path: Path, date: str) -> None:
    with pytest.raises(TransferRefused, match="Islamic" if "AH" in date else "no calendar"):
        read(tmp_path, f"[{date}, 14:03:22] Nora: a\n")


@pytest.mark.parametrize(("half", "month"), [("PM", 3), ("pm", 2)])
def test_only_capitals_make_an_ambiguous_date_american(
    tmp_path: Path, half: str, month: int
) -> None:
    [(at, *_)] = read(tmp_path, f"3/2/24, 9:12 {half} - Anna: one\n")
    assert at == f"2024-{month:02}-{5 - month:02} 21:12"


def test_digits_of_another_script_are_not_american(tmp_path: Path) -> None:
    [(at, *_)] = read(tmp_path, "৩/২/২৪, ৯:১২ PM - Anna: one\n")
    assert at == "2024-02-03 21:12"


def test_lines_without_a_head_continue_a_message(tmp_path: Path) -> None:
    made = exports.whatsapp([("Max", "one\ntwo: 2\n\nthree"), ("Anna", "four")])
    assert [text for *_, text in read(tmp_path, made)] == ["one\ntwo: 2\n\nthree", "four"]


def test_what_stands_for_pictures_and_the_systems_lines_are_left_out(tmp_path: Path) -> None:
    lines = [("Max", "<Media omitted>"), ("Max", "\u200eimage omitted"), ("Max", "a < b > c")]
    made = exports.whatsapp(lines, "android-gb") + "07/03/2023, 10:00 - Anna added Max\n"
    assert [text for *_, text in read(tmp_path, made)] == ["a < b > c"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Bruges! <This message was edited>", "Bruges!"),
        ("Freitag \u200e<Diese Nachricht wurde bearbeitet.>", "Freitag"),
        ("Use List<String> or <b>", "Use List<String> or <b>"),
        ("IMG-20240425-WA0001.jpg (file attached)\nOur hotel", "Our hotel"),
        ("lease 2.pdf (Datei angehängt)", "[file: lease 2.pdf]"),
        (
            "lease.pdf • \u200e3 pages \u200e<attached: 00000013-lease.pdf>",
            "[file: lease.pdf]",
        ),
        ("\u200e<attached: 00000012-PHOTO-2024-04-25-09-14-30.jpg>", None),
        ("Our hotel \u200eimage omitted", "Our hotel"),
        ("Unser Hotel\nin Brügge \u200eBild weggelassen", "Unser Hotel\nin Brügge"),
        ("lease.pdf • \u200e3 pages \u200edocument omitted", "[file: lease.pdf]"),
        ("He \u200eomitted me", "He \u200eomitted me"),
        (
            "\u200eLocation: https://maps.google.com/?q=51.21,3.22",
            "[Location: https://maps.google.com/?q=51.21,3.22]",
        ),
        ("\u200eA secure service from Meta. Learn more: https://faq.whatsapp.com/1", None),
        ("\u200f\u200eتم حذف الصورة", None),
        ("PTT-20240425-WA0002.opus (file attached)", None),
        ("This message was deleted", None),
        ("Du hast diese Nachricht gelöscht.", None),
        ("This message was deleted from my head", "This message was deleted from my head"),
        ("null", None),
        (
            "POLL:\nWhich wine?\nOPTION: Red (2 votes)\nOPTION: White (dry) (0 votes)\n",
            "[poll: Which wine? Red (2 votes) / White (dry) (0 votes)]",
        ),
        (
            "\u200eSONDAGE :\nQuel hôtel ?\n\u200eOPTION : Tage (\u200e1 vote)\n"
            "\u200eOPTION : Alfama (0 vote)",
            "[poll: Quel hôtel ? Tage (1 vote) / Alfama (0 vote)]",
        ),
        ("Shops:\nnear us\nShop: Spar (2 km)\nShop: Billa (3 km)",) * 2,
        ("Hello:\nwhat I owe\nPAID: Max (12)\nPAID: Anna (3)",) * 2,
        ("LIST:\nfor the party\nA: bread (2)\nA: wine (3)",) * 2,
    ],
)
def test_whatsapps_own_words_are_taken_out(tmp_path: Path, line: str, text: str | None) -> None:
    made = exports.whatsapp([("Max", line), ("Anna", "yes")], "android-gb")
    assert [words for *_, words in read(tmp_path, made)] == [*filter(None, [text]), "yes"]


def test_notices_with_a_colon_are_nobodys_messages(tmp_path: Path) -> None:
    made = exports.whatsapp([("Max", "one"), ('Anna "Ann" Bell', "two")], "android-gb")
    made += '07/03/2023, 10:00 - Max created group "Trip: Rome"\n'
    made += "07/03/2023, 10:00 - Max hat den Betreff von „A: b“ zu „C: d“ geändert.\n"
    assert [who for _, who, _ in read(tmp_path, made)] == ["Max", 'Anna "Ann" Bell']


def test_the_notices_in_a_groups_name_make_nobody_the_owner(tmp_path: Path) -> None:
    """iPhones write notices in the name of the group, which is not a person."""
    text = (
        "[25.04.24, 09:12:01] Family: \u200eMessages are end-to-end encrypted.\n"
        "[25.04.24, 09:13:01] ~\u202fAnna: Hello\n"
    )
    file = exports.packed(tmp_path / "WhatsApp Chat - Family.zip", {"_chat.txt": text})
    [message] = conversations(file).read(UTC)
    assert (message.author, message.owners) == ("Anna", None)


def test_a_date_that_no_calendar_has_is_refused(tmp_path: Path) -> None:
    made = exports.whatsapp(LINES) + "[31.02.23, 09:00:00] Anna: when?\n"
    with pytest.raises(TransferRefused, match="31/2/23"):
        read(tmp_path, made)


@pytest.mark.parametrize(
    ("archive", "member"),
    [
        ("WhatsApp Chat - Anna Bell.zip", "_chat.txt"),
        ("x.zip", "WhatsApp Chat with Anna Bell.txt"),
        ("WhatsApp-Chat mit Anna Bell (2).zip", "_chat.txt"),
        ("x.zip", "Chat de WhatsApp con Anna Bell.txt"),
        ("x.zip", "Conversa do WhatsApp com Anna Bell.txt"),
        ("x.zip", "Discussion WhatsApp avec Anna Bell.txt"),
        ("x.zip", "WhatsApp-chat met Anna Bell.txt"),
    ],
)
def test_the_chats_name_stands_in_the_files(tmp_path: Path, archive: str, member: str) -> None:
    file = exports.packed(tmp_path / archive, {member: exports.whatsapp(LINES)})
    assert {m.chat.title for m in conversations(file).read(UTC)} == {"Anna Bell"}


def test_the_chats_name_stands_in_the_name_that_a_file_was_sent_with(tmp_path: Path) -> None:
    """A file that was sent to the chat is stored under another name."""
    stored = tmp_path / "1001-7.zip"
    exports.packed(stored, {"_chat.txt": exports.whatsapp(LINES)})
    found = conversations(stored, "WhatsApp Chat - Anna Bell.zip")
    assert {m.chat.title for m in found.read(UTC)} == {"Anna Bell"}


def test_the_chats_name_stands_in_that_of_the_unpacked_folder(tmp_path: Path) -> None:
    folder = tmp_path / "WhatsApp Chat - Anna S. Bell"
    folder.mkdir()
    read(folder, exports.whatsapp(LINES))
    [found] = unpacked_exports(folder)
    assert {m.chat.title for m in found.read(UTC)} == {"Anna S. Bell"}


def test_equal_messages_in_the_hour_that_comes_twice_are_two(tmp_path: Path) -> None:
    rows = ("01:50:00] Anna: ok", "02:30:00] Anna: ok", "02:31:00] Bob: what", "02:30:00] Anna: ok")
    file = tmp_path / "_chat.txt"
    file.write_text("".join(f"[29.10.23, {row}\n" for row in rows), "utf-8")
    found = list(conversations(file).read(ZoneInfo("Europe/Berlin")))
    assert len({message.id for message in found}) == len(rows)

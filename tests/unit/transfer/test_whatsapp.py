"""WhatsApp's dates: which number is the day is found out from the whole file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.errors import TransferRefused
from memory.transfer import conversations
from tests.support import exports

LINES = [("Anna", f"Message {number}: it’s 5:30, [ok] - yes") for number in range(12)]


def read(tmp_path: Path, text: str, name: str = "_chat.txt") -> list[tuple[str, str, str]]:
    """Return moment, author and text of each message."""
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


def test_lines_without_a_head_continue_a_message(tmp_path: Path) -> None:
    made = exports.whatsapp([("Max", "one\ntwo: 2\n\nthree"), ("Anna", "four")])
    assert [text for *_, text in read(tmp_path, made)] == ["one\ntwo: 2\n\nthree", "four"]


def test_what_stands_for_pictures_and_the_systems_lines_are_left_out(tmp_path: Path) -> None:
    lines = [("Max", "<Media omitted>"), ("Max", "\u200eimage omitted"), ("Max", "a < b > c")]
    made = exports.whatsapp(lines, "android-gb") + "07/03/2023, 10:00 - Anna added Max\n"
    assert [text for *_, text in read(tmp_path, made)] == ["a < b > c"]


def test_a_date_that_no_calendar_has_is_refused(tmp_path: Path) -> None:
    made = exports.whatsapp(LINES) + "[31.02.23, 09:00:00] Anna: when?\n"
    with pytest.raises(TransferRefused, match="31/2/23"):
        read(tmp_path, made)


def test_the_chats_name_stands_in_the_files(tmp_path: Path) -> None:
    file = exports.packed(
        tmp_path / "WhatsApp Chat - Anna Bell.zip", {"_chat.txt": exports.whatsapp(LINES)}
    )
    assert {m.chat.title for m in conversations(file).read(UTC)} == {"Anna Bell"}

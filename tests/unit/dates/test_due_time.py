"""Parse due times of reminders as people type them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import Due, due_time

MONDAY = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)


def due(text: str, now: datetime = MONDAY) -> tuple[str, str, str] | None:
    found = due_time(text, now)
    if found is None:
        return None
    return f"{found.day:%m-%d}", f"{found.time:%H:%M}" if found.time else "", found.rest


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("tomorrow 9:00 call Ana", "11-24", "09:00", "call Ana"),
        ("call Ana tomorrow at 9", "11-24", "09:00", "call Ana"),
        ("tomorrow at 9am to call Ana", "11-24", "09:00", "call Ana"),
        ("friday 17:30 dentist", "11-27", "17:30", "dentist"),
        ("next friday at 5pm pay rent", "11-27", "17:00", "pay rent"),
        ("on Friday pay", "11-27", "", "pay"),
        ("monday 9:00 stretch", "11-30", "09:00", "stretch"),
        ("monday 11:00 stretch", "11-23", "11:00", "stretch"),
        ("on the 5th rent", "12-05", "", "rent"),
        ("25 December 8am presents", "12-25", "08:00", "presents"),
        ("2026-12-01 09:00 rent", "12-01", "09:00", "rent"),
        ("1.12. 9:00 Miete", "12-01", "09:00", "Miete"),
        ("18:00 go home", "11-23", "18:00", "go home"),
        ("9:00 wake up", "11-24", "09:00", "wake up"),
        ("tonight call mum", "11-23", "19:00", "call mum"),
        ("tonight at 8 call mum", "11-23", "20:00", "call mum"),
        ("tomorrow morning run", "11-24", "09:00", "run"),
        ("the day after tomorrow at noon lunch", "11-25", "12:00", "lunch"),
        ("meet at 221b Baker St on Sunday at 3:15pm", "11-29", "15:15", "meet at 221b Baker St"),
        ("pay 20.50 to Bob tomorrow", "11-24", "", "pay 20.50 to Bob"),
        ("morgen um 9 Uhr Ana anrufen", "11-24", "09:00", "Ana anrufen"),
        ("am Freitag um halb neun Zahnarzt", "11-27", "08:30", "Zahnarzt"),
        ("nächsten Montag Miete", "11-30", "", "Miete"),
        ("heute Abend um 8 kochen", "11-23", "20:00", "kochen"),
        ("demain à 9h appeler Ana", "11-24", "09:00", "appeler Ana"),
        ("mañana a las 9 llamar a Ana", "11-24", "09:00", "llamar a Ana"),
        ("domani alle 9 chiamare Ana", "11-24", "09:00", "chiamare Ana"),
        ("amanhã às 9 ligar", "11-24", "09:00", "ligar"),
        ("morgen om 9 uur bellen", "11-24", "09:00", "bellen"),
        ("jutro o 9 zadzwonić", "11-24", "09:00", "zadzwonić"),
        ("завтра в 9:00 позвонить", "11-24", "09:00", "позвонить"),
        ("明日午後3時半 会議", "11-24", "15:30", "会議"),
    ],
)
def test_days_and_times_are_read_in_ten_languages(text: str, day: str, at: str, rest: str) -> None:
    assert due(text) == (day, at, rest)


@pytest.mark.parametrize(
    ("text", "at", "rest"),
    [
        ("in 20 minutes take out the cake", "11-23 10:20", "take out the cake"),
        ("take the cake out in half an hour", "11-23 10:30", "take the cake out"),
        ("in an hour and a half stretch", "11-23 11:30", "stretch"),
        ("in 3 days at 8:30 gym", "11-26 08:30", "gym"),
        ("in 2 weeks water the plants", "12-07 ", "water the plants"),
        ("in zehn Minuten Kuchen", "11-23 10:10", "Kuchen"),
        ("dans 2 heures appeler", "11-23 12:00", "appeler"),
        ("через 20 минут чай", "11-23 10:20", "чай"),
        ("20分後に薬", "11-23 10:20", "薬"),
        ("20 分钟后 吃药", "11-23 10:20", "吃药"),
        ("2小时后 开会", "11-23 12:00", "开会"),
        ("3天后 8:30 健身", "11-26 08:30", "健身"),
    ],
)
def test_a_wait_counts_from_now(text: str, at: str, rest: str) -> None:
    day, _, moment = at.partition(" ")
    assert due(text) == (day, moment, rest)


@pytest.mark.parametrize(
    "text",
    ["call", "buy 3 apples", "yesterday call", "today 9:00 run", "25:00 run", "in 0 minutes", ""],
)
def test_without_a_moment_that_is_still_to_come_there_is_none(text: str) -> None:
    assert due(text) is None


def test_chinese_hours() -> None:
    assert due("明天 9 点 打电话") == ("11-24", "09:00", "打电话")
    assert due("提醒我明天9点给安娜打电话") == ("11-24", "09:00", "提醒我 给安娜打电话")
    assert due("明天下午3点半 开会") == ("11-24", "15:30", "开会")
    assert due("晚上8点20分 吃药") == ("11-23", "20:20", "吃药")
    assert due("今晚8点 吃药") == ("11-23", "20:00", "吃药")
    assert due("下周一 9:00 开会") == ("11-30", "09:00", "开会")
    assert due("周五 交报告") == ("11-27", "", "交报告")
    assert due("12月1日 9:00 面试") == ("12-01", "09:00", "面试")
    assert due("今天 9:00 跑步") is None, "that is past"


def test_midnight_noon_and_the_end_of_a_year() -> None:
    assert due("at 12am sleep") == ("11-24", "00:00", "sleep")
    assert due("at 12pm eat") == ("11-23", "12:00", "eat")
    late = datetime(2026, 12, 31, 23, 50, tzinfo=UTC)
    assert due_time("in 20 minutes cheer", late) == Due(date(2027, 1, 1), time(0, 10), "cheer")


WORDS = [
    "tomorrow",
    "friday",
    "on",
    "at",
    "in",
    "9",
    "17:30",
    "20",
    "minutes",
    "noon",
    "tonight",
    "morgen",
    "um",
    "halb",
    "neun",
    "Uhr",
    "heute",
    "Abend",
    "in the evening",
    "1.12.",
    "an hour",
    "next",
    "week",
    "demain",
    "à",
    "9h",
    "завтра",
    "в",
    "через",
    "часа",
    "明日",
    "9時",
    "Ana",
    "call",
    "to",
    "3",
]


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.integers(0, 60 * 24 * 365 * 5))
def test_whatever_is_typed_what_is_found_lies_ahead(words: list[str], minutes: int) -> None:
    now = MONDAY + timedelta(minutes=minutes)
    found = due_time(" ".join(words), now)
    if found is not None:
        assert datetime.combine(found.day, found.time or time.max, UTC) > now

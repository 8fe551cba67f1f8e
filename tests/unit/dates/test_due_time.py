"""Parse due times of reminders as people type them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import Due, NotDue, due_time, split_repetition
from tests.support.due_times import day_time_rest

MONDAY = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)


def due(text: str, now: datetime = MONDAY) -> tuple[str, str, str] | None:
    return day_time_rest(text, now)


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("tomorrow 9:00 call Ana", "11-24", "09:00", "call Ana"),
        ("call Ana tomorrow at 9", "11-24", "09:00", "call Ana"),
        ("tomorrow at 9am to call Ana", "11-24", "09:00", "call Ana"),
        ("of the rent tomorrow at 9", "11-24", "09:00", "the rent"),
        ("tomorrow of Ana's birthday", "11-24", "", "Ana's birthday"),
        ("morgen aan de huur", "11-24", "", "huur"),
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
        ("segunda às 9 dentista", "11-30", "09:00", "dentista"),
        ("quinta às 15h dentista", "11-26", "15:00", "dentista"),
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
        ("in forty minutes tea", "11-23 10:40", "tea"),
        ("in twenty-five minutes tea", "11-23 10:25", "tea"),
        ("dans cinquante minutes thé", "11-23 10:50", "thé"),
        ("in 3 days at 8:30 gym", "11-26 08:30", "gym"),
        ("in 2 weeks water the plants", "12-07 ", "water the plants"),
        ("in zehn Minuten Kuchen", "11-23 10:10", "Kuchen"),
        ("dans 2 heures appeler", "11-23 12:00", "appeler"),
        ("через 20 минут чай", "11-23 10:20", "чай"),
        ("in ninety minutes tea", "11-23 11:30", "tea"),
        ("in 30 seconds tea", "11-23 10:01", "tea"),
        ("in 2 minutes 30 seconds tea", "11-23 10:03", "tea"),
        ("in neunzig Sekunden Tee", "11-23 10:02", "Tee"),
        ("через 90 секунд чай", "11-23 10:02", "чай"),
        ("1分30秒后 关火", "11-23 10:02", "关火"),
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
    ("text", "at"),
    [
        ("in 1 hour and 30 minutes tea", "11:30"),
        ("in 2 hours 15 min tea", "12:15"),
        ("in 1h30 tea", "11:30"),
        ("in 1h 30m tea", "11:30"),
        ("in an hour and a quarter tea", "11:15"),
        ("in einer Stunde und zwanzig Minuten tea", "11:20"),
        ("in einer Viertelstunde tea", "10:15"),
        ("dans 1h30 tea", "11:30"),
        ("dans une heure et quart tea", "11:15"),
        ("en 1 hora y 20 minutos tea", "11:20"),
        ("fra un'ora tea", "11:00"),
        ("tra un’ora e 20 minuti tea", "11:20"),
        ("tra un'ora e mezza tea", "11:30"),
        ("daqui a 2 horas e 15 minutos tea", "12:15"),
        ("over 1 uur en 20 minuten tea", "11:20"),
        ("za 2 godziny i 15 minut tea", "12:15"),
        ("через 1 час 20 минут tea", "11:20"),
        ("1時間30分後に tea", "11:30"),
        ("三十分後に tea", "10:30"),
        ("1小时30分钟后 tea", "11:30"),
        ("两个半小时后 tea", "12:30"),
        ("半個小時後 tea", "10:30"),
    ],
)
def test_a_wait_of_hours_and_minutes_counts_both(text: str, at: str) -> None:
    assert due(text) == ("11-23", at, "tea")


def test_a_wait_ends_at_the_nearest_minute_and_seconds_not_before() -> None:
    late = MONDAY + timedelta(seconds=50)
    assert due("in 20 minutes tea", late) == ("11-23", "10:21", "tea")
    assert due("in 30 seconds tea", late) == ("11-23", "10:02", "tea")
    assert due("in second grade") is None


def test_minutes_that_belong_to_the_task_do_not_count() -> None:
    assert due("in 2 days 30 minutes of yoga") == ("11-25", "", "30 minutes of yoga")
    assert due("call Ana after 15h30") == ("11-23", "15:30", "call Ana after")


@pytest.mark.parametrize(
    "text",
    [
        "call",
        "buy 3 apples",
        "yesterday call",
        "today 9:00 run",
        "25:00 run",
        "in 0 minutes",
        "pasar la cita al 19",
        "",
    ],
)
def test_without_a_moment_that_is_still_to_come_there_is_none(text: str) -> None:
    assert due(text) is None


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("in 2 months call Ana", "2027-01-23", "call Ana"),
        ("in a year renew the passport", "2027-11-23", "renew the passport"),
        ("in 12 Monaten TÜV", "2027-11-23", "TÜV"),
        ("dans un an rappeler", "2027-11-23", "rappeler"),
        ("через месяц аренда", "2026-12-23", "аренда"),
        ("2か月後 更新", "2027-01-23", "更新"),
        ("3个月后 体检", "2027-02-23", "体检"),
        ("three months from now check", "2027-02-23", "check"),
        ("Friday in two weeks invoice", "2026-12-11", "invoice"),
        ("in 2 Wochen am Freitag Rechnung", "2026-12-11", "Rechnung"),
    ],
)
def test_months_and_years_are_counted_in_the_calendar(text: str, day: str, rest: str) -> None:
    assert due_time(text, MONDAY) == Due(date.fromisoformat(day), None, rest)


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("today in two weeks dentist", "12-07", "", "dentist"),
        ("tomorrow in two weeks dentist", "12-08", "", "dentist"),
        ("in two weeks from today dentist", "12-07", "", "dentist"),
        ("from today in two weeks dentist", "12-07", "", "dentist"),
        ("in exactly two weeks dentist", "12-07", "", "dentist"),
        ("exactly in two weeks at 9 dentist", "12-07", "09:00", "dentist"),
        ("genau in zwei Wochen Zahnarzt", "12-07", "", "Zahnarzt"),
        ("dans exactement deux semaines dentiste", "12-07", "", "dentiste"),
        ("a week from tomorrow dentist", "12-01", "", "dentist"),
        ("tomorrow week dentist", "12-01", "", "dentist"),
        ("Freitag in 8 Tagen um 9 Zahnarzt", "12-04", "09:00", "Zahnarzt"),
        ("viernes en ocho días dentista", "12-04", "", "dentista"),
        ("today in 2 hours call Ana", "11-23", "12:00", "call Ana"),
        ("in two weeks ask about today's news", "12-07", "", "ask about today's news"),
        ("in 5 minutes today's soup", "11-23", "10:05", "today's soup"),
        ("heute in 14 Tagen Zahnarzt", "12-07", "", "Zahnarzt"),
        ("Zahnarzt heute in 14 Tagen um 9 Uhr", "12-07", "09:00", "Zahnarzt"),
        ("morgen in einer Woche Zahnarzt", "12-01", "", "Zahnarzt"),
        ("heute in 20 Minuten Tee", "11-23", "10:20", "Tee"),
        ("hoy en 15 días dentista", "12-08", "", "dentista"),
        ("de hoy en ocho dentista", "11-30", "", "dentista"),
        ("aujourd'hui en quinze dentiste", "12-07", "", "dentiste"),
        ("demain en huit dentiste", "12-01", "", "dentiste"),
        ("demain à 8 dentiste", "11-24", "08:00", "dentiste"),
        ("oggi tra due settimane dentista", "12-07", "", "dentista"),
        ("hoje em 15 dias dentista", "12-08", "", "dentista"),
        ("vandaag over twee weken tandarts", "12-07", "", "tandarts"),
        ("сегодня через две недели врач", "12-07", "", "врач"),
        ("dziś za dwa tygodnie dentysta", "12-07", "", "dentysta"),
        ("今日から2週間後 歯医者", "12-07", "", "歯医者"),
        ("今天起两周后 看牙", "12-07", "", "看牙"),
    ],
)
def test_a_delay_counts_from_the_day_beside_it(text: str, day: str, at: str, rest: str) -> None:
    assert due(text) == (day, at, rest)


def test_a_month_later_is_the_last_day_of_a_shorter_one() -> None:
    found = due_time("in a month rent", datetime(2026, 1, 31, tzinfo=UTC))
    assert found == Due(date(2026, 2, 28), None, "rent")


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("on the 31st pay", "2027-01-31", "pay"),
        ("29 February 9:00 party", "2028-02-29", "party"),
        ("29.2. 9:00 Feier", "2028-02-29", "Feier"),
        ("2月29日 9:00 派对", "2028-02-29", "派对"),
    ],
)
def test_a_day_that_the_month_or_year_lacks_is_in_the_next_that_has_it(
    text: str, day: str, rest: str
) -> None:
    found = due_time(text, datetime(2027, 1, 20, 10, tzinfo=UTC))
    assert isinstance(found, Due)
    assert (found.day, found.rest) == (date.fromisoformat(day), rest)


@pytest.mark.parametrize(
    "text",
    [
        *("30 February 9:00 call Ana", "31.11. 9:00 Anruf", "2026-11-31 9:00 call"),
        *("2026-13-01 9:00 call", "tomorrow 25:00 run", "tomorrow at 9:75 run"),
    ],
)
def test_a_day_or_time_that_does_not_exist_is_not_another_one(text: str) -> None:
    assert due_time(text, MONDAY) is NotDue.NO_SUCH


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday 9:00 call", "gestern 9:00 Anruf", "2020-01-01 9:00 call", "today 9:00 run"),
        *("1 March 2026 9:00 call", "01/03/2026 9:00 call", "last Friday 9:00 call"),
    ],
)
def test_what_is_past_is_not_due_tomorrow(text: str) -> None:
    assert due_time(text, MONDAY) is NotDue.PAST


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        (
            "tomorrow 9:00 book the flight on 24 December",
            "11-24",
            "09:00",
            "book the flight on 24 December",
        ),
        (
            "tomorrow 9:00 book a seat for 2026-12-24",
            "11-24",
            "09:00",
            "book a seat for 2026-12-24",
        ),
        (
            "book a seat for 24 December tomorrow 9:00",
            "11-24",
            "09:00",
            "book a seat for 24 December",
        ),
        ("Wednesday at 9 call Ana about Friday", "11-25", "09:00", "call Ana about Friday"),
        ("morgen um 8 mit Anna am Montag reden", "11-24", "08:00", "mit Anna am Montag reden"),
        ("18:00 write about yesterday", "11-23", "18:00", "write about yesterday"),
        ("tomorrow, Tuesday, 9:00 dentist", "11-24", "09:00", "dentist"),
        ("meeting 14:00-15:00 tomorrow", "11-24", "14:00", "meeting 14:00-15:00"),
    ],
)
def test_of_several_days_the_one_beside_the_time_counts_and_the_others_stay(
    text: str, day: str, at: str, rest: str
) -> None:
    assert due(text) == (day, at, rest)


@pytest.mark.parametrize(
    "text",
    [
        *("alle 8 di chiamare Ana", "alle 8 mi serve il latte", "a las 8 mi madre"),
        *("o 8 do lekarza", "at 8 do the dishes", "às 8 do café", "alle 8 so che Ana parte"),
    ],
)
def test_a_short_word_behind_the_time_is_no_german_weekday(text: str) -> None:
    found = due_time(text, MONDAY)
    assert isinstance(found, Due) and not found.has_day and found.time == time(20)
    assert split_repetition(text, is_reminder=True)[0] == ""


def test_a_weekday_in_two_letters_with_a_capital_is_one() -> None:
    found = due_time("um 9 Di Training", MONDAY)
    assert isinstance(found, Due) and f"{found.day:%a}" == "Tue" and found.rest == "Training"


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("by Friday pay", "11-27", "", "pay"),
        ("by 5 December send the form", "12-05", "", "send the form"),
        ("bis Freitag Steuer", "11-27", "", "Steuer"),
        ("Christmas 9:00 presents", "12-24", "09:00", "presents"),
        ("15.12 9:00 gym", "12-15", "09:00", "gym"),
        ("tue 10am gym", "11-24", "10:00", "gym"),
        ("le lundi 9h courses", "11-30", "09:00", "courses"),
        ("tomorrow night call", "11-24", "19:00", "call"),
        ("pay 12.10 at 11:00", "11-23", "11:00", "pay 12.10"),
        ("put it in an envelope tomorrow", "11-24", "", "put it in an envelope"),
        ("ab Freitag Diät", "11-27", "", "Diät"),
        ("à partir de vendredi régime", "11-27", "", "régime"),
        ("from Friday onwards diet", "11-27", "", "diet"),
        ("the Friday before Christmas 9:00 gifts", "12-18", "09:00", "gifts"),
        ("on Black Friday shop", "11-27", "", "shop"),
        ("end of the month pay rent", "11-30", "", "pay rent"),
        ("Ende des Monats zahlen", "11-30", "", "zahlen"),
        ("fin décembre payer", "12-31", "", "payer"),
        ("at the beginning of December pay", "12-01", "", "pay"),
    ],
)
def test_other_ways_to_say_a_day(text: str, day: str, at: str, rest: str) -> None:
    assert due(text) == (day, at, rest)


@pytest.mark.parametrize(
    ("zone", "text", "day", "rest"),
    [
        ("America/Chicago", "on 12/5 at 9 call Ana", "12-05", "call Ana"),
        ("US/Pacific", "call Ana 12/5 9am", "12-05", "call Ana"),
        ("America/Indiana/Knox", "on 12/5/2026 at 9 buy a 5/8 bolt", "12-05", "buy a 5/8 bolt"),
        ("Europe/London", "on 12/5 at 9 call Ana", "05-12", "call Ana"),
        ("America/Toronto", "on 12/5 at 9 call Ana", "05-12", "call Ana"),
        ("America/Chicago", "am 12/5 um 9 Ana anrufen", "05-12", "Ana anrufen"),
    ],
)
def test_in_the_united_states_the_month_comes_first(
    zone: str, text: str, day: str, rest: str
) -> None:
    assert due(text, MONDAY.astimezone(ZoneInfo(zone))) == (day, "09:00", rest)


@pytest.mark.parametrize(
    ("zone", "text", "day"),
    [
        *(("America/Chicago", "Mother's Day", "05-09"), ("Europe/London", "Mother's Day", "03-07")),
        *(
            ("Europe/Berlin", "Mothers day", "05-09"),
            ("Europe/Dublin", "Mothering Sunday", "03-07"),
        ),
        *(("Australia/Sydney", "Father's Day", "09-05"), ("Europe/Paris", "fathers day", "06-20")),
        *(("America/Toronto", "on Thanksgiving", "10-11"), ("US/Pacific", "Election Day", "11-02")),
    ],
)
def test_a_holiday_is_on_the_day_of_the_owners_country(zone: str, text: str, day: str) -> None:
    now = datetime(2027, 1, 5, 10, tzinfo=ZoneInfo(zone))
    assert due(f"{text} 9:00 call", now) == (day, "09:00", "call")


def test_election_day_is_known_in_the_united_states_only() -> None:
    london = MONDAY.astimezone(ZoneInfo("Europe/London"))
    assert due("on election day vote", london) is None


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        *(("the evening before Halloween", "10-30", "19:00"), ("早上 1月5日", "01-05", "09:00")),
        *(("the night before Christmas at 8", "12-24", "20:00"), ("24日の夜", "11-24", "19:00")),
        *(
            ("the morning after 5 May", "05-06", "09:00"),
            ("on 5 May in the evening", "05-05", "19:00"),
        ),
        *(("am Abend vor dem 5. Mai", "05-04", "19:00"), ("le soir avant Noël", "12-24", "19:00")),
        *(
            ("la noche antes de Navidad", "12-24", "19:00"),
            ("am Morgen des 5. Mai", "05-05", "09:00"),
        ),
        *(("de avond voor kerst", "12-24", "19:00"), ("matin du 5 mai", "05-05", "09:00")),
    ],
)
def test_a_part_of_the_day_may_be_of_a_date_or_the_day_beside_it(
    text: str, day: str, at: str
) -> None:
    found = due(f"{text} x")
    assert found is not None
    assert found[:2] == (day, at)


def test_a_delay_over_a_clock_change_is_as_long_as_it_says() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    longer = datetime(2026, 10, 24, 22, 0, tzinfo=berlin)
    assert due("in 8 hours wake up", longer) == ("10-25", "05:00", "wake up")
    shorter = datetime(2026, 3, 28, 22, 0, tzinfo=berlin)
    assert due("in 8 hours wake up", shorter) == ("03-29", "07:00", "wake up")
    # 2:10 comes twice, and the reminder would be due at the first, which is past.
    before = datetime(2026, 10, 25, 2, 50, tzinfo=berlin)
    assert due("in 20 minutes tea", before) == ("10-25", "03:00", "tea")


def test_of_a_long_text_nothing_is_lost() -> None:
    items = " ".join(f"item{n}" for n in range(200))
    assert due(f"tomorrow 9:00 {items}") == ("11-24", "09:00", items)


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
    assert due("明天早上八点 吃药") == ("11-24", "08:00", "吃药")
    assert due("明晚8点 看电影") == ("11-24", "20:00", "看电影")
    assert due("下下周三交房租") == ("12-09", "", "交房租")
    assert due("下个月15号 还信用卡") == ("12-15", "", "还信用卡")
    assert due("大后天上午十点半 开会") == ("11-26", "10:30", "开会")
    assert due("12月1号面试") == ("12-01", "", "面试")


@pytest.mark.parametrize(
    ("text", "at", "rest"),
    [
        ("tomorrow at nine call", "09:00", "call"),
        ("tomorrow at nine thirty call", "09:30", "call"),
        ("tomorrow at two thirty pm call", "14:30", "call"),
        ("tomorrow at nine in the evening call", "21:00", "call"),
        ("tomorrow at six fifty call", "06:50", "call"),
        ("tomorrow at six twenty five call", "06:25", "call"),
        ("tomorrow at six oh five call", "06:05", "call"),
        ("tomorrow at half past 8 call", "08:30", "call"),
        ("tomorrow quarter to nine call", "08:45", "call"),
        ("tomorrow at ten past nine call", "09:10", "call"),
        ("morgen um neun Uhr anrufen", "09:00", "anrufen"),
        ("morgen um 9 Uhr 30 anrufen", "09:30", "anrufen"),
        ("morgen um neun Uhr dreißig anrufen", "09:30", "anrufen"),
        ("morgen um sieben Uhr vierzig anrufen", "07:40", "anrufen"),
        ("mañana a las seis y cincuenta llamar", "06:50", "llamar"),
        ("morgen um Viertel nach 8 anrufen", "08:15", "anrufen"),
        ("morgen um viertel vor neun anrufen", "08:45", "anrufen"),
        ("morgen um fünf vor acht anrufen", "07:55", "anrufen"),
        ("morgen kwart over negen bellen", "09:15", "bellen"),
        ("demain à neuf heures appeler", "09:00", "appeler"),
        ("demain à 9 heures 30 appeler", "09:30", "appeler"),
        ("demain à 9h et quart appeler", "09:15", "appeler"),
        ("mañana a las 9 y media llamar", "09:30", "llamar"),
        ("mañana a las 8 menos cuarto de la tarde llamar", "19:45", "llamar"),
        ("mañana a la una menos cuarto llamar", "12:45", "llamar"),
        ("domani alle nove e mezza chiamare", "09:30", "chiamare"),
        ("amanhã às 9 e meia ligar", "09:30", "ligar"),
        ("jutro o wpół do dziewiątej zadzwonić", "08:30", "zadzwonić"),
        ("завтра в девять вечера позвонить", "21:00", "позвонить"),
        ("завтра в полдевятого позвонить", "08:30", "позвонить"),
        ("明日正午に電話", "12:00", "電話"),
        ("demain après-midi appeler", "15:00", "appeler"),
        ("demain à midi et demi appeler", "12:30", "appeler"),
        ("demain à midi moins le quart appeler", "11:45", "appeler"),
        ("Dienstagabend um 8 Kino", "20:00", "Kino"),
        ("dinsdagavond om 8 film", "20:00", "film"),
        ("morgen Vormittag Arzt", "09:00", "Arzt"),
        ("morgen Mittag Essen", "12:00", "Essen"),
        ("morgen Mittag um 1 Essen", "13:00", "Essen"),
        ("明日の夜 電話", "19:00", "電話"),
        ("明天下午 开会", "15:00", "开会"),
        ("明晚 电话", "19:00", "电话"),
        ("明天下午三点十五分 开会", "15:15", "开会"),
    ],
)
def test_hours_in_words_halves_and_quarters(text: str, at: str, rest: str) -> None:
    assert due(text) == ("11-24", at, rest)


@pytest.mark.parametrize(
    "rest",
    [
        *("buy five apples", "dinner for two", "look at one of the flats", "dîner à deux"),
        *("Termin um zwei Tage verschieben", "um 20 Minuten verschieben", "uno o due pani"),
        *("сделать в два раза больше", "5 km run", "um ein Rezept bitten", "dormir neuf heures"),
        *("call Ana at once", "store the wine at twelve degrees"),
        *("estar una hora en casa", "jejum de oito horas"),
    ],
)
def test_numbers_that_are_no_hours_stay_in_the_task(rest: str) -> None:
    assert due(f"2026-11-24 {rest}") == ("11-24", "", rest)
    assert due(f"2026-11-24 9:00 {rest}") == ("11-24", "09:00", rest)


def test_a_rating_is_no_day_far_away() -> None:
    assert due("rate the film 7/10") is None
    assert due("7/10 for the film") is None
    assert due("on 7/10 dentist") == ("10-07", "", "dentist")
    assert due("7/10 9:00 dentist") == ("10-07", "09:00", "dentist")
    assert due("dentist 12/12") == ("12-12", "", "dentist")
    assert due("dentist 7/10", MONDAY.replace(month=9)) == ("10-07", "", "dentist")


def test_a_number_beside_the_time_is_no_day_of_the_month() -> None:
    assert due("18:00 5 km run") == ("11-23", "18:00", "5 km run")
    assert due("buy eggs 6 18:00") == ("11-23", "18:00", "buy eggs 6")


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("tonight at 2am wake", "11-24", "02:00", "wake"),
        ("tonight at 1 wake", "11-24", "01:00", "wake"),
        ("tonight at 12 wake", "11-24", "00:00", "wake"),
        ("tonight at midnight wake", "11-24", "00:00", "wake"),
        ("tonight at 11 call", "11-23", "23:00", "call"),
        ("tomorrow at 12 book the night train", "11-24", "12:00", "book the night train"),
        ("at 2 at night wake", "11-24", "02:00", "wake"),
        ("heute 24 Uhr Wecker", "11-24", "00:00", "Wecker"),
        ("heute Nacht um 2 Uhr Wecker", "11-24", "02:00", "Wecker"),
        ("um 3 Uhr nachts Wecker", "11-24", "03:00", "Wecker"),
        ("am Freitag um 11 Uhr nachts Wecker", "11-27", "23:00", "Wecker"),
        ("a las 12 de la noche fiesta", "11-24", "00:00", "fiesta"),
        ("a las 12 de la tarde comida", "11-23", "12:00", "comida"),
        ("stanotte alle 2 sveglia", "11-24", "02:00", "sveglia"),
        ("в 12 ночи спать", "11-24", "00:00", "спать"),
        ("завтра в 12 дня обед", "11-24", "12:00", "обед"),
        ("завтра в 2 часа ночи рейс", "11-24", "02:00", "рейс"),
        ("晚上12点 睡觉", "11-24", "00:00", "睡觉"),
        ("凌晨1点 看球", "11-24", "01:00", "看球"),
        ("夕方5時 買い物", "11-23", "17:00", "買い物"),
        ("明日の夜8時 電話", "11-24", "20:00", "電話"),
        ("今夜9時 電話", "11-23", "21:00", "電話"),
    ],
)
def test_an_hour_at_night_is_before_dawn_or_before_midnight(
    text: str, day: str, at: str, rest: str
) -> None:
    assert due(text) == (day, at, rest)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *(("today at 24:00 renew", "11-24"), ("tomorrow at 24:00 renew", "11-25")),
        *(("Freitag 24 Uhr renew", "11-28"), ("am 24. Dezember 24:00 renew", "12-25")),
        *(("24 December at midnight renew", "12-24"), ("明天24点 renew", "11-25")),
        *(("um 24 Uhr nachts renew", "11-24"), ("at 24:00 at night renew", "11-24")),
    ],
)
def test_24_is_the_end_of_the_day(text: str, day: str) -> None:
    assert due(text) == (day, "00:00", "renew")


def test_what_is_past_today_is_not_at_night() -> None:
    for text in ("today at 3am run", "today 9:00 run"):
        assert due_time(text, MONDAY) is NotDue.PAST
    after_midnight = datetime(2026, 11, 23, 0, 30, tzinfo=UTC)
    assert due("tonight at 2 wake", after_midnight) == ("11-23", "02:00", "wake")


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
    if isinstance(found, Due):
        assert datetime.combine(found.day, found.time or time.max, UTC) > now


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        *(("at 5 leave", "11-23", "17:00"), ("at quarter past three leave", "11-23", "15:15")),
        *(("leave at 5:30", "11-23", "17:30"), ("half past 7 leave", "11-23", "19:30")),
        *(("at 11 leave", "11-23", "11:00"), ("at 9 leave", "11-23", "21:00")),
        *(("today at 9 leave", "11-23", "21:00"), ("on Thursday at 4 leave", "11-26", "16:00")),
        *(("tomorrow at 7 leave", "11-24", "07:00"), ("in 2 days at 3 leave", "11-25", "15:00")),
        *(("um halb fünf leave", "11-23", "16:30"), ("a las 5 y media leave", "11-23", "17:30")),
        *(("um 5 Uhr leave", "11-24", "05:00"), ("5:30 leave", "11-24", "05:30")),
        *(("at 05:30 leave", "11-24", "05:30"), ("at 5am leave", "11-24", "05:00")),
        *(("on Monday at 9 leave", "11-30", "09:00"), ("7 tonight leave", "11-23", "19:00")),
        *(("at half 7 leave", "11-23", "19:30"), ("tomorrow half seven leave", "11-24", "07:30")),
        *(("half 8 tonight leave", "11-23", "20:30"), ("morgen om half 8 leave", "11-24", "07:30")),
    ],
)
def test_an_hour_of_twelve_is_the_likely_one(text: str, day: str, at: str) -> None:
    assert due(text) == (day, at, "leave")


def test_an_hour_at_night_is_meant_by_who_is_awake() -> None:
    late, early = MONDAY.replace(hour=23), MONDAY.replace(hour=1)
    assert due("at 2 leave", late) == ("11-24", "02:00", "leave")
    assert due("at 2 leave", early) == ("11-23", "02:00", "leave")
    assert due("at 5 leave", MONDAY.replace(hour=18)) == ("11-24", "17:00", "leave")


def test_what_repeats_is_not_due_in_the_evening_for_its_morning_is_past() -> None:
    found = [due_time(text, MONDAY, repeats=True) for text in ("at 9 pills", "at 5 walk")]
    assert [each.time for each in found if isinstance(each, Due)] == [time(9), time(17)]


def test_what_repeats_at_24_is_due_on_the_days_that_its_rule_names() -> None:
    found = due_time("at 24:00 back up", MONDAY, repeats=True)
    assert isinstance(found, Due)
    assert (found.time, found.rest) == (time(23, 59), "back up")


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        *(("tommorow at 3pm x", "11-24", "15:00"), ("2moro at 9 x", "11-24", "09:00")),
        *(("tonite at 8 x", "11-23", "20:00"), ("2nite x", "11-23", "19:00")),
        *(("on wednsday x", "11-25", ""), ("am Mitwoch x", "11-25", "")),
        *(("Sat morning to x", "11-28", "09:00"), ("sun 10am x", "11-29", "10:00")),
        *(("this arvo x", "11-23", "15:00"), ("tomorrow arvo x", "11-24", "15:00")),
        *(("noonish x", "11-23", "12:00"), ("around noon x", "11-23", "12:00")),
        *(("first thing tomorrow x", "11-24", "08:00"), ("mid-morning x", "11-24", "10:00")),
        *(("late afternoon x", "11-23", "17:00"), ("heut Abend x", "11-23", "19:00")),
        *(("cet aprem x", "11-23", "15:00"), ("new years eve 11pm x", "12-31", "23:00")),
        *(("Xmas day 9am x", "12-25", "09:00"), ("on sun x", "11-29", "")),
    ],
)
def test_misspelt_and_short_words_for_time(text: str, day: str, at: str) -> None:
    assert due(text) == (day, at, "x")


def test_the_sun_is_no_sunday() -> None:
    assert due("put it in the sun at 3pm") == ("11-23", "15:00", "put it in the sun")
    assert due("tomorrow lie in the sun") == ("11-24", "", "lie in the sun")


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        *(("20 mins from now x", "11-23", "10:20"), ("x 2 hours from now", "11-23", "12:00")),
        *(("an hour and a half from now x", "11-23", "11:30"), ("d'ici 2h x", "11-23", "12:00")),
        *(
            ("in three quarters of an hour x", "11-23", "10:45"),
            ("in 3/4 hour x", "11-23", "10:45"),
        ),
        *(("in a couple hours x", "11-23", "12:00"), ("in ner halben Stunde x", "11-23", "10:30")),
        *(("in a few minutes x", "11-23", "10:03"), ("in an hour's time x", "11-23", "11:00")),
        *(("in 2 weeks time x", "12-07", ""), ("in a month's time to x", "12-23", "")),
        *(("at 1730 x", "11-23", "17:30"), ("at 7 30 pm x", "11-23", "19:30")),
        *(("730pm x", "11-23", "19:30"), ("10ish tomorrow x", "11-24", "10:00")),
        *(("around 4 to x", "11-23", "16:00"), ("tomorrow around 4 x", "11-24", "16:00")),
        *(("Friday 9am: x", "11-27", "09:00"), ("tomorrow at 9: x", "11-24", "09:00")),
    ],
)
def test_other_ways_to_say_a_time(text: str, day: str, at: str) -> None:
    assert due(text) == (day, at, "x")


def test_numbers_that_look_like_times() -> None:
    for rest in ("feed around 4 people", "go to 1200 Market St", "meet at 1200 Market St"):
        assert due(f"{rest} tomorrow") == ("11-24", "", rest)


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        *(("on the first Monday of the month x", "12-07", ""), ("eom x", "11-30", "")),
        *(("on the last day of the month x", "11-30", ""), ("am Monatsende x", "11-30", "")),
        *(
            ("the last Friday of the month x", "11-27", ""),
            ("on the 1st of the month x", "12-01", ""),
        ),
        *(
            ("the last Friday of December x", "12-25", ""),
            ("le premier lundi du mois x", "12-07", ""),
        ),
        *(("am letzten Tag des Monats x", "11-30", ""), ("el último día del mes x", "11-30", "")),
        *(("a fin de mes x", "11-30", ""), ("a week today x", "11-30", "")),
        *(("a week tomorrow at 5pm x", "12-01", "17:00"), ("two weeks today x", "12-07", "")),
        *(
            ("a week before Christmas x", "12-18", ""),
            ("two weeks before 24 December x", "12-10", ""),
        ),
        *(("the week before Christmas x", "12-18", ""), ("Christmas morning x", "12-25", "09:00")),
        *(("le matin de Noël x", "12-25", "09:00"), ("on Easter morning x", "03-28", "09:00")),
    ],
)
def test_a_day_of_the_month_or_beside_another(text: str, day: str, at: str) -> None:
    assert due(text) == (day, at, "x")


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("an hour before the meeting at 3pm", "11-23", "14:00", "the meeting (15:00)"),
        ("30 mins before my 2pm call tomorrow", "11-24", "13:30", "my call (14:00)"),
        ("10 min before 5pm leave", "11-23", "16:50", "leave (17:00)"),
        ("eine Stunde vor dem Zug morgen um 15 Uhr", "11-24", "14:00", "dem Zug (15:00)"),
        ("um fünf vor halb 4 x", "11-23", "15:25", "x"),
        ("in 2 hours before I forget", "11-23", "12:00", "before I forget"),
        ("2 days before Christmas x", "12-23", "", "x"),
    ],
)
def test_an_hour_before_another_time_is_earlier(text: str, day: str, at: str, rest: str) -> None:
    assert due(text) == (day, at, rest)


def test_an_hour_before_a_time_may_be_past_or_unknown() -> None:
    assert due_time("an hour before the film at 10:30am", MONDAY) is NotDue.PAST
    assert due_time("about the dentist an hour before", MONDAY) is None


@pytest.mark.parametrize(
    ("zone", "mother", "father"),
    [
        *(("Europe/Madrid", "05-02", "03-19"), ("America/Mexico_City", "05-10", "06-20")),
        ("America/Argentina/Cordoba", "10-17", "06-20"),
        ("America/Bogota", "05-09", "06-20"),
    ],
)
def test_spanish_days_of_mothers_and_fathers(zone: str, mother: str, father: str) -> None:
    now = datetime(2027, 1, 5, 10, tzinfo=ZoneInfo(zone))
    assert due("el día de la madre a las 9h x", now) == (mother, "09:00", "x")
    assert due("el día del padre a las 9h x", now) == (father, "09:00", "x")


def test_french_days_of_mothers_and_of_the_new_year() -> None:
    assert due("la fête des mères à 9h x") == ("05-30", "09:00", "x")
    assert due("le jour de l'an à 9h x") == ("01-01", "09:00", "x")

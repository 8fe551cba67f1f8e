"""Reminders asked for in plain words, when no model is set up."""

from __future__ import annotations

from datetime import UTC, datetime, time
from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest

from bot.assistant import Assistant
from bot.chat.plain_commands import command_in_words
from bot.chat.tasks.reading import each_reminder, names_a_time, read_due
from memory.tools import Due, Tasks

NOW = datetime(2026, 11, 4, 14, 30, tzinfo=UTC)
OWNER = SimpleNamespace(
    claude=None,
    name="owner",
    memory=SimpleNamespace(
        zone=UTC,
        clock=lambda: NOW,
        vault=SimpleNamespace(own=str),
        log=SimpleNamespace(
            settings=SimpleNamespace(get=AsyncMock(return_value=None)),
            messages=SimpleNamespace(last_of_user=AsyncMock(return_value=[])),
        ),
    ),
    settings=SimpleNamespace(first_active_hour=8),
)


@pytest.fixture(autouse=True)
def without_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tasks, "open", AsyncMock(return_value=[]))


async def command(text: str) -> tuple[str, str] | None:
    return await command_in_words(cast(Assistant, OWNER), "terminal", text, NOW)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tomorrow at 9 remind me to call Ana", "tomorrow at 9 to call Ana"),
        ("can u remind me at 9 to call Ana", "at 9 to call Ana"),
        ("Remind me!", ""),
        ("In 20 minutes, please remind me about the tea", "In 20 minutes about the tea"),
        ("every Monday at 9 remind me to run", "every Monday at 9 to run"),
        ("morgen um 9 erinnere mich an Ana", "morgen um 9 an Ana"),
        ("mañana a las 9 recuérdame llamar a Ana", "mañana a las 9 llamar a Ana"),
        ("завтра в 9 напомни мне позвонить Ане", "завтра в 9 позвонить Ане"),
        ("明天9点提醒我给安娜打电话", "明天9点 给安娜打电话"),
    ],
)
async def test_the_time_of_a_reminder_may_stand_first(text: str, words: str) -> None:
    assert await command(text) == ("remind", words)


@pytest.mark.parametrize(
    "text",
    [
        *("Mum will remind me to call Ana tomorrow", "These roses remind me of Oma"),
        *("On Friday Ana asked to remind me of it", "明天妈妈提醒我吃药"),
    ],
)
async def test_a_statement_about_reminding_is_no_command(text: str) -> None:
    assert await command(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "dentist on friday at 3pm, remind me the day before",
            "the day before dentist on friday at 3pm",
        ),
        (
            "dentist on friday at 3pm. Please remind me an hour before!",
            "an hour before dentist on friday at 3pm",
        ),
        (
            "dentist on friday at 3pm and remind me the day before",
            "the day before dentist on friday at 3pm",
        ),
        ("dentist on friday at 3pm, remind me", "dentist on friday at 3pm"),
        ("gym every mon wed fri at 7am remind me", "gym every mon wed fri at 7am"),
        ("dentist on friday at 3pm pls remind me", "dentist on friday at 3pm"),
        (
            "dentist on friday at 3pm, remind me of it tomorrow at 9",
            "2026-11-05 09:00 dentist (2026-11-06 15:00)",
        ),
        (
            "Mum's birthday on 20 November, remind me on the 18th",
            "2026-11-18 08:00 Mum's birthday (2026-11-20)",
        ),
        (
            "Am 20.11. ist Prüfung. Erinnere mich zwei Tage vorher daran",
            "zwei Tage vorher Am 20.11. ist Prüfung",
        ),
        (
            "dentiste vendredi à 15h, rappelle-moi la veille",
            "la veille dentiste vendredi à 15h",
        ),
        (
            "dentista el viernes a las 15, recuérdamelo una hora antes",
            "una hora antes dentista el viernes a las 15",
        ),
        ("周五下午三点看牙医，提前一天提醒我", "提前一天 周五下午三点看牙医"),
    ],
)
async def test_what_comes_may_stand_before_the_wish_to_be_reminded(text: str, words: str) -> None:
    assert await command(text) == ("remind", words)


@pytest.mark.parametrize(
    "text",
    [
        *("On Friday Ana will call and remind me at 9", "On Friday Ana will remind me"),
        *("On Friday I saw Ana. These roses remind me of Oma", "I saw Ana, remind me at 9"),
        *("The exam is on Friday, remind me why I take it", "Ana on Friday asked to remind me"),
    ],
)
async def test_a_statement_before_a_reminder_of_something_else(text: str) -> None:
    assert await command(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rmind me tomorrow at 9 to call Ana", "tomorrow at 9 to call Ana"),
        ("pls remidn me at 6pm to buy milk", "at 6pm to buy milk"),
        ("errinnere mich morgen um 9 an Ana", "morgen um 9 an Ana"),
        ("rapelle-moi demain à 9h d'appeler Ana", "demain à 9h d'appeler Ana"),
        ("lenbra-me amanhã às 9 de ligar", "amanhã às 9 de ligar"),
        ("I need to be reminded to pay tomorrow at 9", "to pay tomorrow at 9"),
        ("don't forget to remind me to pay tomorrow at 9", "to pay tomorrow at 9"),
        ("Ich muss morgen um 9 an die Miete erinnert werden", "morgen um 9 an die Miete"),
        ("necesito que me recuerdes pagar mañana a las 9", "pagar mañana a las 9"),
        ("не забудь напомнить мне завтра в 9 заплатить", "завтра в 9 заплатить"),
        ("别忘了提醒我明天9点开会", "明天9点开会"),
    ],
)
async def test_a_reminder_may_be_misspelt_or_asked_for_in_other_words(
    text: str, words: str
) -> None:
    assert await command(text) == ("remind", words)


@pytest.mark.parametrize(
    "text",
    [
        *("reminds me of Oma", "erinnert mich an Oma", "Lembro-me de ter pago amanhã"),
        *("przypomni mi Ana jutro", "напомнил мне вчера", "Judge me tomorrow at 9"),
        "Mich würde interessieren, ob sie sich erinnern",
    ],
)
async def test_a_word_like_that_of_a_command_is_none(text: str) -> None:
    assert await command(text) is None


@pytest.mark.parametrize(
    ("words", "at", "rest"),
    [
        *(("in a bit to check the oven", "15:00", "check the oven"), ("soon", "15:00", "")),
        *(("in a while to check the oven", "15:30", "check the oven"), ("later", "17:30", "")),
        ("to call Ana later", "17:30", "call Ana"),
        ("später an Ana", "17:30", "Ana"),
        ("plus tard d'appeler Ana", "17:30", "appeler Ana"),
        ("más tarde llamar a Ana", "17:30", "llamar a Ana"),
        ("позже позвонить Ане", "17:30", "позвонить Ане"),
        ("晚点给安娜打电话", "17:30", "给安娜打电话"),
        ("after work to buy milk", "18:00", "buy milk"),
        ("to lock the door before bed", "22:00", "lock the door"),
        ("nach der Arbeit an die Milch", "18:00", "Milch"),
        ("avant de dormir fermer la porte", "22:00", "fermer la porte"),
        ("睡前锁门", "22:00", "锁门"),
        ("in 10 minutes to plan after dinner", "14:40", "plan after dinner"),
        ("at 9pm to ask about the walk after lunch", "21:00", "ask about the walk after lunch"),
    ],
)
async def test_a_reminder_in_a_bit_gets_a_time(words: str, at: str, rest: str) -> None:
    _, _, due = read_due(words, NOW, rings=time(8))

    assert isinstance(due, Due)
    assert (f"{due.day:%d} {due.time:%H:%M}", due.rest) == (f"04 {at}", rest)


@pytest.mark.parametrize(
    "words",
    [
        "to put it in a bit of foil",
        "sooner to leave",
        "to take the later train",
        "an den Gleichstrom",
    ],
)
async def test_words_that_only_look_like_soon_are_no_time(words: str) -> None:
    assert not names_a_time(words, NOW)


async def test_a_task_that_is_no_reminder_gets_no_time_from_later() -> None:
    assert read_due("call Ana later", NOW)[-1] is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("remind me when I get home to feed the cat", "todo"),
        ("remind me when we're in Porto to buy port", "todo"),
        ("remind me when we met", None),
        ("remind me when I have to go to the dentist", None),
    ],
)
async def test_a_reminder_with_a_condition_is_a_task(text: str, found: str | None) -> None:
    assert await command(text) == ((found, text) if found else None)


async def test_a_shopping_list_needs_no_article() -> None:
    assert await command("add eggs to shopping list") == ("todo", "eggs")


@pytest.mark.parametrize(
    ("text", "day", "at", "title"),
    [
        ("set an alarm for 7am", 5, "07:00", "Alarm"),
        ("set an alarm for 7", 5, "07:00", "Alarm"),
        ("set an alarm for 7pm", 4, "19:00", "Alarm"),
        ("set an alarm for 5 to fetch the kids", 4, "17:00", "fetch the kids"),
        ("wake me at 7 for the flight", 5, "07:00", "for the flight"),
        ("wake me at 3", 4, "15:00", "Alarm"),  # from a nap
        ("wake me at 2", 5, "02:00", "Alarm"),
        ("wake me at 3 tomorrow", 5, "03:00", "Alarm"),
        ("wake me every day at 5", 5, "05:00", "Alarm"),
        ("wake me at 5 today", 4, "17:00", "Alarm"),
        ("alarm at 7", 5, "07:00", "Alarm"),
        ("Wecker auf halb 7", 5, "06:30", "Alarm"),
        ("Stell den Wecker für morgen auf 5", 5, "05:00", "Alarm"),
        ("mets le réveil pour 7", 5, "07:00", "Alarm"),
        ("despiértame a las 6", 5, "06:00", "Alarm"),
        ("metti la sveglia per le 7", 5, "07:00", "Alarm"),
        ("zet de wekker op 7", 5, "07:00", "Alarm"),
        ("me acorda às 7", 5, "07:00", "Alarm"),
        ("ustaw budzik na siódmą", 5, "07:00", "Alarm"),
        ("разбуди меня в 7", 5, "07:00", "Alarm"),
        ("поставь будильник на завтра на 7", 5, "07:00", "Alarm"),
        ("明早7点叫醒我", 5, "07:00", "Alarm"),
        ("7時に起こして", 5, "07:00", "Alarm"),
        ("wake me at 6 tomorrow", 5, "06:00", "Alarm"),
        ("tomorrow at 6 wake me up", 5, "06:00", "Alarm"),
        ("wake me at 6 tomorrow for the train", 5, "06:00", "for the train"),
        ("weck mich morgen um 6", 5, "06:00", "Alarm"),
        ("pon una alarma para las 7:30", 5, "07:30", "Alarm"),
        ("mets un réveil à 7h", 5, "07:00", "Alarm"),
        ("поставь будильник на 7:30", 5, "07:30", "Alarm"),
        ("set a timer for 10 minutes", 4, "14:40", "Timer"),
        ("set a 10 minute timer", 4, "14:40", "Timer"),
        ("start a timer for 1 hour 20 minutes", 4, "15:50", "Timer"),
        ("stell einen Timer auf 10 Minuten", 4, "14:40", "Timer"),
        ("pon un temporizador de 10 minutos", 4, "14:40", "Timer"),
        ("mets un minuteur de 10 minutes", 4, "14:40", "Timer"),
        ("поставь таймер на 10 минут", 4, "14:40", "Timer"),
        ("a timer for 90 seconds", 4, "14:32", "Timer"),
        ("start a 30 second timer", 4, "14:31", "Timer"),
        ("timer 1 minute 45 seconds", 4, "14:32", "Timer"),
        ("Timer auf 90 Sekunden", 4, "14:32", "Timer"),
        ("设一个90秒的计时器", 4, "14:32", "Timer"),
        ("mets le réveil sur 7h", 5, "07:00", "Alarm"),
    ],
)
async def test_an_alarm_and_a_timer_need_no_title(text: str, day: int, at: str, title: str) -> None:
    assert await ringing(text) == (day, at, title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Küchentimer auf 10 Minuten", "Küchentimer"),
        ("an egg-timer for 10 minutes", "egg-timer"),
        ("stell den Küchentimer auf 10 Minuten", "Küchentimer"),
        ("please set an egg-timer for 10 minutes", "egg-timer"),
        ("set the pasta timer to 10 minutes", "pasta timer"),
        ("set a 10 minute pasta timer", "pasta timer"),
        ("zet de eierwekker op 10 minuten", "eierwekker"),
        ("mets le minuteur des pâtes sur 10 minutes", "des pâtes"),
        ("set my work alarm for 2:40 pm", "work alarm"),
    ],
)
async def test_an_alarm_and_a_timer_keep_their_names(text: str, title: str) -> None:
    assert await ringing(text) == (4, "14:40", title)


async def ringing(text: str) -> tuple[int, str, str]:
    """Return on which day and when an alarm or a timer rings, and its title."""
    name, words = await command(text) or ("", "")
    due = read_due(words, NOW, rings=time(8))[-1]
    assert name == "remind" and isinstance(due, Due) and due.time
    return due.day.day, f"{due.time:%H:%M}", due.rest


async def test_several_alarms_are_in_the_morning() -> None:
    _, words = await command("wake me at 6 and 7") or ("", "")
    dues = [read_due(each, NOW, rings=time(8))[-1] for each in each_reminder(words, NOW)]
    assert [(due.time, due.rest) for due in dues if isinstance(due, Due)] == [
        (time(6), "Alarm"),
        (time(7), "Alarm"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("the alarm went off at 7", "my alarm is at 7", "alarm code 4421", "the timer broke"),
        *("timer 5", "Timer auf 5", "Probealarm um 7", "!", "my", "set a"),
        *("the smoke alarm at 7", "set the smoke alarm off at 7", "set the egg-timer aside"),
    ],
)
async def test_a_statement_about_an_alarm_is_no_command(text: str) -> None:
    assert await command(text) is None


@pytest.mark.parametrize("text", ["hazme acordar mañana a las 9", "remind me at 9"])
async def test_a_reminder_that_is_no_alarm_needs_a_title(text: str) -> None:
    _, words = await command(text) or ("", "")
    due = read_due(words, NOW, rings=time(8))[-1]
    assert isinstance(due, Due) and due.rest == ""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("use Tokyo time", "Tokyo"),
        ("Please use Tokyo time from now on", "Tokyo"),
        ("can you set my timezone to Europe/Lisbon?", "Europe/Lisbon"),
        ("Set my time zone to Atlantis", "Atlantis"),
        ("my time zone is New York", "New York"),
        ("Stelle meine Zeitzone bitte auf Tokio um", "Tokio"),
        ("Nimm die Zeit von Lissabon", "Lissabon"),
        ("cambia mi zona horaria a Lisboa", "Lisboa"),
        ("utilise l’heure de Paris", "Paris"),
        ("Mon fuseau horaire est Tokyo.", "Tokyo"),
        ("imposta il mio fuso orario su Tokyo", "Tokyo"),
        ("muda o meu fuso horário para Lisboa", "Lisboa"),
        ("zet mijn tijdzone op Tokio", "Tokio"),
        ("ustaw moją strefę czasową na Tokio", "Tokio"),
        ("мой часовой пояс — Токио", "Токио"),
        ("请把时区改成东京", "东京"),
        ("用东京时间", "东京"),
        ("タイムゾーンを東京にして", "東京"),
        ("東京時間を使って", "東京"),
    ],
)
async def test_a_time_zone_is_asked_for(text: str, place: str) -> None:
    assert await command(text) == ("timezone", place)


@pytest.mark.parametrize(
    "text",
    [
        *("I'm in Tokyo this week", "I use Tokyo time", "Don't use Tokyo time", "use this time"),
        *("use the time of my life", "use local time", "my time zone is confusing"),
        *("My time zone is Lisbon, I teach there", "my time zone is Lisbon?"),
        "my time zone is Tokyo but I live in Rome",
        *("use Tokyo time for the meeting with Ken", "Ana's time zone is Tokyo"),
        *("set my time zone to the one of the people in the office", "用这个时间"),
        *("nimm Zeit in Anspruch", "usa la hora de comer", "自由時間を使って"),
    ],
)
async def test_a_statement_about_a_place_or_a_time_changes_no_zone(text: str) -> None:
    assert await command(text) is None

""" "Remind me again tomorrow": the reminder that was set or sent last."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.chat.plain_commands import carry_out, command_in_words
from bot.chat.protocol import Call, as_shown
from bot.chat.tasks.commands import remind, tasks
from memory import Said
from memory.tools import Tasks
from tests.support.reminding import NOON, Reminding, reminding

AT_ONE = "- [ ] call Ana (@2026-02-12 13:00) 🆔 ana001 📅 2026-02-12\n"


async def said(sam: Reminding, text: str, answers: Said | None = None) -> str:
    now, to = sam.clock.now, answers.text if answers else ""
    name, words = await command_in_words(sam.profile, "t", text, now, to) or ("", "")
    assert name == "remind"
    call = Call(sam.profile, "t", words, now, sentence=text, answers=answers)
    return as_shown(await remind(call)).text


async def open_tasks(sam: Reminding) -> list[str]:
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return [f"{task.at:%d %H:%M} {task.title}" for task in every]


@pytest.mark.parametrize(
    "text",
    [
        *("Remind me again tomorrow", "remind me of it again tomorrow", "remind me tomorrow again"),
        *("Erinnere mich morgen nochmal", "erinnere mich morgen noch einmal daran"),
        *("rappelle-le-moi encore demain", "Recuérdamelo otra vez mañana"),
        *(
            "recuérdame de nuevo mañana",
            "rappelle-moi demain de nouveau",
            "lembra-me amanhã de novo",
        ),
        *("ricordamelo di nuovo domani", "lembra-me amanhã outra vez"),
        *("herinner me morgen opnieuw", "przypomnij mi jutro jeszcze raz"),
        *("Напомни мне завтра ещё раз", "明天再提醒我", "明日またリマインドして"),
    ],
)
async def test_a_reminder_that_was_sent_is_moved(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1) == ["⏰ call Ana"]
        assert await said(sam, text) == "📅 call Ana → tomorrow 13:00"
        assert await open_tasks(sam) == ["13 13:00 call Ana"]
        assert await sam.after(days=1) == ["⏰ call Ana"]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        *[(each, 10) for each in ("Snooze", "snooze it please", "schlummern", "スヌーズ", "贪睡")],
        *[(each, 10) for each in ("remind me again", "Erinnere mich nochmal", "in 10 minutes")],
        *[(each, 10) for each in ("snooze 10", "um 10 Minuten verschieben", "drzemka 10 minut")],
        *[(each, 10) for each in ("stel het 10 minuten uit", "推迟10分钟", "10分スヌーズして")],
        *[(each, 60) for each in ("snooze for an hour", "remind me in an hour", "отложи на час")],
        *[(each, 60) for each in ("in einer Stunde nochmal", "repousse d'une heure", "1 hour")],
        *[(each, 60) for each in ("aplázalo una hora", "rimandalo di un'ora", "adia 60 minutos")],
        *[(each, 60) for each in ("In an hour, remind me.", "erinnere mich in einer Stunde")],
        *[(each, 60) for each in ("rappelle-moi dans une heure", "一小时后提醒我")],
        *[(each, 15) for each in ("15 minutes snooze", "delay 15 minutes", "13:15")],
        *[(each, 10) for each in ("Delay", "repousse", "Soneca", "小睡", "drzemka")],
        *[(each, 300) for each in ("snooze until 6", "postpone it to 6pm", "schlummern bis 6")],
        *[
            (each, 300)
            for each in (
                "auf 18 Uhr verschieben",
                "verschieb es auf 18 Uhr",
                "aplázalo hasta las 6",
            )
        ],
        *[(each, 300) for each in ("repousse jusqu’à 18h", "rimandalo fino alle 6", "odłóż do 18")],
        *[(each, 300) for each in ("adia até às 18h", "stel het uit tot 6", "отложи до 18:00")],
        *[(each, 300) for each in ("推迟到下午6点", "18時までスヌーズして")],
    ],
)
async def test_one_that_has_just_rung_may_be_snoozed(
    tmp_path: Path, text: str, minutes: int
) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1) == ["⏰ call Ana"]
        at = NOON + timedelta(hours=1, minutes=minutes)
        assert await said(sam, text) == f"📅 call Ana → today {at:%H:%M}"
        assert await sam.after(minutes=minutes) == ["⏰ call Ana"]


@pytest.mark.parametrize(
    "text", ["snooze until tomorrow", "postpone until Friday", "tomorrow, again!"]
)
async def test_one_that_has_just_rung_may_be_put_off_for_days(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        assert await said(sam, text) == "📅 call Ana → tomorrow 13:00"


@pytest.mark.parametrize(
    "text",
    [
        "Morgen!",
        "May",
        "December",
        "One minute",
        "a minute",
        "today",
        "snooze until May",
        "snooze until 45",
        "snooze for 6",
        "12",
    ],
)
async def test_what_asks_for_nothing_moves_no_reminder(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None
        if text != "Morgen!":  # "tomorrow", in a reply
            found = command_in_words(sam.profile, "t", text, sam.clock.now, "⏰ call Ana")
            assert await found is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Done",
            "done ✅",
            "finished!",
            "Erledigt",
            "hab ich schon gemacht",
            "hecho",
            "C'est fait",
        ),
        *("fatto", "feito", "gedaan", "zrobione", "сделано", "完了", "完成了"),
        *("ok done", "That's done, thanks", "das ist erledigt"),
    ],
)
async def test_done_closes_the_one_that_has_just_rung(tmp_path: Path, text: str) -> None:
    due = AT_ONE + AT_ONE.replace("Ana", "Tom").replace("ana001", "tom001").replace("3:00", "2:30")
    async with reminding(tmp_path, due) as sam:
        command = partial(command_in_words, sam.profile, "t", text)
        assert await command(sam.clock.now) is None, "nothing has rung"
        assert await sam.after(minutes=30) == ["⏰ call Tom"]
        assert await sam.after(minutes=30) == ["⏰ call Ana"]
        assert await command(sam.clock.now + timedelta(hours=2)) is None, "long ago"
        name, words = await command(sam.clock.now) or ("", "")
        assert name == "tasks"
        call = Call(sam.profile, "t", words, sam.clock.now, sentence=text)
        assert as_shown(await tasks(call)).text == "✅ Done. call Ana"
        assert await open_tasks(sam) == ["12 12:30 call Tom"]


async def test_what_is_done_otherwise_closes_no_reminder(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        for text in (
            "I'm done with work",
            "the soup is done",
            "not done",
            "done?",
            "die Suppe ist fertig",
            "das ist noch nicht erledigt",
            "das stimmt nicht, fertig",
            "dat is nog niet klaar",
            "это не сделано",
            "that's wrong, done",
            "well done!",
            "bien fait",
            "muy bien hecho",
            "goed gedaan",
            "hello done",
            "bis nachher",
            "学校終わった",
        ):
            assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None, text


@pytest.mark.parametrize("title", ["the pills", "la basura", "call Ana.", "pills", "gym (1h)"])
async def test_done_closes_the_one_that_rang_whatever_it_is_called(
    tmp_path: Path, title: str
) -> None:
    rang = AT_ONE.replace("call Ana", title)
    later = rang.replace("ana001", "tom001").replace("2026-02-12", "2026-02-13")
    async with reminding(tmp_path, later + rang) as sam:
        assert f"⏰ {title}" in await sam.after(hours=1)
        name, words = await command_in_words(sam.profile, "t", "done", sam.clock.now) or ("", "")
        assert name == "tasks"
        await tasks(Call(sam.profile, "t", words, sam.clock.now, sentence="done"))
        assert await open_tasks(sam) == [f"13 13:00 {title}"]


async def test_a_reminder_is_not_moved_to_the_past(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        for text in ("remind me today", "again today"):
            assert (await said(sam, text)).startswith("At what time?")
        assert await open_tasks(sam) == ["12 13:00 call Ana"]


async def test_days_later_only_snooze_itself_moves_the_reminder(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        await sam.after(days=3)
        for text in ("Delay 2 hours", "Delay", "repousse", "Soneca", "小睡", "drzemka"):
            assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None
        assert await said(sam, "snooze") == "📅 call Ana → today 13:10"


async def test_without_such_a_reminder_these_are_messages(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        command = partial(command_in_words, sam.profile, "t")
        for text in ("Snooze", "in 10 minutes", "tomorrow"):
            assert await command(text, sam.clock.now) is None
        assert await sam.after(hours=1)
        assert await command("8", sam.clock.now) is None, "may be anything"
        assert await command("snooze is a funny word", sam.clock.now) is None
        sam.clock.forward(minutes=1)
        assert (await said(sam, "remind me tomorrow to call Bob")).endswith("call Bob")
        assert (await said(sam, "remind me tomorrow")).startswith("What should I remind you")
        sam.clock.forward(hours=2)
        assert await command("in 10 minutes", sam.clock.now) is None


async def test_what_was_said_since_is_not_a_snooze(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        sam.clock.forward(minutes=1)
        row = Said(key="k", chat="t", text="When do you eat?", sent_at=sam.clock.now)
        await sam.profile.memory.log.messages.begin(row)
        assert await command_in_words(sam.profile, "t", "in 10 minutes", sam.clock.now) is None
        assert (await said(sam, "remind me tomorrow")).startswith("What should I remind you")


async def test_thanks_between_a_reminder_and_its_correction_end_nothing(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert (await said(sam, "remind me tomorrow at 9 to call Bob")).endswith("call Bob")
        messages = sam.profile.memory.log.messages
        for number, text in enumerate(("Are you sure?", "thanks")):
            sam.clock.forward(minutes=1)
            at = sam.clock.now
            await messages.begin(Said(key=f"k{number}", chat="t", text=text, sent_at=at))
        words = await command_in_words(sam.profile, "t", "no, at 10", sam.clock.now)
        assert words is not None and words[1].split() == ["move", "call", "Bob", "to", "10:00"]
        sam.clock.forward(minutes=1)
        row = Said(key="r", chat="t", text="The rent is 900", sent_at=sam.clock.now)
        await messages.begin(row)
        assert await command_in_words(sam.profile, "t", "no, at 10", sam.clock.now) is None


@pytest.mark.parametrize("text", ["remind me in an hour", "in an hour", "snooze 60 minutes"])
async def test_a_reply_to_a_reminder_moves_its_task(tmp_path: Path, text: str) -> None:
    due = AT_ONE + AT_ONE.replace("Ana", "Tom").replace("ana001", "tom001")
    async with reminding(tmp_path, due) as sam:
        assert await sam.after(hours=1) == ["⏰ call Ana", "⏰ call Tom"]
        sent = Said(key="k", chat="t", text="⏰ call Ana", sent_at=NOON, telegram_ids=(5,))
        assert await said(sam, text, sent) == "📅 call Ana → today 14:00"


async def test_one_that_is_still_to_come_is_repeated(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        assert await sam.after(hours=1)
        sam.clock.forward(minutes=1)
        assert await said(sam, "remind me on Sunday at 10 to water the plants")
        shown = await said(sam, "Remind me again in two weeks at 11")
        assert shown.endswith("11:00: water the plants")
        assert await open_tasks(sam) == [
            *("12 13:00 call Ana", "15 10:00 water the plants", "26 11:00 water the plants"),
        ]


async def test_one_that_repeats_stays_as_it_is(tmp_path: Path) -> None:
    due = "- [ ] pills (@2026-02-12 13:00) 🆔 pil001 🔁 every week 📅 2026-02-12\n"
    async with reminding(tmp_path, due) as sam:
        assert await sam.after(hours=1)
        assert await said(sam, "remind me again in 20 minutes") == "⏰ today 13:20: pills"
        assert await open_tasks(sam) == ["12 13:00 pills", "12 13:20 pills"]


async def test_without_a_reminder_before_it_is_asked_of_what(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] milk\n") as sam:
        assert (await said(sam, "remind me again tomorrow")).startswith("What should I remind you")


async def test_again_may_belong_to_the_task(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        sam.clock.forward(hours=1)
        shown = await said(sam, "remind me tomorrow at 9 to call Tom again")
        assert shown == "⏰ tomorrow 09:00: call Tom again"
        assert (
            await said(sam, "remind me about Ana again tomorrow") == "📅 call Ana → tomorrow 13:00"
        )


async def test_a_reply_to_a_reminder_is_about_its_task(tmp_path: Path) -> None:
    async with reminding(tmp_path, AT_ONE) as sam:
        at = sam.clock.now - timedelta(days=1)
        sent = Said(key="k", chat="t", text="⏰ feed Miso", sent_at=at, telegram_ids=(5,))
        shown = await said(sam, "remind me again tomorrow at 9", sent)
        assert shown == "⏰ tomorrow 09:00: feed Miso"


async def test_of_several_reminders_none_is_lost_without_a_word(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        shown = await said(sam, "remind me today to buy milk and tomorrow at 9 to call Bob")
        assert "call Bob" in shown and "buy milk" in shown.split("call Bob")[1]
        assert await open_tasks(sam) == ["13 09:00 call Bob"]
        shown = await said(sam, "remind me today and tomorrow to pay the rent")
        assert "pay the rent" in shown and "\n" not in shown, "tomorrow is meant"


async def test_a_reminder_of_the_same_thing_again_has_its_own_time_only(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        text = "Remind me tomorrow at 9 to call Ana. Remind me on Friday at 10."
        now = sam.clock.now
        _, words = await command_in_words(sam.profile, "t", text, now, "") or ("", "")
        call = Call(sam.profile, "t", words, now, sentence=text)
        await carry_out(remind, call, {"remind": remind})
        assert await open_tasks(sam) == ["13 09:00 call Ana", "13 10:00 call Ana"]


async def test_a_verb_stays_where_no_time_followed_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        text = "Erinnere mich morgen um 8 nachzusehen, ob die Post da ist"
        assert await said(sam, text) == "⏰ tomorrow 08:00: nachzusehen, ob die Post da ist"
        text = "Remind me the dentist is tomorrow at 3. Remind me tomorrow at 10."
        now = sam.clock.now
        _, words = await command_in_words(sam.profile, "t", text, now, "") or ("", "")
        call = Call(sam.profile, "t", words, now, sentence=text)
        await carry_out(remind, call, {"remind": remind})
        assert (await open_tasks(sam))[1:] == ["13 10:00 the dentist", "13 15:00 the dentist"]

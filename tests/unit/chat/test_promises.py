"""Answers in which a model promises a reminder."""

from __future__ import annotations

import pytest

from bot.chat.promises import promises_reminder


@pytest.mark.parametrize(
    "answer",
    [
        *("Sure, I'll remind you at 3.", "Got it. I will give you a shout.", "Reminder set for 9."),
        *("No problem, I'll ping you then!", "I've set an alarm for 7.", "Will shout at noon."),
        *("OK, ich erinnere dich um 9.", "Ich werde dich morgen um 9 daran erinnern."),
        *("D'accord, je te rappellerai demain.", "Vale, te aviso en una hora."),
        *("Ti avviso tra un'ora.", "Vou te lembrar às 9.", "Ik herinner je eraan."),
        *("Przypomnę ci za godzinę.", "Хорошо, напомню через час.", "好的，一小时后我会提醒你。"),
    ],
)
def test_it_promises(answer: str) -> None:
    assert promises_reminder(answer)


@pytest.mark.parametrize(
    "answer",
    [
        *("I can't remind you of that.", "I won't remind you.", "If you like, I'll remind you."),
        *("That reminds me of Oma.", "I remind you of her.", "Enjoy the cake!"),
        *("Wenn du willst, erinnere ich dich.", "Dime cuándo y te aviso.", "我不会提醒你。"),
    ],
)
def test_it_promises_nothing(answer: str) -> None:
    assert not promises_reminder(answer)

"""Four more new users without a key: forty messages in English, ten in German, ten in Spanish.

As in practice, the local embedder is on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.homes import Home
from tests.support.noon import noon_somewhere

WORLD = "I don't know that. Without a model, I only know what you have told me."
FIRST = "Noted. Ask me about it whenever you like."
HELLO = "Hello! Tell me something to remember, or ask about anything you have said."
ABOUT = "I am Sam. I remember what you tell me, remind you, and find it again"
PRIYA = [
    ("hey there", HELLO),
    ("what are you exactly?", ABOUT),
    ("ok so my name is Priya and I live in Leeds", FIRST),
    ("my landlord is called Mr. Whitcombe and the rent is £780, due on the 3rd", "Noted."),
    ("can you keep in mind that I'm allergic to sesame", "Saved in MEMORY.md and memories/"),
    ("Who's my landlord?", "You said today: my landlord is called Mr. Whitcombe and the rent is"),
    ("when is rent due again?", "You said today: my landlord is called Mr. Whitcombe and"),
    ("I lent Jonas my blue tent", "Noted."),
    ("who has my tent?", "You said today: I lent Jonas my blue tent [1]"),
    ("actually the rent went up, it's £810 now", "Noted."),
    # It is marked as a weak hit if its vector is there already, which takes a moment.
    ("how much rent do I pay?", "You said today: actually the rent went up, it's £810"),
    ("cheers!", "You're welcome!"),
    ("do you know any good pizza places?", WORLD),
    ("my sister's wedding is on 12 June in York", "Noted."),
    ("where's the wedding?", "You said today: my sister's wedding is on 12 June in York [1]"),
    ("don't forget: wifi password at the cabin is birch-fox-22", "Saved in MEMORY.md"),
    ("what was the wifi password?", "You asked me to remember: wifi password at the cabin is"),
    ("I'm so tired today", "Noted."),
    ("what did I tell you about Jonas?", "You said today: I lent Jonas my blue tent [1]"),
    ("forget the thing about the tent", "You: “I lent Jonas my blue tent”"),
    ("all", "Forgotten: "),
    ("who has my tent?", "I have nothing about that."),
    ("remind me every Monday at 8 to put the bins out", ": put the bins out · every Monday"),
    ("show me my reminders", "1. put the bins out · "),
    ("what's my name?", "You said today: ok so my name is Priya and I live in Leeds [1]"),
    ("did I mention Dr. Osei to you?", "I have nothing about that."),
    ("I don't like coriander", "Noted."),
    ("do I like coriander?", "You said today: I don't like coriander [1]"),
    ("lol", "👍"),
    ("good night", "Goodbye!"),
]
KATRIN = [
    ("Moin!", HELLO),
    ("Was kannst du denn eigentlich?", ABOUT),
    ("Ich heiße Katrin und wohne in Kiel", FIRST),
    ("Merk dir bitte: mein Fahrradschloss hat den Code 4471", "Saved in MEMORY.md"),
    ("Erinner mich morgen um 18 Uhr an den Elternabend", "⏰ tomorrow 18:00: Elternabend"),
    ("Mein Zahnarzt ist Dr. Petersen in der Holtenauer Straße", "Noted."),
    ("Wer ist mein Zahnarzt?", "You said today: Mein Zahnarzt ist Dr. Petersen in der Holtenauer"),
    ("Was habe ich morgen vor?", "1. Elternabend · tomorrow 18:00"),
    ("Vergiss das mit dem Fahrradschloss", "mein Fahrradschloss hat den Code 4471”"),
    ("Danke dir, bis später", "You're welcome!"),
]
LUCIA = [
    ("Buenas", HELLO),
    ("¿qué puedes hacer exactamente?", ABOUT),
    ("me llamo Lucía y trabajo en una panadería", FIRST),
    ("apunta que el veterinario de Luna se llama Ramón Vidal", "Saved in MEMORY.md"),
    ("¿quién es el veterinario?", "el veterinario de Luna se llama Ramón Vidal [1]"),
    ("recuérdame mañana a las 10 llamar a mi madre", "⏰ tomorrow 10:00: llamar a mi madre"),
    ("mi hijo es alérgico a los cacahuetes", "Noted."),
    ("¿a qué es alérgico mi hijo?", "You said today: mi hijo es alérgico a los cacahuetes [1]"),
    ("olvida lo del veterinario", "el veterinario de Luna se llama Ramón Vidal”"),
    ("muchas gracias, hasta luego", "You're welcome!"),
]
TOM = [
    ("/context", "No model is set up: I answer with quotes from my memory."),
    ("Remind me tomorrow at 9 of the rent", "⏰ tomorrow 09:00: the rent"),
    ("rmind me tomorrow at 10 to call ana", "⏰ tomorrow 10:00: call ana"),
    ("I need to be reminded to pay tomorrow between 2 and 3pm", "⏰ tomorrow 14:00: pay"),
    ("remind me later", "What should I remind you of?"),
    ("dentist tomorrow at 4pm, remind me an hour before", "⏰ tomorrow 15:00: dentist (16:00)"),
    ("dentist in three days at 3pm, remind me the day before", " 15:00: dentist ("),
    ("my sister lives in porto", FIRST),
    ("i meant lisbon", "Noted."),
    ("where does my sister live?", "You said today: i meant lisbon [1]"),
    ("remember that the door code is 4421", "Saved in MEMORY.md"),
    ("I meant 4412", "It replaces: the door code is 4421. /undo brings it back."),
    ("what's the door code?", "You asked me to remember: the door code is 4412 [1]"),
    ("remind me tomorrow at 9 to pay plumber", "⏰ tomorrow 09:00: pay plumber"),
    ("I meant 10", "📅 pay plumber → tomorrow 10:00"),
    ("set an alarm for 7", "⏰ tomorrow 07:00: Alarm"),
    ("no, 8", "📅 Alarm → tomorrow 08:00"),
    ("remind me tomorrow at 9 to iron", "⏰ tomorrow 09:00: iron"),
    ("make it 7pm", "📅 iron → tomorrow 19:00"),
    ("actually make it 6pm", "📅 iron → tomorrow 18:00"),
    ("make it a habit", "Noted."),
    ("paying the plumber is done", "✅ Done. pay plumber"),
    ("Wim's birthday is on 3 March", "Noted."),
    ("when is Wim's birthday?", "You said today: Wim's birthday is on 3 March"),
    ("actually it's the 13th of March", "Noted."),
    ("when's Wim's birthday again?", "You said today: actually it's the 13th of March"),
    ("my bike lock code is 8812", "Noted."),
    ("wait, 8821", "Noted."),
    ("forget my bike lock code", "You: “wait, 8821”"),
    ("all", "Forgotten: "),
]
UNWANTED = {
    "do you know any good pizza places?": "skills/",
    "Wer ist mein Zahnarzt?": "Fahrradschloss",
    "¿a qué es alérgico mi hijo?": "llamar",
}
"""What was quoted, although it has nothing but little words in common with the question."""


@pytest.mark.parametrize("talk", [PRIYA, KATRIN, LUCIA, TOM], ids=["en", "de", "es", "en2"])
def test_the_chat_reads_as_one_wishes(tmp_path: Path, talk: list[tuple[str, str]]) -> None:
    home = Home(tmp_path, EMBEDDING_PROVIDER="local", TIMEZONE=noon_somewhere()[0])
    done = home.sam("chat", stdin="\n".join(said for said, _ in talk) + "\n", timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    wrong, rest = [], done.stdout
    for number, (said, wanted) in enumerate(talk):
        _, asked, rest = rest.partition(f"> {said}\n")
        assert asked, f"{said!r} is not in\n{rest}"
        after = f"> {talk[number + 1][0]}\n" if number + 1 < len(talk) else "\0"
        answer = rest.partition(after)[0]
        if wanted not in answer or UNWANTED.get(said, "\0") in answer:
            wrong.append(f"> {said}\n{answer}")
    assert not wrong, "\n\n".join(wrong)

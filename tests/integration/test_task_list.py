"""The list of the tasks of a day, with what the owner only said about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.chat.actions import ACTIONS
from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Call, Press, Shown, as_shown
from bot.chat.tasks.commands import remind, tasks, todo
from bot.chat.tasks.reading import asked_to_drop
from memory.errors import EditRefused
from memory.text import speaking
from memory.tools import Tasks
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.reminding import Reminding, reminding
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


async def test_a_message_of_which_the_model_made_a_task_is_not_quoted_below_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    task = {"action": "add", "text": "see the dentist", "due": "2026-02-13 09:00"}
    claude.calls("manage_tasks", task, when="dentist", then="I will.")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("Please remind me of the dentist tomorrow at 9")
        await telegram.asks("Tom has a match tomorrow at 5pm")
        await it.profiles["owner"].memory.index_deferred()
        shown = (await telegram.asks("/tasks tomorrow")).text
        assert "1. see the dentist · tomorrow 09:00" in shown
        assert "You said today: Tom has a match tomorrow" in shown
        assert "remind me" not in shown


async def test_only_the_tasks_that_may_be_meant_are_asked_about(tmp_path: Path) -> None:
    due = "- [ ] blue pills 🆔 blu001\n- [ ] call Tom 🆔 tom001\n- [ ] red pills 🆔 red001\n"
    async with reminding(tmp_path, due) as sam:
        words = "cancel the pills reminder"
        for chat, buttons in (("telegram:7", ["❌ 1", "❌ 2"]), ("terminal", [])):
            shown = await tasks(Call(sam.profile, chat, words, sam.clock.now))
            assert shown.text.splitlines()[2:] == ["1. blue pills", "2. red pills"]
            assert [each.label for row in shown.keyboard for each in row] == buttons


COMMANDS = {"remind": remind, "tasks": tasks, "todo": todo}


async def said(sam: Reminding, text: str) -> str:
    """Return the answer to a message of which plain rules make a command for tasks."""
    name, words = await command_in_words(sam.profile, "terminal", text, sam.clock.now) or ("", "")
    call = Call(sam.profile, "terminal", words, sam.clock.now, sentence=text)
    return as_shown(await COMMANDS[name](call)).text


@pytest.mark.parametrize(
    ("asked", "cancelled", "title"),
    [
        ("set an alarm for 7", "delete the alarm", "Alarm"),
        ("set a timer for 10 minutes", "cancel my timer", "Timer"),
        ("remind me tomorrow at 9 to call Ana", "cancel the reminder", "call Ana"),
        ("set an alarm for 5 to fetch the kids", "turn the alarm off", "fetch the kids"),
        ("stell einen Wecker auf 7", "stell den Wecker ab", "Alarm"),
        ("pon una alarma para las 7", "quita la alarma", "Alarm"),
        ("mets un réveil à 7h", "supprime l'alarme", "Alarm"),
        ("7時に起こして", "アラームを消して", "Alarm"),
        ("设一个10分钟的计时器", "取消计时器", "Timer"),
        ("stell den Küchentimer auf 10 Minuten", "stopp den Küchentimer", "Küchentimer"),
        ("set a 10 minute pasta timer", "cancel the pasta timer", "pasta timer"),
        ("set my work alarm for 7", "turn the work alarm off", "work alarm"),
    ],
)
async def test_an_alarm_is_cancelled_by_the_name_of_its_kind(
    tmp_path: Path, asked: str, cancelled: str, title: str
) -> None:
    due = "- [ ] see the dentist (@2026-02-20 09:00) 🆔 den001 📅 2026-02-20\n"
    async with reminding(tmp_path, due) as sam:
        assert await said(sam, asked)
        assert await said(sam, cancelled) == f"❌ Dropped. {title}"


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("cancel all my reminders", ["Timer", "Alarm", "call Ana"]),
        ("please delete all my timers", ["Timer"]),
        ("cancel all my reminders for tomorrow", ["Alarm"]),
        ("clear my tasks", ["Timer", "Alarm", "call Ana", "fix the alarm"]),
        ("schalte alle Wecker aus", ["Alarm"]),
        ("kannst du alle Timer löschen?", ["Timer"]),
        ("supprime tous mes rappels", ["Timer", "Alarm", "call Ana"]),
        ("borra mis alarmas", ["Alarm"]),
        ("annulla tutti i timer", ["Timer"]),
        ("cancella i miei promemoria", ["Timer", "Alarm", "call Ana"]),
        ("cancela todos os meus lembretes", ["Timer", "Alarm", "call Ana"]),
        ("zet alle wekkers uit", ["Alarm"]),
        ("usuń wszystkie minutniki", ["Timer"]),
        ("удали все напоминания", ["Timer", "Alarm", "call Ana"]),
        ("タイマーを全部消して", ["Timer"]),
        ("取消所有的闹钟", ["Alarm"]),
    ],
)
async def test_all_tasks_of_a_kind_are_dropped_with_one_undo(
    tmp_path: Path, text: str, dropped: list[str]
) -> None:
    due = (
        "- [ ] Timer (@2026-02-12 12:10) 🆔 tim001 📅 2026-02-12\n"
        "- [ ] Alarm (@2026-02-13 07:00) 🆔 ala001 📅 2026-02-13\n"
        "- [ ] call Ana (@2026-02-14 09:00) 🆔 ana001 📅 2026-02-14\n"
        "- [ ] fix the alarm 🆔 fix001\n"
    )
    async with reminding(tmp_path, due) as sam:
        name, words = await command_in_words(sam.profile, "t", text, sam.clock.now) or ("", "")
        assert (name, words) == ("tasks", text)
        shown = as_shown(await tasks(Call(sam.profile, "t", words, sam.clock.now)))
        assert [row.split()[0] for row in shown.text.splitlines()] == ["❌"] * len(dropped)
        assert all(
            row.endswith(title) for row, title in zip(shown.text.splitlines(), dropped, strict=True)
        )
        [[undo]] = shown.keyboard
        press = Press(sam.profile, "t", undo.argument, sam.clock.now)
        await ACTIONS[undo.action].run(press)
        every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert len(every) == 4


async def test_none_is_dropped_where_it_is_not_clear_which(tmp_path: Path) -> None:
    due = "- [ ] pills (@2026-02-14 09:00) 🆔 pil001 📅 2026-02-14\n"
    async with reminding(tmp_path, due) as sam:
        assert await said(sam, "cancel all my alarms") == "You have no open task about that."
        for text in ("cancel all my reminders for yesterday", "should I cancel all my reminders?"):
            assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None
        for text in ("annulla promemoria", "elimina timer", "annulla i promemoria"):
            assert asked_to_drop(text, sam.clock.now) is None, "it may be one"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("add milk and eggs to the shopping list", ["milk", "eggs"]),
        ("Shopping list: milk, 2,5 kg flour, and eggs", ["milk", "2,5 kg flour", "eggs"]),
        ("setze Milch und Eier auf die Einkaufsliste", ["Milch", "Eier"]),
        ("ajoute du lait et des œufs à la liste de courses", ["du lait", "des œufs"]),
        ("añade leche en polvo y huevos a la lista de la compra", ["leche en polvo", "huevos"]),
        ("aggiungi latte e uova alla lista della spesa", ["latte", "uova"]),
        ("adiciona leite e ovos à lista de compras", ["leite", "ovos"]),
        ("zet melk en eieren op de boodschappenlijst", ["melk", "eieren"]),
        ("dodaj mleko i jajka do listy zakupów", ["mleko", "jajka"]),
        ("добавь молоко и яйца в список покупок", ["молоко", "яйца"]),
        ("add milk, bread & eggs to the shopping list", ["milk", "bread", "eggs"]),
        ("add call Ana and Ben to my to-do list", ["call Ana and Ben"]),
        ("todo:\n- call Ana and Ben\n- fix the bike", ["call Ana and Ben", "fix the bike"]),
        (
            "add put away groceries and call Ana to my to-do list",
            ["put away groceries and call Ana"],
        ),
        (
            "Don't forget to buy groceries and cake tomorrow at 5",
            ["buy groceries and cake 2026-02-13 17:00:00"],
        ),
        (
            "setze Milch und Eier morgen auf die Einkaufsliste",
            ["Milch 2026-02-13", "Eier 2026-02-13"],
        ),
    ],
)
async def test_each_thing_on_a_shopping_list_is_one_task(
    tmp_path: Path, text: str, items: list[str]
) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:

        async def open_titles() -> list[str]:
            every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
            return [f"{task.title} {task.at or task.day or ''}".strip() for task in every]

        name, words = await command_in_words(sam.profile, "t", text, sam.clock.now) or ("", "")
        assert name == "todo"
        call = Call(sam.profile, "t", words, sam.clock.now, sentence=text)
        shown = as_shown(await todo(call))
        assert await open_titles() == items
        for left in ([], items, []):  # undone, done again, and undone
            [[button]] = shown.keyboard
            press = Press(sam.profile, "t", button.argument, sam.clock.now)
            shown = (await ACTIONS[button.action].run(press)).replace or shown
            assert await open_titles() == left
            if len(items) == 1:
                break


@pytest.mark.parametrize(
    ("text", "bread"),
    [
        ("what's on my shopping list?", "buy bread"),
        ("Was steht auf der Einkaufsliste?", "Brot kaufen"),
        ("¿qué hay en la lista de la compra?", "comprar pan"),
        ("my shopping list", "купить хлеб"),
        ("my shopping list", "パンを買う"),
        ("my shopping list", "买面包"),
    ],
)
async def test_a_shopping_list_has_no_appointments(tmp_path: Path, text: str, bread: str) -> None:
    due = "- [ ] see the dentist 📅 2026-02-20\n- [ ] milk #shopping\n- [ ] call Tom\n"
    async with reminding(tmp_path, due) as sam:
        assert (await said(sam, text)).startswith("1. milk\n\nWhen one is done")
        call = Call(sam.profile, "terminal", f"tomorrow {bread}", sam.clock.now)
        title = as_shown(await todo(call)).text.removeprefix("Added: ").partition(" (")[0]
        assert (await said(sam, text)).startswith(f"1. {title} · tomorrow\n2. milk\n\n")
        await said(sam, f"remove {title} from my list")
        assert "dentist" in await said(sam, "what are my tasks?")
        await said(sam, "milk is done")
        empty = "Your shopping list is empty.\n\nWithout a day: call Tom"
        assert await said(sam, text) == empty


@pytest.mark.parametrize(
    "text",
    [
        *("What do I need to buy?", "What's on our shopping list?", "Was muss ich kaufen?"),
        *(
            "was müssen wir noch einkaufen",
            "qu'est-ce que je dois acheter ?",
            "Que dois-je acheter ?",
        ),
        *("¿Qué tengo que comprar?", "qué nos falta por comprar", "cosa devo comprare?"),
        *("O que preciso de comprar?", "o que está na lista de compras?", "wat moet ik nog kopen?"),
        *("co muszę kupić?", "Что мне нужно купить?", "что в списке покупок?"),
        *("我要买什么？", "购物清单上有什么？", "何を買えばいいですか？", "買い物リストは？"),
    ],
)
async def test_what_is_to_be_bought_is_asked_for(tmp_path: Path, text: str) -> None:
    due = "- [ ] call Tom\n- [ ] buy bread\n- [ ] milk #shopping\n"
    async with reminding(tmp_path, due) as sam:
        assert (await said(sam, text)).startswith("1. buy bread\n2. milk\n\n")


@pytest.mark.parametrize(
    ("added", "bought"),
    [
        ("add milk and bread to the shopping list", "I bought the milk and bread"),
        ("add milk and bread to the shopping list", "Bread and milk are done"),
        ("setze Milch und Brot auf die Einkaufsliste", "Ich habe Milch und Brot gekauft"),
        ("setze Milch und Brot auf die Einkaufsliste", "Milch und Brot sind erledigt"),
        ("ajoute lait et pain à la liste de courses", "j'ai acheté le pain et le lait"),
        ("añade leche y pan a la lista de la compra", "ya compré la leche y el pan"),
        ("aggiungi latte e pane alla lista della spesa", "ho comprato il latte e il pane"),
        ("adiciona leite e pão à lista de compras", "já comprei o leite e o pão"),
        ("zet melk en brood op de boodschappenlijst", "ik heb melk en brood gekocht"),
        ("dodaj mleko i chleb do listy zakupów", "kupiłam mleko i chleb"),
        ("добавь молоко и хлеб в список покупок", "я купила молоко и хлеб"),
        ("把牛奶和面包加到购物清单", "牛奶和面包买了"),
        ("牛乳、パンを買い物リストに追加して", "牛乳、パンを買いました"),
        ("牛乳とパンを買い物リストに追加して", "牛乳とパンを買いました"),
        ("把牛奶，面包加到购物清单", "牛奶和面包买了"),
    ],
)
async def test_several_things_are_closed_at_once(tmp_path: Path, added: str, bought: str) -> None:
    async with reminding(tmp_path, "# Tasks\n\n- [ ] call Tom\n") as sam:
        assert len((await said(sam, added)).splitlines()) == 2
        name, words = await command_in_words(sam.profile, "t", bought, sam.clock.now) or ("", "")
        assert name == "tasks"
        shown = as_shown(await tasks(Call(sam.profile, "t", words, sam.clock.now)))
        assert [line[:2] for line in shown.text.splitlines()] == ["✅ ", "✅ "]
        every = Tasks(sam.profile.memory, sam.profile.memory.clock)
        assert [task.title for task in await every.open()] == ["call Tom"]
        [[button]] = shown.keyboard
        press = Press(sam.profile, "t", button.argument, sam.clock.now)
        await ACTIONS[button.action].run(press)
        assert len(await every.open()) == 3


@pytest.mark.parametrize(
    "text",
    [
        *("clear the shopping list", "please empty our grocery list", "Leere die Einkaufsliste"),
        *("vide la liste de courses", "vacía la lista de la compra", "svuota la lista della spesa"),
        *("limpa a lista de compras", "maak de boodschappenlijst leeg", "wyczyść listę zakupów"),
        *("очисти список покупок", "清空购物清单", "買い物リストを空にして"),
    ],
)
async def test_the_shopping_list_is_cleared_as_one_change(tmp_path: Path, text: str) -> None:
    due = "- [ ] milk #shopping 🆔 mil001\n- [ ] buy bread 🆔 bre001\n- [ ] call Tom 🆔 tom001\n"
    async with reminding(tmp_path, due) as sam:
        assert (await said(sam, text)).splitlines() == ["❌ milk", "❌ buy bread"]
        every = Tasks(sam.profile.memory, sam.profile.memory.clock)
        assert [task.title for task in await every.open()] == ["call Tom"]
        last = await sam.profile.memory.history.last()
        assert last is not None
        await sam.profile.memory.history.undo(last.key)
        assert len(await every.open()) == 3


@pytest.mark.parametrize(
    "text",
    [
        *("What's my next reminder?", "how many tasks do I have?", "Wie viele Aufgaben habe ich?"),
        *("Was ist meine nächste Erinnerung?", "quel est mon prochain rappel ?"),
        *("¿Cuál es mi próximo recordatorio?", "quanti promemoria ho?", "ile mam zadań?"),
        *("quantas tarefas tenho?", "hoeveel taken heb ik?", "сколько у меня задач?"),
        *("我有几个任务？", "次のリマインダーは？"),
    ],
)
async def test_the_next_task_and_how_many_there_are(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, "- [ ] call Tom\n") as sam:
        assert (await said(sam, text)).startswith("1. call Tom\n")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "cancel the pills",
            "storniere die Pillen",
            "annule les pilules",
            "cancela las pastillas",
        ),
        *("annulla le pillole", "cancela os comprimidos", "annuleer de pillen"),
        *("anuluj tabletki", "отмени таблетки", "取消药片", "錠剤をキャンセルして"),
    ],
)
async def test_what_is_called_off_is_dropped_if_there_is_such_a_task(
    tmp_path: Path, text: str
) -> None:
    titles = "pills Pillen pilules pastillas pillole comprimidos pillen tabletki таблетки 药片 錠剤"
    title = next(each for each in titles.split() if each in text)
    async with reminding(tmp_path, f"- [ ] {title} (@2026-02-13 09:00) 📅 2026-02-13\n") as sam:
        assert await said(sam, text) == f"❌ Dropped. {title}"
        assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None


async def test_the_last_change_is_undone_behind_a_few_words(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] milk\n") as sam:
        for text in ("undo that", "never mind, cancel that", "schon gut, mach das rückgängig"):
            found = await command_in_words(sam.profile, "t", text, sam.clock.now)
            assert found == ("undo", "")


async def test_what_was_bought_closes_no_other_task(tmp_path: Path) -> None:
    due = "- [ ] paint the house\n- [ ] 2 l milk #shopping\n- [ ] bread\n- [ ] bread basket\n"
    async with reminding(tmp_path, due) as sam:
        for text in ("I bought the house", "I bought milk and a lamp", "I bought a milk frother"):
            assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None
        assert await said(sam, "I bought the milk") == "✅ Done. 2 l milk"
        assert await said(sam, "I bought bread") == "✅ Done. bread"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("run the marathon", "I run the marathon on Sunday"),
        ("get the flu shot", "I got the flu"),
        ("pay the rent", "I paid the rent this morning"),
        ("pagar el alquiler", "Mañana pagamos el alquiler"),
    ],
)
async def test_a_statement_about_a_task_is_an_ordinary_message(
    tmp_path: Path, title: str, text: str
) -> None:
    async with reminding(tmp_path, f"- [ ] {title}\n") as sam:
        assert await command_in_words(sam.profile, "t", text, sam.clock.now) is None


async def test_several_that_may_mean_more_are_asked_about(tmp_path: Path) -> None:
    due = "- [ ] blue pills\n- [ ] red pills\n- [ ] milk\n"
    async with reminding(tmp_path, due) as sam:
        asked = await said(sam, "milk and pills are done")
        assert asked.startswith("Which one?") and "red pills" in asked
        assert len(await Tasks(sam.profile.memory, sam.profile.memory.clock).open()) == 3


async def test_words_behind_the_command_choose_the_tasks(tmp_path: Path) -> None:
    due = "- [ ] call the vet\n- [ ] buy milk\n- [ ] water the plants\n"
    async with reminding(tmp_path, due) as sam:

        async def shown(words: str) -> str:
            return (await tasks(Call(sam.profile, "telegram:7", words, sam.clock.now))).text

        assert await shown("vet") == "1. call the vet"
        assert await shown("plant") == "1. water the plants"
        assert await shown("groceries") == "1. buy milk"
        every = "1. call the vet\n2. buy milk\n3. water the plants"
        for words in ("", "all", "tasks", "my tasks", "?", "..."):
            assert await shown(words) == every
        for words in ("open", "list", "due", "offen", "pendiente", "do zrobienia"):
            assert await shown(words) == every
        for words in ("banana", "show", "done"):
            assert await shown(words) == f"You have no open task about that.\n\n{every}"
        assert (await said(sam, "what are my tasks?")).startswith(every)


EVENING = datetime(2026, 2, 12, 19, 12, tzinfo=UTC)


async def test_a_reminder_outside_of_the_day_offers_the_other_half_of_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, "# Tasks\n", EVENING) as sam:
        call = Call(sam.profile, "terminal", "at 6 take out the bins", sam.clock.now)
        shown = as_shown(await remind(call))
        for at, other in (("06:00", "18:00"), ("18:00", "06:00"), ("06:00", "18:00")):
            assert shown.text == f"⏰ tomorrow (Fri 13 Feb) {at}: take out the bins"
            [[change, undo]] = shown.keyboard
            assert (change.label, undo.label) == (other, "Undo")
            stored = await sam.profile.memory.vault.read_optional("tasks.md")
            assert f"(@2026-02-13 {at})" in (stored or "")
            press = Press(sam.profile, "terminal", change.argument, sam.clock.now)
            outcome = await ACTIONS[change.action].run(press)
            assert outcome.replace
            shown = outcome.replace
        tomorrow = Call(sam.profile, "terminal", "tomorrow at 9 call Ana", sam.clock.now)
        assert [each.label for each in as_shown(await remind(tomorrow)).keyboard[0]] == ["Undo"]
        late = Call(sam.profile, "terminal", "at 10 call Bob", sam.clock.now)
        [[change, _]] = as_shown(await remind(late)).keyboard
        assert change.label == "tomorrow 10:00"
        for moved, hours in (("Saturday 9:00", 0), ("tomorrow 18:00", 24)):  # and 6:00 is past
            await said(sam, f"move the bins to {moved}")
            sam.clock.forward(hours=hours)
            [[change, _]] = shown.keyboard
            press = Press(sam.profile, "terminal", change.argument, sam.clock.now)
            with pytest.raises(EditRefused, match="no longer works"):
                await ACTIONS[change.action].run(press)


@pytest.mark.parametrize(
    ("text", "shown", "moved", "rule"),
    [
        ("every day at 6 run", "tomorrow (Fri 13 Feb) 06:00", "2026-02-13 18:00", "every day"),
        ("every Monday at 6 run", "Mon 16 Feb 06:00", "2026-02-16 18:00", "every Monday"),
        ("jeden Tag um 6 run", "tomorrow (Fri 13 Feb) 06:00", "2026-02-13 18:00", "every day"),
    ],
)
async def test_so_does_one_that_repeats(
    tmp_path: Path, text: str, shown: str, moved: str, rule: str
) -> None:
    async with reminding(tmp_path, "# Tasks\n", EVENING) as sam:
        call = Call(sam.profile, "terminal", text, sam.clock.now)
        first = as_shown(await remind(call))
        assert first.text == f"⏰ {shown}: run · {rule}"
        [[change, _]] = first.keyboard
        assert change.label == "18:00"
        press = Press(sam.profile, "terminal", change.argument, sam.clock.now)
        outcome = await ACTIONS[change.action].run(press)
        assert outcome.replace and outcome.replace.text.endswith(f"18:00: run · {rule}")
        stored = await sam.profile.memory.vault.read_optional("tasks.md")
        assert f"(@{moved})" in (stored or "") and f"🔁 {rule}" in (stored or "")
        for early, late in (("at 6 for 3 days", "18:00"), ("at 18:00", "")):
            call = Call(sam.profile, "terminal", f"every day {early} pills", sam.clock.now)
            labels = [each.label for each in as_shown(await remind(call)).keyboard[0]]
            assert labels == [*filter(None, [late]), "Undo"]


async def test_an_undo_of_several_tasks_skips_one_that_was_deleted(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [-] milk 🆔 mil001 ❌ 2026-02-12\n") as sam:

        async def undone(*tasks: str) -> Shown | None:
            press = Press(sam.profile, "terminal", {"tasks": tasks}, sam.clock.now)
            return (await ACTIONS["task.undo"].run(press)).replace

        shown = await undone("egg001", "mil001")
        assert shown and shown.text == "milk"
        with pytest.raises(EditRefused, match="no longer in your list"):
            await undone("egg001")


async def test_a_time_alone_corrects_the_reminder_before_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, "# Tasks\n", EVENING) as sam:
        assert "06:00: take out the bins" in await said(sam, "remind me at 6 to take out the bins")
        assert await said(sam, "6pm") == "📅 take out the bins → tomorrow 18:00"
        assert await said(sam, "Saturday") == "📅 take out the bins → Sat 14 Feb 18:00"
        for other in ("7", "6pm with Ana"):
            assert await command_in_words(sam.profile, "terminal", other, sam.clock.now) is None


async def test_no_other_task_is_cancelled_instead_of_an_alarm(tmp_path: Path) -> None:
    due = (
        "- [ ] see the dentist (@2026-02-20 09:00) 🆔 den001 📅 2026-02-20\n"
        "- [ ] fix the smoke alarm 🆔 smo001\n- [ ] send reminder to clients 🆔 sen001\n"
    )
    async with reminding(tmp_path, due) as sam:
        for kind in ("timer", "alarm"):
            assert await said(sam, f"cancel my {kind}") == "You have no open task about that."
        assert await said(sam, "cancel my reminder") == "❌ Dropped. see the dentist"
        await said(sam, "set an alarm for 7")
        await said(sam, "remind me tomorrow at 9 to call Ana")
        both = "1. call Ana · tomorrow 09:00\n2. Alarm · tomorrow 07:00"
        assert (await said(sam, "cancel the alarm")).endswith(both)
        await said(sam, "remind me tomorrow at 10:00 and 11:00 pills")
        assert (await said(sam, "cancel the reminder")).startswith("Which one?")
        await said(sam, "set an alarm for 8")
        assert await said(sam, "cancel the alarm") == "❌ Dropped. Alarm"
        assert "1. Alarm · tomorrow 07:00\n2. call" in await said(sam, "what are my tasks?")
        sam.clock.forward(minutes=61)
        assert await said(sam, "cancel the alarm") == "❌ Dropped. Alarm"
        await said(sam, "remind me tomorrow at 12 to test the alarm")
        sam.clock.forward(minutes=61)
        assert await said(sam, "cancel the alarm") == "❌ Dropped. test the alarm"


@pytest.mark.parametrize(
    ("asked", "answer", "wanted"),
    [
        ("remind me tomorrow at 9", "call Ana", "⏰ tomorrow 09:00: call Ana"),
        ("remind me of this tomorrow at 9", "to call Ana", "⏰ tomorrow 09:00: call Ana"),
        ("remind me in 20 minutes", "the tea", "⏰ today 12:20: the tea"),
        ("remind me every day at 9", "pills", "⏰ tomorrow 09:00: pills · every day"),
    ],
)
async def test_the_answer_to_what_to_remind_of_sets_the_reminder(
    tmp_path: Path, asked: str, answer: str, wanted: str
) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:

        async def found_in(chat: str, text: str) -> tuple[str, str] | None:
            return await command_in_words(sam.profile, chat, text, sam.clock.now)

        async def shown(text: str) -> str | None:
            found = await found_in("terminal", text)
            if found is None:
                return None
            assert found[0] == "remind"
            call = Call(sam.profile, "terminal", found[1], sam.clock.now, sentence=text)
            return as_shown(await remind(call)).text

        async def ask() -> None:
            assert (await shown(asked) or "").startswith("What should I remind you of?")

        await ask()
        for other in ("no", "thanks", "who is Ana?", "what is due today?", "forget the tea"):
            await found_in("terminal", other)
            assert await found_in("terminal", answer) is None
            await ask()
        late = sam.clock.now + timedelta(minutes=11)
        assert await command_in_words(sam.profile, "terminal", answer, late) is None
        await ask()
        assert await found_in("telegram:1", answer) is None  # it was asked in another chat
        sam.clock.forward(minutes=1)
        assert await shown(answer) == wanted
        assert await shown("my sister lives in Porto") is None


@pytest.mark.parametrize(
    ("text", "correction", "moved"),
    [
        ("every weekday at 5:30 take iron", "no, 5:30am", "Fri 13 Feb 05:30"),
        ("every weekday at 5:30 take iron", "no, at 6", "today 18:00"),
        ("every Monday at 9 take iron", "no, at 10", "Mon 16 Feb 10:00"),
    ],
)
async def test_the_hour_of_one_that_repeats_is_corrected(
    tmp_path: Path, text: str, correction: str, moved: str
) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:
        await said(sam, f"remind me {text}")
        sam.clock.forward(minutes=1)
        shown = await said(sam, correction)
        assert shown == f"📅 take iron → {moved.replace('Fri 13 Feb', 'tomorrow')}"
        [task] = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert task.get("recurrence") == text.partition(" at ")[0]


async def test_a_task_is_moved_to_a_day_of_the_month(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] the dentist (@2026-02-13 14:00) 📅 2026-02-13\n") as sam:
        shown = await said(sam, "move the dentist to the 20th")
        assert shown == "📅 the dentist → Fri 20 Feb 14:00"
        assert await said(sam, "verschieb dentist auf 21.2.") == "📅 the dentist → Sat 21 Feb 14:00"


async def test_what_is_dropped_is_dropped_at_each_of_its_times(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] feed the cat\n") as sam:
        await said(sam, "remind me every day at 8 and 20 of the pills")
        assert await said(sam, "cancel the pills") == "❌ the pills\n❌ the pills"
        every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert [task.title for task in every] == ["feed the cat"]


@pytest.mark.parametrize(
    "text", ["cancel the reminder for tomorrow", "lösch die Erinnerung für morgen"]
)
async def test_what_is_dropped_of_a_day_stays_on_other_days(tmp_path: Path, text: str) -> None:
    line = "- [ ] gym (@2026-02-{day} 18:00) 🆔 gym{day} 📅 2026-02-{day}\n"
    async with reminding(tmp_path, "".join(line.format(day=day) for day in (13, 16, 20))) as sam:
        assert await said(sam, text) == "❌ Dropped. gym"
        every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert [f"{task.day:%d}" for task in every] == ["16", "20"]


async def test_a_task_of_that_name_on_another_day_is_not_dropped_with_it(tmp_path: Path) -> None:
    line = "- [ ] dentist (@2026-{day} 15:00) 🆔 den{n} 📅 2026-{day}\n"
    days = ("02-13", "03-14")
    lines = [line.format(day=day, n=n) for n, day in enumerate(days, 100)]
    async with reminding(tmp_path, "".join(lines)) as sam:
        assert (await said(sam, "cancel the dentist")).startswith("Which one?")
        assert len(await Tasks(sam.profile.memory, sam.profile.memory.clock).open()) == 2
        assert await said(sam, "the one tomorrow") == "❌ Dropped. dentist"
        [task] = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert f"{task.day:%m-%d}" == "03-14"


async def test_of_tasks_without_ids_it_is_asked_which_one_to_drop(tmp_path: Path) -> None:
    line = "- [ ] call Ana 📅 2026-02-{day}\n"
    async with reminding(tmp_path, line.format(day=13) + line.format(day=14)) as sam:
        assert (await said(sam, "cancel Ana")).startswith("Which one?")


async def test_a_task_without_an_id_that_was_moved_is_not_mistaken_for_another(
    tmp_path: Path,
) -> None:
    async with reminding(tmp_path, "- [ ] buy milk\n- [ ] dentist\n") as sam:
        assert (await said(sam, "move the dentist to Friday")).startswith("📅 dentist")
        sam.clock.forward(minutes=1)
        asked = command_in_words(sam.profile, "terminal", "no, 11:00", sam.clock.now)
        assert await asked is None


@pytest.mark.parametrize(
    ("text", "correction", "moved"),
    [
        ("every year on 5 June at 9 of Ana's birthday", "no, at 10", "Fri 05 Jun 10:00"),
        ("every 2 weeks on Tuesday at 7 of the bins", "no, at 8", "Tue 17 Feb 08:00"),
        ("every Monday at 9 to run", "no, Tuesday at 10", ""),
        ("every Monday at 9 to run", "no, tomorrow at 7", ""),
    ],
)
async def test_of_one_that_repeats_only_the_hour_is_corrected(
    tmp_path: Path, text: str, correction: str, moved: str
) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:
        await said(sam, f"remind me {text}")
        sam.clock.forward(minutes=1)
        if moved:
            assert (await said(sam, correction)).endswith(moved)
        else:
            asked = command_in_words(sam.profile, "terminal", correction, sam.clock.now)
            assert await asked is None


async def test_how_often_a_task_repeats_is_corrected(tmp_path: Path) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:
        await said(sam, "remind me every day at 8 to take iron")
        sam.clock.forward(minutes=1)
        shown = await said(sam, "no, every Monday at 9")
        assert shown == "📅 take iron → Mon 16 Feb 09:00 · every Monday"
        [task] = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert task.get("recurrence") == "every Monday"


async def test_a_task_that_was_moved_may_be_corrected(tmp_path: Path) -> None:
    async with reminding(
        tmp_path, "- [ ] blood test (@2026-02-13 10:00) 🆔 blo001 📅 2026-02-13\n"
    ) as sam:
        assert (
            await said(sam, "move the blood test to Monday") == "📅 blood test → Mon 16 Feb 10:00"
        )
        sam.clock.forward(minutes=1)
        assert await said(sam, "no, 11:00") == "📅 blood test → Mon 16 Feb 11:00"


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("every day", "jeden Tag"),
        ("every week on Monday, Friday", "jede Woche: Montag, Freitag"),
        ("every Monday", "jede Woche: Montag"),
        ("every month on the 15th", "every month on the 15th"),
    ],
)
async def test_how_often_a_task_repeats_is_in_the_owners_language(
    tmp_path: Path, rule: str, shown: str
) -> None:
    due = f"- [ ] Tabletten (@2026-02-13 08:00) 🔁 {rule} 📅 2026-02-13\n"
    async with reminding(tmp_path, due) as sam:
        with speaking("de"):
            listed = await said(sam, "Was ist alles fällig?")
            assert listed.startswith(f"1. Tabletten · morgen 08:00 · {shown}\n")
        listed = await said(sam, "what are my tasks?")
        assert listed.startswith(f"1. Tabletten · tomorrow 08:00 · {rule}\n")

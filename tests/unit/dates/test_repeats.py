"""How often a task repeats, as people type it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import region_of, split_ending, split_repetition
from memory.notes import recurrence

DAY = date(2026, 11, 23)
MONDAY = "every week on Monday"


@pytest.mark.parametrize(
    ("text", "rule", "rest"),
    [
        ("jeden Montag 18:00 Blumen gießen", MONDAY, "18:00 Blumen gießen"),
        ("Jeden Montag und Donnerstag um 9 Sport", f"{MONDAY}, Thursday", "um 9 Sport"),
        ("Müll rausbringen alle 2 Wochen", "every 2 weeks", "Müll rausbringen"),
        ("täglich 8:00 Tabletten", "every day", "8:00 Tabletten"),
        ("jeden Werktag 7:00 aufstehen", "every weekday", "7:00 aufstehen"),
        ("chaque lundi 18h arroser", MONDAY, "18h arroser"),
        ("tous les 3 jours arroser", "every 3 days", "arroser"),
        ("cada lunes 18:00 regar", MONDAY, "18:00 regar"),
        ("todos los días a las 8 pastillas", "every day", "a las 8 pastillas"),
        ("ogni lunedì e giovedì alle 18 palestra", f"{MONDAY}, Thursday", "alle 18 palestra"),
        ("tutti i giorni alle 8 pillola", "every day", "alle 8 pillola"),
        ("toda segunda-feira às 18 academia", MONDAY, "às 18 academia"),
        ("a cada 2 meses revisão", "every 2 months", "revisão"),
        ("elke maandag 18:00 planten", MONDAY, "18:00 planten"),
        ("elk jaar belasting", "every year", "belasting"),
        ("w każdy piątek o 9 raport", "every week on Friday", "o 9 raport"),
        ("co 2 dni kwiaty", "every 2 days", "kwiaty"),
        ("каждый понедельник в 18:00 полить", MONDAY, "в 18:00 полить"),
        ("каждые 2 недели уборка", "every 2 weeks", "уборка"),
        ("по будням в 7 зарядка", "every weekday", "в 7 зарядка"),
        ("毎週月曜日18:00 水やり", MONDAY, "18:00 水やり"),
        ("毎週月曜と木曜 9時 ヨガ", f"{MONDAY}, Thursday", "9時 ヨガ"),
        ("毎日8時 薬", "every day", "8時 薬"),
        ("每周一和周四 18:00 浇花", f"{MONDAY}, Thursday", "18:00 浇花"),
        ("每天8点 吃药", "every day", "8点 吃药"),
        ("每月 交房租", "every month", "交房租"),
        ("on Mondays and Thursdays at 9 bins", f"{MONDAY}, Thursday", "at 9 bins"),
        ("Mondays 9:00 bins", MONDAY, "9:00 bins"),
        ("choir practice mondays at eight", MONDAY, "choir practice at eight"),
        ("knee on Mondays at quarter past 8", MONDAY, "knee at quarter past 8"),
        ("montags und donnerstags um 9 Müll", f"{MONDAY}, Thursday", "um 9 Müll"),
        ("les lundis à 9h poubelle", MONDAY, "à 9h poubelle"),
        ("los lunes y jueves a las 9 basura", f"{MONDAY}, Thursday", "a las 9 basura"),
        ("di lunedì alle 9 pattume", MONDAY, "alle 9 pattume"),
        ("às segundas às 9 lixo", MONDAY, "às 9 lixo"),
        ("op maandagen om 9 vuilnis", MONDAY, "om 9 vuilnis"),
        ("w poniedziałki o 9 śmieci", MONDAY, "o 9 śmieci"),
    ],
)
def test_ten_languages_become_a_rule_of_the_plugin(text: str, rule: str, rest: str) -> None:
    assert split_repetition(text) == (rule, rest)
    assert recurrence.is_supported(rule)


@pytest.mark.parametrize(
    "text",
    [
        *("tomorrow 9:00 ask if Ana works on Mondays", "morgen 9:00 fragen, ob montags offen ist"),
        *("mañana a las 9 llamar a los lunes", "buy tickets for the Sundays concert at 9"),
    ],
)
def test_weekdays_that_the_task_is_about_are_no_rule(text: str) -> None:
    assert split_repetition(text) == ("", text)


@pytest.mark.parametrize(
    ("text", "rule", "rest"),
    [
        ("every other day at 8 run", "every 2 days", "at 8 run"),
        ("every other Monday 9:00 bins", "every 2 weeks on Monday", "9:00 bins"),
        ("every second Monday 9:00 bins", "every 2 weeks on Monday", "9:00 bins"),
        ("every two weeks plants", "every 2 weeks", "plants"),
        ("every 3rd day plants", "every 3 days", "plants"),
        ("daily at 8 pills", "every day", "at 8 pills"),
        ("pills daily", "every day", "pills"),
        ("weekly on Monday 9:00 report", "every week", "on Monday 9:00 report"),
        ("every weekend hike", "every week on Saturday, Sunday", "hike"),
        ("on weekends at 10 pills", "every week on Saturday, Sunday", "at 10 pills"),
        ("jedes Wochenende um 10 x", "every week on Saturday, Sunday", "um 10 x"),
        ("chaque week-end x", "every week on Saturday, Sunday", "x"),
        ("todos los fines de semana x", "every week on Saturday, Sunday", "x"),
        ("по выходным в 10 x", "every week on Saturday, Sunday", "в 10 x"),
        ("w weekendy x", "every week on Saturday, Sunday", "x"),
        ("每个周末x", "every week on Saturday, Sunday", "x"),
        ("jeden zweiten Tag Sport", "every 2 days", "Sport"),
        ("alle zwei Wochen Müll", "every 2 weeks", "Müll"),
        ("tous les deux jours arroser", "every 2 days", "arroser"),
        ("cada dos semanas regar", "every 2 weeks", "regar"),
        ("co drugi dzień tabletka", "every 2 days", "tabletka"),
        ("每两周 浇花", "every 2 weeks", "浇花"),
    ],
)
def test_every_other_and_adverbs(text: str, rule: str, rest: str) -> None:
    assert split_repetition(text) == (rule, rest)
    assert recurrence.after(rule, DAY, DAY) is not None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("every morning vitamins", "09:00 vitamins"),
        ("vitamins every evening at 8", "20:00 vitamins"),
        ("every evening at 20:15 tea", "at 20:15 tea"),
        ("jede Nacht um 2 Uhr Tablette", "um 2 Uhr Tablette"),
        ("毎晩12時 薬", "00:00 薬"),
        ("jeden Morgen um 7 Tabletten", "um 7 Tabletten"),
        ("jeden Abend Tabletten", "19:00 Tabletten"),
        ("chaque soir à 8h médicament", "20:00 médicament"),
        ("cada mañana a las 8 pastillas", "a las 8 pastillas"),
        ("ogni sera alle 8 pillola", "20:00 pillola"),
        ("toda noite às 9 remédio", "21:00 remédio"),
        ("elke avond om 8 pil", "20:00 pil"),
        ("каждое утро таблетки", "09:00 таблетки"),
        ("毎晩9時 薬", "21:00 薬"),
        ("每晚 吃药", "19:00 吃药"),
    ],
)
def test_a_part_of_each_day_is_its_time(text: str, rest: str) -> None:
    assert split_repetition(text) == ("every day", rest)


@pytest.mark.parametrize(
    ("text", "on", "rest"),
    [
        ("every 15th at 9 rent", "15th", "at 9 rent"),
        ("on the 15th of every month at 9 rent", "15th", "at 9 rent"),
        ("the first Monday of every month 9:00 club", "1st Monday", "9:00 club"),
        ("every second Monday of the month club", "2nd Monday", "club"),
        ("every last Friday beer", "last Friday", "beer"),
        ("jeden 15. Miete", "15th", "Miete"),
        ("am 1. jedes Monats 9:00 Miete", "1st", "9:00 Miete"),
        ("jeden ersten Montag im Monat Zahlung", "1st Monday", "Zahlung"),
        ("jeden zweiten Dienstag im Monat Chor", "2nd Tuesday", "Chor"),
        ("le premier lundi de chaque mois réunion", "1st Monday", "réunion"),
        ("tous les 15 du mois loyer", "15th", "loyer"),
        ("el primer lunes de cada mes reunión", "1st Monday", "reunión"),
        ("cada día 15 alquiler", "15th", "alquiler"),
        ("il primo lunedì di ogni mese riunione", "1st Monday", "riunione"),
        ("todo dia 15 aluguel", "15th", "aluguel"),
        ("na primeira segunda-feira de cada mês reunião", "1st Monday", "reunião"),
        ("elke eerste maandag van de maand markt", "1st Monday", "markt"),
        ("w pierwszy poniedziałek każdego miesiąca zebranie", "1st Monday", "zebranie"),
        ("каждый первый понедельник месяца собрание", "1st Monday", "собрание"),
        ("15 числа каждого месяца аренда", "15th", "аренда"),
        ("毎月15日 家賃", "15th", "家賃"),
        ("毎月第1月曜日 会議", "1st Monday", "会議"),
        ("每月15号 交房租", "15th", "交房租"),
        ("每月第一个周一 开会", "1st Monday", "开会"),
    ],
)
def test_a_day_of_each_month(text: str, on: str, rest: str) -> None:
    assert split_repetition(text) == (f"every month on the {on}", rest)
    assert recurrence.after(f"every month on the {on}", DAY, DAY) is not None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        *(("daily to drink water", "every day"), ("quotidiennement drink water", "every day")),
        *(("semanalmente drink water", "every week"), ("drink water mensilmente", "every month")),
    ],
)
def test_an_adverb_may_stand_before_the_task(text: str, rule: str) -> None:
    found, rest = split_repetition(text)
    assert (found, rest.removeprefix("to ")) == (rule, "drink water")


def test_of_a_reminder_the_first_word_says_how_often() -> None:
    assert split_repetition("weekly report", is_reminder=True) == ("every week", "report")
    assert split_repetition("weekly report") == ("", "weekly report"), "the name of a task"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        *(("every 5 May cake", "cake"), ("every 5th of May at 9 cake", "at 9 cake")),
        *(("cake every May 5th", "cake"), ("jeden 5. Mai Kuchen", "Kuchen")),
        *(("chaque 5 mai gâteau", "gâteau"), ("tous les 5 mai gâteau", "gâteau")),
        *(("cada 5 de mayo tarta", "tarta"), ("ogni 5 maggio torta", "torta")),
        *(("todo dia 5 de maio bolo", "bolo"), ("elke 5 mei taart", "taart")),
        *(("każdego 5 maja tort", "tort"), ("каждое 5 мая торт", "торт")),
    ],
)
def test_a_day_of_each_year(text: str, rest: str) -> None:
    assert split_repetition(text) == ("every May on the 5th", rest)
    assert recurrence.after("every May on the 5th", DAY, DAY) == date(2027, 5, 5)


def test_what_is_no_day_of_a_year_is_none() -> None:
    assert split_repetition("every 30 February x") == ("", "every 30 February x")
    assert split_repetition("every May 9:00 cake") == ("", "every May 9:00 cake")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        *(("alle zwei Wochen freitags Müll", "Müll"), ("freitags alle 2 Wochen Müll", "Müll")),
        *(("every two weeks on Fridays bins", "bins"), ("bins Fridays every other week", "bins")),
        ("toutes les deux semaines les vendredis à 9h poubelle", "à 9h poubelle"),
        *(("cada dos semanas los viernes basura", "basura"), ("co 2 tygodnie w piątki x", "x")),
        *(("ogni 2 settimane di venerdì x", "x"), ("a cada duas semanas às sextas x", "x")),
        *(("elke 2 weken op vrijdagen x", "x"), ("каждые две недели по пятницам x", "x")),
    ],
)
def test_weekdays_beside_a_number_of_weeks_belong_to_it(text: str, rest: str) -> None:
    assert split_repetition(text) == ("every 2 weeks on Friday", rest)


def test_a_long_text_keeps_its_end() -> None:
    items = " ".join(f"Sache{n}" for n in range(200))
    assert split_repetition(f"jeden Montag 9:00 {items}") == (MONDAY, f"9:00 {items}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "weekly report tomorrow 9:00",
        "tomorrow 9:00 daily standup",
        "the first Monday of the month",
        "call Ana every now and then",
        "call Ana",
        "Ana alle Fotos schicken",
        "monatlicher Bericht",
        "cadaver",
        "alle 0 Tage",
        "x" * 501 + " jeden Tag",
    ],
)
def test_what_names_no_repetition_stays_as_it_is(text: str) -> None:
    assert split_repetition(text) == ("", text)


@pytest.mark.parametrize(
    ("text", "rule", "rest"),
    [
        ("Mon-Fri at 8 x", "every weekday", "at 8 x"),
        ("Monday to Friday at 8 x", "every weekday", "at 8 x"),
        ("x weekdays at 7", "every weekday", "x at 7"),
        ("weekday mornings at 7 x", "every weekday", "at 7 x"),
        ("montags bis freitags um 7 x", "every weekday", "um 7 x"),
        ("du lundi au vendredi à 7h x", "every weekday", "à 7h x"),
        ("de lunes a viernes a las 7 x", "every weekday", "a las 7 x"),
        ("every mon, wed & fri 7am x", f"{MONDAY}, Wednesday, Friday", "7am x"),
        ("every mon wed fri 7am x", f"{MONDAY}, Wednesday, Friday", "7am x"),
        ("jeden Mo und Do um 9 x", f"{MONDAY}, Thursday", "um 9 x"),
        ("Monday nights x", MONDAY, "19:00 x"),
        ("every Monday night at 8 x", MONDAY, "20:00 x"),
        ("jeden Montagabend x", MONDAY, "19:00 x"),
        ("montagabends an x", MONDAY, "19:00 an x"),
        ("tous les lundis soirs x", MONDAY, "19:00 x"),
        ("everyday at 8pm x", "every day", "at 8pm x"),
        ("nightly at 10 x", "every day", "22:00 x"),
        ("mornings at 8 x", "every day", "at 8 x"),
        ("every fortnight x", "every 2 weeks", "x"),
        ("bi-weekly to x", "every 2 weeks", "to x"),
        ("fortnightly on Mondays x", "every 2 weeks on Monday", "x"),
        ("alle 14 Tage montags x", "every 2 weeks on Monday", "x"),
        ("alternate Mondays at 9 x", "every 2 weeks on Monday", "at 9 x"),
        ("un lundi sur deux x", "every 2 weeks on Monday", "x"),
        ("un lunes sí y otro no x", "every 2 weeks on Monday", "x"),
        ("every quarter x", "every 3 months", "x"),
        ("vierteljährlich x", "every 3 months", "x"),
        ("chaque trimestre x", "every 3 months", "x"),
        ("cada trimestre x", "every 3 months", "x"),
        ("on the last day of every month x", "every month on the last", "x"),
        ("am letzten Tag jedes Monats x", "every month on the last", "x"),
        ("à la fin de chaque mois x", "every month on the last", "x"),
        ("el último día de cada mes x", "every month on the last", "x"),
        ("on the 1st and 15th of every month x", "every month on the 1st and 15th", "x"),
        ("le 1er et le 15 de chaque mois x", "every month on the 1st and 15th", "x"),
        ("every month on the first Monday x", "every month on the 1st Monday", "x"),
        ("jeden Monat am ersten Montag x", "every month on the 1st Monday", "x"),
        ("jeden Monat am Ersten x", "every month on the 1st", "x"),
        ("every month on the last day x", "every month on the last", "x"),
        ("every first of the month x", "every month on the 1st", "x"),
        ("every Monday to Friday at 9 x", "every weekday", "at 9 x"),
        ("jeden Montag bis Freitag um 9 x", "every weekday", "um 9 x"),
        ("każdego dnia o 8 x", "every day", "o 8 x"),
    ],
)
def test_as_people_type_it(text: str, rule: str, rest: str) -> None:
    assert split_repetition(text) == (rule, rest)
    assert recurrence.after(rule, DAY, DAY) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("tomorrow book Monday to Friday in Rome", "le week-end prochain nettoyer"),
        *("alle so machen", "le week-end du 5 décembre nettoyer", "the fall of every empire"),
    ],
)
def test_days_of_one_week_do_not_repeat(text: str) -> None:
    assert split_repetition(text) == ("", text)


@pytest.mark.parametrize(
    ("text", "last", "rest"),
    [
        ("until Friday at 8 pills", "2026-11-27", "at 8 pills"),
        ("pills at 8 until the 14th of December", "2026-12-14", "pills at 8"),
        ("until the 14th feed the cat", "2026-12-14", "feed the cat"),
        ("until 12/12 at 9 feed the cat", "2026-12-12", "at 9 feed the cat"),
        ("till Christmas open the calendar", "2026-12-23", "open the calendar"),
        ("until the end of the month x", "2026-11-30", "x"),
        ("until June piano", "2027-05-31", "piano"),
        ("from 7 December until 21 December x", "2026-12-21", "from 7 December x"),
        ("bis zum 12.12. Katze füttern", "2026-12-12", "Katze füttern"),
        ("bis Ende März Physio", "2027-03-31", "Physio"),
        ("jusqu'à vendredi à 8h antibiotique", "2026-11-27", "à 8h antibiotique"),
        ("jusqu'à Noël yoga", "2026-12-23", "yoga"),
        ("hasta el viernes a las 8 x", "2026-11-27", "a las 8 x"),
        ("fino a venerdì alle 8 x", "2026-11-27", "alle 8 x"),
        ("até sexta às 8 x", "2026-11-27", "às 8 x"),
        ("tot vrijdag om 8 uur x", "2026-11-27", "om 8 uur x"),
        ("do piątku o 8 x", "2026-11-27", "o 8 x"),
        ("до пятницы в 8 x", "2026-11-27", "в 8 x"),
        ("金曜日まで8時に薬", "2026-11-27", "8時に薬"),
        ("吃药直到星期五", "2026-11-27", "吃药"),
        ("for 7 days pills", "2026-12-01", "pills"),
        ("for a week pills", "2026-12-01", "pills"),
        ("for the next two weeks at 7 x", "2026-12-08", "at 7 x"),
        ("physio for 3 months", "2027-02-24", "physio"),
        ("for a year x", "2027-11-24", "x"),
        ("7 Tage lang um 8 x", "2026-12-01", "um 8 x"),
        ("für eine Woche x", "2026-12-01", "x"),
        ("pendant 7 jours x", "2026-12-01", "x"),
        ("durante una semana x", "2026-12-01", "x"),
        ("per 7 giorni x", "2026-12-01", "x"),
        ("por duas semanas x", "2026-12-08", "x"),
        ("een week lang x", "2026-12-01", "x"),
        ("przez dwa tygodnie x", "2026-12-08", "x"),
        ("в течение недели x", "2026-12-01", "x"),
        ("7日間薬", "2026-12-01", "薬"),
        ("连续7天8点吃药", "2026-12-01", "8点吃药"),
    ],
)
def test_when_a_repetition_ends(text: str, last: str, rest: str) -> None:
    """It begins on Wednesday, two days after it was said."""
    ending, left = split_ending(text, DAY, region=region_of(None))
    assert ending and (ending.day(date(2026, 11, 25)).isoformat(), left) == (last, rest)


@pytest.mark.parametrize(
    "text",
    [
        *("call Ana until she answers", "pay for the next parking slot", "walk for 2 hours"),
        *("to Friday at 9 standup", "put the bins out", "bis bald", "pour Ana", "per favore"),
    ],
)
def test_what_names_no_end(text: str) -> None:
    assert split_ending(text, DAY, region=region_of(None)) == (None, text)


@given(st.text(alphabet=st.sampled_from("jedn Motag alle2chquundi毎週月日第1,"), max_size=60))
def test_what_is_found_is_always_a_rule(text: str) -> None:
    rule, _ = split_repetition(text)
    assert not rule or recurrence.after(rule, DAY, DAY) is not None

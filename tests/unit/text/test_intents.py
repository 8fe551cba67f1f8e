"""Wishes in messages (remember, remind, forget), in all supported languages."""

from __future__ import annotations

import time
import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import time_range
from memory.text import (
    asked_tasks,
    asks_for_date,
    asks_to_undo,
    closed_task,
    is_pronoun,
    recognise_intent,
    small_talk_kind,
)
from memory.text.languages.phrase_tables import phrases_of
from memory.text.sentences import has_question

WISHES = {
    "remember": [
        ("Remember that my bicycle is in the garage.", "my bicycle is in the garage."),
        ("remember: Ana likes tea", "Ana likes tea"),
        ("Please remember this: the code is 4711", "the code is 4711"),
        ("Sam, could you please remember that Ana likes tea?", "Ana likes tea"),
        ("Remember the code 4711, please.", "the code 4711"),
        ("don't forget that Ana is allergic to nuts", "Ana is allergic to nuts"),
        ("Note that the meeting is at 5", "the meeting is at 5"),
        ("remember this", ""),
        ("Merk dir, dass Miso Thunfisch mag", "Miso Thunfisch mag"),
        ("Vergiss nicht, dass Ana Tee mag", "Ana Tee mag"),
        ("Souviens-toi que mon vélo est chez Anton", "mon vélo est chez Anton"),
        ("Retiens qu'il aime le thé", "il aime le thé"),
        ("Recuerda que mi bici está en el garaje", "mi bici está en el garaje"),
        ("recuerda que mi bici esta en el garaje", "mi bici esta en el garaje"),
        ("Ricordati che la bici è nel garage", "la bici è nel garage"),
        ("Lembra-te que a bicicleta está na garagem", "a bicicleta está na garagem"),
        ("Onthoud dat mijn fiets in de garage staat", "mijn fiets in de garage staat"),
        ("Zapamiętaj, że mój rower jest w garażu", "mój rower jest w garażu"),
        ("Запомни, что мой велосипед в гараже", "мой велосипед в гараже"),
        ("Kannst du dir bitte merken, dass Ana Tee mag?", "Ana Tee mag"),
        ("Peux-tu noter que le code est 204 ?", "le code est 204"),
        ("¿Puedes apuntar que el médico es el martes?", "el médico es el martes"),
        ("Puoi ricordare che il codice è 204?", "il codice è 204"),
        ("Podes anotar que o código é 204?", "o código é 204"),
        ("Kun je onthouden dat mijn code 204 is?", "mijn code 204 is"),
        ("Możesz zapamiętać, że mój kod to 204?", "mój kod to 204"),
        ("Можешь запомнить, что мой код 204?", "мой код 204"),
        ("自転車はガレージにあると覚えておいて", "自転車はガレージにある"),
        ("自転車はガレージにあることを覚えておいてください。", "自転車はガレージにある"),
        ("请记住，自行车在车库里。", "自行车在车库里"),
        ("記住我的護照號是E12345", "我的護照號是E12345"),
    ],
    "remind": [
        ("Remind us to call Ana at 6", "to call Ana at 6"),
        ("Erinnere uns morgen um 6 an Ana", "morgen um 6 an Ana"),
        ("Rappelle-nous demain à 18 h la réunion", "demain à 18 h la réunion"),
        ("Recuérdanos llamar a Ana a las 6", "llamar a Ana a las 6"),
        ("Ricordaci domani alle 6 la cena", "domani alle 6 la cena"),
        ("Lembra-nos de ligar à Ana às 6", "ligar à Ana às 6"),
        ("Herinner ons eraan om 6 uur Ana te bellen", "om 6 uur Ana te bellen"),
        ("Przypomnij nam jutro zadzwonić", "jutro zadzwonić"),
        ("Напомни нам в 6 позвонить", "в 6 позвонить"),
        ("提醒我们明天6点打电话", "明天6点打电话"),
        ("Could you remind me tomorrow at 9 to call Ana?", "tomorrow at 9 to call Ana"),
        ("pls remind me tomorrow at 9 to call Ana thx", "tomorrow at 9 to call Ana"),
        ("Could you pls remind me to call Ana", "to call Ana"),
        ("set an alarm for 7am", "7am"),
        ("Wake me up at 7", "at 7"),
        ("Stell mir einen Wecker auf 7 Uhr", "7 Uhr"),
        ("Ponme una alarma para las 7", "las 7"),
        ("Kannst du mich bitte morgen um 9 an Ana erinnern?", "morgen um 9 an Ana"),
        ("Peux-tu me rappeler d'appeler Ana demain ?", "d'appeler Ana demain"),
        ("¿Puedes recordarme llamar a Ana mañana?", "llamar a Ana mañana"),
        ("Puoi ricordarmi di chiamare Ana domani?", "di chiamare Ana domani"),
        ("Podes lembrar-me de ligar à Ana amanhã?", "ligar à Ana amanhã"),
        ("Kun je me morgen aan Ana herinneren?", "morgen aan Ana"),
        ("Możesz mi przypomnieć jutro o Anie?", "jutro o Anie"),
        ("Можешь мне напомнить завтра об Ане?", "завтра об Ане"),
        ("Erinnere mich morgen um 9 daran, Ana anzurufen", "morgen um 9 daran, Ana anzurufen"),
        ("Rappelle-moi demain à 9h d'appeler Ana", "demain à 9h d'appeler Ana"),
        ("Recuérdame mañana a las 9 llamar a Ana", "mañana a las 9 llamar a Ana"),
        ("Ricordami domani alle 9 di chiamare Ana", "domani alle 9 di chiamare Ana"),
        ("Lembra-me amanhã às 9 de ligar à Ana", "amanhã às 9 de ligar à Ana"),
        ("Herinner me morgen om 9 uur aan de tandarts", "morgen om 9 uur aan de tandarts"),
        ("Przypomnij mi jutro o 9, proszę", "jutro o 9"),
        ("Напомни мне завтра в 9 позвонить Ане", "завтра в 9 позвонить Ане"),
        ("напомни завтра в 9 позвонить врачу", "завтра в 9 позвонить врачу"),
        ("Напоминай каждый вторник про бассейн", "каждый вторник про бассейн"),
        ("Przypomnij o lekarzu jutro o 9", "lekarzu jutro o 9"),
        ("明日9時に母に電話するようにリマインドして", "明日9時に母に電話する"),
        ("提醒我给妈妈打电话", "给妈妈打电话"),
        ("提醒我明天九点给妈妈打电话好吗？", "明天九点给妈妈打电话"),
    ],
    "todo": [
        ("Remember to water the plants on Friday", "water the plants on Friday"),
        ("Don't forget to buy milk", "buy milk"),
        ("Vergiss nicht, Milch zu kaufen", "Milch zu kaufen"),
        ("N'oublie pas d'acheter du lait", "d'acheter du lait"),
        ("No olvides comprar leche", "comprar leche"),
        ("Non dimenticare di comprare il latte", "comprare il latte"),
        ("Não te esqueças de comprar leite", "comprar leite"),
        ("Vergeet niet om melk te kopen", "melk te kopen"),
        ("Nie zapomnij kupić mleka", "kupić mleka"),
        ("Не забудь купить молоко", "купить молоко"),
        ("牛乳を買うのを忘れないで", "牛乳を買う"),
        ("add milk to my shopping list, please", "milk"),
        ("Setz Milch auf die Einkaufsliste", "Milch"),
        ("Apunta leche en la lista de la compra", "leche"),
        ("Ajoute du lait à ma liste de courses", "du lait"),
        ("Aggiungi il latte alla lista della spesa", "il latte"),
        ("Adiciona leite à lista de compras", "leite"),
        ("Zet melk op de boodschappenlijst", "melk"),
        ("Dodaj mleko do listy zakupów", "mleko"),
        ("Добавь молоко в список покупок", "молоко"),
        ("牛乳を買い物リストに追加して", "牛乳"),
        ("别忘了买牛奶", "买牛奶"),
        ("把牛奶加到购物清单里", "牛奶"),
        ("任务：买牛奶", "买牛奶"),
        ("todo: sweep the yard", "sweep the yard"),
        ("Aufgabe: Hof kehren", "Hof kehren"),
    ],
    "forget": [
        ("delete my blood pressure", "my blood pressure"),
        ("Lösch bitte meine Adresse", "meine Adresse"),
        ("borra mi dirección", "mi dirección"),
        ("Forget everything about Anton.", "Anton"),
        ("forget what I told you about the dentist", "the dentist"),
        ("forget it", ""),
        ("Vergiss, was ich über Anton gesagt habe", "Anton"),
        ("Vergiss bitte alles über Anton", "Anton"),
        ("Oublie ce que j'ai dit sur Anton", "Anton"),
        ("Olvida lo que te dije sobre Anton", "Anton"),
        ("Dimentica tutto su Anton", "Anton"),
        ("Esquece tudo sobre Anton", "Anton"),
        ("Vergeet alles over Anton", "Anton"),
        ("Zapomnij o Antonie", "Antonie"),
        ("Забудь всё об Антоне", "Антоне"),
        ("アントンのことは忘れてください", "アントン"),
        ("忘掉关于安东的一切", "安东"),
        ("把我的旧地址忘掉", "我的旧地址"),
    ],
    "recall": [
        ("What did I say about the dentist?", "the dentist"),
        ("remind me what I said about Ana", "Ana"),
        ("Was habe ich über den Zahnarzt gesagt?", "den Zahnarzt"),
        ("Qu'est-ce que j'ai dit sur le dentiste ?", "le dentiste"),
        ("¿Qué dije sobre el dentista?", "el dentista"),
        ("Cosa ho detto sul dentista?", "dentista"),
        ("O que eu disse sobre o dentista?", "o dentista"),
        ("Wat heb ik over de tandarts gezegd?", "de tandarts"),
        ("Co mówiłem o dentyście?", "dentyście"),
        ("Что я говорил о стоматологе?", "стоматологе"),
        ("歯医者について何と言いましたか？", "歯医者"),
        ("关于牙医我说过什么？", "牙医"),
        ("你还记得我的生日吗？", "我的生日"),
        ("Tell me about Clara", "Clara"),
        ("tell me more about my landlord", "my landlord"),
        ("Parle-moi de Clara", "Clara"),
        ("Háblame de Clara", "Clara"),
        ("Parlami di Clara", "Clara"),
        ("Fala-me da Clara", "Clara"),
        ("Opowiedz mi o Klarze", "Klarze"),
        ("Расскажи мне о Кларе", "Кларе"),
        ("告诉我克拉拉的事", "克拉拉"),
        ("List everything you know about Clara", "Clara"),
        ("Sag mir alles, was du über Clara weißt", "Clara"),
        ("Raconte-moi ce que tu sais sur Clara", "Clara"),
        ("Dime qué sabes de Clara", "Clara"),
        ("rappelle-moi où est la clé", "où est la clé"),
        ("recuérdame quién es Clara", "quién es Clara"),
    ],
    "order": [
        ("Write me a poem about cats", "me a poem about cats"),
        ("Erzähl mir einen Witz", "Witz"),
        ("Raconte-moi une blague", "blague"),
    ],
}
NONE = [
    *(
        "Remember when we went to Paris?",
        "Remember Ana?",
        "I remember that well",
        "I forgot my keys",
    ),
    *("Do you remember Ana?", "My bicycle is in the garage.", "Note 7 is a telephone", "", "?!"),
    *(
        "Todo está bien",
        "The reminder was useful",
        "forget-me-nots are blue",
        "/remember Ana",
        "hi",
    ),
    *(
        "Erinnerungen an Opa",
        "Notizen vom Treffen",
        "自転車はガレージにある",
        "👍",
        "Forgetting is easy",
    ),
]


@pytest.mark.parametrize(
    ("kind", "text", "words"), [(kind, *case) for kind, cases in WISHES.items() for case in cases]
)
def test_a_wish_is_understood(kind: str, text: str, words: str) -> None:
    found = recognise_intent(text)
    assert found is not None
    assert (found.kind, found.words) == (kind, words)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_wish_is_none(text: str) -> None:
    found = recognise_intent(text)
    assert found is None or (found.kind == "recall" and "?" in text)


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        *[(text, "about") for text in ("help", "What can you do?", "Hello, who are you?")],
        *[(text, "about") for text in ("Hilfe!", "Was kannst du?", "¿Qué puedes hacer?")],
        *[(text, "about") for text in ("tu sais faire quoi ?", "tu peux faire quoi")],
        *[(text, "about") for text in ("Comment ça marche ?", "Что ты умеешь?", "Chi sei?")],
        *[(text, "about") for text in ("O que podes fazer?", "Wat kun je?", "Kim jesteś?")],
        *[(text, "about") for text in ("何ができますか？", "使い方", "你能做什么？")],
        *[(text, None) for text in ("What can you do about the roof?", "Help Ana with the move")],
        *[(text, "greeting") for text in ("hi", "Hello Sam!", "Guten Morgen!")],
        *[(text, "greeting") for text in ("ciao", "こんにちは", "hola", "привет")],
        *[(text, "thanks") for text in ("thx", "Danke dir", "merci beaucoup", "Thanks, bye!")],
        *[
            (text, "thanks")
            for text in ("спасибо большое", "ありがとうございます", "dzięki", "谢谢你！")
        ],
        *[(text, "farewell") for text in ("bye", "good night", "tot ziens", "hasta mañana")],
        *[(text, "other") for text in ("ok", "haha", "👍", "sounds good")],
        *[(text, "other") for text in ("lass es", "laisse tomber", "da igual", "算了")],
        *[(text, None) for text in ("Egal was kommt, ich bleibe", "Peu importe le prix, j'y vais")],
        *[(text, None) for text in ("Thanks for the bike", "Hi, I am Ana", "ok 5", "")],
    ],
)
def test_small_talk_has_a_tone(text: str, tone: str | None) -> None:
    assert small_talk_kind(text) == tone


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("My cat is Miso. What does she eat?", True),
        ("where is my cat", True),
        ("¿Dónde está?", True),
        ("We met Dr. Lopes. He was late.", False),
    ],
)
def test_a_question_is_found_in_any_sentence(text: str, asks: bool) -> None:
    assert has_question(text) is asks


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = recognise_intent(text)
    assert found is None or len(found.words) <= len(text) * 2
    small_talk_kind(text)


def test_a_long_text_is_read_quickly() -> None:
    begun = time.process_time()
    recognise_intent("remember please " * 20_000)
    recognise_intent("を覚えて" * 20_000)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "text",
    [
        *("What do I have to do tomorrow?", "Hey Sam, what's on my list for today?"),
        *(
            "what's still open?",
            "what's left to do today?",
            "what are my tasks?",
            "Any reminders?",
            "Am I free on Saturday?",
            "anything due today",
        ),
        *("Was muss ich morgen tun?", "Was steht morgen an?", "Was habe ich heute noch vor?"),
        *("¿Qué tengo que hacer mañana?", "¿Tengo algo esta semana?", "¿Qué hay para mañana?"),
        *("Qu'est-ce que j'ai à faire demain ?", "Que dois-je faire aujourd’hui ?"),
        *("Cosa devo fare domani?", "Che impegni ho oggi?", "Quali sono i miei compiti?"),
        *("O que tenho que fazer amanhã?", "O que tenho para hoje?"),
        *("Wat moet ik morgen doen?", "Wat staat er vandaag op de planning?"),
        *("Co muszę jutro zrobić?", "Jakie mam zadania na dziś?"),
        *("Что мне нужно сделать завтра?", "Какие у меня планы на эту неделю?"),
        *("我明天有什么安排？", "今天有什么任务"),
        *("明日の予定は？", "明日は何をしなければなりませんか？", "今日のタスクは？"),
    ],
)
def test_a_question_for_tasks_is_understood(text: str) -> None:
    assert _asked(text) == "open"


@pytest.mark.parametrize(
    "text",
    ["What is overdue?", "Was ist überfällig?", "¿Qué está atrasado?", "Что просрочено?"],
)
def test_a_question_for_overdue_tasks_is_understood(text: str) -> None:
    assert _asked(text) == "overdue"


@pytest.mark.parametrize(
    "text",
    [
        *("What do I have?", "What do I have to do for Lea's party?", "How is the weather today?"),
        *("I have to go to Porto tomorrow", "Was habe ich gesagt?", "¿Qué hay?", "Что у меня?"),
        *("What did I do yesterday?", "What is on the menu today?", "Any idea?", ""),
    ],
)
def test_other_questions_ask_for_no_tasks(text: str) -> None:
    assert _asked(text) is None


def _asked(text: str) -> str | None:
    found = time_range(text, date(2026, 11, 24))
    return asked_tasks(found.rest if found else text, dated=found is not None)


@pytest.mark.parametrize(
    "text",
    [
        *("What time is it?", "what's the date", "Wie spät ist es?", "¿Qué hora es?"),
        *("Quelle heure est-il ?", "Che ore sono?", "Que horas são?", "Hoe laat is het?"),
        *("Która godzina?", "Который час?", "今何時ですか？", "今天星期几？", "现在几点了"),
    ],
)
def test_a_question_for_the_time_is_understood(text: str) -> None:
    assert asks_for_date(text) and not asks_for_date(f"{text} x")


@pytest.mark.parametrize(
    "text",
    [
        *("undo", "Undo that!", "please undo the last change", "undo that please"),
        *("Mach das bitte rückgängig", "annule ça", "Deshazlo.", "desfaz isso", "cofnij to"),
        *("верни как было", "元に戻してください", "撤销"),
        *("cancel that", "revert the last change", "Storniere das", "cancela eso"),
    ],
)
def test_a_request_to_undo_is_understood(text: str) -> None:
    assert asks_to_undo(text) and not asks_to_undo(f"{text} x")


@pytest.mark.parametrize(
    "text",
    [
        *("That's not right", "you are wrong", "Das stimmt nicht!", "Eso no es correcto"),
        *("C'est faux.", "Non è vero", "Isso não é verdade", "Dat klopt niet", "To nieprawda"),
        *("Это не так", "違います", "tu as tort", "Ты не права!"),
    ],
)
def test_an_objection_is_understood(text: str) -> None:
    assert small_talk_kind(text) == "objection"
    assert small_talk_kind("No, that's not right: I work in Braga") is None


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("Please cancel my reminder to call Ana.", ("dropped", "call Ana")),
        ("stop the orchids reminder", ("dropped", "orchids")),
        ("remove milk from my shopping list", ("dropped", "milk")),
        ("streich die Milch von der Liste", ("dropped", "Milch")),
        ("cancel my alarm", ("dropped", "alarm")),
        ("I'm done with the bread", ("done", "bread")),
        ("mark call Ana as done", ("done", "call Ana")),
        ("Lösche die Erinnerung an den Müll", ("dropped", "Müll")),
        ("Der Zahnarzt ist erledigt!", ("done", "Zahnarzt")),
        ("Müllabfuhr erledigt", ("done", "Müllabfuhr")),
        ("bins done", ("done", "bins")),
        ("done with the landlord", ("done", "landlord")),
        ("I did the laundry", ("done", "laundry")),
        ("compra hecha", ("done", "compra")),
        ("poubelles déjà faites", ("done", "poubelles")),
        ("bucato fatto", ("done", "bucato")),
        ("annule le rappel pour le dentiste", ("dropped", "dentiste")),
        ("la compra ya está hecha", ("done", "compra")),
        ("удали напоминание о враче", ("dropped", "враче")),
        ("markeer de afwas als klaar", ("done", "afwas")),
        ("o bolo está pronto", ("done", "bolo")),
        ("il bucato è fatto", ("done", "bucato")),
        ("usuń przypomnienie o pociągu", ("dropped", "pociągu")),
        ("歯医者のリマインダーを取り消して", ("dropped", "歯医者")),
        ("歯医者は終わりました。", ("done", "歯医者")),
        ("取消看牙医的提醒", ("dropped", "看牙医")),
        ("交房租搞定了", ("done", "交房租")),
        ("Is the bread done?", None),
        ("done", None),
        ("I finished reading about Lisbon", None),
        ("Para la alarma de casa el código es 4471", None),
        ("Para o alarme de casa o código é 4471", None),
    ],
)
def test_a_word_about_a_task_names_it(text: str, closing: tuple[str, str] | None) -> None:
    assert closed_task(text) == closing


@pytest.mark.parametrize(
    "text", ["Was habe ich heute gesagt?", "Wat heb ik vandaag gezegd?", "Was hab ich erzählt?"]
)
def test_what_was_said_is_not_asked_of_the_tasks(text: str) -> None:
    assert asked_tasks(text.replace("heute ", "").replace("vandaag ", ""), dated=True) is None


@pytest.mark.parametrize(
    "text",
    [
        *("Olvidé las llaves en casa de Ana", "Recordé que Ana vive en Roma", "Anoté tres goles"),
        *("Oublié mes clés chez Ana", "Trouve\u0301 un appartement", "Sam, olvidé las llaves"),
    ],
)
def test_what_an_accent_makes_a_past_is_no_command(text: str) -> None:
    assert recognise_intent(text) is None


def test_a_command_without_its_accents_is_one() -> None:
    for text in ("que anoté sobre Roma", "qué anote sobre Roma", "Trouve Roma"):
        assert (found := recognise_intent(text)) is not None
        assert (found.kind, found.words) == ("recall", "Roma")
    assert (found := recognise_intent("Olvide las llaves")) is not None
    assert (found.kind, found.words) == ("forget", "las llaves")


def test_decomposed_letters_as_macos_writes_them_are_read() -> None:
    command = recognise_intent(unicodedata.normalize("NFD", "Lösche alles über Äpfel"))
    assert command is not None
    assert (command.kind, command.words) == ("forget", "Äpfel")
    assert asked_tasks(unicodedata.normalize("NFD", "was ist überfällig?"), dated=False)
    assert small_talk_kind(unicodedata.normalize("NFD", "Tschüss")) == "farewell"


def test_french_that_before_a_vowel_is_left_out() -> None:
    for text, kind in (("n'oublie pas qu'Ana a dit oui", "remember"), ("oublie qu'Ana", "forget")):
        assert (found := recognise_intent(text)) is not None
        assert (found.kind, found.words.startswith("Ana")) == (kind, True)


def test_the_tables_are_built_once() -> None:
    def read(text: str) -> int:
        recognise_intent(text), small_talk_kind(text), closed_task(text), asks_for_date(text)
        asked_tasks(text, dated=True)
        return phrases_of.cache_info().misses

    assert read("I met Ana in Rome") == read("The bridge is finished")


def test_a_pronoun_is_known_with_the_preposition_before_it() -> None:
    for words in ("this", "of this", "it", "disto", "tym", "этом", "これ"):
        assert is_pronoun(words)
    assert not any(map(is_pronoun, ("", "this year", "of milk", "the rent")))

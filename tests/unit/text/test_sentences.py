"""The kind of an utterance (question, statement …), by case, in all supported languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.sentences import (
    is_command,
    is_denial,
    is_marked,
    is_question,
    question_share,
    split_sentences,
)
from memory.text.small_talk import is_small_talk

SPLIT = [
    # Plain ends, and those of chats.
    "One sentence.|Another one.",
    "Is it late?|Yes!|Go home.",
    "i went home.|it was late",
    "Really?!|I had no idea...|Anyway.",
    "no full stop at the end",
    "Wow!!!|That is big.",
    'She said "stop."|Then she left.',
    "(It rained.)|We stayed.",
    "**Bold.**|Then plain.",
    "See you at five!😀|Bring milk.",
    "Where is it? 😀|I need it.",
    # No ends.
    "Dr. Lopes is the vet.|Her room is small.",
    "Ask Mrs. Fahy or Mr. Byrne.",
    "We meet at St. John's.",
    "Bring fruit, e.g. this or that, i.e. something sweet.",
    "It takes approx. 3 hours.|Then we rest.",
    "Take No. 5 and see p. 7.",
    "No.|It is fine.",
    "We bought bread, milk, etc. and went home.",
    "We bought bread, milk, etc.|Then we went home.",
    "The train is at 5 p.m. on Friday.",
    "The train is at 5 p.m.|We leave at four.",
    "J. R. Smith wrote it.|I read it.",
    "John F. Kennedy was there.",
    "So do I.|Then we agree.",
    "It costs 3.50 euros.|That is fine.",
    "I have 3.|Then I bought more.",
    "Look at https://example.com/a.b?c=d.|Then tell me.",
    "See www.example.com and report.final.pdf for more.",
    "Open notes.md.|It has it all.",
    "Well... maybe not.",
    "Well…  maybe not.",
    "Well...|Maybe not.",
    '"Where is it?" she asked.|I did not know.',
    "The U.S. economy grew.",
    "1. Buy milk",
    "He moved to Smith & Co. in May.",
    "On Jan. 5 we fly.",
    # German.
    "Ich komme am 3. Mai.|Du auch?",
    "Vom 3. bis zum 4. Mai sind wir weg.",
    "Das Fest ist am 21. Juni in Graz.",
    "Er wohnt im 2. Stock.|Ich im dritten.",
    "Er wohnt im 2. Haus links.",
    "Wir fliegen Freitag, 3. Mai nach Porto.",
    "Im 19. Jahrhundert war das so.",
    "Kauf Obst, z. B. Äpfel oder Birnen.",
    "Kauf Obst, z.B. Äpfel.|Danke.",
    "Er kommt, d.h. vielleicht.",
    "Er kommt, d. h. vielleicht.",
    "Hr. Dr. med. Huber und Fr. Maier kommen.",
    "Wir wohnen in der Hauptstr. 5 in Graz.",
    "Es ist eng.|Dann gehen wir.",
    "Tisch, Stuhl usw.|Alles da.",
    "Zimmer Nr. 12 bitte.",
    # Spanish, French, Italian, Portuguese, Dutch, Polish, Russian.
    "La Sra. Ruiz vive aquí.|El Sr. Gómez no.",
    "Trae fruta, p. ej. manzanas.",
    "¿Dónde está?|No lo sé.",
    "Mme. Petit arrive, p. ex. demain.|Elle reste.",
    "Il habite au n° 5.|Moi aussi.",
    "Il sig. Rossi e la sig.ra Bianchi, p.es. domani.",
    "Compra fruta, p. ex. maçãs.|Depois volta.",
    "Neem fruit mee, bijv. appels, d.w.z. iets zoets.",
    "O Exmo. Silva chega amanhã.|Obrigado.",
    "Mieszkam na ul. Długiej, m.in. z Anną.",
    "Это было давно, т. е. вчера.|Потом нет.",
    "Мы живём на ул. Ленина.|Тут тихо.",
    # Other scripts.
    "أين أنت؟|أنا هنا.",
    "Πού είσαι;|Είμαι εδώ.",
    "Tea; then coffee.",
]
UNSPACED = [
    "今日は雨です。|明日は晴れです。",
    "本当？|はい！|行きます。",
    "彼は「行く。」と言った。|そして帰った。",
    "我住在北京。|你呢？",
    "मैं घर जाता हूँ।|वह यहाँ है।",
]
ASKING = [
    "how far is it to the quarry",
    "how much ibuprofen can i take with this",
    "which knee was the bad one",
    "what paint for the shutters",
    "what set off the smoke alarm",
    "q: what time does the tip close",
    "wo is der akkuschrauber",
    "wie hieß der vom schlüsseldienst",
    "was krieg ich für das alte rad",
    "wer leiht uns den anhänger",
    "quels papiers pour la crèche",
    "sam c'est quoi déjà le code du portail",
    "qui garde les lapins en août",
    "qué vacuna le falta al perro",
    "cuánto pide el albañil",
    "quante sedie mancano",
    "cosa ha detto l'idraulico",
    "quem ficou com a escada",
    "onde guardei o recibo",
    "hoe snel moet het alarm eraf",
    "wat rekent de schilder",
    "what main jet size did i say for the honda",
    "which race am i running and when",
    "how much of the offsite budget is left",
    "how often should i water the ficus",
    "whose turn is it",
    "is a black toenail bad",
    "is my passport still valid",
    "remind me who the new vet is",
    "what bus is it for maisie",
    "what night is choir",
    "which tiles for the downstairs loo",
    "and has she told me what bus",
    "and what time tonight",
    "how much am i putting in for bev's present",
    "what happened up at the plot on saturday",
    "where in rotterdam are aoife and joost living",
    "according to whom was it stolen",
    "have you got my locker code",
    "do you know my locker code",
    "what happened to the old bike",
    "Do you remember Ana?",
    "Can you remember where I parked?",
    "welche nummern haben unsere winterreifen",
    "wo bewahren wir die räder auf",
    "womit putze ich das silber",
    "an welchem wochentag behandelt der tierarzt niemanden",
    "darf swantje zwiebeln essen",
    "quel bijou dois-je retirer pour l'irm",
    "par qui je remplace léa",
    "il est dans quelle ville maintenant",
    "cuánto me debe fermín",
    "con qué pago el parking",
    "in quale cassetto tengo le batterie",
    "chi cura la mia gatta",
    "com quem vou à piscina",
    "welk blaasinstrument bespeelt de buurvrouw",
    "waarmee vang ik regenwater op",
    "do której sąsiadki iść z kluczem",
    "kto uczy mojego syna",
    "в каком ящике батарейки",
    "кто кормит мою кошку",
    "where the hell do you turn the water off in this house",
    "what the heck was the alarm code",
    "wtf is the code for the gate",
    "hey whats the wifi",
    "ok so where did i put the rates notice",
    "and what was the code",
    "how come Baz didn't show",
    "are the tickets on my phone or did i print them",
    "can the dog eat corn",
    "any idea when the tiler comes",
    "en qué habitación está la abuela",
    "wo zum Teufel ist der Schlüssel",
    "und wo ist der Schlüssel",
    "où diable sont mes clés",
    "dónde diablos están las llaves",
    "dove diavolo ho messo le chiavi",
    "onde raio deixei as chaves",
    "waar in godsnaam is de sleutel",
    "gdzie do cholery są klucze",
    "а где ключи",
    "ou est la clé de la cave",
    "qu'est ce que j'ai dit de la cave",
    "c quoi le code wifi",
    "c'est qui le notaire",
    "on a mangé quoi hier soir",
    "il habite où maintenant",
    "combien je paye par mois",
    "quel médicament je prends le soir",
    "cuanto pago de gimnasio",
    "como se llama el notario",
    "cual era el numero de la poliza",
    "q dia es mi cita",
    "a q hora sale el avion",
    "quien cuida al perro",
    "donde deje las llaves",
    "cuanto pague de luz",
    "qual e o codigo",
    "o q tenho que levar",
    "a quelle heure part le train",
    "c koi le code wifi",
    "dov'e la chiave",
    "gdzie sa klucze",
    "dove ho messo la chiave",
    "quanto pago di palestra",
    "onde esta a chave",
    "quanto pago de academia",
    "was zahle ich im Monat",
    "welche Tabletten nehme ich",
    "hoeveel betaal ik",
    "Where is my bike?",
    "where is my bike",
    "Where's my bike",
    "what's the door code",
    "how much is the rent",
    "how many people are coming",
    "what time is it",
    "which bike is mine",
    "when did I move to Graz",
    "why do you think so.",
    "Is Ana coming?",
    "Did I buy milk, two loaves of bread, or eggs?",
    "Did Ana call, or was it Rui?",
    "Hi Sam, where is my bike?",
    "Good morning Sam, when is the vet?",
    "By the way, where is my bike?",
    "My bike, where is it?",
    "Is that right?",
    "Are you ok?",
    "Everything ok?",
    "Ok?",
    "Really?!",
    '"Where is it?"',
    "Where is it? 😀",
    "where is it?🙏🙏",
    "???",
    "what size seatpost does Tom's bike take",
    "which eye drops did the optician say",
    "which gloves can Kasia not wear",
    "how many spare keys do we have",
    "can we freeze the pickles",
    "is it worth wrapping the roses",
    "have they found my suitcase",
    "do I need a permit for the shed",
    "did we pay the roofer",
    "does anyone have a ladder",
    "does Otto get paid on holidays",
    "did Wim like the soup",
    "who coaches the under tens",
    "what time does Otto get off work",
    "how many coats in the hall",
    "until when is the library open",
    "which of the bikes is stolen",
    "which tyres does the van take",
    "wo ist mein Fahrrad",
    "Wann habe ich Zahnarzt",
    "wie viel kostet die Miete",
    "Weißt du, wo mein Fahrrad ist?",
    "Hast du Milch gekauft, oder nicht?",
    "When goes Elise on the lovely yacht in Galveston, Texas?",
    "Where, besides Portugal, has Ana been?",
    "What about you, how is your sister?",
    "What kind of tea did I buy, green or black?",
    "Wo wohnt Rui, in Graz oder in Wien?",
    "कल तुम कहाँ जा रहे हो?",
    "cuánto cuesta el alquiler",
    "dónde está mi bici",
    "qué hora es",
    "¿Cómo se llama el veterinario?",
    "Hola Sam, ¿dónde está mi bici?",
    "que horas são",
    "onde está a minha bicicleta",
    "Onde moro?",
    "où est mon vélo",
    "combien ça coûte",
    "combien coûte le loyer",
    "est-ce que tu sais",
    "as-tu le code du portail",
    "y a-t-il du lait",
    "comment dit-on vis en anglais",
    "à quelle heure ferme la piscine",
    "a qué hora cierra la piscina",
    "a che ora chiude la piscina",
    "a que horas fecha a piscina",
    "quelle heure est-il",
    "dov'è la mia bici",
    "quanto costa l'affitto",
    "waar is mijn fiets",
    "hoe laat is het",
    "gdzie jest mój rower",
    "ile kosztuje czynsz",
    "где",
    "где мой велосипед",
    "сколько стоит аренда",
    "Где мой велосипед？",
    "いつ行くか",
    "いつ来るか。",
    "駅はどこですか",
    "駅はどこ？",
    "何時から？",
    "何でしょう？",
    "明日の会議は何時から何時までありますか？",
    "我的护照号是多少",
    "安娜的生日是哪天",
    "你还记得吗",
    "为什么他走了",
    "ou\u0300 est mon ve\u0301lo",
    "أين دراجتي؟",
    "Πού είναι το ποδήλατό μου;",
    "Որտե՞ղ է։",
    "Where is it⸮",
    "at what time is the dentist",
    "to whom did I lend it",
    "bei welcher Kasse war das Einschreiben, mit welchem Aktenzeichen",
    "mit wem war ich essen",
    "seit wann arbeitet sie dort",
    "con quien fui al cine",
    "met hoeveel mensen komen we",
    "van wie heb ik dat",
    "con chi ho cenato",
    "in quale banca ho il conto",
    "com quem falei ontem",
    "em que banco tenho conta",
    "z kim byłam w kinie",
    "w jakim banku mam konto",
    "с кем я была в кино",
    "в каком банке у меня счёт",
]
TELLING = [
    "which reminds me to ring the vet",
    "which was nice of her",
    "what really helped was the tape",
    "what calmed him was the radio",
    "what made us laugh was the hat",
    "was hilft ist Wärme",
    "what a day",
    "how nice is it here",
    "was für ein Tag",
    "wer mag kann mitkommen",
    "wo der Schlüssel liegt weiß nur Uli",
    "quelle galère ce parking",
    "où je travaille il y a une cantine",
    "qué bonito el regalo de Ana",
    "q bueno verte ayer",
    "cuánto tiempo sin verte",
    "quanto ao carro, fica para sexta",
    "onde o Rui mora há um parque",
    "quanto mi manca il mare",
    "wanneer ik bij oma ben bak ik taart",
    "which means i have to relearn it",
    "what matters is the deposit",
    "and so did they",
    "from what you told me it is cheaper",
    "did you know that tom got engaged",
    "Did you know my brother is a chef?",
    "Have you heard that the bakery closes?",
    "Wusstest du schon, dass Anna umgezogen ist?",
    "Tu savais que Léa déménage ?",
    "Could you remember that my locker code is 204?",
    "Sam, can you please note that the vet is at five?",
    "Kannst du dir bitte merken, dass mein Code 204 ist?",
    "Peux-tu noter que le code est 204 ?",
    "¿Puedes apuntar que el médico es el martes?",
    "Możesz zapamietac, ze moj kod to 204?",
    "warum das so ist weiß keiner",
    "po czym poszliśmy do domu",
    "for what it is worth",
    "mit wem ich rede ist egal",
    "van wie ik hou",
    "from what she did I learned a lot",
    "cuando era niña vivia en Xalapa",
    "donde vivo no hay agua",
    "como es tarde ceno ligero",
    "que dia tan largo",
    "quien sabe si llueve",
    "and when i got home it was late",
    "so do i",
    "so who cares",
    "but what the doctor did was kind",
    "and what was worse the dog ate it",
    "are we glad that is over!",
    "ok so the bins go out on Tuesday",
    "so wie es ist, bleibt es",
    "y cuando llegué era tarde",
    "je sais où j'ai mis la clé",
    "on sait quand il vient",
    "quel bonheur",
    "c'est quand même fou",
    "ou alors on mange dehors",
    "cuando tengo frío tomo té",
    "quando è arrivato ero via",
    "My bike is in the cellar.",
    "I'm planning a trip to Graz until 29 March with Rui, can you help me pack?",
    "I'm planning a trip until 29 March, can you help me?",
    "I moved to Graz in May, remember?",
    "what the doctor did was kind",
    "which is why we went home",
    "The vet is at 5, can you remind me?",
    "the vet is at 5, right?",
    "the vet is at 5 right?",
    "Rui is coming on Friday, isn't he?",
    "You know my sister, don't you?",
    "We take the train - ok?",
    "We take the train… ok?",
    "When I was in Porto I lost my bike, remember?",
    "Hi Sam, I moved to Graz last week, can you note it?",
    "Der Tierarzt ist um 5, oder?",
    "Ich ziehe im Mai nach Graz, kannst du das notieren?",
    "Das Rad steht im Keller, nicht wahr?",
    "El veterinario es a las 5, ¿verdad?",
    "Mañana voy al dentista, ¿me lo recuerdas?",
    "Mañana voy al dentista ¿me lo recuerdas?",
    "Le rendez-vous est à 5 heures, n'est-ce pas ?",
    "Il arrive demain, non?",
    "O veterinário é às 5, né?",
    "Il treno parte alle 5, vero?",
    "De trein gaat om vijf uur, toch?",
    "Pociąg jest o piątej, prawda?",
    "Поезд в пять, да?",
    "Der Zug fährt um fünf gell?",
    "Le train part à cinq heures hein ?",
    "El tren sale a las cinco cierto?",
    "O comboio parte às cinco está bem?",
    "Il treno parte alle cinque giusto?",
    "De trein gaat om vijf uur nietwaar?",
    "Pociąg jest o piątej nieprawdaż?",
    "Поезд приходит в пять правда?",
    "獣医は5時ですよね？",
    "来週グラーツに行くので、荷造りを手伝ってくれる？",
    "My name is Kevin, what is your name??",
    "It is nice to have some plants, don't you think?",
    "What I need is a new bike, can you note it?",
    "Was ich brauche, ist Milch, kannst du das notieren?",
    "Quand je serai à Graz je voudrai un vélo, d'accord ?",
    "did I tell you Rui moved",
    "have I mentioned the new bike",
    "am I glad that is over",
    "is it just me or is it cold",
    "do it in May",
    "does the garden on Mondays",
    "does not like cycling",
    "who would have thought",
    "how many times I told him",
    "should you need it, the key is in the shed",
    "had we known we would have stayed",
    "can you believe the vet took 90",
    "do you know what, I quit",
    "à quel point il a changé",
    "what a day",
    "What a day, right?",
    "when I was in Porto I lost my bike",
    "how nice",
    "how nice is that",
    "who cares",
    "which is why I moved",
    "which is great",
    "what I need is milk",
    "what can I say",
    "where I live there is no bus",
    "Where is my bike!",
    'He said "where is it?".',
    "wie schön",
    "wo ich wohne, ist es ruhig",
    "wer weiß",
    "was für ein Tag",
    "qué bonito",
    "hoe laat het is",
    "wie weet wat is het",
    "comment dire",
    "qui sait",
    "por qué no",
    "quem sabe",
    "por que não",
    "chi lo sa",
    "ile razy można",
    "сколько можно",
    "quién sabe",
    "cuando estaba en Oporto perdí la bici",
    "quand j'étais à Porto",
    "quelle belle journée",
    "quando ero a Porto",
    "wat leuk",
    "als ik in Porto ben",
    "kto wie",
    "когда я был в Порту",
    "кто знает",
    "いつか行きたい",
    "いつか",
    "何か食べた",
    "そうですか。",
    "where is the thing that we bought last year in the small shop near Porto",
    "",
    "...",
    "😀",
]
SHARES = [
    ("Where is my bike?", 1.0),
    ("Where is my bike? 😀", 1.0),
    ("Where is my bike?\n👍", 1.0),
    ("My bike is red.", 0.0),
    ("", 0.0),
    ("  \n ", 0.0),
    ("It is red. Is it?", 6 / 16),
    ("Is it? Is it?", 1.0),
    ("Dr. Lopes?", 1.0),
    ("I'm planning a trip to Graz until 29 March with Rui, can you help me pack?", 0.0),
    ("the vet is at 5, right?", 0.0),
    ("where did I put the key for the shed I had it here a week ago", 0.5),
    ("Is it normal that the new pump in the cellar makes a noise at night?", 0.5),
    ("駅はどこ？雨です。", 5 / 9),
]
COMMANDS = ["/remember tea", "/quit", " /new", "/search@sam_bot vet", "/remember\ntea", "/a_b1 x"]
NO_COMMANDS = ["remember /this", "/etc/hosts is broken", "/", "/ remember", "//x", "/5", "", "a/b"]
TEXTS = (
    st.text(st.characters(codec="utf-8"))
    | st.text(st.sampled_from("aAI1.!?…。？;,: \n\"')」*-–é'’的いか😀զ՞ω"))
    | st.lists(st.sampled_from([*SPLIT, *ASKING, *TELLING, "Hi Ines!", " ", "\n", ". ", "?"])).map(
        "".join
    )
)


@pytest.mark.parametrize("case", SPLIT)
def test_sentences_end_where_they_end(case: str) -> None:
    assert split_sentences(case.replace("|", " ")) == case.split("|")


@pytest.mark.parametrize("case", UNSPACED)
def test_some_scripts_put_no_blank_after_a_sentence(case: str) -> None:
    assert split_sentences(case.replace("|", "")) == case.split("|")
    assert split_sentences(case.replace("|", " \n ")) == case.split("|")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n  ", "\u2028", " \n"])
def test_a_line_ends_a_sentence(end: str) -> None:
    lines = ["Groceries", "1. milk", "2. Dr. Oetker pizza", "- the rest"]
    assert split_sentences(end.join(lines)) == lines


@pytest.mark.parametrize("sentence", ASKING)
def test_a_sentence_that_only_asks_is_a_question(sentence: str) -> None:
    assert is_question(sentence)


@pytest.mark.parametrize("mark", ["?", "？", "؟", "?!", '?"', "? 😀", "⸮", "?)", "??"])
def test_a_question_mark_ends_a_sentence_of_any_script(mark: str) -> None:
    assert is_marked(f"The vet is at 5, right{mark}")
    assert not is_marked(f"{mark} The vet is at 5.")


@pytest.mark.parametrize("sentence", TELLING)
def test_what_tells_something_or_is_no_question(sentence: str) -> None:
    assert not is_question(sentence)


def test_a_question_of_more_than_twenty_words_also_states_something() -> None:
    words = " ".join(f"w{number}" for number in range(19))
    assert is_question(f"What is {words.rpartition(' ')[0]}?")
    assert not is_question(f"What is {words}?")


@pytest.mark.parametrize(("text", "share"), SHARES)
def test_the_share_of_a_text_that_asks(text: str, share: float) -> None:
    assert question_share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", COMMANDS)
def test_commands(text: str) -> None:
    assert is_command(text)


@pytest.mark.parametrize("text", NO_COMMANDS)
def test_what_is_no_command(text: str) -> None:
    assert not is_command(text)


@given(TEXTS)
def test_a_text_keeps_what_is_not_blank(text: str) -> None:
    parts = split_sentences(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part and part == part.strip() for part in parts)


@given(TEXTS)
def test_every_text_is_judged(text: str) -> None:
    assert 0.0 <= question_share(text) <= 1.0
    for sentence in [text, *split_sentences(text)]:
        assert isinstance(is_question(sentence), bool)
        assert isinstance(is_command(sentence), bool)
        assert not (is_small_talk(sentence) and is_command(sentence))


HOSTILE = [
    *("." * 100_000 + "x", ". " * 50_000, "a. " * 33_000, "Dr. " * 25_000, "1. " * 33_000),
    *("? " * 50_000, "?" * 100_000, '!"' * 50_000, "a" * 100_000, "a'" * 50_000, "; " * 50_000),
    *("hi " * 33_000, "hi Rui, " * 12_500, "thanks so much for " * 5_000, "ha" * 50_000 + "x"),
    *(
        "か" * 100_000,
        "。" * 100_000,
        " " * 100_000,
        "\n" * 100_000,
        "a, " * 33_000 + "?",
        "é" * 100_000,
    ),
    *("." + " " * 100_000, "😀 " * 50_000, ".😀" * 50_000, "o\u0300" * 50_000, "- " * 50_000 + "?"),
    *("/" + "a" * 100_000, " " * 99_999 + "/", "aaab" * 25_000, "a-" * 50_000, "՞" * 100_000),
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_a_hostile_text_takes_time_in_proportion(text: str) -> None:
    def taken(part: str) -> float:
        started = time.process_time()
        for judge in (
            split_sentences,
            is_question,
            question_share,
            is_denial,
            is_small_talk,
            is_command,
        ):
            judge(part)
        return time.process_time() - started

    taken("warm")
    assert taken(text) < 3.0, "a tenth of it is usual; what grows by the square takes minutes"


def test_a_statement_without_its_subject_is_no_german_question() -> None:
    for text in ("Darf keine Nüsse essen", "Soll viel Wasser trinken", "Muss nicht mehr fahren"):
        assert not is_question(text)
    for text in ("Darf Leon Nüsse essen", "Soll ich Wasser trinken", "Darf keine Nüsse essen?"):
        assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Wie gesagt, ich wohne in Bonn", "Wie geplant, wir fahren", "Welche Freude, Ana ist da"),
        *("Wer hätte das gedacht, Ana kommt", "Quelle chance, j'ai le poste", "What fun we had"),
        *("Who knew, Ana is in Rome", "Wie had dat gedacht, Ana is zwanger"),
        *("Quem diria, a Ana está em Roma", "Kto by pomyślał, Ana jest w ciąży"),
    ],
)
def test_an_exclamation_before_a_statement_asks_nothing(text: str) -> None:
    assert not is_question(text)
    assert is_question(f"{text.partition(',')[0]}?")

"""Small talk in all supported languages, and the format of its tables."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.languages import Language, languages
from memory.text.languages.language import phrases
from memory.text.small_talk import follow_up_kind, is_small_talk

SMALL_TALK = [
    *("hi", "Hello!", "hey there", "good morning Sam!", "Good morning, Ines.", "hiii", "HI SAM"),
    *("thanks a lot", "Thanks so much for your help!", "thank you, Mrs. Fahy", "thaaanks", "thx"),
    *("heyy", "byee", "thankss Ana"),
    *("ok cool", "Ok. Cool. Thanks!", "ok", "okkk", "alright", "sounds good", "great, thanks Sam"),
    *("haha", "hahaha 😂", "LOL", "jajaja", "хахаха", "👍", "👍🏽❤️", "🎉 🎉", "!!!", "ok 👍"),
    *("Noted.", "Got it!", "You're welcome, Ines.", "You’re welcome!", "Anytime.", "Sure!"),
    *("I'll remember that.", "Done.", "No problem", "Will do, Rui.", "bye", "See you tomorrow!"),
    *("How are you?", "what's up", "sweet dreams", "Thanks, Dr. Lopes", "Sam, thanks", "sorry"),
    *("That is amazing!", "Thanks a bunch!", "For sure!", "Sounds like a plan", "I'm doing well"),
    *("I have nothing about that.", "I don't know that yet.", "No model is set up"),
    "No model is set up (ANTHROPIC_API_KEY). I recall nothing about it. Your message is kept, and"
    " can be searched.",
    *("Gern geschehen", "Verstanden", "Guten Morgen!", "Danke schön", "danke dir, Rui", "Tschüss"),
    *("Danke, Frau Dr. Maier", "wie geht's dir?", "Alles klar", "Das weiß ich noch nicht."),
    *("Merci beaucoup", "Bonjour Sam", "De rien", "très bien", "ça va ?", "bonne nuit"),
    *("de nada", "Hola", "¡Buenos días!", "muchas gracias", "¿Qué tal?", "hasta mañana", "vale"),
    *("ciao", "Grazie mille!", "Prego", "buonanotte", "va bene", "non lo so"),
    *("olá", "muito obrigada", "bom dia Sam", "tudo bem?", "até logo", "beleza"),
    *("geweldig", "ik weet het niet", "snap ik", "wat leuk"),
    *("großartig", "keine Ahnung", "formidable", "je ne sais pas", "estupendo", "no lo sé"),
    *("capisco", "non lo so ancora", "maravilha", "ainda não sei", "świetnie", "nie wiem"),
    *("отлично", "я не знаю", "素晴らしいです", "わかりません", "c'est noté"),
    *("hoi", "dank je wel", "graag gedaan", "welterusten", "tot ziens", "geen probleem"),
    *("cześć", "dzięki", "dziekuje", "dzień dobry", "nie ma za co", "dobranoc", "jasne"),
    *("привет", "Спасибо", "спасибо большое!", "доброе утро", "Пожалуйста", "ещё раз спасибо"),
    *(
        "了解です",
        "ありがとう",
        "ありがとうございます！",
        "田中さん、おはよう",
        "なるほど",
        "お疲れ様です",
    ),
    *("你好", "谢谢你！", "好的，明白了", "嗯嗯", "晚安", "收到，谢谢", "不知道", "已经记下了"),
    "Bonjour, thanks, danke!",
]
SUBSTANCE = [
    *("Thanks, the code is 4711", "Noted: the vet is Dr. Lopes", "Noted, I'll remind you about"),
    *("Noted, I'll remind you about the vet.", "Yes", "No", "Both", "yes please", "No, thanks"),
    *("ok 5", "Thanks! Porto", "Ok, Porto", "Noted: Porto", "Done. Porto.", "Porto, thanks"),
    *("Thanks, see you Monday", "Good morning from Porto", "Hi, I am Ines", "Hi, this is Rui"),
    *("good luck with the exam", "hello\nmilk, eggs", "5️⃣", "½", "4711", "ok ①", "Sam", "and"),
    *("vet", "I love coffee", "Ja", "Nein", "Beides", "Danke, der Code ist 4711", "Hallo, Montag"),
    *("later", "Morning", "me too", "Thanks for the bike", "Danke für das Rad", "Moi"),
    *("Oui", "Non", "Merci, le code est 4711", "Sí", "Gracias, vivo en Porto", "Sì", "Sim"),
    *("Obrigado, moro no Porto", "Nee", "Bedankt, ik woon in Gent", "Tak", "Dzięki, mam kota"),
    *(
        "да",
        "Спасибо, код 4711",
        "はい",
        "いいえ",
        "ありがとう、コードは4711です",
        "了解、駅で",
        "谢谢，密码是4711",
        "好的，周五见妈妈",
        "नमस्ते",
    ),
    *(
        "",
        "  ",
        "/ok",
        "thanks https://example.com",
        "Good Dentist",
        "hello WORLD NEWS",
        "Jeju",
        "Ok Porto",
    ),
]


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize("text", SUBSTANCE)
def test_what_holds_more_than_a_formula_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(text)


@given(st.sampled_from(SMALL_TALK), st.sampled_from(SMALL_TALK), st.sampled_from([" ", "\n", ". "]))
def test_small_talk_on_small_talk_is_small_talk(one: str, other: str, between: str) -> None:
    assert is_small_talk(one + between + other)
    assert not is_small_talk(f"{one}{between}{other} 4711")


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.code)
def test_a_table_is_written_as_it_is_read(language: Language) -> None:
    for field in dataclasses.fields(language):
        written = getattr(language, field.name)
        assert isinstance(written, bool) == isinstance(field.default, bool), field.name
        if isinstance(written, bool):
            continue
        assert written == written.lower()
        spelt = list(phrases(written))
        assert all(spelt) and not {",", "|", "?", "_"} & set("".join(spelt)), field.name


def test_phrases_are_spelt_out() -> None:
    assert list(phrases("hi|hello there?, see_you,")) == [
        *("hi there", "hi", "hello there", "hello"),
        "see you",
    ]
    assert list(phrases("one|\n  two")) == ["one", "two"]


def test_a_long_message_is_no_follow_up() -> None:
    assert follow_up_kind("please, please, more") == "more"
    assert follow_up_kind("please " * 50 + "more") is None  # each word would be read once more

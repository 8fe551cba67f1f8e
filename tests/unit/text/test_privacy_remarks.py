"""Messages that say of themselves that they are private, or must not be kept."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import privacy_remark

PRIVATE = [
    ("This is private: I owe Bob 417 euros", "I owe Bob 417 euros"),
    ("This is private, remember it: I owe Bob 417 euros", "remember it: I owe Bob 417 euros"),
    ("Private: I see a therapist on Mondays", "I see a therapist on Mondays"),
    ("confidential - we are selling the company", "we are selling the company"),
    ("Just between us, I don't like my new boss.", "I don't like my new boss."),
    ("Between you and me, Bob drinks too much", "Bob drinks too much"),
    ("I owe Bob 417 euros. Keep this private.", "I owe Bob 417 euros."),
    ("I am pregnant, but please don't tell anyone!", "I am pregnant"),
    ("Sam, keep this to yourself: I quit in May", "I quit in May"),
    ("Can you keep this private? I owe Bob 417 euros", "I owe Bob 417 euros"),
    ("I earn 4200 a month (this stays between us)", "I earn 4200 a month"),
    ("That's confidential.", ""),
    ("Das ist privat: ich schulde Bob 417 Euro", "ich schulde Bob 417 Euro"),
    ("Vertraulich: wir verkaufen die Firma", "wir verkaufen die Firma"),
    ("Ich bin schwanger. Das bleibt unter uns.", "Ich bin schwanger."),
    ("Unter uns gesagt mag ich meinen Chef nicht", "mag ich meinen Chef nicht"),
    ("Erzähl das bitte niemandem: ich kündige im Mai", "ich kündige im Mai"),
    ("C'est confidentiel : je dois 417 euros à Bob", "je dois 417 euros à Bob"),
    ("Entre nous, je n'aime pas mon chef", "je n'aime pas mon chef"),
    ("Je suis enceinte. Ne le dis à personne.", "Je suis enceinte."),
    ("Esto es privado: le debo 417 euros a Bob", "le debo 417 euros a Bob"),
    ("Que quede entre nosotros: no me gusta mi jefe", "no me gusta mi jefe"),
    ("Questo resta tra noi: devo 417 euro a Bob", "devo 417 euro a Bob"),
    ("Isto é confidencial: devo 417 euros ao Bob", "devo 417 euros ao Bob"),
    ("Fica entre nós: não gosto do meu chefe", "não gosto do meu chefe"),
    ("Dit is privé: ik ben Bob 417 euro schuldig", "ik ben Bob 417 euro schuldig"),
    ("To zostaje między nami: nie lubię szefa", "nie lubię szefa"),
    ("Это между нами: я должен Бобу 417 евро", "я должен Бобу 417 евро"),
    ("Никому не говори, я увольняюсь в мае", "я увольняюсь в мае"),
    ("ここだけの話、ボブに417ユーロ借りている", "ボブに417ユーロ借りている"),
    ("这是秘密：我欠鲍勃417欧元", "我欠鲍勃417欧元"),
    ("别告诉别人，我五月辞职", "我五月辞职"),
]

UNKEPT = [
    ("Off the record, I think Bob is lying", "I think Bob is lying"),
    ("off the record I think Bob is lying", "I think Bob is lying"),
    ("Don't remember this: I kissed Bob", "I kissed Bob"),
    ("Don't write this down, but I kissed Bob", "but I kissed Bob"),
    ("Please do not save this. I kissed Bob.", "I kissed Bob."),
    ("I kissed Bob. Forget I said that.", "I kissed Bob."),
    ("Forget I said that: I kissed Bob", "I kissed Bob"),
    ("I kissed Bob, don't keep that", "I kissed Bob"),
    ("dont write this down", ""),
    ("This is off the record: I kissed Bob", "I kissed Bob"),
    ("This is private, don't write it down: I kissed Bob", "I kissed Bob"),
    ("Schreib das nicht auf: ich habe Bob geküsst", "ich habe Bob geküsst"),
    ("Bitte nicht merken: ich habe Bob geküsst", "ich habe Bob geküsst"),
    ("Merk dir das bitte nicht. Ich habe Bob geküsst.", "Ich habe Bob geküsst."),
    ("Ich habe Bob geküsst. Vergiss, dass ich das gesagt habe.", "Ich habe Bob geküsst."),
    ("Ne note pas ça : j'ai embrassé Bob", "j'ai embrassé Bob"),
    ("J'ai embrassé Bob. Oublie que j'ai dit ça.", "J'ai embrassé Bob."),
    ("No lo guardes: besé a Bob", "besé a Bob"),
    ("Besé a Bob, pero no apuntes esto", "Besé a Bob"),
    ("Extraoficialmente: besé a Bob", "besé a Bob"),
    ("Non scriverlo: ho baciato Bob", "ho baciato Bob"),
    ("Ho baciato Bob. Dimentica che l'ho detto.", "Ho baciato Bob."),
    ("Não guarda isso: beijei o Bob", "beijei o Bob"),
    ("Não guardes isto, beijei o Bob", "beijei o Bob"),
    ("Schrijf dit niet op: ik heb Bob gekust", "ik heb Bob gekust"),
    ("Nie zapisuj tego: pocałowałam Boba", "pocałowałam Boba"),
    ("Не записывай это: я целовалась с Бобом", "я целовалась с Бобом"),
    ("Не для протокола: я целовалась с Бобом", "я целовалась с Бобом"),
    ("これは記録しないで：ボブにキスした", "ボブにキスした"),
    ("别记录这个：我亲了鲍勃", "我亲了鲍勃"),
    ("不要保存这条：我亲了鲍勃", "我亲了鲍勃"),
]

NEITHER = """
My private number is 0171 2345678
She's a private person
Private school costs 900 a month
Don't forget to call Ana
Don't forget this: the code is 4711
This is not private
The beach is a private property, this is private land
This is private property, says the sign
Is this private?
Is that off the record?
What does "off the record" mean?
He said: "This is private."
Anna told me, keep this to yourself
I want to keep this private school in mind
Private: +49 171 2345678
Privat: anna@example.org
Work: 030 12345, private: 0171 2345678
Between us we have three cars
The secret ingredient is cinnamon
My secretary is Bob
We should keep this between Monday and Friday
Forget about the meeting
Forget everything about Anna
Don't save the file in that folder
Don't write this song down as a favourite of mine
I don't remember this
Don't remember that, sorry
I never write things down
Don't tell Anna that I am late
Remember this: I am a private person
Off the record player fell a cup
Off the record is my favourite film
He turned off the record player
This is private, right?
If this is private, tell me
Remember that my private locker is number 12
The confidential report is due on Friday
Remind me to write this down tomorrow
Ich bin privat versichert
Meine private Nummer ist 0171 2345678
Vergiss nicht, Ana anzurufen
Das ist nicht vertraulich
Im Vertrauen auf Bob habe ich unterschrieben
Unter uns wohnt Familie Meier
Merk dir das: der Code ist 4711
Schreib das auf: ich habe Bob getroffen
Das ist privat versichert
Mon numéro privé est le 0171 2345678
Entre nous deux il y a dix ans
N'oublie pas d'appeler Ana
Ce n'est pas confidentiel
Mi número privado es el 600 123 456
No olvides llamar a Ana
Esto no es privado
Non dimenticare di chiamare Ana
Não esqueças de ligar à Ana
Vergeet niet Ana te bellen
Nie zapomnij zadzwonić do Any
Не забудь позвонить Ане
Это не секрет
アナに電話するのを忘れないで
これは秘密ではない
别忘了给安娜打电话
这不是秘密
"""


@pytest.mark.parametrize(("text", "rest"), PRIVATE)
def test_a_private_message_says_so(text: str, rest: str) -> None:
    found = privacy_remark(text)
    assert found is not None
    assert (found.kind, found.rest) == ("private", rest)


@pytest.mark.parametrize(("text", "rest"), UNKEPT)
def test_a_message_that_must_not_be_kept_says_so(text: str, rest: str) -> None:
    found = privacy_remark(text)
    assert found is not None
    assert (found.kind, found.rest) == ("unkept", rest)


@pytest.mark.parametrize("text", NEITHER.strip().splitlines())
def test_other_messages_are_ordinary(text: str) -> None:
    assert privacy_remark(text) is None


@pytest.mark.parametrize(
    "text", ["Não guarda isso: beijei o Bob", "Dit is privé: ja", "C’est privé : oui"]
)
def test_accents_and_apostrophes_may_be_written_in_any_way(text: str) -> None:
    assert privacy_remark(unicodedata.normalize("NFD", text)) is not None
    assert privacy_remark(text.upper()) is not None


def test_what_is_quoted_in_a_reply_does_not_count() -> None:
    assert privacy_remark("> This is private: I owe Bob 417 euros\n\nWhat did you mean?") is None
    assert privacy_remark("> What is new?\n\nThis is private: I owe Bob 417 euros") is not None


@given(st.text(max_size=200))
def test_any_text_can_be_asked_about(text: str) -> None:
    privacy_remark(text)


def test_a_long_message_takes_no_long_time() -> None:
    begun = time.process_time()
    for text in ("this is private " * 20_000, "keep this, " * 20_000, "别告诉别人，" * 20_000):
        privacy_remark(text)
    assert time.process_time() - begun < 20

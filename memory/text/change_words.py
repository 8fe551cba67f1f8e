"""Detect words that say that something has changed, or was wrong, and leave them out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .tokenize import terms
from .word_forms import folded, words

_WORDS = """
now longer anymore change changed changes changing move moved moving instead actually correction
corrected correct wrong meant mistake since new newly switched switching rather update updated
postponed rescheduled raised lowered became becomes again recently today meanwhile
jetzt nun mehr geändert ändert umgezogen ziehe stattdessen eigentlich korrektur falsch seit neu neue
neuer neues neuen sofort verschoben doch sondern inzwischen mittlerweile künftig
maintenant plus désormais changé change déménagé déménage correction depuis nouveau nouvelle reporté
finalement
ahora cambio cambió cambiado mudé mudado realidad corrección desde nuevo nueva aplazado
adesso ora più cambiato trasferito invece realtà correzione nuovo nuova spostato rimandato
agora mudei mudou mudança verdade correção novo nova adiado
nu veranderd verhuisd eigenlijk correctie sinds nieuw nieuwe verzet verplaatst
teraz już zmienił zmieniła przeprowadziłem przeprowadziłam zamiast właściwie poprawka nowy nowa
nowe
теперь сейчас больше изменил изменила изменилось переехал переехала вместо новый новая новое
перенесли
"""
_CHANGE = frozenset(word for each in _WORDS.split() for word in terms(each))
_UNSPACED = re.compile(
    r"今は|今後|もう|変わ|変更|引っ越|代わり|実は|訂正|新し|现在|現在|不再|改|换|換|搬|其实|其實|更正|新的"
)
_BEGINS = """
no|nope|nah|nup|wait|sorry|soz|pardon|oops|whoops|my bad|ups|stop|nein|nee|sry|moment
|entschuldigung|tschuldigung|quatsch|doch nicht|non|oups|desolee?|perdona?|perdon|uy
|espera|scusa|anzi|aspetta|nao|desculpa|alias|wacht|oeps|nie|przepraszam|czekaj
|不对|不對|错了|錯了|说错了|說錯了|我说错了|我說錯了|等等|等一下|更正
"""
_APOLOGIES = """
sorry|soz|oops|whoops|my bad|pardon|sry|entschuldigung|tschuldigung|desolee?|oups|perdona?
|perdon|scusa|desculpa|oeps|przepraszam
"""
_NOT_SORRY = r"(?<!\bi.m)(?<!\bim)(?<!\bam)(?<!\bso)(?<!\bsay)(?<!\bsaid)(?<!\bfeel)"
"""What an apology that ends a correction without a comma does not follow: "she said sorry"."""
_ANYWHERE = """
actually|correction|i mean|i meant|i was wrong|my mistake|make that|scratch that|or rather
|eigentlich|korrektur|ich meine|ich meinte|ich habe mich vertan|falsch
|en fait|je veux dire|je voulais dire|plutot|je me suis trompee?
|en realidad|correccion|quiero decir|quise decir|mejor dicho|me equivoque
|in realta|correzione|volevo dire|intendevo|mi sono sbagliat[oa]
|na verdade|correcao|quero dizer|quis dizer|me enganei|enganei-me
|eigenlijk|correctie|ik bedoel|ik bedoelde|ik vergiste me
|wlasciwie|poprawka|to znaczy|chodzilo mi|pomylil[ae]m sie
|更正|我是说|我是說|我的意思是
"""
_RUSSIAN = (
    ("нет", "стой", "извини", "прости", "ой", "упс", "погоди"),
    ("точнее", "вернее", "на самом деле", "поправка", "я имел в виду", "я имела в виду"),
)


def _either(phrases: str, more: Iterable[str]) -> str:
    """Return a pattern for one of the phrases; those of `more` are not folded yet."""
    return "|".join(["".join(phrases.split("\n")), *map(folded, more)])


LONGEST_CORRECTION = 16
"""Words: a longer message says "actually" in passing."""
_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|ah|ach|hm+|ok|okay|hey|sam)\W+)*"
    rf"(?:(?:{_either(_BEGINS, _RUSSIAN[0])})\b\W*)+"
    rf"|,\s*(?:{_either(_BEGINS, _RUSSIAN[0])})\W*$"
    rf"|{_NOT_SORRY}\s(?:{_either(_APOLOGIES, _RUSSIAN[0][2:4])})\W*$"
    rf"|\b(?:{_either(_ANYWHERE, _RUSSIAN[1])})\b"
    r"|^\s*\*(?=\w)(?!.*\*)"
)
"""What a correction begins or ends with, or has anywhere; in folded text. An asterisk marks one in
chats: "*thursday"."""


def says_change(texts: Iterable[str]) -> bool:
    """Return whether any of the texts says that something has changed, or corrects something."""
    return any(
        not _CHANGE.isdisjoint(terms(text)) or _UNSPACED.search(text) is not None for text in texts
    )


@lru_cache(maxsize=256)  # recall compares a message with several others
def uncorrected(text: str) -> str:
    """Return the words of a correction without those that say that it is one; any other text as it
    is."""
    plain, count = _CORRECTS.subn(" ", folded(text))
    if not count:
        return text
    left = words(plain)  # as they were written: a capital tells a month from another word
    return " ".join(word for word in words(text) if folded(word) in left)

"""Detect words that say that something has changed, or was wrong. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .tokenize import terms

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
    r"今は|今後|もう|変わ|変更|引っ越|代わり|実は|訂正|新し|现在|現在|不再|改|搬|其实|其實|更正|新的"
)


def says_change(texts: Iterable[str]) -> bool:
    """Return whether any of the texts says that something has changed, or corrects something."""
    return any(
        not _CHANGE.isdisjoint(terms(text)) or _UNSPACED.search(text) is not None for text in texts
    )

"""Detect questions for what Sam itself said: "What did you recommend for the blight?". Pure."""

from __future__ import annotations

import re

from ..text.tokenize import flat, unmarked

_SOME = r"(?:\w+ ){0,6}?"  # words between the parts of a verb
_ENGLISH = r"sa(?:y|id)|suggest|recommend|advise|tell|told|mention|propose|answer|explain|warn|list"
_GERMAN = (
    r"gesagt|geraten|empfohlen|vorgeschlagen|erwahnt|geschrieben|geantwortet|erklart|genannt"
    r"|gemeint|gewarnt"
)
_FRENCH = r"dit|conseille|recommande|suggere|propose|repondu|explique|mentionne"
_DUTCH = (
    r"gezegd|aangeraden|aanbevolen|voorgesteld|genoemd|geantwoord|uitgelegd|geschreven|geadviseerd"
)
_ASKED = re.compile(
    r"\b(?:"
    rf"(?:did|do|have|had) you (?:\w+ ){{0,2}}?(?:{_ENGLISH})(?:ed|d)?"
    r"|you (?:said|told me)|you (?:suggest|recommend|advise|mention|propose|explain|warn)e?d"
    r"|your (?:\w+ )?(?:advice|suggestions?|recommendations?|answers?|tips?)"
    rf"|(?:hast|hattest) du {_SOME}(?:{_GERMAN})|du {_SOME}(?:{_GERMAN}) (?:hast|hattest)"
    r"|(?:sagtest|meintest|empfahlst|rietest|schriebst) du"
    r"|deine?[mnrs]? (?:\w+ )?(?:rat|ratschlage?|tipps?|vorschlage?|empfehlung(?:en)?"
    r"|antwort(?:en)?)"
    rf"|(?:as tu|tu (?:m )?as|t as|avez vous|vous (?:m )?avez) {_SOME}(?:{_FRENCH})e?s?"
    r"|(?:tes|ton|ta|vos|votre) (?:\w+ )?(?:conseils?|reponses?|recommandations?|suggestions?)"
    r"|(?:di|contesta|recomenda|aconseja|sugeri|propusi|explica|menciona)(?:ji)?ste"
    r"|has (?:dicho|recomendado|aconsejado|sugerido|propuesto|explicado|contestado|mencionado)"
    r"|(?:disse|aconselha|propuse|responde)ste"
    r"|(?:voce|vc) (?:\w+ )?(?:disse|recomendou|aconselhou|sugeriu|propos|explicou|respondeu"
    r"|mencionou)"
    r"|(?:tus?|teus?) (?:consejos?|respuestas?|recomendacion(?:es)?|conselhos?|respostas?)"
    r"|hai (?:\w+ )?(?:detto|consigliato|suggerito|raccomandato|proposto|spiegato|risposto)"
    r"|(?:tuo|tua|tuoi|tue) (?:\w+ )?(?:consigli?o?|rispost[ae]|suggeriment[oi])"
    rf"|(?:heb|had) (?:je|jij|u) {_SOME}(?:{_DUTCH})"
    rf"|(?:je|jij) {_SOME}(?:{_DUTCH}) (?:hebt|had|heb)|zei (?:je|jij)"
    r"|(?:jouw|je) (?:\w+ )?(?:advies|tips?|antwoord|aanbeveling(?:en)?)"
    r"|(?:(?:od)?powiedzia|mowi|(?:po|do)?radzi|poleci|zaproponowa|wspomnia|wyjasni|(?:na)?pisa)"
    r"[lł][ae]s"
    r"|ты (?:\w+ ){0,3}?(?:сказал|говорил|(?:по)?советовал|(?:по)?рекомендовал|предложил|ответил"
    r"|(?:на)?писал|объяснил|упомянул)а?"
    r"|тво(?:и|его|ем|их|я|ю) (?:\w+ )?(?:совет\w*|ответ\w*|рекомендаци\w+)"
    r")\b"
    r"|(?:あなた|君).*(?:言った|言って|言いました|勧め|薦め|すすめ|答え|提案し)"
)
"""In words without accents: in English, German, French, Spanish and Portuguese, Italian, Dutch,
Polish, Russian and Japanese."""


def asks_what_sam_said(question: str) -> bool:
    """Return whether a question asks for what Sam said, suggested or explained."""
    return _ASKED.search(flat(unmarked(question))) is not None

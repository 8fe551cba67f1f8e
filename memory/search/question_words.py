"""Recognise kinds of questions by their words: for what Sam said, about Sam, about the owner. Pure.

Vectors recognise other kinds: question_kinds.py.
"""

from __future__ import annotations

import re

from ..text.sentences import is_question
from ..text.task_words import asks_for_notes
from ..text.tokenize import STOP_WORDS, flat, unmarked
from ..text.word_forms import is_unspaced

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
_LIST = 6  # words, or characters of a script without spaces; longer questions are sentences
_FOR_SAMS_WORDS = re.compile(
    r"\b(?:"
    rf"(?:did|do|have|had) (?:you|u) (?:\w+ ){{0,2}}?(?:{_ENGLISH})(?:ed|d)?"
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
    return _FOR_SAMS_WORDS.search(flat(unmarked(question))) is not None


_YOU = re.compile(
    r"\b(?:sam|you|your|yourself|du|dich|dir|dein\w*|tu|toi|te|ton|ta|tes|tú|usted|tus?|você|teu|tua"
    r"|jij|je|jou|jouw|ty|twój|twoj\w*|ciebie|cię|ты|тебя|тебе|твой|твоя|твои|вы|вас|ваш\w*"
    r"|soul|identity|heartbeat|skills?|vault|obsidian|markdown|telegram|commands?|reminders?"
    r"|memor(?:y|ies)|forget|delete|stored|private|cloud|backups?|sync|tasks?)\b"
    r"|あなた|君",
    re.IGNORECASE,
)
_OF_ME = re.compile(
    r"\b(?:about me|know me|about my|tell you|told you|über mich|sur moi|sobre mí|sobre mim"
    r"|su di me|over mij|o mnie|обо мне)\b|私について",
    re.IGNORECASE,
)


_CALLED = re.compile(r"^\W*(?:\w+ ){0,2}sam\s*[,!]|,\s*sam\b(?=\s*(?:[,!?.]|$))", re.IGNORECASE)
"""Sam called by its name: "Hi Sam! …", "Sam, …", "…, Sam?"."""


def is_keyword_list(question: str) -> bool:
    """Return whether a question is a list of keywords instead of a sentence."""
    if is_unspaced(question):
        return len(question) <= _LIST and not is_question(question)
    words = question.casefold().split()
    return 0 < len(words) <= _LIST and STOP_WORDS.isdisjoint(words) and not is_question(question)


def is_about_sam(question: str) -> bool:
    """Return whether a question may be about Sam itself, its files or its skills."""
    return bool(_YOU.search(_CALLED.sub(" ", question))) and not _OF_ME.search(question)


_ABOUT_OWNER = re.compile(
    r"(?:so )?(?:wh?at (?:do|can) (?:you|u) (?:\w+ )?(?:know|remember)(?: \w+)? (?:about|abt|of) me"
    r"(?: so far| already)?"
    r"|what have (?:you|u) (?:\w+ )?(?:learned|learnt|saved|stored|remembered) about me(?: so far)?"
    r"|tell me (?:everything |all |what )?(?:that )?(?:(?:you|u) know )?about (?:me|myself)"
    r"|what have i (?:\w+ )?told (?:you|u)(?: so far)?(?: about (?:me|myself))?|who am i"
    r"|was weiss?t? du (?:\w+ )?(?:ue?ber mich|von mir)"
    r"|was habe? ich dir (?:\w+ )?(?:ue?ber mich )?erza?e?hlt|wer bin ich"
    r"|(?:que sais tu|qu est ce que tu sais) (?:de|sur) moi|qui suis je"
    r"|(?:que|q) sabes (?:\w+ )?(?:de|sobre) mi|quien soy(?: yo)?"
    r"|(?:o que|o q|oq) (?:(?:voce|vc) )?(?:sabe|sabes) (?:de|sobre) mim|quem sou(?: eu)?"
    r"|(?:che )?cosa sai (?:di|su) me|chi sono(?: io)?"
    r"|wat weet je (?:\w+ )?(?:over|van) mij|wie ben ik"
    r"|co (?:o mnie wiesz|wiesz o mnie)|kim jestem"
    r"|что ты (?:обо мне знаешь|знаешь обо мне)|кто я"
    r"|你都?(?:知道|了解|记得)我(?:什么|哪些|多少)|关于我你都?知道(?:些?什么|多少)|我是谁"
    r"|私について何を(?:知って|覚えて)(?:いる|いますか|る)|私は誰(?:ですか)?"
    r"|what (?:do|can|did) (?:you|u) remember"
    r"|what (?:did|have) i (?:ask|asked|tell|told) (?:you|u) to remember"
    r"|what have (?:you|u) (?:remembered|saved)"
    r"|was (?:hast du dir (?:alles )?gemerkt|soll(?:te)?st du dir (?:alles )?merken)"
    r"|was hast du (?:alles )?gespeichert"
    r"|de quoi te souviens tu|qu est ce que tu as retenu|que t ai je demande de retenir"
    r"|(?:que|q) recuerdas|(?:que|q) te pedi (?:que|q) recordaras|(?:che )?cosa ricordi"
    r"|(?:o que|o q|oq) (?:(?:voce|vc) (?:se )?lembra|te pedi para lembrar)|wat heb je onthouden"
    r"|co (?:pamietasz|zapamietal[ae]s)|что ты (?:помнишь|запомнила?)|你记住了什么"
    r"|何を覚えて(?:いる|いますか|る))"
)
"""Without accents, which writers leave out."""


def is_about_owner(question: str) -> bool:
    """Return whether a question asks for all that is known about its owner, and for nothing else.

    No passage answers it by its words or its meaning: "What do you know about me?"
    """
    words = re.findall(r"\w+", unmarked(question).casefold())
    return _ABOUT_OWNER.fullmatch(" ".join(words)) is not None or asks_for_notes(question)

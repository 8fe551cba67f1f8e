"""Recognise an answer in which a model promises a reminder, and extract what the reminder is for.

No table of wordings covers every request ("In an hour I need to take the cake out, shout"). A model
understands it, but may promise the reminder without setting it.
"""

from __future__ import annotations

import re
from datetime import datetime, time

from memory.text import has_question, privacy_remark, split_sentences
from memory.tools import Due, Tasks

from ..assistant import Assistant
from .tasks.reading import read_due

_LONGEST = 500  # characters of a message; in a longer one the time may be of anything
_WILL = re.compile(r"\b(?:i['’]?ll|will|i['’]?m going to)\b").pattern
_PROMISE = re.compile(
    rf"{_WILL}[^.!]{{0,50}}\b(?:remind|shout|ping|nudge|poke|alert|buzz|wake) you\b"
    rf"|{_WILL}[^.!]{{0,50}}\b(?:give you a (?:shout|nudge|poke|buzz|heads[- ]up)|shout)\b"
    r"|\breminder\b[^.!]{0,60}\b(?:set|scheduled|created|saved|added)\b"
    r"|\b(?:set|scheduled|created|added)\b[^.!]{0,40}\b(?:reminder|alarm|timer)\b"
    r"|\bich (?:erinnere|wecke) dich\b|\bich (?:sage? dir|gebe? dir) bescheid\b|\bich melde mich\b"
    r"|\bwerde dich\b[^.!]{0,60}\b(?:erinnern|wecken)\b"
    r"|\berinnerung\b[^.!]{0,60}\b(?:gesetzt|eingestellt|gespeichert|angelegt|erstellt|notiert)\b"
    r"|\bje (?:te|vous) (?:le |la )?(?:rappeller?ai|rappelle|préviendrai|préviens|réveiller?ai)\b"
    r"|\brappel\b[^.!]{0,60}\b(?:programmé|créé|enregistré|ajouté)\b"
    r"|\bte (?:lo )?(?:recordaré|recuerdo|avisaré|aviso|despertaré)\b"
    r"|\brecordatorio\b[^.!]{0,60}\b(?:creado|programado|guardado|puesto)\b"
    r"|\bti (?:ricorderò|ricordo|avviserò|avviso|sveglierò)\b"
    r"|\b(?:vou te|te|eu te) (?:lembrar|lembrarei|lembro|avisar|avisarei|aviso)\b"
    r"|\bik (?:herinner|waarschuw|wek) (?:je|u)\b|\bherinnering\b[^.!]{0,60}\b(?:ingesteld|gezet)\b"
    r"|\b(?:przypomnę|obudzę) (?:ci|cię)\b|\bprzypomnienie\b[^.!]{0,60}\bustawion"
    r"|\b(?:напомню|разбужу)\b|\bнапоминание\b[^.!]{0,60}\b(?:установл|создан|поставл)"
    r"|(?:会|到时候?|准时).{0,12}提醒你|已.{0,8}(?:设|设置|设定).{0,8}提醒",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:if|let me know|tell me|once you|wenn|falls|sag mir|dis[- ]moi|si|dime|se|als|jeśli|если"
    r"|can['’]?t|cannot|won['’]?t|not|nicht|pas|niet|nie|не)\b|如果|不",
    re.IGNORECASE,
)
"""What makes a promise conditional, or none."""


def promises_reminder(answer: str) -> bool:
    """Return whether an answer promises a reminder, on no condition."""
    return any(
        _PROMISE.search(each) and not _DEPENDS.search(each) for each in split_sentences(answer)
    )


async def reminder_promised(
    profile: Assistant, text: str, at: datetime, answer: str
) -> tuple[str, str] | None:
    """Return the command for the reminder that an answer only promises, and its words: those of the
    message `text`, sent at the time `at`, which name its time. None for no such promise, or if a
    task is due at that time already."""
    if len(text) > _LONGEST or has_question(text) or privacy_remark(text) is not None:
        return None
    if not promises_reminder(answer):
        return None
    memory = profile.memory
    rings = time(profile.settings.first_active_hour)
    rule, _, due = read_due(text, at.astimezone(memory.zone), rings=rings)
    if not isinstance(due, Due) or not due.rest or not (due.time or rule):
        return None
    open_ = await Tasks(memory, memory.clock).open()
    is_known = any((task.day, task.time) == (due.day, due.time) for task in open_)
    return None if is_known else ("remind", text)

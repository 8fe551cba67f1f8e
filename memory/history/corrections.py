"""Put the owner's correction of a message before that message.

"Actually her birthday is 15 March" or "sorry, it's Wednesday" shares few words with the question
that it answers, so recall finds the corrected message first, or nothing else. A correction is one
of the owner's next few messages; correction_rules.py decides whether a message is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime

from ..errors import VaultError
from ..log import Log, Message
from ..notes.markdown import block_id, lines
from ..search import Hit, Question
from ..text.clause_words import language_of
from ..text.grammar import telling_words
from ..text.intents import small_talk_kind
from ..text.sanitize import own_part
from ..text.sentences import is_question
from ..text.word_forms import folded, share_beginning, words
from ..vault import Vault
from .correction_rules import (
    apply_correction,
    corrects,
    denies_value,
    is_about_correction,
)

FOLLOWING = 5  # of the owner's messages: a correction comes soon
SEARCHED = 8  # best hits


async def corrected_first(
    hits: Sequence[Hit],
    asked: Question,
    source: Log,
    vault: Vault,
    *,
    moved: bool,
    day_of: Callable[[datetime], date],
) -> tuple[list[Hit], dict[int, date]]:
    """Return the hits with each correction before the message that it corrects, which gets its day
    as `until`; and these days by the ids of the corrected messages.

    A correction that is no hit becomes one, unless the question leaves it out. `moved`: whether the
    order may change; `day_of`: the local day of a moment.
    """
    ids = await _messages_behind(hits[:SEARCHED], source, vault)
    followed = await source.messages.with_next_of_owner(set(ids.values()), FOLLOWING) if ids else {}
    later_ids = {hit.message_ids[0] for hit in hits[:SEARCHED] if _may_be_owners(hit)}
    said = [followed[id_][0] for id_ in later_ids & followed.keys()]
    said += await source.messages.by_ids(later_ids - followed.keys())
    own = [row for row in said if row.origin == "owner"]
    order, days = list(hits), dict[int, date]()
    for hit in hits[:SEARCHED]:
        old, following = followed.get(ids.get(hit.chunk_id, 0), (None, ()))
        if old is None or old.origin != "owner":
            continue
        found = next(reversed(corrections_among(following, old)), None)
        if found is not None and not is_about_correction(asked.text, found.text, old.text):
            continue
        if found is not None:
            new_id, day = found.id, day_of(found.sent_at)
        elif (later := _denying(old, own)) is not None:
            new_id, day = later.id, day_of(later.sent_at)
        else:
            continue
        days[old.id] = day
        at = next(n for n, each in enumerate(order) if each.chunk_id == hit.chunk_id)
        order[at] = order[at]._replace(until=day)
        known = next((n for n, each in enumerate(order) if new_id in each.message_ids), None)
        if moved and known is None and found is not None and not _is_left_out(asked, new_id, day):
            order.insert(at, _as_hit(found, order[at], day))
        elif moved and known is not None and known > at:
            new = order.pop(known)
            order.insert(at, new._replace(score=max(new.score, order[at].score)))
    return order[: max(len(hits), asked.limit)], days


async def corrections_of(messages: Sequence[Message], source: Log) -> set[int]:
    """Return the ids of the owner's messages that correct one of these soon after it."""
    own = [row.id for row in messages if row.origin == "owner"]
    followed = await source.messages.with_next_of_owner(own, FOLLOWING) if own else {}
    return {
        each.id
        for old, following in followed.values()
        for each in corrections_among(following, old)
    }


def corrections_among(following: Sequence[Message], old: Message) -> list[Message]:
    """Return those of the owner's next messages that correct the old one, or each other."""
    found, at_once, text = list[Message](), True, old.text
    for row in following:
        said_at_once = at_once or row.turn_id == old.turn_id
        is_one = row.author == old.author and corrects(row.text, text, at_once=said_at_once)
        if is_one:
            found.append(row)
            text = apply_correction(row.text, text) or text
        elif small_talk_kind(row.text) is not None:
            continue  # "Are you sure?" is about no other subject
        if is_question(row.text):
            at_once = _keeps_subject(row.text, old.text, kept=at_once)
        else:
            at_once = at_once and is_one
    return found


def _is_left_out(asked: Question, message_id: int, day: date) -> bool:
    first, last = asked.since or date.min, asked.until or date.max
    return asked.leaves_out(message_id) or not first <= day <= last


async def _messages_behind(hits: Sequence[Hit], source: Log, vault: Vault) -> dict[int, int]:
    """Map the hits that are a message of the owner's, or a fact of Sam's or a line of MEMORY.md
    from one alone, to it."""
    found = {}
    for hit in hits:
        if _may_be_owners(hit) and hit.until is None:
            found[hit.chunk_id] = hit.message_ids[0]
        elif hit.kind == "fact" and hit.until is None:
            for row in (await source.facts.of_path(hit.path)).values():
                if row.state == "sams" and len(row.sources) == 1 and row.text == hit.text:
                    found[hit.chunk_id] = row.sources[0]
        elif hit.kind == "memory" and (asked_by := await _asked_by(hit, source, vault)):
            found[hit.chunk_id] = asked_by
    return found


async def _asked_by(hit: Hit, source: Log, vault: Vault) -> int | None:
    """Return the only message that asked to remember a line of MEMORY.md in the words that it still
    has; None without one, or if the file cannot be read."""
    if hit.until is not None:
        return None
    try:
        rows = lines(await vault.read_optional(hit.path) or "")
    except VaultError:
        return None
    said = hit.text.partition(": ")[2]
    named = [block_id(row) for row in rows[hit.start_line - 1 : hit.end_line] if said in row]
    name = named[0] if said and len(named) == 1 else ""
    ids = await source.saved.sources(f"^{name}") if name else ()
    messages = await source.messages.by_ids(ids)
    return ids[0] if len(ids) == 1 and messages and said in messages[0].text else None


def _keeps_subject(question: str, old: str, *, kept: bool) -> bool:
    """Return whether a question may be about the older message: it shares a word with it, or it has
    no subject of its own ("when is it?") and the subject was `kept` so far."""
    asked, said = telling_words(question), telling_words(old)
    if any(share_beginning(one, two) for one in asked for two in said):
        return True
    pronouns = language_of(question).others
    return kept and (not asked or not pronouns.isdisjoint(words(folded(question))))


def _may_be_owners(hit: Hit) -> bool:
    """Return whether a hit may be a message of the owner's; only its origin in the log tells for
    sure."""
    return hit.is_message and hit.role == "user"


def _denying(old: Message, own: Sequence[Message]) -> Message | None:
    """Return the last of the owner's later messages that denies a value of the old one; None if
    there is none. In a group each member is an owner, and only the same author's messages count."""
    text = own_part(old.text)
    later = [
        row
        for row in own
        if row.id > old.id
        and len({row.author, old.author} - {""}) < 2
        and denies_value(own_part(row.text).strip(), text)
    ]
    return max(later, key=lambda row: row.id, default=None)


def _as_hit(found: Message, old: Hit, day: date) -> Hit:
    """Return a message as a hit like the one that it corrects; its id is that of no passage."""
    return old._replace(
        path=f"log/{day}",
        heading="",
        kind="message",
        role="user",
        chat=found.chat,
        start_line=1,
        end_line=found.text.count("\n") + 1,
        text=found.text,
        date=day,
        chunk_id=-found.id,
        message_ids=(found.id,),
        until=None,
        past=(),
    )

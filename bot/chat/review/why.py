"""/why: show the messages that a line came from, with dates and text.

The first message of this chat is shown by replying to it, so that a tap leads there; the others
have buttons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from memory import Memory, Message, Said
from memory.text import clipped, counted, mark, one_line, tn, tr
from memory.tools import WEAK, Origins, Why, origin_sentence, quoted

from ...assistant import Assistant
from ...markdown_escape import escape
from ...turn.incognito import without_embedding
from ..lookup.open_source import cited_message
from ..protocol import Button, Call, Outcome, Press, Shown, in_rows

LINE = 500  # characters of a line
ASKED = 600  # characters of an answer used to find its sources
IN_A_ROW = 5  # buttons
GONE = mark("That is no longer kept.")
NOTHING = mark("I have nothing about that, so I cannot tell where it comes from.")
LATELY = timedelta(days=30)
NAMED = 3  # notes


async def why(call: Call) -> Shown | str:
    """Show the source of something: /why WORDS, or as a reply to an answer"""
    if not call.words and call.answers is None:
        return tr(
            "What should I explain? Write it after the command: `/why Ana's birthday`, or reply "
            "with `/why` to one of my answers."
        )
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        origins = Origins(call.profile.memory, private=True, now=call.at)
        if call.words:
            found = await origins.of_words(call.words)
        else:
            assert call.answers is not None, "it is asked for above"
            found = await _of_message(call, origins, call.answers)
    shown = _shown(call.profile, call.chat, found) if found else Shown(tr(NOTHING))
    if call.answers is None or call.words:
        return shown
    sent = await call.profile.memory.log.messages.by_telegram_id(
        call.chat, call.answers.telegram_ids[0]
    )
    rows = await describe_answer(call.profile.memory, sent) if sent is not None else []
    return replace(shown, text="\n\n".join([shown.text, *map(escape, rows)]))


async def explain_button(press: Press) -> Outcome:
    """Explain a search result, or the source that a message shows."""
    origins = Origins(press.profile.memory, private=True, now=press.at)
    found = await _of_argument(press.profile, origins, press.argument)
    if not found:
        return Outcome(toast=tr(GONE))
    return Outcome(message=_shown(press.profile, press.chat, found))


async def _of_message(call: Call, origins: Origins, to: Said) -> list[Why]:
    """Explain the message that the command replies to, by its shown sources or its words."""
    opens = await call.opens(call.chat, to.telegram_ids[0])
    found = [why for each in opens for why in await _of_argument(call.profile, origins, each)]
    if found:
        return list({(why.path, why.line, why.text): why for why in found}.values())
    logged = await call.profile.memory.log.messages.by_telegram_id(call.chat, to.telegram_ids[0])
    if logged is not None and logged.role == "user":
        return await origins.of_message(logged.id)
    text = logged.text if logged is not None else to.text
    # The answer itself matches, of course, and so does the question.
    without = await _of_turn(call.profile, logged) if logged is not None else []
    return await origins.of_words(clipped(one_line(text), ASKED), without) if text else []


async def _of_turn(profile: Assistant, message: Message) -> list[int]:
    session = await profile.memory.log.messages.of_session(message.session_id)
    return [each.id for each in session if each.turn_id == message.turn_id]


async def _of_argument(
    profile: Assistant, origins: Origins, argument: Mapping[str, Any]
) -> list[Why]:
    match argument:
        case {"message": int(id)}:
            return await origins.of_message(id)
        case {"day": str(day), "quote": str(quote)}:
            found = await cited_message(profile, day, quote)
            return await origins.of_message(found.id) if found else []
        case {"path": str(path), "from": int(first), "to": int(last)}:
            return await origins.of_passage(path, first, last, str(argument.get("words", "")))
    return []


def _shown(profile: Assistant, chat: str, found: Sequence[Why]) -> Shown:
    rows, zone = [tr(WEAK)] if any(each.weak for each in found) else [], profile.memory.zone
    number, named = 0, dict[int, int]()
    for each in found:
        if each.line:
            batch = tr(" · summary {batch}", batch=each.batch) if each.batch else ""
            rows.append(f"**{escape(clipped(each.words, LINE))}**")
            rows[-1] += "\n" + escape(f"{each.path}:{each.line}{batch}")
            rows.append(origin_sentence(each))
        for message in each.messages:
            if message.id in named:
                rows.append(tr("the message {named}", named=named[message.id]))
                continue
            number += 1
            named[message.id] = number
            rows.append(f"{number}. {escape(quoted(message, zone, tr('You')))}")
    messages = list({m.id: m for each in found for m in each.messages}.values())
    first = next((m for m in messages if m.chat == chat and m.telegram_ids), None)
    others = [
        Button(f"{named[m.id]}", "open", {"message": m.id}) for m in messages if m is not first
    ]
    answers = first.telegram_ids[0] if first else None
    return Shown("\n\n".join(rows), in_rows(others, IN_A_ROW), answers)


async def describe_answer(memory: Memory, answer: Message) -> list[str]:
    """Return the lines about one of Sam's answers; none for another message."""
    if answer.role != "assistant":
        return []
    usd = await memory.log.usage.of_turn(answer.turn_id)
    rows = [tr("This answer cost ${usd:.4f}.", usd=usd)] if usd else []
    marked = await memory.log.feedback.of(answer.id)
    if marked is not None:
        day = f"{marked.at.astimezone(memory.zone):%Y-%m-%d}"
        rows.append(tr("You marked it with 👎 on {day}.", day=day))
    return rows


async def dislike_report(memory: Memory) -> list[str]:
    """Return a line about recently marked answers, and their sources."""
    marked = await memory.log.feedback.disliked(memory.clock() - LATELY)
    if not marked:
        return []
    notes = Counter(path for each in marked for path in each.sources)
    line = tr(
        "marked with 👎 in the last {days} days: {answers}",
        days=LATELY.days,
        answers=tn("{count} answer", "{count} answers", len(marked)),
    )
    named = dict(notes.most_common(NAMED))
    return [
        tr("{line}; shown with them: {counted}", line=line, counted=counted(named))
        if named
        else line
    ]

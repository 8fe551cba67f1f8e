"""/forget: list what is kept about something, with buttons to forget all or single items."""

from __future__ import annotations

from dataclasses import replace

from memory.maintenance import forget_words
from memory.text import (
    NO,
    YES,
    is_last_message,
    mark,
    object_to_forget,
    places_named,
    privacy_remark,
    recognise_intent,
    stands_for_one,
    tr,
)
from memory.tools import Origins

from ...assistant import Assistant
from ...markdown_escape import escape
from ...turn.incognito import MARK
from ...turn.quotes import count_shared, words_of
from ..protocol import Button, Call, Keyboard, Outcome, Press, Shown, as_shown, in_rows
from .choice import Chosen, Listed, chosen_numbers
from .erase import erase_choice
from .find import find_kept
from .wording import listing, out_of_reach, receipt

ONLY = 8  # buttons for single items
IN_A_ROW = 4
_PAIR = 2  # items
LONGEST_NAME = 8  # words of an answer that names one item
_ONE = 3  # words of "that one"
_ANY = 1_000  # more than are listed
HOW = mark(
    "What should I forget? Write it after the command: `/forget Ana's birthday`, or reply with "
    "`/forget` to a message. I will show you everything first."
)
NOTHING = mark("I have nothing about that. Anything you still see about it is only in Telegram.")
NOTHING_HERE = mark("I have nothing about that.")
TERMINAL = mark("Which ones? Write their numbers (1 3) or “all”. Anything else keeps everything.")
TERMINAL_ONE = mark("Forget it? Write “yes”. Anything else keeps it.")
ALL = {
    *("all", "everything", "alle", "alles", "todo", "todos", "tout", "tous", "tutto", "tutti"),
    *("tudo", "wszystko", "всё", "все", "全部"),
}
KEEP = NO | {
    *("0", "keep", "none", "behalten", "keins", "rien", "garder", "ninguno", "nada", "nessuno"),
    *("nenhum", "niets", "żadne", "zostaw", "ничего", "оставь"),
}
KEPT = mark("Kept: nothing was forgotten.")
NEXT = mark(
    "If you meant what you will say next: say it in the same message, or send /incognito before it."
)


async def forget(call: Call) -> Shown | str:
    """Forget something for good, in every copy: /forget WORDS, or as a reply to a message"""
    memory = call.profile.memory
    if (said := privacy_remark(call.words)) is not None and not said.rest:
        return await _last_message(call, f"\n\n{escape(tr(NEXT))}")
    if is_last_message(call.words):
        return await _last_message(call)
    if object_to_forget(call.words):
        return await list_kept(call.profile, call.chat, call.words)
    if call.answers is not None:
        to = call.answers.telegram_ids[0]
        message = await memory.log.messages.by_telegram_id(call.chat, to)
        listed = Listed(await forget_words.of_message(memory, message))
        return _shown(call.profile, call.chat, listed)
    return tr(HOW)


async def _last_message(call: Call, behind: str = "") -> Shown:
    """Show everything that is kept about the message that "don't write that down" is about, or
    "delete my last message": the one that it replies to, or the sender's last one."""
    messages = call.profile.memory.log.messages
    if await call.profile.turns.incognito.is_on(call.chat):
        return Shown(escape(tr(MARK)))
    if call.answers is not None:
        ids = call.answers.telegram_ids  # none for a message of another chat
        message = await messages.by_telegram_id(call.chat, ids[0]) if ids else None
    else:
        message = next(iter(await messages.last_of_user(call.chat)), None)
    listed = Listed(await forget_words.of_message(call.profile.memory, message))
    shown = as_shown(_shown(call.profile, call.chat, listed))
    return replace(shown, text=shown.text + behind)


async def list_result(press: Press) -> Outcome:
    """Show everything that is kept about a search result, for forgetting."""
    profile, memory = press.profile, press.profile.memory
    match press.argument:
        case {"message": int(id)}:
            message = next(iter(await memory.log.messages.by_ids([id])), None)
            listed = Listed(await forget_words.of_message(memory, message))
            answer = _shown(profile, press.chat, listed)
        case {"path": str(path), "from": int(first), "to": int(last), "words": str(words)}:
            origins = Origins(memory, private=True, now=press.at)
            found = await origins.of_passage(path, first, last, words)
            line = found[0].text if found else ""
            answer = await list_kept(profile, press.chat, line)
        case _:
            answer = tr(NOTHING)
    return Outcome(message=as_shown(answer))


async def list_kept(profile: Assistant, chat: str, words: str) -> Shown | str:
    """List what is kept about the words, with buttons to forget it."""
    listed = await find_kept(profile.settings, profile.memory, words, chat)
    return _shown(profile, chat, listed)


def _shown(profile: Assistant, chat: str, listed: Listed) -> Shown | str:
    on_telegram = chat.startswith("telegram:")
    if not listed.count and not listed.kept.yours:
        return tr(NOTHING if on_telegram else NOTHING_HERE)
    rows = listing(listed, profile.memory.zone)
    rows += ["", *out_of_reach(profile.settings, profile.memory)]
    if listed.count and not on_telegram:
        rows += ["", tr(TERMINAL if listed.count > 1 else TERMINAL_ONE)]
    keyboard = _keyboard(listed, ONLY if on_telegram else listed.count)
    return Shown("\n".join(escape(row) for row in rows), keyboard)


def _parse_choice(keyboard: Keyboard, answer: str) -> Button | None:
    """Parse an answer to TERMINAL or TERMINAL_ONE into one button: "all", numbers, "the last one",
    or "yes" for the only item; None for anything else."""
    buttons = [button for row in keyboard for button in row if button.action == "forget"]
    single = buttons[1:] or buttons
    if answer in (ALL if len(single) > 1 else ALL | YES):
        return next(iter(buttons), None)
    chosen = [Chosen.of(button.argument) for button in single]
    named = chosen_numbers(answer, len(single))
    # On Telegram, only the first items have a button: the last of these may not be the last one.
    if not named and Chosen.together(chosen) == Chosen.of(buttons[0].argument):
        places = places_named(answer, len(single))
        named = [] if len(places) == len(single) > _PAIR else places  # "both" of three is unclear
    if not named:
        return None
    argument = Chosen.together(chosen[number - 1] for number in named).argument()
    return replace(buttons[0], argument=argument)


def parse_typed_answer(keyboard: Keyboard, answer: str) -> Button | Shown | None:
    """Parse an answer that is typed in place of a press of a button below what is listed, "no" too.
    "Forget" may stand before it.

    Return the button, or the question again, where "yes" names none of several, or a number none of
    the list. None for anything else, and for other keyboards."""
    keeps = [each for row in keyboard for each in row if each.action == "forget.keep"]
    said = _without_verb(answer.strip(" .!")).casefold()
    if not keeps:
        return None
    if said in KEEP:
        return keeps[0]
    if (button := _parse_choice(keyboard, said)) is not None:
        return button
    if said not in YES and not places_named(said, _ANY):
        return None
    several = sum(each.action == "forget" for row in keyboard for each in row) > 1
    return Shown(escape(tr(TERMINAL if several else TERMINAL_ONE)), keyboard)


async def narrowed(
    profile: Assistant, chat: str, keyboard: Keyboard, answer: str
) -> Shown | str | None:
    """List the only message of a list that "the one about jazz" names, to be confirmed; None if the
    answer has no such words, or names none of the messages or several."""
    words = _words_for_one(_without_verb(answer.strip(" .!")))
    buttons = [button for row in keyboard for button in row if button.action == "forget"][1:]
    ids = {id_ for each in buttons for id_ in Chosen.of(each.argument).choice.messages}
    if not words or not ids:
        return None
    memory = profile.memory
    messages = await memory.log.messages.by_ids(ids)
    shared = [count_shared(words, words_of(row.text)) for row in messages]
    named = [row for row, count in zip(messages, shared, strict=True) if count == max(shared)]
    if len(named) != 1 or not max(shared):
        return None
    return _shown(profile, chat, Listed(await forget_words.of_message(memory, named[0])))


def _words_for_one(answer: str) -> set[str]:
    """Return the words that tell which one is meant: of "the one about jazz" and "the jazz one"
    jazz; none of other texts."""
    said = answer.split()
    if not 1 < len(said) <= LONGEST_NAME:
        return set()
    for size in range(min(len(said) - 1, _ONE), 0, -1):
        if stands_for_one(" ".join(said[:size])):
            return words_of(" ".join(said[size:]))
    return words_of(" ".join(said[:-1])) if stands_for_one(said[-1]) else set()


def _without_verb(answer: str) -> str:
    """Return what "forget 2" or "forget all" chooses: "2", "all". "Forget it" chooses nothing,
    since it may mean "never mind"."""
    intent = recognise_intent(answer)
    if intent is None or intent.kind != "forget":
        return answer
    return intent.words or next(iter(ALL.intersection(answer.casefold().split())), "")


async def forget_chosen(press: Press) -> Outcome:
    """Forget the button's items, as they were shown."""
    profile = press.profile
    done = await erase_choice(profile.settings, profile.memory, Chosen.of(press.argument))
    toast = tr("It is already forgotten.") if done.nothing else tr("Forgotten.")
    if done.nothing and not done.erased.changed:
        return Outcome(toast)  # the receipt of the first press stays
    rows = receipt(done, profile.settings, profile.memory)
    return Outcome(toast, replace=Shown("\n".join(map(escape, rows))), leaves_nothing=True)


def _keyboard(listed: Listed, most: int) -> Keyboard:
    """Return a button for all, and one for each of the first `most` items."""
    if not listed.count:
        return ()
    label = tr("Forget all {count}", count=listed.count) if listed.count > 1 else tr("Forget it")
    every = Button(label, "forget", listed.choice().argument())
    single = [
        Button(tr("Only {number}", number=number), "forget", listed.choice([number]).argument())
        for number in range(1, min(most, listed.count) + 1)
        if listed.count > 1
    ]
    return ((every,), *in_rows(single, IN_A_ROW), (Button(tr("Keep"), "forget.keep"),))

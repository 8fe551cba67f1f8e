"""Handle edited messages: update the log at once and the memory soon; answer again on request."""

from __future__ import annotations

import asyncio
import logging
import re
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from telegram import Message

from memory import Message as Logged
from memory import Said, SamError, StoreError, Turn, is_group
from memory.text import leading_quotation, mark, tr

from ..assistant import Assistant
from ..chat.answer_edited import button
from ..chat.plain_commands import command_in_words
from ..chat.protocol import Shown
from ..errors import ChatError
from ..markdown_escape import escape
from ..media import CORRECTED, FILE, Attachment, MediaFiles, content
from ..turn.privacy_remarks import said_of
from . import parse
from .api.sender import Sender
from .conversation import ConversationRunner
from .intake.dispatcher import ByChat

log = logging.getLogger(__name__)

SEEN = "✍"  # the reaction to an edit that does not change the meaning
NOTED = mark("I have noted your edit. My answer above was to the old text.")
IS_COMMAND = mark(
    "I do not follow edits of commands: send it again. What I did for the old text you can take"
    " back with the button below my answer, or with /undo."
)
NEW_FILE = mark(
    "You replaced a file by an edit, which I do not read: I still know only the first file. Send "
    "the other one as a new message."
)
# A minus, a word, or a sign that is no punctuation.
_WORD = re.compile(r"(?<!\w)-(?=\d)|\w+|[^\w\s.,;:!?…'\"“”„‘’`()\-–—*_~¡¿«»‹›。、「」『』《》]")
LONG_WORD = 5  # letters; one wrong letter in a shorter word may be another word


class Edits:
    """Handle the edits of all chats. `username` gives the bot's own; `corrects` corrects a voice
    message if a message is a reply to its transcript, and returns whether it is."""

    def __init__(
        self,
        talk: ConversationRunner,
        sender: Sender,
        order: ByChat,
        username: Callable[[], str],
        corrects: Callable[[Assistant, Message], Awaitable[bool]],
        reworded: Callable[[Assistant, int, Message], Awaitable[bool]],
    ) -> None:
        self._talk, self._sender, self._order, self._username = talk, sender, order, username
        self._corrects, self._reworded = corrects, reworded

    async def handle_edit(self, profile: Assistant, update_id: int, message: Message) -> None:
        """Correct the log. If the message was answered, say so, and offer a new answer where the
        change may matter."""
        message = await self._talk.for_models(profile, message)
        said = parse.said_message(message)
        if message.voice:
            return
        if has_new_file := await _has_new_file(profile, message):
            await self._say(profile, update_id, message, tr(NEW_FILE))
        if said is None and content(message.to_dict()).file is not None:
            said = parse.described_message(message)  # its caption was removed
        if said is None:
            return
        if parse.command(message, self._username()):
            return await self._say(profile, update_id, message, tr(IS_COMMAND))
        async with self._order.locked(parse.place_of(message).chat):
            if await self._reworded(profile, update_id, message):
                return
        if await self._corrects(profile, message):
            return await self._say(profile, update_id, message, tr(CORRECTED))
        edit = await _log_edit(profile, message, said, None)
        if edit.is_ignored:
            return
        if edit.before is None or edit.turn is None or edit.turn.state == "open":
            # It may not be logged yet; and the offer must come after the answer in progress.
            async with self._order.locked(said.chat):
                edit = await _log_edit(profile, message, edit.said, edit.before)
        said, before, turn = edit.said, edit.before, edit.turn
        asked = (said.chat, said.text, _edited_at(message))
        if before is None and await command_in_words(profile, *asked):
            return await self._say(profile, update_id, message, tr(IS_COMMAND))
        if before is None or turn is None or before.text == said.text or is_group(profile.name):
            return
        if await profile.turns.incognito.is_on(said.chat):
            return
        if not edit.differs:
            return await self._show_seen(message)
        if turn.state == "answered" and not has_new_file:
            buttons = ((button(before.id),),) if said.text else ()
            shown = Shown(tr(NOTED), buttons, answers=message.message_id)
            await self._show(profile, update_id, message, shown)
        try:
            await profile.redo_edited()
        except StoreError:
            raise
        except SamError as busy:  # the next summary does it
            log.info("what was made of old words stays for now: %s", busy)

    async def _say(self, profile: Assistant, update_id: int, message: Message, text: str) -> None:
        if not is_group(profile.name):
            shown = Shown(escape(text), answers=message.message_id)
            await self._show(profile, update_id, message, shown)

    async def _show(
        self, profile: Assistant, update_id: int, message: Message, shown: Shown
    ) -> None:
        place = parse.place_of(message)
        await self._talk.say(f"update:{update_id}", profile.name, place, shown)

    async def _show_seen(self, message: Message) -> None:
        try:
            await self._sender.react(parse.place_of(message), message.message_id, SEEN)
        except ChatError as refused:
            log.debug("an edit is not acknowledged: %s", refused)


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit. `before`: its logged message as it was, None if it is not logged; `is_ignored`: that
    is forgotten, or was incognito; `differs`: the meaning has changed."""

    said: Said
    before: Logged | None
    turn: Turn | None
    differs: bool
    is_ignored: bool


async def _log_edit(
    profile: Assistant, message: Message, said: Said, before: Logged | None
) -> _Edit:
    """Correct the logged message. `before`: as it was, if that is known."""
    messages = profile.memory.log.messages
    before = before or await messages.by_key(said.key, said.sent_at)
    said = _with_lost_quotation(said, message, before)
    if (found := said_of([said])) is not None and before is not None:
        await profile.memory.log.turns.make_sensitive([before.id])
        if found.kind == "unkept":  # as if its text had been removed
            said = replace(said, text="")
    differs = before is None or not same_meaning(before.text, said.text)
    now = None
    if before is not None:
        now = await messages.edit(said.key, said.text, _edited_at(message), meaning_changed=differs)
    turn = await profile.memory.log.turns.of(said.key)
    return _Edit(said, before, turn, differs, now is not None and now.text != said.text)


def _edited_at(message: Message) -> datetime:
    return message.edit_date or message.date


def _with_lost_quotation(said: Said, message: Message, before: Logged | None) -> Said:
    """Return an edited message with the quotation before its logged text, if it replied to a
    message that was deleted since: Telegram's edit does not name that message any more."""
    names_it = message.reply_to_message or message.quote or message.external_reply
    if before is None or names_it or leading_quotation(said.text):
        return said
    parts = filter(None, (leading_quotation(before.text), said.text))
    return replace(said, text="\n\n".join(parts))


async def _has_new_file(profile: Assistant, message: Message) -> bool:
    """Return whether an edit put a file into a logged message, or another one than it had.

    Telegram does not say what an edit changes: the label of the file does, and its content's id.
    """
    file, key = content(message.to_dict()).file, parse.message_key(message)
    messages = profile.memory.log.messages
    before = [await messages.by_key(each, message.date) for each in (key, f"{key}{FILE}")]
    texts = [row.text if row is not None else "" for row in before]
    if file is None or not any(texts):  # incognito, forgotten, or not logged
        return False
    if not texts[1].startswith(f"[{file.label}"):
        return True
    return await asyncio.to_thread(_is_other, profile.memory.profile.files.media, file)


def _is_other(folder: Path, file: Attachment) -> bool:
    """Return whether a file of the same label is kept of a message, but not this one. One that
    was kept by an earlier version, without the id of its content, is compared by its size."""
    files, place = MediaFiles(folder), (file.chat_id, file.message_id)
    first, here = files.of(*place), files.path(*place, file.suffix, file.unique)
    if first is None or here.exists():
        return False
    if first == files.path(*place, file.suffix):
        return file.size is not None and file.size != first.stat().st_size
    return True


def same_meaning(before: str, after: str) -> bool:
    """Return whether two texts differ only in punctuation, case, white space and small typos.

    A typo is one wrong, missing, doubled or swapped letter in a longer word of an alphabetic
    script.
    """
    words, others = _words(before), _words(after)
    return len(words) == len(others) and all(map(_same, words, others))


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(re.sub(r"['’`]", "", folded))


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    if min(len(word), len(other)) < LONG_WORD or word[0] != other[0]:
        return False
    if not (_has_case(word) and _has_case(other)):
        return False
    return _is_one_slip(word, other)


def _has_case(word: str) -> bool:
    return word.isalpha() and word.upper() != word


def _is_one_slip(word: str, other: str) -> bool:
    """Return whether one letter was inserted, left out or replaced, or two were swapped."""
    short, long = sorted((word, other), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) - len(short) == 1:
        return short[at:] == long[at + 1 :]
    if len(long) != len(short):
        return False
    swapped = short[:at] + short[at + 1 : at + 2] + short[at : at + 1] + short[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or swapped == long

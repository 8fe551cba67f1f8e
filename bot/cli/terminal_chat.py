"""The chat in the terminal: the same turns as on Telegram, from a terminal, a pipe or a file.

A line is a message; `/quit`, Ctrl-D or the end of the input ends it, Ctrl-C breaks off an answer.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shlex
import signal
import sys
import uuid
from collections.abc import Coroutine
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

from memory import OWNER, LockHeld, Message, Said, SamError, Turn, profile_of
from memory.infra import RunLock
from memory.text import ENGLISH, mark, speaking, tr
from memory.vault import turn_group

from .. import logs
from ..app import Sam, running
from ..app.banner import banner
from ..chat.actions import ACTIONS
from ..chat.commands import COMMANDS, unknown
from ..chat.forgetting import forget
from ..chat.plain_commands import carry_out, command_in_words, command_left_undone
from ..chat.protocol import (
    Button,
    Call,
    Keyboard,
    Press,
    Shown,
    as_shown,
    chosen,
    how_to_choose,
    offered,
)
from ..errors import ModelError, described
from ..markdown_escape import escape
from ..settings import Settings, environment
from ..turn import Cite, Done, Notice, Restart, Text, ToolUse
from .line_editor import Lines
from .screen import Screen

log = logging.getLogger(__name__)

CHAT = "terminal"
QUIT = ("/quit", "/exit")
BEGINNING = mark("/help lists everything else, /quit exits.")
STOPPED = mark("stopped")
WRITE = mark("Just write, or use a command:")
END = mark("End the chat")
CTRL_C = mark("Ctrl-C stops an answer.")
TELEGRAMS = mark("/{name} is only needed on Telegram.")
NO_FILES = mark(
    "In a terminal I cannot read files, and kept nothing of {name}. Send it to me on Telegram, or "
    "put notes into the vault. Chats from other programs: `sam import FILE`, in a shell."
)
ELSEWHERE = ("start", "stop", "pair")  # not needed here, or replaced by Ctrl-C
HERE = {name: command for name, command in COMMANDS.items() if name not in ELSEWHERE}


async def converse(settings: Settings, profile: str = OWNER) -> int:
    """Run `sam chat` with that profile, from the banner to the end of the input; the exit code."""
    files = profile_of(settings, profile).files
    logs.start(settings, to_file=files.chat_log)
    async with running(settings, sole=False, profile=profile) as sam:
        commands = [*(f"/{name}" for name in HERE), QUIT[0]]
        with Lines(sys.stdin, files.chat_history, commands) as lines, ExitStack() as stack:
            console = TerminalChat(sam, lines, Screen(sys.stdout))
            await sam.profiles.start(console.speak)
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, console.interrupt)
            loop.add_signal_handler(signal.SIGTERM, console.end)
            try:
                # Another terminal may be in the middle of a turn, which must not be resumed here.
                stack.enter_context(RunLock(files.chat_lock))
                alone = True
            except LockHeld:
                alone = False
            await console.run(alone=alone)
    return 0


def _terminal_language() -> str:
    """Return the code of the language in which programs write to this terminal: `de` for
    `LANG=de_DE.UTF-8`, English for none."""
    named = next(filter(None, environment(("LC_ALL", "LC_MESSAGES", "LANG")).values()), "")
    code = re.match(r"[a-z]{2,3}(?=[_.@-]|$)", named)
    return code[0] if code else ENGLISH


def _dragged_file(line: str) -> str:
    """Return the name of the file whose path is the whole line, quoted or escaped as a terminal
    does it when a file is dragged into it; "" for any other line."""
    try:
        (word,) = shlex.split(line)
        path = Path(word)
        return path.name if path.is_absolute() and path.is_file() else ""
    except (ValueError, OSError):  # an open quote, several words; too long for a path
        return ""


class TerminalChat:
    """One conversation."""

    def __init__(self, sam: Sam, lines: Lines, screen: Screen) -> None:
        self._sam, self._profile = sam, sam.main
        self._profile.in_terminal(_terminal_language())
        self._lines, self._screen = lines, screen
        self._doing: asyncio.Task[None] | None = None
        self._stopped = False
        self._to_forget: Keyboard = ()
        """The choice below the last answer, if it was about what to forget."""
        self._offered: Keyboard = ()
        """The buttons below what was shown last."""
        self._asked = False
        """Whether the owner asked for that."""

    async def run(self, *, alone: bool = True) -> None:
        """Print the banner, answer what a crash left open (if `alone`), then read lines."""
        self._screen.line("\n".join(await banner(self._profile)))
        with speaking(await self._profile.language()):
            self._screen.line(f"  {tr(BEGINNING)}\n")
        if alone:
            for turn in await self._profile.memory.log.turns.open(CHAT):
                if not turn.message.text:  # it was incognito: its text is gone
                    await self._profile.turns.fail(turn, "interrupted")
                    continue
                self._screen.line(f"> {turn.message.text}")
                await self._do(self._answer(turn))
        while (line := await self._lines.next()) is not None:
            text = line.strip()
            if not self._lines.typed and text:
                self._screen.line(f"> {text}")
            if text in QUIT:
                break
            if text:
                await self._do(self._line(text))
        if not self._lines.typed:  # from a pipe: run the due jobs before the end
            for job in ("summarise", "facts"):
                await self._sam.jobs.finish(job, profile=self._profile.name)

    def interrupt(self) -> None:
        """Ctrl-C: interrupt the answer; without one, end."""
        if self._doing is None:
            self._screen.line("")
            self._lines.end()
        else:
            self._stopped = True
            self._doing.cancel()

    def end(self) -> None:
        """SIGTERM: end now. An answer in progress is completed at the next start."""
        self._lines.end()
        if self._doing is not None:
            self._doing.cancel()

    async def speak(
        self,
        profile: str,
        text: str,
        *,
        key: str = "",
        keyboard: Keyboard = (),
        silent: bool = False,
        logged: str = "",
    ) -> None:
        """Show the owner an unprompted message, above the current input."""
        assert profile == self._profile.name, "only this profile's jobs run here"
        erase, typed = self._lines.unfinished()
        self._screen.steer(erase)
        with speaking(await self._profile.language()):
            self._show(Shown(text, keyboard), asked=False)
        self._screen.line()
        self._screen.write(typed)
        await self._profile.memory.log.messages.log_unprompted(
            CHAT, logged or text, sent_at=self._sam.clock()
        )

    async def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Handle one line; print errors as sentences."""
        self._stopped = False
        with speaking(await self._profile.language()):
            self._doing = asyncio.create_task(work)
            await self._ended(self._doing)

    async def _ended(self, doing: asyncio.Task[None]) -> None:
        try:
            await doing
        except asyncio.CancelledError:
            if not doing.cancelled():
                raise
            self._screen.line(f"\n({tr(STOPPED)})" if self._stopped else "")
        except SamError as wrong:
            log.warning("%s", wrong)
            self._screen.line(described(wrong))
        finally:
            self._doing = None
        self._screen.line("")

    async def _line(self, text: str) -> None:
        choice, self._to_forget = self._to_forget, ()
        button, self._offered = chosen(self._offered, text, asked=self._asked), ()
        command = await self._command_in(text)
        forgets = command is not None and command[0] == "forget"  # its words shall be forgotten
        if not (forgets or await self._profile.turns.keeps_nothing_of(self._said(text))):
            self._lines.keep(text)
        answer = forget.parse_typed_answer(choice, text)
        if isinstance(answer, Button):
            await self._press(answer)
        elif answer is not None:
            self._show(answer, asked=True)
        elif button is not None:
            await self._press(button)
        elif command:
            await self._command(*command, sentence="" if text[0] == "/" else text)
        elif name := _dragged_file(text):
            self._screen.markdown(tr(NO_FILES, name=escape(name)))
        elif choice and (one := await forget.narrowed(self._profile, CHAT, choice, text)):
            self._show(as_shown(one), asked=True)
        else:
            if choice:
                self._screen.line(f"{tr(forget.KEPT)}\n")
            await self._answer(await self._profile.turns.begin(self._said(text)))

    async def _command_in(self, text: str) -> tuple[str, str] | None:
        """Return the name and the words of the command that a line is; None for a message."""
        if text[0] != "/":
            return await command_in_words(self._profile, CHAT, text, self._sam.clock())
        name, _, words = text[1:].partition(" ")
        return None if "/" in name else (name.lower(), words)  # the path of a file

    def _said(self, text: str) -> Said:
        key = f"{CHAT}:{uuid.uuid4().hex}"
        return Said(key=key, chat=CHAT, text=text, sent_at=self._sam.clock())

    async def _answer(self, turn: Turn) -> None:
        turns, token = self._profile.turns, logs.turn_id.set(turn.id)
        try:
            done = await self._shown(turn)
            await turns.finish(turn, done, self._sam.clock())
            said, unkept = turn.message, turns.incognito.is_incognito_turn(turn.id)
            asked = (said.text, said.sent_at, done)
            if not unkept and (left := await command_left_undone(self._profile, *asked)):
                self._screen.line("")
                with turn_group(turn.id):
                    await self._command(*left, sentence=said.text, logged=said)
        except asyncio.CancelledError:
            if self._stopped:
                await turns.stop(turn)
            raise
        except ModelError as failed:
            await turns.fail(turn, str(failed))
            raise
        finally:
            logs.turn_id.reset(token)

    async def _shown(self, turn: Turn) -> Done:
        """Print the answer while it streams; return the whole answer."""
        notices, done = [], None
        with self._screen.answer() as answer:
            async with aclosing(self._profile.turns.answer(turn)) as events:
                async for event in events:
                    match event:
                        case Text(text):
                            answer.add(text)
                        case Cite():
                            answer.add(event.mark)
                        case Restart(text):
                            answer.restart(text)
                        case ToolUse(_, say):
                            answer.aside(f"({say})")
                        case Notice(text):
                            notices.append(text)
                        case Done():
                            done = event
            assert done is not None, "an answer ends with Done"
            answer.end(done.shown)
        for notice in notices:
            self._screen.line(f"\n({notice})")
        return done

    async def _command(
        self, name: str, words: str, *, sentence: str = "", logged: Message | None = None
    ) -> None:
        command = HERE.get(name)
        if name == "help":
            self._help()
        elif name in ELSEWHERE:
            said = tr(CTRL_C) if name == "stop" else tr(TELEGRAMS, name=name)
            self._screen.markdown(said)
        elif command is None:
            self._screen.markdown(unknown(name, HERE))
        else:
            call = Call(
                profile=self._profile,
                chat=CHAT,
                words=words.strip(),
                at=self._sam.clock(),
                sentence=sentence,
                logged=logged,
            )
            self._show(await carry_out(command, call, HERE), asked=True)

    def _show(self, shown: Shown, *, asked: bool) -> None:
        """Show the text, and how to press what buttons it has."""
        self._screen.markdown(shown.text)
        actions = {button.action for row in shown.keyboard for button in row}
        if asked:  # an unprompted message may come while the owner decides what to forget
            self._to_forget = shown.keyboard if "forget" in actions else ()
        buttons = offered(shown.keyboard)
        if asked or buttons:
            self._offered, self._asked = buttons, asked
        if how := how_to_choose(buttons):
            self._screen.line(f"\n{how}")

    async def _press(self, button: Button) -> None:
        """Run a button's action, and show the new content of its message."""
        press = Press(self._profile, CHAT, button.argument, self._sam.clock())
        outcome = await ACTIONS[button.action].run(press)
        if outcome.leaves_nothing:
            self._lines.reload()
        shown = [each for each in (outcome.replace, outcome.message) if each is not None]
        for each in shown:
            self._show(each, asked=True)
        if not shown:
            self._screen.line(outcome.toast)

    def _help(self) -> None:
        listed = [(f"/{name}", tr((do.__doc__ or "").strip())) for name, do in HERE.items()]
        self._screen.line(tr(WRITE))
        self._screen.pairs([*listed, (QUIT[0], tr(END))])
        self._screen.line(tr(CTRL_C))

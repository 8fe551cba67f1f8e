"""The chat commands: COMMANDS. A command's docstring is its line in Telegram's menu.

A command takes a `Call` and returns Markdown, with buttons on Telegram; the terminal uses it too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches

from memory import OWNER, Foreign, MemoryTools, Message, Provenance, Said, is_group
from memory.text import counted, mark, privacy_remark, tn, tr
from memory.tools import arguments, attribution
from memory.vault import turn_group

from ..inbox import CODE_FORM, Inbox
from ..markdown_escape import escape
from ..settings import engine_keeps
from ..turn.incognito import BEGUN, ENDED, MARK, NOT_NOW, TELEGRAM
from ..turn.privacy_remarks import PRIVATE
from .costs import budget
from .forgetting.forget import forget
from .introduction.timezone import timezone
from .lookup.search import search
from .model import model, without_model
from .pictures import last_fortnight, map_
from .privacy_report import other_connections, outbound_calls
from .protocol import Call, Command, Shown
from .review.changes import changes
from .review.decisions import proposals
from .review.facts import facts
from .review.sync import sync
from .review.undo import undo
from .review.versions import versions
from .review.why import dislike_report, why
from .tasks.commands import remind, tasks, todo
from .tasks.last import forget_last_task
from .transfer.export import export
from .transfer.imports import import_
from .voice import voice
from .web_access import sign_out_everywhere, web
from .welcome import welcome

MORE = mark("More: /status full")
TOO_LONG = mark(
    "That is too long to remember in one piece: it has {count} characters, and {most} are the"
    " most. Send it in parts."
)
WORDLESS = mark(
    "That message has no words that I could remember. To keep a photo or a file, reply to it with "
    "/keep."
)
NO_WORDS = mark("What should I remember? Write it after the command: `/remember Ana likes tea`")
KNOWN = mark("I already know that: “{text}” ({path})")
THEIRS = mark(", as what {} said. To have it in MEMORY.md, say it in your own words.")


async def start(call: Call) -> str:
    """Say hello"""
    return await _refused_code(call) or welcome(call.profile)


async def help_(call: Call) -> str:
    """List what I can do"""
    rows = [tr("Just write to me. I also know these commands:")]
    known = IN_GROUPS if is_group(call.profile.name) else COMMANDS
    grouped = {name for names in GROUPED.values() for name in names}
    rest = tuple(name for name in COMMANDS if name not in grouped)
    for heading, names in [*GROUPED.items(), (mark("More"), rest)]:
        lines = [f"/{name} – {line_of(name)}" for name in names if name in known]
        rows += ["", f"**{tr(heading)}**", *lines] if lines else []
    return "\n".join(rows)


async def new(call: Call) -> str:
    """Start a new conversation; the old one is kept"""
    if await call.profile.turns.incognito.is_on(call.chat):
        try:
            await call.profile.end_session(call.chat, call.at)
        finally:
            await call.profile.turns.incognito.end(call.chat)
        return escape(tr(ENDED))
    ended = await call.profile.end_session(call.chat, call.at)
    if ended is None:
        return tr("This is already a new conversation.")
    if not ended:  # all of it was forgotten, or it had no text
        return tr("New conversation.")
    return tr(
        "New conversation. The last one is saved in {ended}, and I can still recall it.",
        ended=escape(ended),
    )


async def incognito(call: Call) -> str:
    """Keep nothing of what we say, until /new"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(MARK))
    await call.profile.end_session(call.chat, call.at)
    await call.profile.turns.incognito.begin(call.chat)
    begun = tr(BEGUN).format(carrier=tr(TELEGRAM) if call.on_telegram else "")
    # A message waits in the inbox until it is answered, then its row is cleared.
    kept = engine_keeps(call.profile.settings, call.at) if call.on_telegram else []
    return escape("\n".join([begun, *kept]))


async def stop(call: Call) -> str:
    """Stop the answer in progress"""
    return tr("Stopped.") if await call.stop(call.chat) else tr("There is no answer to stop.")


async def remember(call: Call) -> str:
    """Save something right away: /remember WHAT, or as a reply to a message"""
    to = await call.answered() if not call.words else None
    words, source = (to.text, _another(to)) if to is not None else (call.words, None)
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    if not words:
        return tr(NO_WORDS if call.answers is None else WORDLESS)
    if len(words) > arguments.TEXT:
        return escape(tr(TOO_LONG, count=f"{len(words):,}", most=f"{arguments.TEXT:,}"))
    remark = privacy_remark(call.sentence or words)
    if remark is not None and not call.sentence:
        words = remark.rest or words
    private = call.logged is None and remark is not None and remark.kind == "private"
    private = private or (to is not None and to.privacy != "normal")
    asked = call.logged or await _logged(call, private=private)
    if source is not None:
        seen = Provenance(messages=[source], foreign_this_turn=[source], asked=[asked.id])
    else:
        seen = Provenance(own_this_turn=[words], own=[words], shown=[words], asked=[asked.id])
    tools = MemoryTools(call.profile.memory, now=lambda: call.at, seen=seen)
    with turn_group(asked.turn_id):
        done = await tools.save_memory(words, "owner", privacy="sensitive" if private else "normal")
    await forget_last_task(call.profile.memory, call.chat)
    if done.data.known:
        says = done.data.says or tr("a private line: /changes shows it")
        return escape(tr(KNOWN, text=says, path=done.data.paths[0]))
    # The tool's sentences are meant for models, not for the owner.
    rest = done.partition(done.data.paths[-1])[2]
    if source is not None:
        name = replace(source, origin="").who if source.author else source.who
        rest = rest.removesuffix(f"{attribution(source)}.") + tr(THEIRS).format(name)
    rest += f" {tr(PRIVATE)}" if private else ""
    return escape(tr("Saved in {where}", where=tr(" and ").join(done.data.paths)) + rest)


async def _logged(call: Call, *, private: bool) -> Message:
    """Log the command, so that what it saves has a source; return its message."""
    key, id_ = call.message
    # Not the words themselves, which the owner may want forgotten.
    digest = hashlib.blake2b((call.whole or call.words).encode(), digest_size=4).hexdigest()
    said = Said(
        key=f"command:{key or f'{call.chat}:{call.at.isoformat()}:{digest}'}",
        chat=call.chat,
        text=call.whole or call.sentence or ("/remember " + call.words).strip(),
        sent_at=call.at,
        privacy="sensitive" if private else "normal",
        telegram_ids=(id_,) if id_ else (),
    )
    return await call.profile.memory.log.messages.command(said)


async def keep(call: Call) -> str:
    """Keep a photo or file in the vault: /keep as a reply to it, or as its caption"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    path = await call.keep() if call.keep is not None else ""
    if not path:
        return tr("What should I keep? Reply with /keep to the message with the photo or file.")
    return escape(tr("Kept in the vault: {path}.", path=path))


def _another(said: Said) -> Foreign | None:
    """Return who else wrote a message, with its words; None for the sender."""
    kind = {"sam": "other", "file": "shared"}.get(said.origin, said.origin)
    return Foreign(said.text, kind, said.author) if said.origin != "owner" else None


async def summarize(call: Call) -> str:
    """Summarise what we said since the last summary into the day's note"""
    written = await call.profile.summarise("command")
    paths = sorted({each.path for each in written if each.path is not None})
    if not paths:
        return tr("There is nothing new worth keeping.")
    return tr("Summarised into {notes}.", notes=escape(", ".join(paths)))


async def status(call: Call) -> Shown:
    """Show my status, costs and what I remember; details: /status full"""
    # imported here: docs generation reads COMMANDS without loading all of Sam
    from ..assistant.status import brief, status_lines

    found = [*await call.connection(), *await status_lines(call.profile)]
    found += await dislike_report(call.profile.memory)
    picture = b""
    if call.words.casefold() != "full":
        wrong = [line for line in found if line.startswith("! ")]
        picture, said = await last_fortnight(call)
        found = [*wrong, *await brief(call.profile, well=not wrong), *said, tr(MORE)]
    if await call.profile.turns.incognito.is_on(call.chat):
        found.append(tr("! this chat is incognito: nothing of it is kept, until /new"))
    found.sort(key=lambda line: not line.startswith("!"))
    text = "\n".join(
        f"- ⚠️ {escape(line[2:])}" if line.startswith("! ") else f"- {escape(line)}"
        for line in found
    )
    return Shown(text, picture=picture)


async def context(call: Call) -> str:
    """Show what my last answer here was based on"""
    shown = call.profile.turns.prompts.get(call.chat)
    if shown is None and call.profile.claude is None:
        return without_model(call)
    if shown is None:
        return tr("I have not called a model in this chat for a while, or this chat is incognito.")
    usage = call.profile.memory.log.usage
    usd = await usage.of_turn(shown.turn_id)
    return "\n".join(f"- {escape(line)}" for line in shown.lines(usd))


async def privacy(call: Call) -> str:
    """Show what was sent to whom today and yesterday"""
    memory = call.profile.memory
    rows = await outbound_calls(memory.log, memory.zone, memory.today(call.at), 2)
    lines = [
        tr(
            "{day:%Y-%m-%d} · {model}, {kind}: {requests}, {passages}, {bytes}, {tokens}",
            day=row.day,
            model=row.receiver,
            kind=row.purpose,
            requests=tn("{count} request", "{count} requests", row.requests),
            passages=tn("{count} passage", "{count} passages", row.passages),
            bytes=tn("{count} byte", "{count} bytes", row.bytes),
            tokens=tn("{count} token", "{count} tokens", row.tokens),
        )
        for row in rows
    ] or [tr("Nothing was sent to a model or an embedder today or yesterday.")]
    lines += other_connections(call.profile.settings, call.profile.name)
    return "\n".join(f"- {escape(line)}" for line in lines)


async def pair(call: Call) -> str:
    """Pair with a code, or list the paired accounts: /pair, /pair CODE"""
    if re.fullmatch(CODE_FORM, call.words):
        return await _refused_code(call) or welcome(call.profile, paired=True)
    if call.people is None or call.profile.name != OWNER:
        return tr("You are already paired with me.")
    what, _, user = call.words.partition(" ")
    if what == "remove":
        if not user.strip().isdecimal():
            return tr("Which account? Add its number, as shown by `/pair`: `/pair remove 1234`")
        profile = await call.people.unpair(int(user))
        if profile is None:
            return tr(
                "No account with that number is paired with a code. `/pair` lists those that are."
            )
        await sign_out_everywhere(call, profile)
        return tr("Done: that account is no longer paired, and open codes are void.")
    zone = call.profile.memory.zone
    lines = [
        tr(
            "- `{user_id}` since {at:%Y-%m-%d %H:%M}",
            user_id=each.user_id,
            at=each.at.astimezone(zone),
        )
        for each in await call.people.pairings()
        if each.profile == OWNER
    ]
    if not lines:
        return tr(
            "You are paired with me by my settings (TELEGRAM\\_ALLOWED\\_USERS), not by a code."
        )
    head = tr("These accounts talk to me as you, paired with a code:")
    return "\n".join([head, "", *lines, "", tr("To remove one of them: `/pair remove NUMBER`")])


async def _refused_code(call: Call) -> str:
    """Return that the sender is paired already, if they sent a code that paired nobody; "" if
    `sam setup` paired them with it, and without a code."""
    if call.people is None or not re.fullmatch(CODE_FORM, call.words):
        return ""
    return "" if await call.people.was_used(call.words) else tr("You are already paired with me.")


async def connection(inbox: Inbox, alarms: Sequence[str]) -> list[str]:
    """Return the lines of /status about the bot's connection and inbox."""
    counts = await inbox.counts()
    found = [f"! {alarm}" for alarm in alarms]
    if aside := counts.updates.get("set_aside", 0):
        found.append(tr("! messages that could not be handled: {aside}", aside=aside))
    found += [
        tr("! the inbox does not add up: {what}: `sam doctor`", what=w.what) for w in counts.wrong
    ]
    # Exclude the command itself, which is still being handled.
    updates, replies = counted(counts.updates), counted(counts.replies)
    found.append(tr("updates: {updates}; replies: {replies}", updates=updates, replies=replies))
    if counts.strangers:
        found.append(tr("strangers turned away: {strangers}", strangers=counts.strangers))
    return found


COMMANDS: dict[str, Command] = {
    "start": start,
    "help": help_,
    "new": new,
    "incognito": incognito,
    "status": status,
    "search": search,
    "facts": facts,
    "map": map_,
    "why": why,
    "changes": changes,
    "undo": undo,
    "remember": remember,
    "remind": remind,
    "tasks": tasks,
    "todo": todo,
    "keep": keep,
    "summarize": summarize,
    "forget": forget,
    "import": import_,
    "export": export,
    "proposals": proposals,
    "versions": versions,
    "sync": sync,
    "context": context,
    "privacy": privacy,
    "budget": budget,
    "model": model,
    "voice": voice,
    "timezone": timezone,
    "web": web,
    "stop": stop,
    "pair": pair,
}


IN_GROUPS = frozenset({"start", "help", "new", "stop", "search"})
"""The commands allowed in groups: they change nothing, and reveal nothing about the owner."""


SHOWS_PRIVATE = frozenset({"search", "why", "undo", "forget", "versions"})
"""The commands that may show private lines: the owner asks, and no model sees the answer. Others
say so of each answer."""


GROUPED = {
    mark("What I remember"): (
        *("remember", "keep", "search", "facts", "map", "why", "changes", "undo", "summarize"),
        *("import", "export", "forget"),
    ),
    mark("What is to be done"): ("remind", "tasks", "todo"),
    mark("Our conversation"): ("new", "incognito", "voice", "stop"),
    mark("About me"): (
        *("proposals", "versions", "sync", "status", "context", "budget", "model", "privacy"),
        *("timezone", "web", "pair", "help", "start"),
    ),
}
"""The groups of commands in /help; ungrouped commands come last."""

MENU = ("remember", "search", "remind", "tasks", "new", "incognito", "status", "help")
"""The commands in Telegram's menu."""


ALIKE = 0.65  # the similarity from which a name is suggested: "wyh" has 0.67 with "why"
MEANT = {
    **dict.fromkeys(("cost", "costs", "usage"), "budget"),
    **dict.fromkeys(("delete", "remove", "erase"), "forget"),
    **dict.fromkeys(("menu", "commands", "hilfe", "ayuda", "aide"), "help"),
    **dict.fromkeys(("reminders", "list", "todos"), "tasks"),
    **dict.fromkeys(("note", "save"), "remember"),
    **dict.fromkeys(("memory", "memories"), "facts"),
    **dict.fromkeys(("backup", "download"), "export"),
    **dict.fromkeys(("reset", "clear"), "new"),
    **{"cancel": "stop", "find": "search", "private": "incognito"},
}
"""The commands that people may mean by other names, as other bots have them."""


def line_of(name: str) -> str:
    """Return what a command does, on one line."""
    return tr((COMMANDS[name].__doc__ or "").strip())


def menu() -> list[tuple[str, str]]:
    """Return name and line of each command in Telegram's menu."""
    return [(name, line_of(name)) for name in MENU]


def unknown(name: str, known: Collection[str] = COMMANDS) -> str:
    """Answer an unknown command, and suggest the one of the `known` that was probably meant."""
    meant = get_close_matches(MEANT.get(name, name), known, 1, ALIKE)
    hint = tr(" Did you mean /{meant}?", meant=meant[0]) if meant else ""
    return tr("I don't know /{name}.{hint} /help lists all commands.", name=escape(name), hint=hint)

"""`sam setup`: ask for the settings, test each answer, and write it to `.env`.

Each step returns the settings it adds.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from pathlib import Path
from textwrap import indent

from memory import (
    ConfigError,
    DataDir,
    EmbedError,
    config,
    errors,
    make_embedder,
    system_clock,
    why_no_embedder,
)
from memory.infra import is_locked
from memory.vault import obsidian, paths, starter

from ..errors import ModelError, ModelRefused, TelegramDown, TokenRefused
from ..inbox import Inbox
from ..settings import Settings, env_file, lenient, supervisor
from . import ollama, pairing
from .bot_token import send_text, username
from .model_check import check_model
from .pairing import invitation
from .prompts import TRY, Changes, SetupPrompts, command, with_changes

DAILY_NOTE = re.compile(r"\d{4}-\d{2}-\d{2}\.md")
HELLO = "You are paired with me now. Once I am started, I will say more, and you can write to me."
OWN_NAME = "memories/%Y-%m-%d Sam.md"  # next to the owner's daily notes, such as 2026-02-12.md


async def run(talk: SetupPrompts, path: Path) -> None:
    """Ask everything. Each answer is written at once, so that an interruption loses nothing."""
    settings, wrong = lenient.load()
    for problem in wrong:
        talk.say(f"invalid setting: {problem}")
    talk.say("Four questions. Enter keeps what is in brackets. Secrets are shown as dots.\n")
    for step in (_token, _pair, _model, _embeddings, _vault):
        changes = await step(talk, settings)
        if changes:
            env_file.write(path, changes)
            settings = with_changes(settings, changes)
    if config.missing_env_file():  # no command starts without it
        env_file.write(path, {})
    if path.exists():
        talk.say(f"\nEverything is saved in {path}, which only you can read.")
    if supervisor().invocation:  # a server's installer, which starts the service itself
        talk.say("`sudo sam doctor` checks everything.")
    else:
        sam = command()
        start = "`make run`" if config.clone() else f"`{sam} start`"
        talk.say(f"Start Sam with {start}. `{sam} doctor` checks everything.")
    talk.say("\nThree things to try:")
    for example in TRY:
        talk.say(f"   {example}")


async def use_ollama(talk: SetupPrompts, path: Path, name: str) -> bool:
    """Set up Ollama's model `name`, or its best one for ""; return whether that worked."""
    settings, _ = lenient.load()
    changes = await ollama.choose(talk, settings, name)
    if changes:
        env_file.write(path, changes)
        talk.say(f"   Saved in {path}. A Sam that is running uses it after a restart.")
    return bool(changes)


async def _vault(talk: SetupPrompts, settings: Settings) -> Changes:
    talk.say("\n4. The vault: a folder of Markdown notes. An existing Obsidian vault is fine.")
    while True:
        answer = _unquoted(talk.ask(f"   Folder [{settings.vault_dir}]: ").strip())
        # `sam` may be run in another folder later.
        root = config.expanded(answer or str(settings.vault_dir)).absolute()
        changes = {"VAULT_DIR": str(root)} if answer else {}
        if root.exists() and not root.is_dir():
            talk.say(f"   {root} is a file: choose a folder.")
            continue
        if not _is_writable(root):
            talk.say(f"   {root} is not writable: choose another folder.")
            continue
        if root.is_dir() and starter.is_owners_vault(root) and not settings.sam_dir:
            talk.say("   These are your notes. Sam leaves them as they are, and keeps its own")
            folder = talk.ask("   in a folder there, called [Sam]: ").strip() or "Sam"
            changes["SAM_DIR"] = folder
            if hidden := obsidian.excluded(root):
                talk.say(f"   Sam does not read what you exclude in Obsidian: {', '.join(hidden)}")
        sam_dir = changes.get("SAM_DIR", settings.sam_dir)
        if _names_clash(root, sam_dir, settings.memory_file):
            talk.say(f"   Your daily notes are named 2026-02-12.md; Sam's will be {OWN_NAME},")
            talk.say("   because two notes with the same name make links ambiguous.")
            changes["MEMORY_FILE"] = OWN_NAME
        try:
            with_changes(settings, changes)
        except ConfigError as wrong:
            talk.say(f"   {wrong}")
            continue
        if not root.exists() or not any(root.iterdir()):
            talk.say("   It is empty: Sam adds its first notes when it starts.")
        return changes


def _unquoted(path: str) -> str:
    """Return a path without the quotes or backslashes that it has when dropped on a terminal."""
    try:
        words = shlex.split(path)
    except ValueError:  # an apostrophe in the name
        return path
    return words[0] if len(words) == 1 else path


def _is_writable(root: Path) -> bool:
    """Return whether the folder, or the first one above it that there is, can be written to."""
    there = next(folder for folder in (root, *root.absolute().parents) if folder.exists())
    return os.access(there, os.W_OK | os.X_OK)


def _names_clash(root: Path, sam_dir: str, memory_file: str) -> bool:
    """Return whether the owner's daily notes have, or will have, the names of Sam's days' files."""
    folder, _, name = memory_file.rpartition("/")
    if name != "%Y-%m-%d.md":
        return False
    if obsidian.daily_note_names(root) == "YYYY-MM-DD":
        return True
    sams = [
        paths.join(paths.on_disk(root, sam_dir), each)
        for each in (folder.partition("/")[0], "archive")
    ]
    found = (note for note in root.rglob("*.md") if DAILY_NOTE.fullmatch(note.name))
    inside = (note.relative_to(root).as_posix() for note in found)
    return any(not any(paths.within(path, each) for each in sams) for path in inside)


async def _token(talk: SetupPrompts, settings: Settings) -> Changes:
    talk.say("1. Telegram: @BotFather creates a bot and gives you its token. Empty: terminal only.")
    while True:
        known = settings.telegram_bot_token
        answer = talk.hide(f"   Token [{'keep' if known else 'none'}]: ").strip()
        if not answer and known is None:
            return {}
        changes = {"TELEGRAM_BOT_TOKEN": answer} if answer else {}
        try:
            token = with_changes(settings, changes).telegram_bot_token
            assert token is not None
            name = await username(token.get_secret_value(), settings.telegram_base_url)
        except (ConfigError, TokenRefused) as wrong:
            talk.say(f"   {wrong}")
        except TelegramDown as down:
            talk.say(f"   {down}")
            if talk.yes("   It could not be tested. Keep it anyway?"):
                return changes
        else:
            talk.say(f"   That is {name}.")
            return changes


async def _model(talk: SetupPrompts, settings: Settings) -> Changes:
    talk.say("\n2. Claude: a key from console.anthropic.com. Empty: a local model, or none.")
    while True:
        answer = talk.hide(f"   Key [{'keep' if settings.has_model else 'none'}]: ").strip()
        if not answer and not settings.has_model:
            return await ollama.offer(talk, settings)
        changes = {"ANTHROPIC_API_KEY": answer} if answer else {}
        if await _answers(talk, with_changes(settings, changes)):
            return changes


async def _answers(talk: SetupPrompts, tried: Settings) -> bool:
    """Try the model, and say how it went; return whether these settings are to be kept."""
    try:
        await check_model(tried)
    except ModelRefused as wrong:
        talk.say(f"   {wrong}")
        return False
    except ModelError as down:
        talk.say(f"   {down}")
        return talk.yes("   It could not be tested. Keep it anyway?")
    talk.say(f"   {tried.chat_model} answers.")
    for entry in tried.models:
        try:
            if entry.name != tried.chat_model:
                await check_model(tried, entry.name)
                talk.say(f"   {entry.label} answers, too: /model switches to it.")
        except ModelError as wrong:
            talk.say(f"   {entry.label} of MODELS does not answer: {wrong}")
    return True


async def _embeddings(talk: SetupPrompts, settings: Settings) -> Changes:
    talk.say(
        "\n3. Embeddings find text by meaning. Sam includes a model that runs on this machine;"
    )
    talk.say(
        "   Voyage's is better, but sees your texts: a key from dash.voyageai.com. Empty: local."
    )
    if settings.embedding_provider not in ("", "voyage"):
        talk.say(f"   EMBEDDING_PROVIDER={settings.embedding_provider} is set, and kept.")
        return {}
    while True:
        known = settings.voyage_api_key
        answer = talk.hide(f"   Key [{'keep' if known else 'none'}]: ").strip()
        changes = {"VOYAGE_API_KEY": answer} if answer else {}
        made = make_embedder(with_changes(settings, changes))
        if made is None:
            talk.say(f"   {why_no_embedder(with_changes(settings, changes))}")
            return {}
        try:
            await made.embed(["a word"], "query")
        except errors.EmbedderRefused as wrong:
            talk.say(f"   {wrong}")
            if not made.remote:
                return {}
        except EmbedError as down:
            talk.say(f"   {down}")
            if not made.remote:
                return {}
            if talk.yes("   It could not be tested. Keep it anyway?"):
                return changes
        else:
            there = "works on this machine" if not made.remote else "answers"
            talk.say(f"   {made.identity.model} {there}.")
            return changes
        finally:
            await made.close()


async def _pair(talk: SetupPrompts, settings: Settings) -> Changes:
    """Pair the sender of the code as the owner; stored in the inbox, not in `.env`."""
    if settings.telegram_bot_token is None or settings.telegram_allowed_users:
        return {}
    inbox = await Inbox.of(settings, system_clock)
    try:
        if await inbox.people.paired():
            return {}
        code = await inbox.people.new_code()
        token, base_url = settings.telegram_bot_token.get_secret_value(), settings.telegram_base_url
        for row in indent(await invitation(token, base_url, code), "   ").split("\n"):
            talk.say(row)
        running = is_locked(DataDir(settings.data_dir).run_lock)
        talk.say("   Waiting for it. Ctrl-C goes on without: `sam pair` prints a new code later.")
        try:
            user = await pairing.wait(inbox.people, token, base_url, running=running)
        except asyncio.CancelledError:  # Ctrl-C, which asyncio turns into a cancellation
            user = None
    finally:
        await inbox.close()
    if user is None:
        talk.say("\n   Not paired yet: `sam pair` prints a new code, and so does a start of Sam.")
    else:
        talk.say(f"   Paired: Telegram's user {user} is the owner.")
        # A Sam that runs has said hello itself.
        if not running and await send_text(token, base_url, user, HELLO):
            talk.say("   I have said hello to you there.")
    return {}

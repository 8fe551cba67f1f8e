"""`sam import`: take over conversations and notes, after a preview; list imports, undo one."""

from __future__ import annotations

import argparse
import asyncio
import sys
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory import ConfigError, DataDir, errors, profile_of
from memory.text import plural

from ...chat.transfer.estimate import cost_lines, in_bulk, plain
from ...settings import Settings, load
from ..argument_types import number
from ..import_preview import chosen_chats, left_out_lines, owner_in, preview_lines
from ..plain_text import escaped, fields, show_json
from ..profiles import add_profile, existing, open_memory
from ..progress import counting, working
from ..questions import YES, agrees, ask
from ..screen import Screen

if TYPE_CHECKING:
    from collections.abc import Collection

    from memory import Memory
    from memory.log import ImportRow
    from memory.transfer import ChatPreview, Conversations, FoundNotes, Imported


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files, what to take of them, and the list of what was imported."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="an export from ChatGPT, Claude, Telegram, WhatsApp, Google Keep, Day One or Sam; an"
        " mbox file; a folder of notes or mail",
    )
    parser.add_argument("--me", metavar="NAME", help="your name in it, if the file does not say")
    parser.add_argument("--chats", metavar="LIST", help="only these chats of the preview: 1,3-5")
    parser.add_argument(
        "--batches",
        action="store_true",
        help="summarise through the Batches API: half the price, within a day",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only show the preview, with all chats"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument("--list", action="store_true", help="list all imports")
    parser.add_argument("--undo", type=number(), metavar="ID", help="undo an import")
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or only shown; 1 when it was not confirmed, or failed."""
    from memory.infra import failpoints

    if sum([bool(args.files), args.list, args.undo is not None]) != 1:
        raise ConfigError(["give a file or a folder, or --list, or --undo ID"])
    settings = load()
    if args.batches and not in_bulk(settings):
        raise ConfigError(["--batches is for a model of Anthropic's: set ANTHROPIC_API_KEY"])
    failpoints.arm(settings.sam_failpoint)
    if args.list:
        return asyncio.run(_list(settings, args))
    if args.undo is not None:
        return asyncio.run(_undo(settings, args))
    return asyncio.run(_import(settings, args))


async def _import(settings: Settings, args: argparse.Namespace) -> int:
    from memory.transfer import conversations, is_export, is_packed, unpacked_zip

    if len(args.files) == 1 and args.files[0].is_dir() and is_export(args.files[0]):
        return await _own_export(settings, args.files[0], args)
    who = profile_of(settings, existing(settings, args.profile))
    if len(args.files) == 1 and is_packed(args.files[0]):
        async with unpacked_zip(who.files, args.files[0]) as folder:
            return await _own_export(settings, folder, args)
    folders = [file for file in args.files if file.is_dir() and not file.is_symlink()]
    # Everything is looked into before anything is written: one damaged file, and nothing happens.
    notes: list[FoundNotes] = []
    with working("looking into the files"):
        files = [conversations(file) for file in args.files if file not in folders]
        for folder in folders:
            of_chats, of_notes = await asyncio.to_thread(_found_in, folder, who.vault)
            files += of_chats
            notes += of_notes
    async with open_memory(settings, args.profile, "opening the memory") as memory:
        done = [await _notes(memory, each, args) for each in notes]
        done += await _conversations(settings, memory, files, args) if files else []
        if args.json:
            show_json([each for each in done if each])
    return 1 if None in done else 0


def _found_in(folder: Path, vault: Path) -> tuple[list[Conversations], list[FoundNotes]]:
    """Return the exports and mails in a folder, and its notes. Raises TransferRefused for none."""
    from memory.transfer import mailbox, notes_in, unpacked_exports

    mails = mailbox(folder)
    chats = unpacked_exports(folder) + ([mails] if mails is not None else [])
    notes = notes_in(folder, vault, {file.path for each in chats for file in each.files})
    if not (chats or notes.notes):
        hint = ""
        if any(folder.glob("*.html")):
            hint = " It has web pages: choose JSON where you export it."
        elif any(folder.glob("*.zip")):
            hint = " It has ZIPs: give them by themselves, several at once if you like."
        raise errors.TransferRefused(
            f"{folder} has no export (conversations.json, result.json, _chat.txt, or notes of"
            " Google Keep or Day One), no Markdown notes and no .eml or .mbox mails to import."
            + hint
            + "".join(f" Left out: {each}." for each in notes.left_out[:1])
        )
    return chats, [notes] if notes.notes else []


async def _conversations(
    settings: Settings, memory: Memory, files: list[Conversations], args: argparse.Namespace
) -> list[dict[str, Any] | None]:
    """Preview all files, ask, and import them; None for what was not agreed to."""
    from memory.transfer import Preview, preview

    previews = []
    for found in files:
        with counting(f"reading {found.path.name}", found.size) as progress:
            previews.append(await preview(memory, found, progress))
    chats = [chat for each in previews for chat in each.chats]
    if not chats:
        read = ", ".join(each.path.name for each in files)
        print(f"There are no messages in {read}.", file=_out(args))
        for each in previews:
            for line in left_out_lines(each):
                print(line, file=_out(args))
        return []
    wanted = chosen_chats(args.chats, chats)
    if not args.json:
        shown: list[str] = []
        with working("detecting the languages"):
            for found, each in zip(files, previews, strict=True):
                offset = chats.index(each.chats[0]) if each.chats else 0
                shown += preview_lines(found, each, offset, memory.zone, all_of=args.dry_run)
            shown += cost_lines(settings, Preview(wanted), " (--batches)")
        Screen(sys.stdout).line("\n".join(shown))
    else:
        for each in previews:
            for line in left_out_lines(each):
                print(line, file=sys.stderr)
    if args.dry_run:
        return [_document(chat, index) for index, chat in enumerate(chats, 1)]
    if not args.yes:
        picked = _picked(chats, wanted, given=args.chats is not None)
        if not picked:
            print("Nothing was imported.", file=_out(args))
            return [None]
        wanted = picked
    me = owner_in(Preview(wanted).unknown, args.me, may_ask=not args.yes and sys.stdin.isatty())
    names = {chat.chat.name for chat in wanted}
    return [await _import_file(memory, found, names, me, args) for found in files]


async def _import_file(
    memory: Memory, found: Conversations, names: Collection[str], me: str, args: argparse.Namespace
) -> dict[str, Any]:
    """Import the conversations with these names from one file; return the result for --json."""
    from memory.transfer import import_conversations

    with counting(f"importing {found.path.name}", found.size) as progress:
        made = await import_conversations(
            memory, found, chats=names, me=me, bulk=args.batches, progress=progress
        )
    if changed := made.messages + made.updated:
        with counting("indexing", changed) as progress:
            await memory.index.reconcile((), progress=lambda report: progress(report.indexed))
    if not args.json:
        Screen(sys.stdout).line("\n".join(_summary(found, made)))
    return {
        "source": found.importer.source,
        "file": found.path,
        "conversations": made.chats,
        **fields(made, "id", "messages", "known", "updated"),
    }


def _summary(found: Conversations, made: Imported) -> list[str]:
    """Return the closing words."""
    if not (made.messages or made.updated):
        return [f"{found.path.name}: all {plural(made.known, 'message')} are already here."]
    lines = []
    if made.messages:
        counts = f"{plural(made.chats, 'conversation')}, {plural(made.messages, 'message')}"
        lines.append(
            f"{counts}; they are summarised in the background while Sam runs, or now by `sam"
            " summarize`."
        )
    if made.updated:
        lines.append(
            f"{plural(made.updated, 'message was', 'messages were')} updated: edited since the last"
            " import."
        )
    if made.known:
        lines.append(f"{plural(made.known, 'message was', 'messages were')} already here.")
    return [*lines, f"To undo it: sam import --undo {made.id}"] if made.id is not None else lines


async def _notes(
    memory: Memory, found: FoundNotes, args: argparse.Namespace
) -> dict[str, Any] | None:
    """Preview a folder of notes, ask, and copy them; None where that was not agreed to."""
    from memory.transfer import import_notes

    if not args.json:
        total = sum(note.size for note in found.notes)
        print(f"{found.folder}: {plural(len(found.notes), 'note')}, {total / 1e6:.1f} MB.")
        for note in found.notes[:5]:
            print(f"  {note.file.relative_to(found.folder)} → {note.path}")
        print("They are copied; your notes are not changed.")
        if found.others:
            kinds = ", ".join(plain(suffix) for suffix, _ in found.others.most_common(5))
            count = plural(found.others.total(), "other file is", "other files are")
            print(f"  {count} no Markdown (.md), and not copied: {kinds}")
    for line in found.left_out:
        print(f"  left out: {escaped(line)}", file=_out(args))
    if args.dry_run:
        return {"folder": found.folder, "notes": [note.path for note in found.notes]}
    if not args.yes and not agrees("Copy them?"):
        print("Nothing was imported.", file=_out(args))
        return None
    with counting("copying notes", len(found.notes)) as progress:
        made = await import_notes(memory, found, progress=progress)
    if not args.json:
        print(f"{plural(made.copied, 'note')} copied.")
        if made.there:
            print(f"{plural(made.there, 'note was', 'notes were')} already there.")
        if made.updated:
            print(f"{plural(made.updated, 'note was', 'notes were')} updated.")
        for path in made.beside:
            print(f"  copied beside yours, which you have changed: {path!r}")
        for path in made.others:
            print(f"  not copied, another note is already there: {path!r}")
        if made.id is not None:
            print(f"To undo it: sam import --undo {made.id}")
    return {
        "source": "markdown",
        "not_copied": made.others,
        **fields(made, "id", "copied", "updated", "there", "beside"),
    }


async def _own_export(settings: Settings, folder: Path, args: argparse.Namespace) -> int:
    """Put an export of Sam's into an empty Sam."""
    from memory.infra import RunLock
    from memory.transfer import import_export, read_manifest

    profile = existing(settings, args.profile)
    with RunLock(DataDir(settings.data_dir).run_lock):
        with working("checking the hashes"):
            manifest = await asyncio.to_thread(read_manifest, folder)
        counts = manifest.counts
        document = {"made_at": manifest.made_at, **counts}
        if not args.json:
            files = plural(counts["notes"], "file")
            print(f"An export from Sam, made {manifest.made_at}: {files},")
            print(f"{plural(counts['messages'], 'message')}, {plural(counts['facts'], 'fact')}.")
        if args.dry_run:
            if args.json:
                show_json(document)
            else:
                print("It is complete.")
            return 0
        if not args.yes and not agrees("Import it into this empty Sam?"):
            print("Nothing was imported.", file=_out(args))
            return 1
        with working("importing"):
            await import_export(settings, folder, profile)
    if args.json:
        show_json(document)
    else:
        print("Imported, and indexed.")
    return 0


async def _list(settings: Settings, args: argparse.Namespace) -> int:
    async with open_memory(settings, args.profile, "listing the imports") as memory:
        rows = await memory.log.imports.all()
        if args.json:
            show_json([_row(row) for row in rows])
            return 0
        for row in rows:
            print(_line(row, memory.zone))
        print("`sam import --undo ID` undoes an import." if rows else "Nothing was imported.")
    return 0


def _line(row: ImportRow, zone: tzinfo) -> str:
    parts = []
    if row.chats or not row.notes:
        parts += [plural(row.chats, "conversation"), plural(row.messages, "message")]
    if row.notes:
        parts.append(plural(row.notes, "note"))
    if row.waiting:
        parts.append(f"{row.waiting:,} not summarised yet")
    if row.facts:
        parts.append(plural(row.facts, "fact"))
    if row.ended_at is None:
        parts.append("interrupted: import the file again, or undo it")
    at = f"{row.started_at.astimezone(zone):%Y-%m-%d %H:%M}"
    return f"{row.id:>4}  {at}  {row.source}  {plain(row.name)}  {', '.join(parts)}"


def _row(row: ImportRow) -> dict[str, Any]:
    return {
        **fields(row, "id", "source", "name", "started_at", "ended_at"),
        **fields(row, "messages", "facts", "notes"),
        "conversations": row.chats,
        "not_summarised": row.waiting,
    }


async def _undo(settings: Settings, args: argparse.Namespace) -> int:
    from memory.transfer import imported, undo

    async with open_memory(settings, args.profile, "opening the memory") as memory:
        row = await imported(memory, args.undo)
        if not args.json:
            print(_line(row, memory.zone))
            print("This removes its messages and notes, and what was written only from them.")
        if not args.yes and not agrees("Undo it?"):
            print("Nothing was changed.", file=sys.stderr)
            return 1
        with working("looking for what was derived from it"):
            done = await undo(memory, args.undo)
        if args.json:
            show_json(fields(done, "messages", "notes", "stay"))
            return 0
        print(f"{plural(done.messages, 'message')} and {plural(done.notes, 'note')} removed.")
        for path in done.stay:
            print(f"  kept, because you have changed it: {path!r}")
    return 0


def _document(chat: ChatPreview, index: int) -> dict[str, Any]:
    from memory.transfer import Preview

    return {
        "number": index,
        "source": chat.chat.source,
        "title": chat.chat.title,
        **fields(chat, "messages", "known", "first", "last", "people"),
        "languages": Preview([chat]).languages(),
        "summaries": chat.batches,
    }


def _picked(
    chats: list[ChatPreview], wanted: list[ChatPreview], *, given: bool
) -> list[ChatPreview]:
    """Ask which chats are to be imported; [] for none."""
    if given or len(chats) == 1 or not sys.stdin.isatty():
        return wanted if agrees(f"Import {plural(len(wanted), 'conversation')}?") else []
    answer = ask(f"Import all {len(chats)}, some (1,3-5), or none? [all/numbers/N] ")
    if answer.lower() in ("all", *YES):
        return wanted
    return chosen_chats(answer, chats) if answer[:1].isdecimal() else []


def _out(args: argparse.Namespace) -> Any:
    return sys.stderr if args.json else sys.stdout

"""`sam index`: bring the index up to date, or rebuild it, with its vectors."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from memory.text import plural

from ...settings import Settings, load
from ..plain_text import fields, show_json
from ..profiles import add_profile, existing
from ..progress import counting, working
from ..questions import YES, ask

if TYPE_CHECKING:
    from memory import Memory

AT_ONCE = 32  # chunks between two updates of the progress
TEXT = ("note or message", "notes and messages")
LOCAL_TOKENS_A_SECOND = 1_500  # of the local model, on two cores


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add --rebuild and --dry-run."""
    parser.add_argument("--rebuild", action="store_true", help="rebuild it next to the old one")
    add_profile(parser)
    parser.add_argument("--dry-run", action="store_true", help="only show what there is to do")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Index; progress goes to standard error, the result to standard output."""
    settings = load()
    profile = existing(settings, args.profile)
    if args.dry_run:
        return _dry(settings, profile, as_json=args.json)
    return asyncio.run(_index(settings, profile, rebuild=args.rebuild, as_json=args.json))


def _dry(settings: Settings, profile: str, *, as_json: bool) -> int:
    """Print the vault's size, and the estimated cost and time."""
    from memory import Vault, embedding_cost, make_embedder, profile_of

    who = profile_of(settings, profile)
    vault = Vault(
        who.vault, sam_dir=settings.sam_dir, data_dir=who.data, exclude=settings.index_exclude
    )
    if not vault.root.is_dir() and not as_json:
        print(f"There is no vault at {vault.root} yet.")
        return 0
    sizes = [note.size for note in vault.notes()] if vault.root.is_dir() else []
    found = embedding_cost(settings.provider, sizes)
    embedder = make_embedder(settings)
    remote = embedder is not None and embedder.remote
    seconds = found.seconds if remote else found.tokens / LOCAL_TOKENS_A_SECOND
    if as_json:
        usd = found.usd if remote else 0.0
        more = {"provider": settings.provider, "usd": usd, "seconds": round(seconds)}
        show_json(fields(found, "notes", "tokens") | more)
        return 0
    print(f"{plural(found.notes, 'note')} in {vault.root}, about {plural(found.tokens, 'token')}.")
    if settings.provider == "none":
        print("Indexed by keyword only: EMBEDDING_PROVIDER=none.")
        return 0
    price = f"${found.usd:.2f}" if remote else "free, nothing leaves this machine"
    print(f"Embedded by {settings.provider}: {price}, about {max(1, round(seconds / 60))} min.")
    print("Unchanged notes are not embedded again.")
    return 0


async def _index(settings: Settings, profile: str, *, rebuild: bool, as_json: bool) -> int:
    from memory import Memory

    from ...app import is_served

    async with AsyncExitStack() as stack:
        with working("opening the memory"):
            beside = await is_served(settings, profile)
            opening = partial(Memory.open, settings, profile=profile, sole=not beside)
            memory = await stack.enter_async_context(opening())
        if memory.awaiting_consent is not None and not as_json and _agreed(memory):
            await memory.consent()
            await stack.aclose()
            memory = await stack.enter_async_context(opening())
        with working("scanning the vault") as status:

            def progress(report: object) -> None:
                indexed = getattr(report, "indexed", 0)
                status.update(f"scanning the vault: {plural(indexed, *TEXT)}")

            if rebuild or not (beside or await memory.index.fits()):
                report = await memory.index.rebuild(progress=progress)
            else:
                report = await memory.index.reconcile(progress=progress)
        if not as_json:
            print(f"{plural(report.indexed, *TEXT)} indexed, {report.removed} removed.")
        if beside and not as_json:
            print("The running Sam computes the vectors.")
        elif not beside and memory.embedder is not None:
            await _embed(memory)
        now = await memory.status()
        if as_json:
            of_all = {"passages": now.chunks, "without_vector": now.not_embedded}
            done = fields(report, "indexed", "removed") | fields(now, "notes", "messages")
            show_json(done | of_all)
            return 0
        print(
            f"{plural(now.notes, 'note')}, {plural(now.messages, 'message')},"
            f" {plural(now.chunks, 'passage')},"
            f" {now.not_embedded} without a vector."
        )
    return 0


def _agreed(memory: Memory) -> bool:
    """Ask, on a terminal only, whether existing notes may be sent to the provider."""
    print(f"{memory.awaiting_consent}.")
    if not sys.stdin.isatty():
        print("They stay here until you agree (in a terminal, or with EMBEDDING_CONSENT).")
        return False
    return ask("Do you agree? [y/N] ").lower() in YES


async def _embed(memory: Memory) -> None:
    """Embed until the queue is empty. Failed passages stay in it."""
    total = waiting = (await memory.index.counts())["waiting"]
    with counting("vectors", total) as progress:
        while waiting:
            waiting = await memory.embeddings.embed(AT_ONCE)
            progress(max(0, total - waiting))

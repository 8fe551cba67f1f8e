"""`sam sync --setup`: configure an rclone remote, test it, and store it.

rclone itself creates the remote (`rclone config create`); a password is visible on its command line
only while that runs.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory import DataDir

from ..errors import RemoteFailed
from ..settings import env_file, lenient
from ..sync.rclone import Rclone, display_name, find, last_error_line
from ..sync.remote import Remote
from .prompts import SetupPrompts, with_changes


@dataclass(frozen=True, slots=True)
class RemoteKind:
    """A kind of remote: rclone's backend, the questions (`!` hides the answer), the fixed options.

    `browser`: the permission is given in a browser, on this machine or on another.
    """

    backend: str
    title: str
    asks: Mapping[str, str]
    given: Mapping[str, str]
    browser: bool = False
    bucket: bool = False


KINDS = (
    RemoteKind(
        "drive",
        "Google Drive (docs/google-drive.md explains how to get a client ID)",
        {"client_id": "Client ID", "client_secret": "!Client secret"},
        {"scope": "drive"},
        browser=True,
    ),
    RemoteKind("dropbox", "Dropbox", {}, {}, browser=True),
    RemoteKind("onedrive", "OneDrive", {}, {}, browser=True),
    RemoteKind(
        "s3",
        "S3 and compatible services (Hetzner, Backblaze, MinIO …)",
        {
            "endpoint": "Endpoint (empty for Amazon)",
            "region": "Region",
            "access_key_id": "Key id",
            "secret_access_key": "!Secret key",
        },
        {"env_auth": "false"},
        bucket=True,
    ),
    RemoteKind(
        "webdav",
        "WebDAV (Nextcloud, a NAS …)",
        {
            "url": "Address",
            "vendor": "Vendor (nextcloud, owncloud, fastmail, other)",
            "user": "User",
            "pass": "!Password",
        },
        {},
    ),
    RemoteKind(
        "sftp",
        "SFTP (any server with SSH)",
        {
            "host": "Host",
            "port": "Port (empty: 22)",
            "user": "User",
            "key_file": "Key file (empty: use a password)",
            "pass": "!Password (empty: use the key)",
        },
        {},
    ),
)
_NAME = re.compile(r"[A-Za-z0-9_][\w.+@ -]*")


async def run(talk: SetupPrompts, env: Path) -> None:
    """Ask, create the remote, test it, write the setting. Raises RcloneMissing, RemoteFailed."""
    binary = await asyncio.to_thread(find)
    settings, _ = lenient.load()
    known = _remotes(binary)
    remote = ""
    if known:
        talk.say(f"rclone knows these remotes: {', '.join(known)}")
        remote = talk.ask("Choose one (empty: create a new one): ").strip().rstrip(":")
    if remote not in known:
        remote = await _new(talk, binary)
    folder = talk.ask("Folder there [Sam]: ").strip().strip("/") or "Sam"
    name = f"{remote}/{folder}" if ":" in remote else f"{remote}:{folder}"  # within a bucket
    talk.say(f"Testing {display_name(name)}: writing, reading and deleting a file …")
    await test_remote_access(Rclone(DataDir(settings.data_dir).rclone_lock), name)
    talk.say("   It works.")
    changes = {"RCLONE_REMOTE": name}
    with_changes(settings, changes)
    env_file.write(env, changes)
    talk.say(
        f"RCLONE_REMOTE={name} is set in {env}. `sam sync --dry-run` shows what a sync would do."
    )


async def _new(talk: SetupPrompts, binary: Path) -> str:
    """Ask for a remote and create it: its name, with its bucket (`s3:notes`) where it has any."""
    for number, kind in enumerate(KINDS, 1):
        talk.say(f"  {number}. {kind.title}")
    while True:
        answer = talk.ask("Which one? ").strip()
        if answer.isdigit() and 1 <= int(answer) <= len(KINDS):
            kind = KINDS[int(answer) - 1]
            break
        talk.say(f"A number from 1 to {len(KINDS)}.")
    remote = ""
    while not _NAME.fullmatch(remote):
        remote = talk.ask(f"Its name, of letters and digits [{kind.backend}]: ").strip()
        remote = remote or kind.backend
    given = dict(kind.given)
    for key, question in kind.asks.items():
        ask = talk.hide if question.startswith("!") else talk.ask
        if answer := ask(f"{question.removeprefix('!')}: ").strip():
            given[key] = answer
    if kind.browser:
        words = " ".join(given[key] for key in ("client_id", "client_secret") if key in given)
        talk.say("On a machine with a browser and rclone, run this and allow access:")
        talk.say(f"   rclone authorize {kind.backend} {words}".rstrip())
        given |= {"token": talk.hide("What it prints, from { to }: ").strip()}
        given |= {"config_refresh_token": "false"}
    await asyncio.to_thread(_create, binary, remote, kind.backend, given)
    if kind.bucket:
        bucket = talk.ask("Bucket: ").strip().strip("/")
        return f"{remote}:{bucket}" if bucket else remote
    return remote


def _create(binary: Path, remote: str, backend: str, given: Mapping[str, str]) -> None:
    pairs = [f"{key}={value}" for key, value in given.items()]
    command = [str(binary), "config", "create", remote, backend, *pairs]
    done = subprocess.run(
        [*command, "--obscure", "--non-interactive"], capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        raise RemoteFailed(f"rclone: {last_error_line(done.stderr, done.returncode)}")


def _remotes(binary: Path) -> list[str]:
    done = subprocess.run([binary, "listremotes"], capture_output=True, text=True, timeout=60)
    return [line.strip().rstrip(":") for line in done.stdout.splitlines() if line.strip()]


async def test_remote_access(rclone: Rclone, name: str) -> None:
    """Write, read and delete a test file. RemoteFailed says which step failed."""
    text = secrets.token_hex(8)
    probe = f"sam-test-{text}.txt"
    with tempfile.TemporaryDirectory(prefix="sam-sync-") as folder:
        remote = Remote(name, rclone, Path(folder))
        out = remote.outgoing()
        (out / probe).write_text(text)
        await remote.send(out, fresh=True)
        try:
            back = await remote.fetch([probe])
            if not (back / probe).is_file() or (back / probe).read_text() != text:
                raise RemoteFailed(
                    f"{display_name(name)} did not return what was written there:"
                    " check its permissions."
                )
        finally:
            await remote.delete([probe])
        if any(file.path == probe for file in await remote.list([probe])):
            raise RemoteFailed(
                f"{display_name(name)} does not allow deleting: check its permissions."
            )

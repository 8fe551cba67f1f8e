"""The profiles that there are, and the folder of the remote for the vault of each.

No vault's folder ever lies inside another's.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory import OWNER

from .remote_folders import overlap, parts, place, within
from .settings import PROFILE, UNSYNCED, Settings


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """An rclone folder, `remote`, which is empty if the vault is not synced. `why`: the error in
    the settings that prevents it; empty if no sync is wanted.
    """

    remote: str = ""
    why: str = ""


def remote_of(settings: Settings, profile: str) -> RemoteFolder:
    """Return where that profile's vault is synced to: RCLONE_REMOTE is the owner's.

    Everybody else's is PROFILES_REMOTE with the profile's name, or, where that is not set,
    `drive:Sam-profiles/NAME` beside the owner's `drive:Sam`.
    """
    owners, pattern = settings.rclone_remote, settings.profiles_remote
    if profile == OWNER:
        return RemoteFolder(owners)
    if pattern == UNSYNCED or not (pattern or owners):
        return RemoteFolder()
    if profile != profile.lower():  # to some remotes, `Ana` and `ana` are one folder
        return RemoteFolder(why=f"the profile name {profile} has capital letters")
    if pattern:
        remote = pattern.replace(PROFILE, profile)
    else:
        head, path = parts(owners)
        if not path.strip("/."):
            return RemoteFolder(
                why="RCLONE_REMOTE names no folder next to which other people's could be placed: "
                "set PROFILES_REMOTE"
            )
        remote = f"{head}{'/' if path.startswith('/') else ''}{path.strip('/')}-profiles/{profile}"
    if owners and overlap(owners, remote):
        return RemoteFolder(
            why="PROFILES_REMOTE would nest one vault in another: choose another folder"
        )
    if within(place(remote), place(str(settings.vault_dir.absolute()))):
        return RemoteFolder(why="PROFILES_REMOTE is in VAULT_DIR: choose a folder outside it")
    return RemoteFolder(remote)


def known_profiles(settings: Settings) -> list[str]:
    """Return the profiles, the owner's first: those served by `sam run`, and those with folders."""
    home = settings.profiles_dir
    there = sorted(
        path.name
        for path in (home.iterdir() if home.is_dir() else ())
        if (path / "data").is_dir() and not path.name.startswith(".")
    )
    return list(dict.fromkeys([*settings.profile_names, *there]))

"""Names of rclone's folders: `drive:Sam`, or a path on this machine."""

from __future__ import annotations

import os


def fixed_place(remote: str) -> str:
    """Return a folder of rclone's as it is. Raise ValueError for a relative path, which names a
    different folder in each working directory."""
    if remote and not parts(remote)[0] and not remote.startswith("/"):
        raise ValueError(
            f"{remote!r} has no colon: begin it with the name of a remote of rclone, as in"
            " drive:Sam, or with / if it is a folder of this machine"
        )
    return remote


def overlap(one: str, other: str) -> bool:
    """Return whether one of these folders is in the other, or both are the same."""
    first, second = place(one), place(other)
    return within(first, second) or within(second, first)


def within(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """Return whether a folder is in another one, or the same; both as `place` returns them."""
    return inner[: len(outer)] == outer


def place(remote: str) -> tuple[str, ...]:
    """Return the remote's name and the path's parts, as the least exact remote compares them."""
    head, path = parts(remote)
    if not head:
        path = os.path.realpath(path)
    elif not head.startswith(":"):
        head = head.rstrip(":").partition(",")[0]
    names = [name for name in path.split("/") if name not in ("", ".")]
    return (head, *(name.casefold() for name in names))


def parts(remote: str) -> tuple[str, str]:
    """Split `drive:Sam` after the colon that ends the remote's name; a folder of this machine has
    none. Options in the name may have colons in quotes."""
    if remote.startswith(("/", ".", "~")):
        return "", remote
    quote = ""
    for at, letter in enumerate(remote):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == ":" and at:
            return remote[: at + 1], remote[at + 1 :]
    return "", remote

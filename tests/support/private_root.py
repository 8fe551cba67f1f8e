"""Give the scripts of deploy/ their own /etc, /opt and /var/lib, in a mount namespace.

The scripts, bash, the kernel's links and owners and the user `sam` are real; systemd and Sam's own
program are replaced by short shell scripts that drop root as systemd would. Needs root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

UID = 61_234  # uid of the throwaway user `sam`, which exists only in this namespace's passwd file

SYSTEMCTL = """#!/bin/bash
case $* in
    "cat sam.service") cat /etc/systemd/system/sam.service ;;
esac
exit 0
"""
SYSTEMD_RUN = """#!/bin/bash
# As User=sam, with --setenv= and BindPaths=, as systemd would start it.
give=() bind=
while [ "$1" != -- ]; do
    case $1 in
        --setenv=*) give+=("${1#--setenv=}") ;;
        --property=BindPaths=*) bind=${1#--property=BindPaths=} ;;
    esac
    shift
done
shift
[ -z "$bind" ] || mount --bind "${bind%%:*}" "${bind#*:}"
code=0
runuser -u sam -- env -C /var/lib/sam "${give[@]}" "$@" || code=$?
[ -z "$bind" ] || umount "${bind#*:}"
exit "$code"
"""
PROGRAM = """#!/bin/bash
[ ! -x /var/lib/sam/"$1" ] || exec /var/lib/sam/"$1" "$@"  # what a Sam that was taken over does
exit 0
"""


def missing() -> str | None:
    """Return why this cannot run here; None if it can."""
    if os.geteuid() != 0:
        return "needs root"
    for name in ("unshare", "runuser", "mount", "setsid"):
        if shutil.which(name) is None:
            return f"needs {name}"
    tried = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
        capture_output=True,
        check=False,
    )
    return None if tried.returncode == 0 else "needs the right to mount"


class PrivateRoot:
    """Sam installed by hand, with two releases; the newer one is current."""

    def __init__(self, folder: Path, deploy: Path) -> None:
        self.folder, self._mounts = folder, ("etc", "opt", "var/lib", "usr/local/bin", "srv")
        shutil.copytree("/etc", folder / "etc", symlinks=True)
        for name in self._mounts[1:]:
            (folder / name).mkdir(parents=True)
        for name in ("passwd", "group"):
            with (folder / "etc" / name).open("a") as file:
                home = "::/var/lib/sam:/usr/sbin/nologin" if name == "passwd" else ""
                file.write(f"sam:x:{UID}:{f'{UID}{home}' if home else ''}\n")
        for name, text in (("systemctl", SYSTEMCTL), ("systemd-run", SYSTEMD_RUN)):
            self.write(f"usr/local/bin/{name}", text, mode=0o755)
        for release in ("old", "new"):
            place = folder / "opt/sam/releases" / release
            self.write(f"opt/sam/releases/{release}/bin/sam", PROGRAM, mode=0o755)
            shutil.copytree(deploy, place / "deploy")
        (folder / "opt/sam/current").symlink_to("/opt/sam/releases/new")
        (folder / "opt/sam/previous").symlink_to("/opt/sam/releases/old")
        shutil.copy2(deploy / "sam", folder / "usr/local/bin/sam")
        shutil.copy2(deploy / "sam.service", self.path("etc/systemd/system/sam.service"))
        self.write("etc/sam/sam.env", "DATA_DIR=/var/lib/sam/data\n", mode=0o640, group=UID)
        (folder / "etc/sam/credentials").mkdir(mode=0o700)
        (folder / "var/lib/sam").mkdir(mode=0o700)
        os.chown(folder / "var/lib/sam", UID, UID)
        self.as_sam("mkdir -p data/backups; echo rows >data/log.db; echo old >data/backups/one")

    def path(self, name: str) -> Path:
        """Return the path as seen from outside the namespace; create its parent folder."""
        file = self.folder / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def write(self, name: str, text: str, *, mode: int = 0o644, group: int = 0) -> Path:
        """Write a file owned by root."""
        file = self.path(name)
        file.write_text(text, "utf-8")
        file.chmod(mode)
        os.chown(file, 0, group)
        return file

    def as_sam(self, script: str) -> None:
        """Run a script as the (compromised) user `sam`, in /var/lib/sam."""
        done = self.run("runuser", "-u", "sam", "--", "bash", "-euc", f"cd /var/lib/sam; {script}")
        assert done.returncode == 0, done.stderr

    def run(self, *words: str, cwd: str = "/srv") -> subprocess.CompletedProcess[str]:
        """Run a command as root inside the namespace."""
        binds = "".join(f"mount --bind {self.folder}/{name} /{name}\n" for name in self._mounts)
        script = (
            f"set -e\nchmod 755 {self.folder}\n{binds}"
            "mount -t tmpfs none /run; mkdir -p /run/systemd/system\n"
            f'cd {cwd}; exec "$@"'
        )
        return subprocess.run(
            ["unshare", "--mount", "bash", "-c", script, "-", *words],
            env={"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

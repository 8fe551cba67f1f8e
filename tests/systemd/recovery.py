"""Disaster recovery: run the commands of docs/deploy.md literally."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.process import ROOT, wait_until
from tests.systemd.installed import WHEELS

if TYPE_CHECKING:
    from tests.systemd.__main__ import Story

STATE = "var/lib/sam"
PLACES = f"VAULT_DIR=/{STATE}/vault\nDATA_DIR=/{STATE}/data\nPROFILES_DIR=/{STATE}/profiles\n"


def commands(title: str, number: int = 0) -> str:
    """Return a block of commands below that bold title in the recovery section of the document."""
    page = (ROOT / "docs" / "deploy.md").read_text("utf-8").split("## When something is lost")[1]
    return re.findall(r"```sh\n(.*?)```", page.split(f"**{title}", 1)[1], re.DOTALL)[number]


def follow(story: Story, title: str, number: int = 0, *, stdin: str = "", **words: str) -> str:
    """Run them as root beside Sam's folder, with placeholders (REMOTE, DATE) filled in."""
    script = commands(title, number)
    for name, value in words.items():
        script, count = re.subn(rf"\b{name}\b", value, script)
        assert count, (title, name)
    script = script.replace("install.sh", f"install.sh --wheels {WHEELS}")  # there is no network
    return story.machine.run(
        "bash", "-c", f"set -euo pipefail; cd /srv\n{script}", stdin=stdin
    ).stdout


def key_gone(story: Story) -> None:
    """Revoke the API key, file a new one, and see Sam answer with it."""
    refused = len(story.claude.refused)
    story.claude.keys = {"sk-ant-new"}
    follow(story, "A key was lost or leaked", stdin="sk-ant-new\n")
    story.sam.answers = (story.sam.answers[0], "sk-ant-new")
    story.sam.see_running()
    story.talks(2)
    story.claude.forgives(401, since=refused)  # the old key may have been tried once more


def remote_gone(story: Story) -> None:
    """Take away the first remote, and set up another one."""
    state = story.machine.root / STATE
    follow(story, "The remote is gone", REMOTE=f"/{STATE}/first")
    assert (state / "first/soul.md").is_file()
    story.sam.see_running()
    shutil.rmtree(state / "first")
    story.talks(2)
    follow(story, "The remote is gone", REMOTE=f"/{STATE}/second")
    assert (state / "second/soul.md").is_file()
    story.sam.see_running()
    story.talks(2)


def disk_full(story: Story) -> None:
    """Fill the disk: the documented clean-up must work, without any restart."""
    pid = story.sam.pid()
    assert "sam-" in follow(story, "The disk is full")
    story.talks(1)
    assert story.sam.pid() == pid


def server_gone(story: Story) -> None:
    """Restore backup and remote on a new machine: Sam must continue with what was pending."""
    story.sam.at_rest()
    story.machine.run("sam", "sync")
    story.machine.run("sam", "backup")
    old = story.machine.root / STATE
    newest = max((old / "data/backups").glob("sam-*.tar.gz"))
    story.machine.cut_power()
    waiting, answers = story.asks(), story.sam.answers
    story.sam = story.fresh()
    story.sam.answers = answers  # with the key, which is not lost
    story.machine = story.sam.machine
    new = story.machine.root
    shutil.copy(newest, new / "srv")
    story.machine.write("/etc/sam/sam.env", PLACES + story.sam.settings, 0o644)
    story.machine.write("/etc/sam/credentials/EMBEDDING_API_KEY", "sk-test\n", 0o600)
    with story.timed("server gone: install.sh, restore, setup, to the answer"):
        date = newest.name.removeprefix("sam-").removesuffix(".tar.gz")
        follow(story, "The disk is broken", DATE=date)
        _copy(old / "second", new / STATE / "second", story)
        follow(story, "The disk is broken", 1, stdin="y\n", REMOTE=f"/{STATE}/second")
        story.machine.run("sam", "setup", stdin="\n".join((*answers, "", "")))
        story.sees_answer(waiting)
    story.talks(2)


def _copy(source: Path, target: Path, story: Story) -> None:
    shutil.copytree(source, target)
    story.machine.run("chown", "-R", "sam:sam", f"/{STATE}/{target.name}")


def as_user(story: Story) -> None:
    """Install without root (install.sh --user): the service must run without a login session."""
    machine, home = story.machine, "/home/ana"
    machine.run("useradd", "--create-home", "--shell", "/bin/bash", "ana")
    machine.run("loginctl", "enable-linger", "ana")
    uid = machine.run("id", "-u", "ana").stdout.strip()
    bus = f"/run/user/{uid}"
    as_ana = ("runuser", "-u", "ana", "--", "env", f"HOME={home}", f"XDG_RUNTIME_DIR={bus}")

    def ana(*words: str, stdin: str = "", check: bool = True) -> str:
        return machine.run(*as_ana, *words, stdin=stdin, check=check).stdout.strip()

    def runs() -> bool:
        return ana("systemctl", "--user", "is-active", "sam.service", check=False) == "active"

    def pid() -> int:
        return int(ana("systemctl", "--user", "show", "sam.service", "-p", "MainPID", "--value"))

    wait_until(lambda: _is_up(story, uid), "a user's manager")
    with story.timed("install.sh --user"):
        ana("/srv/sam/deploy/install.sh", "--user", "--wheels", WHEELS)
    env = machine.root / home[1:] / ".config/sam/sam.env"
    with env.open("a", encoding="utf-8") as file:
        file.write(f"{story.sam.settings}EMBEDDING_API_KEY=sk-test\n")
    ana(f"{home}/.local/bin/sam", "setup", stdin="\n".join((*story.sam.answers, "", "")))
    wait_until(runs, "a Sam of hers", timeout=180)
    story.talks(2)
    before = pid()
    ana("systemctl", "--user", "kill", "--kill-whom=main", "--signal=SIGKILL", "sam.service")
    asked = story.asks()
    wait_until(lambda: pid() not in (0, before), "another Sam", timeout=60)
    story.sees_answer(asked)
    ana("/srv/sam/deploy/uninstall.sh", "--user", "--yes")
    assert not runs() and (machine.root / home[1:] / "Sam/vault/soul.md").is_file()


def _is_up(story: Story, uid: str) -> bool:
    said = story.machine.run("systemctl", "is-active", f"user@{uid}.service", check=False)
    return said.stdout.strip() == "active"

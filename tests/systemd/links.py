"""Links and names that a compromised user `sam` plants, in the hope that root follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.systemd.__main__ import Story

SECRET = "VAULT_DIR=for-root-alone"


def links_planted(story: Story) -> None:
    """Upgrade and set up with planted links: root must not give away or delete anything."""
    machine = story.machine
    machine.write("/etc/victim/file", SECRET, 0o600)
    _as_sam(story, "rm -rf before-upgrade; ln -s /etc/victim before-upgrade")
    said = story.sam.script("upgrade.sh", "--rollback", check=False)
    assert "Nothing was changed" in said, said
    assert machine.run("stat", "--format=%U %a", "/etc/victim").stdout == "root 755\n"
    assert machine.run("ls", "-A", "/etc/victim").stdout == "file\n"
    story.talks(1)

    machine.write("/srv/admin/important/file", "mine")
    names = "'20250101-000000 important' $'20250101-000000\\nimportant' 2 3 4 5"
    _as_sam(story, f"rm before-upgrade; mkdir before-upgrade; cd before-upgrade; mkdir {names}")
    for _ in range(2):  # there and back
        machine.run("bash", "-c", "cd /srv/admin && /srv/sam/deploy/upgrade.sh --rollback")
    assert (machine.root / "srv/admin/important/file").is_file()
    kept = machine.run("ls", "/var/lib/sam/before-upgrade").stdout.split()
    assert len(kept) == 3, kept

    before = (machine.root / "etc/sam/sam.env").read_text("utf-8")
    loop = "ln -sf /etc/victim/file /run/sam-setup.*/sam.env 2>/dev/null || true; sleep 0.01"
    planting = "for _ in $(seq 3000); do [ ! -e /srv/stop ] || exit 0; " + loop + "; done"
    machine.run("systemd-run", "--unit=planting", "--uid=sam", "bash", "-c", planting)
    answers = "\n".join((*story.sam.answers, "", ""))
    machine.run("sam", "setup", stdin=answers, check=False)
    machine.write("/srv/stop", "")
    after = (machine.root / "etc/sam/sam.env").read_text("utf-8")
    assert SECRET not in after and after.strip(), after
    assert after == before or "TELEGRAM_BASE_URL" in after, after
    story.sam.see_running()
    story.talks(1)


def _as_sam(story: Story, script: str) -> None:
    words = ("runuser", "-u", "sam", "--", "bash", "-euc", f"cd /var/lib/sam; {script}")
    story.machine.run(*words)

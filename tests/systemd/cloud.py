"""`make cloud-test`: run deploy/cloud-init.yaml on an empty server until the owner is paired.

    python -m tests.systemd.cloud [--suite bookworm|trixie] [--keep]

A real Debian boots with Debian's own cloud-init, which gets the file as user data; its two
placeholders are filled in with a token and a clone of the committed tree. Only Telegram is a fake.
Then the owner opens the link that the file promises. Needs what `make systemd-test` needs,
and a network.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.fakes.telegram import TOKEN, FakeTelegram
from tests.support.process import ROOT, wait_until
from tests.systemd import machine

FILE = ROOT / "deploy" / "cloud-init.yaml"
BLANKS = {
    'TELEGRAM_BOT_TOKEN\n    permissions: "0600"\n    content: ""': TOKEN,
    "URL-OF-THIS-REPOSITORY": "/srv/sam",
}
LINK = re.compile(r"https://t\.me/sam_the_bot\?start=(\w{8})")
CONFIG = """\
network: {config: disabled}
datasource_list: [NoCloud, None]
apt: {preserve_sources_list: true}
locale: false
"""
"""Use this machine's network and package sources; a minimal Debian has no locales."""


def user_data() -> str:
    """Return the cloud-init file with its placeholders filled in."""
    text = FILE.read_text("utf-8")
    for blank, value in BLANKS.items():
        assert text.count(blank) == 1, f"{FILE.name} has not one {blank!r}"
        filled = blank.replace('content: ""', f'content: "{value}"')
        text = text.replace(blank, filled if filled != blank else value)
    return text


def server(base: Path, folder: Path, telegram_url: str) -> machine.Machine:
    """Return a machine that has never booted, with its user data beside it."""
    made = machine.Machine(base, folder, longest=500)  # cloud-init installs Sam while it boots
    install = "apt-get update -q && apt-get install -yq --no-install-recommends cloud-init"
    words = ("--quiet", "--register=no", "--keep-unit", "--setenv=DEBIAN_FRONTEND=noninteractive")
    subprocess.run(
        ["systemd-nspawn", *words, "--directory", str(made.root), "sh", "-c", install],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    made.write("/var/lib/cloud/seed/nocloud/user-data", user_data(), 0o600)
    made.write("/var/lib/cloud/seed/nocloud/meta-data", "instance-id: sam-1\nlocal-hostname: vps\n")
    made.write("/etc/cloud/cloud.cfg.d/99_test.cfg", CONFIG)
    made.write(
        "/etc/systemd/system.conf.d/telegram.conf",
        f"[Manager]\nDefaultEnvironment=TELEGRAM_BASE_URL={telegram_url}\n",
    )
    bundle = ["git", "-C", str(ROOT), "bundle", "create", "-q", str(made.root / "srv/sam"), "HEAD"]
    subprocess.run(bundle, check=True)
    if certificates := os.environ.get("PIP_CERT"):
        shutil.copy(certificates, made.root / "srv/certificates.pem")
        made.write("/etc/pip.conf", "[global]\ncert = /srv/certificates.pem\n")
    return made


def paired(booted: machine.Machine, telegram: FakeTelegram) -> None:
    """Wait for the link, open it, and see Sam greet its owner."""
    shown = booted.root / "root/sam-pairing-link.txt"
    wait_until(
        lambda: shown.exists() and LINK.search(shown.read_text("utf-8")), "a link", timeout=500
    )
    assert shown.stat().st_mode & 0o077 == 0
    found = LINK.search(shown.read_text("utf-8"))
    assert found is not None
    wait_until(
        lambda: booted.run("cloud-init", "status", check=False).stdout.strip() == "status: done",
        "an end of cloud-init without errors",
        timeout=60,
    )
    assert found[0] in (booted.root / "var/log/cloud-init-output.log").read_text("utf-8")
    telegram.receives(f"/start {found[1]}")
    wait_until(
        lambda: any("paired" in sent.text for sent in telegram.sent), "a welcome", timeout=60
    )


def main() -> int:
    """Run the test. Returns 1 if no owner was paired, 2 if it cannot run here."""
    parser = argparse.ArgumentParser(prog="python -m tests.systemd.cloud")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--keep", action="store_true", help="leave the machine's folder")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "sam-systemd")
    given = parser.parse_args()
    if lacks := machine.missing():
        print("make cloud-test needs what is not here:", *lacks, sep="\n  ", file=sys.stderr)
        return 2
    os.umask(0o022)
    base = machine.base(given.cache, given.suite)
    folder = Path(tempfile.mkdtemp(prefix="sam-cloud-"))
    try:
        with FakeTelegram.running() as telegram:
            booted, began = server(base, folder, telegram.url), time.monotonic()
            with booted:
                try:
                    paired(booted, telegram)
                except AssertionError:
                    log = booted.root / "var/log/cloud-init-output.log"
                    print(
                        log.read_text("utf-8")[-4000:] if log.exists() else "cloud-init did not run"
                    )
                    print(booted.run("cloud-init", "status", "--long", check=False).stdout)
                    raise
                print(f"from the first boot to a paired owner: {time.monotonic() - began:.0f} s")
    finally:
        if given.keep:
            print(f"kept: {folder}")
        else:
            subprocess.run(["rm", "-rf", str(folder)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

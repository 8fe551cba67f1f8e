"""The files in deploy/: units that systemd accepts, scripts that report what they do, the alert.

tests/systemd (`make systemd-test`) runs the service on a real systemd.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from bot.doctor import systemd_checks
from bot.settings import Settings, supervisor
from memory.config import read
from tests.fakes.telegram import ANA, TOKEN, FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support import private_root
from tests.support.private_root import PrivateRoot
from tests.support.unit_files import MOST_EXPOSED, analyze, needs_analyze

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SYSTEM = sorted(file.name for file in DEPLOY.glob("*.service"))
USER = sorted(file.name for file in (DEPLOY / "user").glob("*.service"))
SCRIPTS = [*sorted(DEPLOY.glob("*.sh")), DEPLOY / "sam", DEPLOY / "user" / "sam"]


@needs_analyze
@pytest.mark.parametrize("folder", [DEPLOY, DEPLOY / "user"], ids=["system", "user"])
def test_systemd_accepts_every_unit(folder: Path, tmp_path: Path) -> None:
    """With a stand-in for each program that a unit starts."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for file in (*folder.glob("*.service"), *folder.glob("*.timer")):
        text = re.sub(r"^(Exec\w+=-?)(/opt|%h)\S+", rf"\1{program}", file.read_text(), flags=re.M)
        (tmp_path / file.name.replace("@.", "@x.")).write_text(text)
        (tmp_path / file.name).write_text(text)
    units = [str(p) for p in tmp_path.iterdir() if p.suffix != "" and "@." not in p.name]
    assert units
    whose = ["--user"] if folder.name == "user" else []
    done = analyze("verify", "--man=no", *whose, *units, XDG_RUNTIME_DIR=str(tmp_path))
    ours = [row for row in done.stderr.splitlines() if str(tmp_path) in row or "sam" in row]
    assert not ours and done.returncode == 0, done.stderr


@needs_analyze
@pytest.mark.parametrize("name", SYSTEM)
def test_a_unit_may_do_little(name: str) -> None:
    done = analyze("security", "--offline=true", "--no-pager", str(DEPLOY / name))
    assert "Invalid syntax" not in done.stderr + done.stdout, done.stderr
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found and float(found[1]) <= MOST_EXPOSED, done.stdout[-200:]


@pytest.mark.parametrize("name", USER)
def test_a_user_unit_has_the_system_call_filter_and_says_what_it_lacks(name: str) -> None:
    """`systemd-analyze security` judges a user unit by what its manager cannot apply."""
    unit, system = (DEPLOY / "user" / name).read_text(), (DEPLOY / name).read_text()
    filters = re.findall(r"^SystemCall\w+=.*$", system, re.M)
    assert re.findall(r"^SystemCall\w+=.*$", unit, re.M) == filters
    comment = unit.partition("[Unit]")[0]
    assert filters and "lacks" in comment and "can read what you can read" in comment


def test_sam_is_restarted_watched_and_let_end() -> None:
    unit = (DEPLOY / "sam.service").read_text()
    for row in (
        "Type=notify",
        "Restart=always",
        "StartLimitIntervalSec=0",
        "WatchdogSec=60",
        "OnFailure=sam-alert@%n.service",
        "User=sam",
    ):
        assert f"\n{row}\n" in unit
    assert re.search(r"^TimeoutStopSec=(\d+)$", unit, re.M)
    from bot.telegram.bot import GRACE

    stop = int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.M)[1])  # type: ignore[index]
    assert stop > 2 * GRACE


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: str(p.relative_to(DEPLOY)))
def test_shell_scripts_pass_bash_and_shellcheck(script: Path) -> None:
    bash = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
    assert bash.returncode == 0, bash.stderr
    shellcheck = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run(
        [str(shellcheck), "--external-sources", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def script(name: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(DEPLOY / name), *words],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **env},
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("words", [(), ("--user",)], ids=["system", "user"])
def test_a_dry_run_of_the_installation_says_everything_and_does_nothing(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = script("install.sh", "--dry-run", "--wheels", str(tmp_path), *words, HOME=str(home))
    assert done.returncode == 0, done.stderr
    said = [row[4:] for row in done.stdout.splitlines() if row.startswith("  + ")]
    prefix = f"{home}/.local/share/sam" if words else "/opt/sam"
    assert any("-m venv " + prefix + "/releases/" in row for row in said)
    assert any(
        f"--no-index --find-links {tmp_path}" in row and "--require-hashes" in row for row in said
    )
    assert any("--no-deps --no-build-isolation" in row for row in said)
    assert f"mv -T {prefix}/current.new {prefix}/current" in said
    assert any(row.endswith("enable sam.service") for row in said)
    assert any("useradd --system" in row for row in said) is not bool(words)
    assert done.stdout.endswith("Nothing was done: this was a dry run.\n")
    assert list(home.iterdir()) == []


def test_the_same_source_is_the_same_release(tmp_path: Path) -> None:
    def release(folder: Path) -> str:
        done = script("install.sh", "--dry-run", "--source", str(folder))
        return re.search(r"releases/([0-9a-f]{12})", done.stdout)[1]  # type: ignore[index]

    for folder in ("bot/app/__pycache__", "memory", "vault", "deploy"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "bot/app/runtime.py"):
        (tmp_path / name).write_text(name)
    first = release(tmp_path)
    (tmp_path / "bot/app/__pycache__/runtime.pyc").write_bytes(b"x")
    (tmp_path / "tests").mkdir()
    assert release(tmp_path) == first
    (tmp_path / "bot/app/runtime.py").write_text("changed")
    assert release(tmp_path) != first


@pytest.mark.parametrize("extra", ["voice", "server"])
def test_an_extra_is_installed_on_request_and_kept_by_upgrades(tmp_path: Path, extra: str) -> None:
    def release(name: str, *words: str) -> str:
        done = script(name, "--dry-run", "--user", *words, HOME=str(tmp_path))
        assert done.returncode == 0, done.stderr
        [folder] = set(re.findall(r"-m venv \S+/releases/(\S+)", done.stdout))
        [lock] = re.findall(r"--requirement \S+/deploy/(\S+)", done.stdout)
        return f"{folder[12:]} {lock}"

    both = script("install.sh", "--dry-run", "--user", "--voice", "--server", HOME=str(tmp_path))
    assert both.returncode == 1 and "no lock file for both" in both.stderr
    assert release("install.sh") == " requirements.txt"
    assert release("install.sh", f"--{extra}") == f"-{extra} {extra}.txt"
    prefix = tmp_path / ".local/share/sam"
    for built in ("0123456789ab", f"0123456789ab-{extra}"):
        (prefix / "releases" / built / "deploy").mkdir(parents=True)
        (prefix / "current").unlink(missing_ok=True)
        (prefix / "current").symlink_to(prefix / "releases" / built)
        kept = f"-{extra} {extra}.txt" if built.endswith(extra) else " requirements.txt"
        assert release("upgrade.sh") == kept
    assert release("upgrade.sh", f"--no-{extra}") == " requirements.txt"


def test_what_is_not_there_is_not_upgraded(tmp_path: Path) -> None:
    done = script("upgrade.sh", "--dry-run", "--user", HOME=str(tmp_path))
    assert done.returncode == 1 and "is not installed" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--weels", "x"), 2, "there is no option --weels"),
        (("--wheels", "--user"), 1, "--wheels needs a value"),
        (("--python",), 1, "--python needs a value"),
        (("--wheels", "/nowhere/wheels"), 1, "there is no folder /nowhere/wheels"),
        (("--wheels", str(DEPLOY / "install.sh")), 1, "there is no folder "),
        (("--source", "/nowhere"), 1, "there is no /nowhere"),
    ],
)
def test_a_wrong_option_is_named(words: tuple[str, ...], code: int, said: str) -> None:
    for name in ("install.sh", "upgrade.sh"):
        done = script(name, "--dry-run", *words)
        assert (done.returncode, done.stdout) == (code, ""), done.stderr
        assert done.stderr.startswith(f"sam: {said}")


def test_removing_shows_first_asks_and_keeps_the_data(tmp_path: Path) -> None:
    none = script("uninstall.sh", "--user", HOME=str(tmp_path))
    assert (none.returncode, none.stdout) == (1, "")
    assert none.stderr == "sam: there is nothing to remove: Sam is not installed\n"
    app, data = tmp_path / ".local/share/sam/current", tmp_path / "Sam/vault"
    app.mkdir(parents=True)
    data.mkdir(parents=True)
    (data / "MEMORY.md").write_text("mine")
    silent = script("uninstall.sh", "--user", HOME=str(tmp_path))
    assert silent.returncode == 1 and "nothing was removed" in silent.stderr and app.exists()
    done = script("uninstall.sh", "--user", "--yes", HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    removed, kept = done.stdout.split("This stays:")
    assert str(tmp_path / ".local/share/sam") in removed and str(tmp_path / "Sam") in kept
    assert not app.exists() and (data / "MEMORY.md").read_text() == "mine"


def test_a_user_that_is_left_is_removed_though_no_file_is(tmp_path: Path) -> None:
    account = tmp_path / "id"
    account.write_text("#!/bin/sh\n")
    account.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = script("uninstall.sh", "--purge", "--dry-run", PATH=path)
    assert done.returncode == 0 and "+ userdel sam" in done.stdout, done.stderr


# ── root, and the folders of the user sam ────────────────────────────────────────────────────

needs_root = pytest.mark.skipif(
    private_root.missing() is not None, reason=str(private_root.missing())
)
UPGRADE = "/opt/sam/current/deploy/upgrade.sh"


@pytest.fixture
def machine(tmp_path: Path) -> PrivateRoot:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)  # the user sam must be able to enter it
    return PrivateRoot(tmp_path / "root", DEPLOY)


def seen(path: Path) -> tuple[int, int, int]:
    """Return owner, group and mode."""
    found = path.lstat()
    return found.st_uid, found.st_gid, found.st_mode & 0o7777


@needs_root
def test_an_upgrade_keeps_the_databases_as_their_user(machine: PrivateRoot) -> None:
    """The baseline for the attacks below: databases are kept, tried, switched and pruned."""
    machine.as_sam("mkdir before-upgrade; cd before-upgrade; mkdir 2025010{1,2,3}-000000")
    done = machine.run(UPGRADE, "--rollback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (machine.folder / "opt/sam/current").readlink() == Path("/opt/sam/releases/old")
    kept = sorted((machine.folder / "var/lib/sam/before-upgrade").iterdir())
    assert [path.name for path in kept[:2]] == ["20250102-000000", "20250103-000000"]
    assert [path.name for path in kept[2].iterdir()] == ["log.db"] and len(kept) == 3
    assert seen(kept[2]) == (private_root.UID, private_root.UID, 0o700)
    assert (kept[2] / "log.db").read_text() == "rows\n"


@needs_root
@pytest.mark.parametrize(
    "line",
    [
        "DATA_DIR='/var/lib/sam/my data'",
        'export DATA_DIR = "/var/lib/sam/my data"  # mine',
        "DATA_DIR=/var/lib/sam/my data # mine",
        "DATA_DIR=/var/lib/sam/my data\r",
        "DATA_DIR=~/my data",
        "DATA_DIR=${HOME}/my data",
        "DATA_DIR=$HOME/my data",
        "DATA_DIR=my data",
    ],
)
def test_an_upgrade_finds_the_data_folder_as_sam_does(machine: PrivateRoot, line: str) -> None:
    machine.as_sam("mv data 'my data'")
    machine.write("etc/sam/sam.env", f"{line}\n", mode=0o640, group=private_root.UID)
    done = machine.run(UPGRADE, "--rollback")
    assert done.returncode == 0, done.stdout + done.stderr
    [kept] = (machine.folder / "var/lib/sam/before-upgrade").iterdir()
    assert (kept / "log.db").read_text() == "rows\n"


@needs_root
def test_an_old_release_gets_its_databases_back(machine: PrivateRoot) -> None:
    """The newer ones are set aside, the backups stay, and everything belongs to the user sam."""
    machine.as_sam(  # a doctor that calls the databases unsound right after their migration
        "printf '%s\\n' '#!/bin/bash' '[ -z \"${DATA_DIR-}\" ] || exit 0'"
        " 'grep -q rows data/log.db && [ -e was ] && exit 0'"
        " 'touch was; echo newer >data/log.db; exit 1' >doctor; chmod +x doctor"
    )
    done = machine.run(UPGRADE, "--rollback")
    assert done.returncode == 1 and "Sam runs as before" in done.stdout, done.stdout + done.stderr
    state = machine.folder / "var/lib/sam"
    assert (state / "data/log.db").read_text() == "rows\n"
    assert (state / "data/backups/one").read_text() == "old\n"
    [failed] = state.glob("data.failed-*")
    assert (failed / "log.db").read_text() == "newer\n"
    assert {seen(path)[0] for path in state.rglob("*")} == {private_root.UID}


@needs_root
@pytest.mark.parametrize("link", ["before-upgrade", "data", "data/log.db"])
def test_no_link_gives_the_user_sam_a_folder_or_a_file_of_roots(
    machine: PrivateRoot, link: str
) -> None:
    victim = machine.path("etc/victim/log.db").parent
    victim.chmod(0o700)
    machine.write("etc/victim/log.db", "root only", mode=0o600)
    target = "/etc/victim/log.db" if link.endswith(".db") else "/etc/victim"
    machine.as_sam(f"rm -rf {link}; ln -s {target} {link}")
    done = machine.run(UPGRADE, "--rollback")
    assert seen(victim) == (0, 0, 0o700) and seen(victim / "log.db") == (0, 0, 0o600), done.stdout
    assert [path.name for path in victim.iterdir()] == ["log.db"]
    for path in (machine.folder / "var/lib/sam").rglob("*"):
        assert seen(path)[0] == private_root.UID, f"root wrote {path}"
        assert path.is_symlink() or path.is_dir() or path.read_text() != "root only"


@needs_root
def test_no_name_has_an_upgrade_delete_where_root_stands(machine: PrivateRoot) -> None:
    for name in ("important", "20250101-000000"):
        machine.write(f"srv/{name}/file", "mine")
    names = "'20250101-000000 important' $'20250101-000000\\nimportant' '-rf important' 2 3 4 5"
    machine.as_sam(f"mkdir before-upgrade; cd before-upgrade; mkdir -- {names}")
    done = machine.run(UPGRADE, "--rollback", cwd="/srv")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (machine.folder / "srv/important/file").is_file(), done.stdout
    assert (machine.folder / "srv/20250101-000000/file").is_file(), done.stdout
    assert len(list((machine.folder / "var/lib/sam/before-upgrade").iterdir())) == 3


@needs_root
@pytest.mark.parametrize("how", ["ln -sf /etc/victim", "mkfifo", "mkdir", "true"])
def test_a_setup_files_away_what_the_user_sam_can_read_and_no_more(
    machine: PrivateRoot, how: str
) -> None:
    machine.write("etc/victim", "VAULT_DIR=root only\nVOYAGE_API_KEY=root only\n", mode=0o600)
    machine.as_sam(
        "printf '%s\\n' '#!/bin/bash' 'rm /etc/sam/sam.env' "
        f"'{how} /etc/sam/sam.env' >setup; chmod +x setup"
    )
    done = machine.run("sam", "setup")
    config = machine.folder / "etc/sam"
    assert (config / "sam.env").read_text() == "DATA_DIR=/var/lib/sam/data\n"
    assert list((config / "credentials").iterdir()) == []
    assert sorted(path.name for path in config.iterdir()) == ["credentials", "sam.env"]
    assert done.returncode != 0 and "not changed" in done.stderr, done.stdout + done.stderr


@needs_root
@pytest.mark.parametrize("words", [("setup",), ("sync", "--setup")])
def test_a_setup_files_away_what_was_answered(machine: PrivateRoot, words: tuple[str, ...]) -> None:
    machine.as_sam(
        "printf '%s\\n' '#!/bin/bash' 'cd /etc/sam; cp sam.env new; mv new sam.env' "
        "'printf \"TELEGRAM_BOT_TOKEN=1:a\\nTIMEZONE=UTC\\n\" >>sam.env' "
        f">{words[0]}; chmod +x {words[0]}"
    )
    done = machine.run("sam", *words)
    assert done.returncode == 0 and "Sam runs" in done.stdout, done.stdout + done.stderr
    config = machine.folder / "etc/sam"
    assert (config / "sam.env").read_text() == "DATA_DIR=/var/lib/sam/data\nTIMEZONE=UTC\n"
    assert seen(config / "sam.env") == (0, private_root.UID, 0o640)
    assert (config / "credentials/TELEGRAM_BOT_TOKEN").read_text() == "1:a\n"
    assert seen(config / "credentials/TELEGRAM_BOT_TOKEN") == (0, 0, 0o600)


# ── the alert ────────────────────────────────────────────────────────────────────────────────


def alert(folder: Path, telegram: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run it as systemd does: the token as a credential, settings in a file, no package of Sam."""
    credentials = folder / "credentials"
    credentials.mkdir(exist_ok=True)
    (credentials / "TELEGRAM_BOT_TOKEN").write_text(TOKEN + "\n")
    (folder / "sam.env").write_text(f"DATA_DIR='{folder}'\nTELEGRAM_BASE_URL={telegram}\n")
    return subprocess.run(
        [sys.executable, "-I", "-S", str(DEPLOY / "alert.py"), *words],
        env={
            "PATH": os.environ["PATH"],
            "CREDENTIALS_DIRECTORY": str(credentials),
            "SAM_ENV_FILE": str(folder / "sam.env"),
            **env,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def paired(folder: Path) -> None:
    """Return an inbox with a paired owner."""
    with sqlite3.connect(folder / "inbox.db") as inbox:
        for file in sorted((ROOT / "bot" / "inbox" / "migrations").glob("*.sql")):
            inbox.executescript(file.read_text())
        inbox.execute("INSERT INTO paired VALUES (?, 'owner', '2026-02-12T00:00:00Z')", (ANA.id,))
    inbox.close()


def test_the_owner_is_told_that_a_unit_failed_without_anything_of_sam(tmp_path: Path) -> None:
    paired(tmp_path)
    with FakeTelegram.running() as telegram:
        telegram.receives("hi")  # a bot may not send the first message
        done = alert(tmp_path, telegram.url, "sam.service")
        assert done.returncode == 0, done.stderr
        [sent] = telegram.sent
        assert sent.chat_id == ANA.id and "sam.service has failed" in sent.text
        assert_no_violations(telegram)
    (tmp_path / "empty").mkdir()
    nobody = alert(tmp_path / "empty", "", "sam.service")
    assert nobody.returncode == 1 and TOKEN not in nobody.stderr


def test_the_alert_reads_settings_as_sam_does(tmp_path: Path) -> None:
    """From Windows, with a byte order mark; quoted, with a comment behind them."""
    with FakeTelegram.running() as telegram:
        telegram.receives("hi")
        rows = (
            f"TELEGRAM_ALLOWED_USERS={ANA.id}:owner  # me\r\nTELEGRAM_BASE_URL='{telegram.url}' # x"
        )
        settings = tmp_path / "windows.env"
        settings.write_text(rows, "utf-8-sig")
        done = alert(tmp_path, "", "sam.service", SAM_ENV_FILE=str(settings))
        assert done.returncode == 0, done.stderr
        assert [each.chat_id for each in telegram.sent] == [ANA.id]


def test_a_third_restart_is_told_once(tmp_path: Path) -> None:
    """As in the unit: the stop counts, without access to credentials; the start notifies."""
    paired(tmp_path)

    def restarted(telegram: str, result: str) -> None:
        words = ("--count", "sam.service")
        hidden = str(tmp_path / "none")
        ended = alert(
            tmp_path, telegram, *words, SERVICE_RESULT=result, CREDENTIALS_DIRECTORY=hidden
        )
        assert ended.returncode == 0 and not ended.stderr
        assert alert(tmp_path, telegram, "--restarts", "sam.service").returncode == 0

    with FakeTelegram.running() as telegram:
        telegram.receives("hi")
        for result in ("success", "signal", "watchdog", "success"):
            restarted(telegram.url, result)
        assert telegram.sent == []
        for result in ("signal", "watchdog", "signal"):
            restarted(telegram.url, result)
        [sent] = telegram.sent
        assert "restarted 3 times" in sent.text and "the last time: signal" in sent.text
        # Three restarts in an hour do not trigger an alert.
        ends = [(time.time() - 3000, "signal"), (time.time() - 2000, "signal")]
        (tmp_path / "restarts.json").write_text(json.dumps({"ends": ends, "told": 0}))
        restarted(telegram.url, "signal")
        assert len(telegram.sent) == 1


# ── settings and doctor under systemd ────────────────────────────────────────────────────────


def test_an_empty_credential_is_no_setting_and_a_file_may_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "TELEGRAM_BOT_TOKEN").write_text(TOKEN + "\n")
    (tmp_path / "ANTHROPIC_API_KEY").write_text("\n")
    (tmp_path / "sam.env").write_text("RECALL_HITS=3\nVOYAGE_API_KEY=\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("SAM_ENV_FILE", str(tmp_path / "sam.env"))
    settings = read(Settings)
    assert settings.telegram_bot_token and settings.telegram_bot_token.get_secret_value() == TOKEN
    assert not settings.has_model and settings.provider == "local" and settings.recall_hits == 3


async def test_doctor_looks_at_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, shared = tmp_path / "given", tmp_path / "shared"
    given.mkdir()
    shared.mkdir(mode=0o755)
    for name, text in {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "ANTROPIC_API_KEY": "sk",
        "VOYAGE_API_KEY": "\n",
    }.items():
        (given / name).write_text(text)
    (tmp_path / "sam.env").write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\nVOYAGE_API_KEY=x\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    monkeypatch.setenv("SAM_ENV_FILE", str(tmp_path / "sam.env"))
    monkeypatch.setattr(systemd_checks, "CREDENTIALS", shared)
    found = {p.id: p.what async for p in systemd_checks.credentials(read(Settings))}
    assert set(found) == {"credential-hidden", "credential-name", "credentials-open"}
    assert "TELEGRAM_BOT_TOKEN" in found["credential-hidden"]
    assert "ANTROPIC_API_KEY" in found["credential-name"]
    shared.chmod(0o700)
    (given / "ANTROPIC_API_KEY").unlink()
    (tmp_path / "sam.env").write_text("")
    assert [p async for p in systemd_checks.credentials(read(Settings))] == []


async def test_doctor_compares_the_clock_with_telegrams(monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import timedelta

    from memory.infra.clock import system_clock

    with FakeTelegram.running() as telegram:
        settings = Settings(  # type: ignore[call-arg]
            _env_file=None, telegram_bot_token=TOKEN, telegram_base_url=telegram.url
        )
        monkeypatch.setattr(systemd_checks, "BOOTED", Path("/nonexistent"))
        assert [p async for p in systemd_checks.clock(settings)] == []
        monkeypatch.setattr(
            systemd_checks, "system_clock", lambda: system_clock() + timedelta(minutes=5)
        )
        [problem] = [p async for p in systemd_checks.clock(settings)]
        assert problem.id == "clock" and re.search(r"\b(299|30[01]) seconds fast", problem.what)


async def test_doctor_looks_at_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in for systemctl; tests/systemd uses the real one."""
    said = tmp_path / "said"
    (tmp_path / "systemctl").write_text(f'#!/bin/sh\n[ "$1" = show ] && cat {said}\n')
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(systemd_checks, "BOOTED", tmp_path)
    running = {
        "LoadState": "loaded",
        "ActiveState": "active",
        "Result": "success",
        "NRestarts": "0",
        "UnitFileState": "enabled",
        "NeedDaemonReload": "no",
    }

    async def told(**changed: str) -> list[str]:
        rows = (f"{name}={value}\n" for name, value in (running | changed).items())
        said.write_text("".join(rows))
        return [p.id async for p in systemd_checks.unit(Settings(_env_file=None))]  # type: ignore[call-arg]

    assert await told() == []
    assert await told(LoadState="not-found") == []
    assert await told(ActiveState="failed", Result="exit-code") == ["unit-failed"]
    assert await told(NRestarts="3") == ["unit-restarts"]
    assert await told(UnitFileState="disabled", NeedDaemonReload="yes") == [
        "unit-disabled",
        "unit-changed",
    ]


async def test_doctor_names_the_journal_of_a_user_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = "LoadState=%s\nActiveState=failed\nResult=signal\nNRestarts=0\nUnitFileState=enabled\n"
    (tmp_path / "systemctl").write_text(
        '#!/bin/sh\n[ "$1" = --user ] && load=loaded || load=not-found\n'
        f"printf '{state}NeedDaemonReload=no\n' $load\n"
    )
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(systemd_checks, "BOOTED", tmp_path)
    [problem] = [each async for each in systemd_checks.unit(Settings())]
    assert "`journalctl --user --unit sam`" in problem.advice


def test_outside_of_systemd_nothing_is_told() -> None:
    found = supervisor()
    assert not found.notify_socket and not found.watchdog_seconds


def test_the_run_on_a_real_systemd_has_a_chapter_for_each_promise() -> None:
    """That run needs root, minutes and systemd-nspawn, and says so if they are missing."""
    from tests.systemd import __main__ as run
    from tests.systemd import machine, recovery

    assert [chapter.__name__ for chapter in run.CHAPTERS] == [
        "installed",
        "killed",
        "hung",
        "stopped_in_an_answer",
        "upgraded",
        "not_upgraded",
        "links_planted",
        "failed",
        "without_power",
        "key_gone",
        "remote_gone",
        "disk_full",
        "server_gone",
        "ended",
        "as_user",
        "local_speech",
    ]
    for each in (
        "The disk is full",
        "The disk is broken",
        "A key was lost or leaked",
        "The remote is gone",
    ):
        script = recovery.commands(each)
        done = subprocess.run(["bash", "-n"], input=script, text=True, check=False)
        assert done.returncode == 0 and f'follow(story, "{each}"' in inspect.getsource(recovery)
    assert run.KILLS >= 7
    assert all(
        any(name in row for row in machine.missing())
        for name in machine.NEEDED
        if shutil.which(name) is None
    )


def first_boot() -> str:
    """Return the script that cloud-init writes and runs."""
    [script] = [
        each["content"]
        for each in yaml.safe_load((DEPLOY / "cloud-init.yaml").read_text("utf-8"))["write_files"]
        if each["path"].startswith("/usr/local/sbin/")
    ]
    assert isinstance(script, str)
    return script


@pytest.mark.skipif(shutil.which("cloud-init") is None, reason="cloud-init is not installed")
def test_cloud_init_accepts_its_file(tmp_path: Path) -> None:
    """Validate with the schema that cloud-init includes. On a server: `make cloud-test`."""

    def looked_at(file: Path) -> subprocess.CompletedProcess[str]:
        words = ["cloud-init", "schema", "--config-file", str(file)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    done = looked_at(DEPLOY / "cloud-init.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = tmp_path / "wrong.yaml"
    text = (DEPLOY / "cloud-init.yaml").read_text("utf-8")
    wrong.write_text(text.replace("package_update: true", "package_update: often"), "utf-8")
    assert looked_at(wrong).returncode != 0


def test_the_first_boot_is_sound_and_secrets_are_roots_alone() -> None:
    shellcheck = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run(
        [str(shellcheck), "-"], input=first_boot(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    given = yaml.safe_load((DEPLOY / "cloud-init.yaml").read_text("utf-8"))
    secrets = [each for each in given["write_files"] if "/credentials/" in each["path"]]
    assert len(secrets) == 2
    assert all(each["permissions"] == "0600" and not each["content"] for each in secrets)

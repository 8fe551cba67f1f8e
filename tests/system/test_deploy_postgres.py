"""deploy/postgres: its SQL run by psql on a real server, its unit and its compose file; and what
pg_dump can and cannot do with the roles that it makes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import yaml

from bot.settings import Settings
from memory.infra.postgres import Tenant
from memory.log import Log, copy_rows, to_postgres
from tests.support import postgres as servers
from tests.support.logs import NOON
from tests.support.moves import dump, filled, place
from tests.support.postgres import ADMIN, Cluster
from tests.support.unit_files import MOST_EXPOSED, analyze, needs_analyze

FOLDER = Path(__file__).parents[2] / "deploy/postgres"
PASSWORD = "a 'quoted' password"

pytestmark = pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")


@pytest.fixture
def blank() -> Iterator[Cluster]:
    """A server without the role and the database of Sam."""
    cluster = servers.start()
    try:
        cluster.admin("DROP DATABASE sam")
        cluster.admin("DROP ROLE sam")
        yield cluster
    finally:
        cluster.remove()


def psql(cluster: Cluster, file: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["psql", "--no-psqlrc", cluster.url(ADMIN, ADMIN), "--file", str(FOLDER / file)],
        env={"PATH": os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        check=False,
    )


def pg_dump(url: str, target: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["pg_dump", "--format=custom", f"--file={target}", url],
        capture_output=True,
        text=True,
        check=False,
    )


def pg_restore(file: Path, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["pg_restore", "--exit-on-error", "--dbname", url, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_role_is_one_that_sam_accepts_and_nothing_more(blank: Cluster, tmp_path: Path) -> None:
    refused = psql(blank, "role.sql")
    assert refused.returncode != 0 and "SAM_DB_PASSWORD" in refused.stderr
    for weakened in (False, True):
        if weakened:
            blank.admin("ALTER ROLE sam BYPASSRLS CREATEDB")
        made = psql(blank, "role.sql", SAM_DB_PASSWORD=PASSWORD)
        assert made.returncode == 0, made.stderr
        assert PASSWORD not in made.stdout + made.stderr
        with psycopg.connect(blank.url(ADMIN, ADMIN)) as db:
            found = db.execute(
                "SELECT rolcanlogin, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,"
                " rolreplication FROM pg_roles WHERE rolname = 'sam'"
            ).fetchone()
            assert found == (True, False, False, False, False, False)
            hashed = db.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'sam'")
            assert str(hashed.fetchone()[0]).startswith("SCRAM-SHA-256")  # type: ignore[index]

    asyncio.run(_used(tmp_path, Tenant(blank.url(), "owner")))
    blank.admin("CREATE ROLE stranger LOGIN")
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(blank.url("stranger", "sam"))


async def _used(folder: Path, tenant: Tenant) -> None:
    log = await Log.open(folder / "log.db", lambda: NOON, tenant=tenant)
    await log.settings.set("a", "b")
    await log.close()


@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="pg_dump is not installed")
async def test_a_dump_by_the_backup_role_has_everybodys_rows(
    blank: Cluster, tmp_path: Path
) -> None:
    psql(blank, "role.sql", SAM_DB_PASSWORD=PASSWORD)
    before = {}
    for name in ("ana", "bob"):
        (tmp_path / name).mkdir()
        await filled(tmp_path / name, 10)
        before[name] = dump(tmp_path / name / "log.db")
        to_postgres(place(tmp_path / name, Tenant(blank.url(), name)))
    file = tmp_path / "sam.dump"
    refused = pg_dump(blank.url(), file)
    assert refused.returncode != 0 and "row-level security" in refused.stderr
    made = psql(blank, "backup-role.sql", SAM_BACKUP_PASSWORD=PASSWORD)
    assert made.returncode == 0, made.stderr
    done = pg_dump(blank.url("sam_backup"), file)
    assert done.returncode == 0, done.stderr

    blank.admin("CREATE DATABASE again OWNER sam ENCODING 'UTF8' TEMPLATE template0")
    restored = pg_restore(file, blank.url(ADMIN, "again"))
    assert restored.returncode == 0, restored.stderr
    for name in ("ana", "bob"):
        tenant = Tenant(blank.url(database="again"), name)
        copy_rows(place(tmp_path / name, tenant), tmp_path / name / "copy.db")
        assert dump(tmp_path / name / "copy.db") == before[name]


@needs_analyze
def test_systemd_accepts_an_instance_that_may_do_as_little(tmp_path: Path) -> None:
    text = (FOLDER.parent / "sam.service").read_text("utf-8")
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = re.sub(r"^(Exec\w+=-?)/opt\S+", rf"\1{program}", text, flags=re.M)
    added = (FOLDER / "instance.conf").read_text("utf-8")
    for name in ("sam@ana.service", "sam@.service"):
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.d").mkdir()
        (tmp_path / f"{name}.d/instance.conf").write_text(added)
    (tmp_path / "sam-alert@.service").write_text("[Service]\nExecStart=/bin/true\n")
    unit = str(tmp_path / "sam@ana.service")
    done = analyze("verify", "--man=no", unit, SYSTEMD_UNIT_PATH=f"{tmp_path}:")
    ours = [row for row in done.stderr.splitlines() if str(tmp_path) in row or "sam" in row]
    assert not ours and done.returncode == 0, done.stderr
    done = analyze("security", "--offline=true", "--no-pager", unit)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found and float(found[1]) <= MOST_EXPOSED, done.stdout[-200:] + done.stderr
    for setting in re.findall(r"^LoadCredential=(\w+):", added, re.M):
        assert setting.lower() in Settings.model_fields, setting


def test_the_compose_file_waits_for_the_database_and_has_no_password() -> None:
    text = (FOLDER / "compose.yaml").read_text("utf-8")
    composed = yaml.safe_load(text)
    database, sam = composed["services"]["database"], composed["services"]["sam"]
    assert (FOLDER / sam["build"]["context"] / sam["build"]["dockerfile"]).is_file()
    assert (FOLDER.parent / sam["build"]["args"]["LOCK"]).is_file()
    assert "ARG LOCK=requirements.txt" in (FOLDER.parent / "Dockerfile").read_text("utf-8")
    assert sam["depends_on"]["database"]["condition"] == "service_healthy"
    assert sam["read_only"] and sam["cap_drop"] == ["ALL"]
    for name, value in {**database["environment"], **sam["environment"]}.items():
        if "PASSWORD" in name:
            assert re.fullmatch(r"\$\{\w+(:\?.*)?\}", value), name
    [script] = [each for each in database["volumes"] if each.startswith("./")]
    assert (FOLDER / script.split(":")[0]).is_file()
    names = {name for name in sam["environment"] if name != "PGPASSWORD"}
    assert {name.lower() for name in names} <= set(Settings.model_fields)

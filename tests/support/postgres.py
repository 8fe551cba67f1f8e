"""Run a PostgreSQL cluster for this test process, on a Unix socket in a temporary folder.

The server runs as an unprivileged user. The fixture `postgres` in conftest.py starts and stops it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory.infra.postgres import Tenant
from memory.infra.postgres.schema import prepare
from memory.infra.postgres.server import acquire, release

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = {
    "sam_log": ROOT / "memory/log/migrations/postgres",
    "sam_inbox": ROOT / "bot/inbox/migrations/postgres",
}
ROLE, DATABASE, ADMIN = "sam", "sam", "postgres"


class Cluster:
    """A running PostgreSQL with a database owned by an unprivileged role. `durable`: its data
    would survive a crash of the system, too."""

    def __init__(self, programs: Path, *, durable: bool = False) -> None:
        self._programs, self._durable = programs, durable
        self.folder = Path(tempfile.mkdtemp(prefix="sam-pg-"))
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres", "postgres")
            self._user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        self._run("initdb", "-D", str(self.data), "-U", ADMIN, "-A", "trust", "-N", "-E", "UTF8")
        self._process: subprocess.Popen[bytes] | None = None
        self._has_template = False
        self.start()
        self.admin(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS")
        self.admin(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, role: str = ROLE, database: str = DATABASE) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        given = {"listen_addresses": "", "max_connections": "60", "shared_buffers": "32MB"}
        if not self._durable:  # fsync and full pages matter to a crash of the system alone
            given |= {"fsync": "off", "full_page_writes": "off"}
        options = [word for each in given.items() for word in ("-c", "=".join(each))]
        with (self.folder / "server.log").open("ab") as output:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.data, "-k", self.folder, *options],
                stdout=output,
                stderr=output,
                cwd=self.folder,
                **self._user,
            )
        for _ in range(600):
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url(ADMIN, ADMIN)).close()
                return
            time.sleep(0.1)
        raise TimeoutError((self.folder / "server.log").read_text())

    def stop(self) -> None:
        """Close all connections and stop the server."""
        if self._process is not None:
            self._run("pg_ctl", "stop", "-D", str(self.data), "-m", "immediate")
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self) -> str:
        """Return the URL of a database with the empty tables of log and inbox."""
        template, name = "sam_template", f"sam_{secrets.token_hex(6)}"
        if not self._has_template:
            self.admin(f"CREATE DATABASE {template} OWNER {ROLE}")
            server = acquire(self.url(database=template))
            try:
                for schema, folder in MIGRATIONS.items():
                    with server.connection(lambda db: db.execute(b"SELECT 1")) as db:
                        prepare(db, schema, folder)
            finally:
                release(self.url(database=template))
            self._has_template = True
        # Copying the files takes a quarter of the time of the default, which logs each page.
        self.admin(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.url(database=name)

    def admin(self, statement: str, database: str = "postgres") -> None:
        """Run a statement as the superuser."""
        with psycopg.connect(self.url(ADMIN, database), autocommit=True) as db:
            db.execute(statement.encode())

    def _run(self, name: str, *words: str) -> None:
        subprocess.run(
            [self._programs / name, *words],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._user,
        )


def _programs() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "pg_ctl").exists()), None)


def installed() -> bool:
    """Return whether there is a PostgreSQL to start."""
    return _programs() is not None


def start(*, durable: bool = False) -> Cluster:
    """Start a cluster; skip the test where PostgreSQL is not installed."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return Cluster(programs, durable=durable)


def new_tenant(cluster: Cluster) -> Tenant:
    """Return a tenant without any rows."""
    return Tenant(cluster.url(), f"t-{secrets.token_hex(6)}")

"""Several real `sam run` that share one PostgreSQL, one Telegram bot, and the people's folders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from bot.telegram.api.status_in_outage import OVER
from memory.notes.markdown import inert
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support.day_files import bullets_by_day
from tests.support.invariants import words_of
from tests.support.postgres import ADMIN, Cluster
from tests.support.process import Sam, wait_until
from tests.support.world import scripted

OUTAGE = OVER.partition("{")[0]
"""Begins what the owner is told after an outage of the database, unasked."""
PEOPLE = {1001: "owner", 3001: "ann", 3002: "ben"}

_AUDIT = """
CREATE SCHEMA audit;
CREATE TABLE audit.write (application text, tenant text, holder text, registered text[]);
CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  INSERT INTO audit.write SELECT current_setting('application_name'),
    current_setting('sam.tenant'),
    (SELECT worker.name FROM sam_workers.lease JOIN sam_workers.worker USING (epoch)
      WHERE lease.name = current_setting('sam.tenant')),
    (SELECT array_agg(name) FROM sam_workers.worker WHERE expires_at > clock_timestamp());
  RETURN NULL; END $$;
DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname IN ('sam_log', 'sam_inbox') AND tablename != 'schema_version'
  LOOP EXECUTE format('CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON %I.%I
    FOR EACH ROW EXECUTE FUNCTION audit.note()', each.schemaname, each.tablename);
  END LOOP; END $$;
"""
"""Records with each row that is written who wrote it, and who had the lease."""


class Workers:
    """The workers, their people, and all messages sent to them."""

    def __init__(
        self,
        folder: Path,
        telegram: Any,
        claude: FakeClaude,
        cluster: Cluster,
        *,
        count: int = 2,
        people: Mapping[int, str] = PEOPLE,
        **given: str,
    ) -> None:
        self.folder, self.telegram, self.claude, self.cluster = folder, telegram, claude, cluster
        self.people = dict(people)
        self.url = cluster.new_database()
        self.said: dict[int, list[str]] = defaultdict(list)
        shared = {
            **telegram.env,
            "TELEGRAM_ALLOWED_USERS": ",".join(f"{id}:{name}" for id, name in people.items()),
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": claude.url,
            "EMBEDDING_PROVIDER": "none",
            "BUDGET_DAILY_USD": "0",
            "HEARTBEAT_MINUTES": "0",
            "VAULT_DIR": str(folder / "vault"),
            "DATA_DIR": str(folder / "data"),
            "PROFILES_DIR": str(folder / "profiles"),
            **given,
        }
        self.all = [
            Sam(
                folder / f"worker{number}",
                **shared,
                CACHE_DIR=str(folder / f"cache{number}"),
                DATABASE_URL=f"{self.url}&application_name=worker{number}",
            )
            for number in range(count)
        ]

    @classmethod
    @contextmanager
    def running(
        cls, folder: Path, cluster: Cluster, *, started: bool = True, **given: Any
    ) -> Iterator[Workers]:
        """Start the fakes and, if `started`, the workers; stop everything at the end."""
        with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
            scripted(claude)
            made = cls(folder, telegram, claude, cluster, **given)
            try:
                for worker in made.all if started else ():
                    worker.start()
                yield made
            except BaseException:
                for worker in made.all:
                    print(worker.story() if worker.log.exists() else "not started")
                raise
            finally:
                for worker in made.all:
                    worker.end()

    # ── what people do, and see ──────────────────────────────────────────────────────────────

    def sends(self, user: int, text: str) -> None:
        """Send a message; each must be unique."""
        self.said[user].append(text)
        self.telegram.passes(seconds=1)
        self.telegram.receives(text, user=user)

    def see_answered(self, timeout: float = 60) -> None:
        """Wait until every message is answered."""

        def answered() -> bool:
            sent = {words_of(each.text) for each in self.telegram.sent}
            return all(f"heard: {text}" in sent for texts in self.said.values() for text in texts)

        wait_until(answered, "all answers", timeout=timeout, nap=0.05)

    # ── what the database says ───────────────────────────────────────────────────────────────

    def rows(self, query: str) -> list[Any]:
        """Return the rows of a query, over all tenants."""
        with psycopg.connect(self._url_of_admin) as db:
            return db.execute(query.encode()).fetchall()

    @property
    def _url_of_admin(self) -> str:
        return self.url.replace("postgresql://sam@", f"postgresql://{ADMIN}@")

    def names(self) -> dict[str, Sam]:
        """Return the workers by the name under which they register."""
        found = {}
        for worker in self.all:
            file = Path(worker.env["CACHE_DIR"]) / "worker"
            if file.exists():
                found[file.read_text("ascii").strip()] = worker
        return found

    def holder(self, lease: str) -> Sam | None:
        """Return the worker that has a lease; None if it is free."""
        holders = dict(
            self.rows(
                "SELECT lease.name, worker.name FROM sam_workers.lease"
                " JOIN sam_workers.worker USING (epoch)"
            )
        )
        return self.names().get(holders.get(lease, ""))

    def see_ready(self) -> None:
        """Wait until all workers are registered."""
        tables = "SELECT to_regclass('sam_workers.lease') IS NOT NULL"
        registered = "SELECT count(*) FROM sam_workers.worker WHERE expires_at > clock_timestamp()"
        running = sum(each.process is not None and each.process.poll() is None for each in self.all)
        wait_until(
            lambda: self.rows(tables)[0][0] and self.rows(registered)[0][0] == running,
            "the workers register",
        )

    def audit(self) -> None:
        """Record from now on who writes each row. The workers have registered."""
        with psycopg.connect(self._url_of_admin, autocommit=True) as db:
            db.execute(_AUDIT.encode())

    def writes_without_lease(self) -> list[Any]:
        """Return the recorded writes by a worker that did not have the lease then, or, of the
        inbox, was not registered."""
        names = {f"worker{self.all.index(sam)}": name for name, sam in self.names().items()}
        found = self.rows("SELECT application, tenant, holder, registered FROM audit.write")
        assert found, "something was recorded"
        return [
            (application, tenant, holder)
            for application, tenant, holder, registered in found
            if application in names
            and names[application] not in ((registered or ()) if tenant == "bot" else (holder,))
        ]

    # ── the invariants ───────────────────────────────────────────────────────────────────────

    def check(self) -> None:
        """Stop all workers; check that nothing was lost, doubled or moved, for each person."""
        self.check_inbox()
        for user, name in self.people.items():
            self._check(name, self.said[user])
        report = self.all[0].json("doctor")
        assert report["ok"], report["problems"]

    def check_inbox(self) -> None:
        """Stop all workers; check that each update was handled, and each reply sent."""
        running = [each for each in self.all if each.process and each.process.poll() is None]
        if running:  # what a killed one had sent already is answered, and may still be in work
            received = "SELECT update_id FROM sam_inbox.incoming WHERE state = 'received'"
            wait_until(lambda: not self.rows(received), "every update is done", timeout=120)
        for worker in running:
            assert worker.stop(120) == 0, worker.story()
        states = dict(self.rows("SELECT state, count(*) FROM sam_inbox.incoming GROUP BY state"))
        assert states.keys() <= {"done"}, states
        assert not self.rows("SELECT key FROM sam_inbox.reply WHERE settled = 0")
        assert_no_violations(self.telegram)
        assert not self.telegram.pending

    def _check(self, name: str, said: list[str]) -> None:
        texts = (
            "SELECT text, key LIKE 'spoke:%' FROM sam_log.message WHERE"
            f" tenant = '{name}' AND role = '{{}}' ORDER BY id"
        )
        assert [row[0] for row in self.rows(texts.format("user"))] == said, name
        rows = self.rows(texts.format("assistant"))
        told, unasked = [row[0] for row in rows], [row[0] for row in rows if row[1]]
        assert all(name == "owner" and text.startswith(OUTAGE) for text in unasked), unasked
        assert len(unasked) == len(set(unasked)), unasked
        found = Counter(told) - Counter(unasked)
        wanted = Counter(f"heard: {text}" for text in said)
        assert found == wanted, (name, {"lacking": wanted - found, "too many": found - wanted})
        self.all[0].run("summarize", *(("--profile", name) if name != "owner" else ()), timeout=120)
        vault = self.folder / ("vault" if name == "owner" else f"profiles/{name}/vault")
        bullets = Counter(row for rows in bullets_by_day(vault).values() for row in rows)
        assert bullets == Counter(inert(text) for text in [*said, *told]), name

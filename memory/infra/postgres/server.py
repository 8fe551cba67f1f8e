"""The connections of this process to one PostgreSQL, and its errors as ours."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq.abc import PGresult
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from ...errors import StoreBusy, StoreCorrupt, StoreDown, StoreError, StoreFull
from .connection import OPTIONS, configure

MOST = 8  # connections of this process
WAIT = 10.0  # seconds for a connection, or for another process's transaction

# It warns of each attempt to connect, in two lines; the error that we raise says why they failed.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

_REFUSED = "FATAL:"
"""Begins what PostgreSQL itself says when it refuses a connection."""

ALIVE = b"""
SELECT 1 FROM sam_workers.worker WHERE epoch = $1 AND expires_at > clock_timestamp()
   FOR KEY SHARE
"""
"""Whether a worker is registered; until the transaction ends nobody removes it (leases.py)."""


def run(db: psycopg.Connection[Any], statements: bytes) -> PGresult:
    """Run statements without parameters in one round trip; return the result of the last one. A
    third of the processor time of `execute`, and without its prepared statements. Raises
    psycopg.Error."""
    try:
        result = db.pgconn.exec_(statements)
    except psycopg.OperationalError:
        db.pgconn.finish()
        raise
    if result.status in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        return result
    if result.error_field(pq.DiagnosticField.SQLSTATE) is None:
        # Not the server said it, but libpq lost the connection, which may still be called open.
        db.pgconn.finish()
        raise psycopg.OperationalError(result.get_error_message())
    raise pg.error_from_result(result)


class Server:
    """A pool of connections that all stores of this process share, and as many threads."""

    def __init__(self, url: str) -> None:
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError as wrong:
            raise StoreError(f"DATABASE_URL cannot be read: {wrong}") from wrong
        host, port = given.get("host") or "this machine", given.get("port") or 5432
        self.name = f"PostgreSQL on {host}:{port}"
        self.epoch: int | None = None
        """Of this process's registration as a worker, which each write compares; None: it is no
        worker."""
        self.options: dict[str, Any] = {
            "connect_timeout": int(WAIT),
            "application_name": given.get("application_name", "sam"),
            # A machine that is gone without a word is noticed as fast as one that is busy.
            "tcp_user_timeout": int(WAIT * 1000),
            "keepalives_idle": 5,
            "keepalives_interval": 2,
        }
        self._failure = ""
        """Why the last attempt to connect failed; empty if it did not. The pool only logs it."""
        self.threads = ThreadPoolExecutor(MOST, thread_name_prefix="postgres")
        self.pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            url,
            min_size=0,
            max_size=MOST,
            timeout=WAIT,
            max_idle=20,  # the pool closes one at a time
            configure=configure,
            connection_class=self._noting_failures(),
            open=True,
            kwargs=self.options | OPTIONS,
            reconnect_timeout=WAIT,
        )

    def register(self, epoch: int | None) -> None:
        """Let each write compare that epoch from now on; None: this process is no worker."""
        self.epoch = epoch

    def _note(self, failure: str) -> None:
        self._failure = failure

    def _noting_failures(self) -> type[psycopg.Connection[Any]]:
        """Return the class of the pool's connections, which keeps why connecting failed."""
        server = self

        class Connection(psycopg.Connection[Any]):
            @classmethod
            def connect(cls, *given: Any, **options: Any) -> Any:
                try:
                    made = super().connect(*given, **options)
                except psycopg.Error as wrong:
                    server._note(_first_line(wrong).rpartition(" failed: ")[2])
                    raise
                server._note("")
                return made

        return Connection

    @contextmanager
    def connection(
        self, begin: Callable[[psycopg.Connection[Any]], object]
    ) -> Iterator[psycopg.Connection[Any]]:
        """Take a connection on which `begin` has begun a transaction. Raises StoreError's
        children, also for the errors of the caller."""
        with self._errors():
            connection = self._begun(begin)
            try:
                yield connection
            except BaseException:
                with suppress(psycopg.Error):
                    connection.execute(b"ROLLBACK")
                raise
            finally:
                self.pool.putconn(connection)

    def _begun(self, begin: Callable[[psycopg.Connection[Any]], object]) -> psycopg.Connection[Any]:
        for _ in range(MOST + 1):
            connection = self.pool.getconn()
            try:
                begin(connection)
            except psycopg.OperationalError:
                broken = connection.broken
                self.pool.putconn(connection)
                if not broken:
                    raise
                # It was closed while idle, by a restart of PostgreSQL: the next one may be too.
            except BaseException:
                self.pool.putconn(connection)
                raise
            else:
                return connection
        raise StoreDown(f"{self.name} closes every connection: is it starting?")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure) as wrong:
            raise StoreBusy(
                f"{self.name}: another process holds these rows, try again soon"
            ) from wrong
        except (pg.DiskFull, pg.ReadOnlySqlTransaction) as wrong:
            raise StoreFull(
                f"{self.name} cannot be written to ({_first_line(wrong)}): free some space, or"
                " connect to the primary"
            ) from wrong
        except (pg.DataCorrupted, pg.IndexCorrupted) as wrong:
            raise StoreCorrupt(f"{self.name} is damaged ({_first_line(wrong)})") from wrong
        except PoolTimeout as wrong:
            why = self._failure or _first_line(wrong)
            refused = why.removeprefix(_REFUSED).strip()
            said = "does not answer" if refused == why else "refuses the connection"
            raise StoreDown(f"{self.name} {said} ({refused})") from wrong
        except (
            psycopg.OperationalError,
            psycopg.InterfaceError,
            pg.IdleInTransactionSessionTimeout,
            PoolClosed,
        ) as wrong:
            raise StoreDown(f"{self.name} does not answer ({_first_line(wrong)})") from wrong
        except psycopg.Error as wrong:
            raise StoreError(f"{self.name}: {_first_line(wrong)}") from wrong

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()
        self.threads.shutdown()


def _first_line(wrong: BaseException) -> str:
    return (str(wrong).splitlines() or [type(wrong).__name__])[0]


_lock = threading.Lock()
_servers: dict[str, tuple[Server, int]] = {}


def acquire(url: str) -> Server:
    """Return this process's server for that address; `release` it as often."""
    with _lock:
        server, users = _servers.get(url) or (Server(url), 0)
        _servers[url] = server, users + 1
    return server


def release(url: str) -> None:
    """Close the server's connections after its last use."""
    with _lock:
        server, users = _servers.pop(url)
        if users > 1:
            _servers[url] = server, users - 1
            return
    server.close()


@contextmanager
def using(url: str) -> Iterator[Server]:
    """Provide this process's server for that address within the context."""
    server = acquire(url)
    try:
        yield server
    finally:
        release(url)

"""Make and migrate the tables of a schema, and keep one tenant's rows from every other.

Each table has the column `tenant`, filled in by PostgreSQL, and a policy that hides all rows but
those of the transaction's tenant, from the owner of the table too.
"""

from __future__ import annotations

from pathlib import Path

from psycopg import Connection, sql

from ...errors import StoreError

TENANT = "sam.tenant"
"""The setting of a transaction that holds its tenant."""

OLDEST = 150_000
"""The oldest version of PostgreSQL that is tested."""

NEW_TENANT = "sam.new_tenant"
"""The setting of a transaction that gives its tenant's rows to another tenant."""

COPYING = "sam.copying"
"""The setting of a transaction that copies rows with the numbers that were counted before."""

_LOCK = 7_266_001  # of the migrations, for all schemas

_FUNCTIONS = """
CREATE FUNCTION json_numbers(listed text) RETURNS TABLE (value bigint)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT each.value::bigint FROM jsonb_array_elements_text(listed::jsonb) AS each $$;
CREATE FUNCTION json_texts(listed text) RETURNS TABLE (value text)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT each.value FROM jsonb_array_elements_text(listed::jsonb) AS each $$;
CREATE FUNCTION julianday(moment text) RETURNS double precision
  LANGUAGE sql STABLE STRICT PARALLEL SAFE
  AS $$ SELECT extract(epoch FROM moment::timestamptz)::double precision / 86400 + 2440587.5 $$;
-- The tenant's highest number and one, as SQLite numbers rows: writes of a tenant are serialised.
CREATE FUNCTION next_number(of_table text, of_column text) RETURNS bigint
  LANGUAGE plpgsql VOLATILE
  AS $$ DECLARE made bigint; BEGIN
    EXECUTE format('SELECT coalesce(max(%I), 0) + 1 FROM %I', of_column, of_table) INTO made;
    RETURN made;
  END $$;
-- Counts the rows that were ever made, for the ledger.
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN
    IF current_setting('sam.copying', true) = 'on' THEN RETURN NULL; END IF;
    INSERT INTO counter (name, value) VALUES (TG_ARGV[0], 1)
      ON CONFLICT (tenant, name) DO UPDATE SET value = counter.value + 1;
    RETURN NULL;
  END $$;
-- The id of the data folder that uses the tenant's rows.
CREATE TABLE binding (
  id            text NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant)
);
CREATE TABLE schema_version (number integer NOT NULL);
INSERT INTO schema_version VALUES (0);
"""

_UNPROTECTED = """
SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')
 AND relname != 'schema_version' AND NOT (relrowsecurity AND relforcerowsecurity)
 ORDER BY relname
"""


def prepare(db: Connection, schema: str, folder: Path) -> frozenset[str]:
    """Run the `NNN_*.sql` files of the folder that the schema has not had, in one transaction;
    return the tables with a number as their id. Raises StoreError if the role may see what it must
    not, or the tables are of a newer Sam.
    """
    files = _migrations(folder)
    with db.transaction():
        at = check(db, schema, folder)
        if at is None or at < max(files):
            db.execute("SELECT pg_advisory_xact_lock($1)", (_LOCK,))
            at = _version(db, schema)
            if at is None:
                db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
            _use(db, schema)
            if at is None:
                db.execute(_FUNCTIONS)
                at = 0
            for number, file in files.items():
                if number > at:
                    db.execute(file.read_bytes())
            _protect(db, schema)
            _defer(db, schema)
            db.execute("UPDATE schema_version SET number = $1", (max(files),))
        if open_tables := [row[0] for row in db.execute(_UNPROTECTED, (schema,)).fetchall()]:
            raise StoreError(
                f"Tables of {schema} do not enforce row-level security, so that one person's rows"
                f" would be visible to others: {', '.join(open_tables)}. Run ALTER TABLE … ENABLE"
                " ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY on each."
            )
        found = db.execute(
            "SELECT table_name FROM information_schema.columns WHERE table_schema = $1"
            " AND column_name = 'id' AND data_type = 'bigint'",
            (schema,),
        ).fetchall()
    return frozenset(row[0] for row in found)


def check(db: Connection, schema: str, folder: Path) -> int | None:
    """Return the number of the schema's last migration, changing nothing; None: it is not made.
    Raises StoreError if the server, the role or the tables are none that Sam can use."""
    _check_server(db)
    _refuse_bypass(db)
    at = _version(db, schema)
    if at is not None and at > max(_migrations(folder)):
        raise StoreError("this database was made by a newer Sam: upgrade Sam to open it")
    return at


def _migrations(folder: Path) -> dict[int, Path]:
    return {int(file.name.split("_")[0]): file for file in sorted(folder.glob("*.sql"))}


def _check_server(db: Connection) -> None:
    if db.info.server_version < OLDEST:
        raise StoreError(
            f"PostgreSQL {OLDEST // 10_000} or newer is needed; this is"
            f" {db.info.server_version // 10_000}."
        )
    row = db.execute("SHOW server_encoding").fetchone()
    if row is None or row[0] != "UTF8":
        raise StoreError(
            f"The database of DATABASE_URL is encoded in {row[0] if row else 'something else'},"
            " which lacks letters that people write. Create another one: CREATE DATABASE sam"
            " OWNER sam ENCODING 'UTF8' TEMPLATE template0."
        )


def _refuse_bypass(db: Connection) -> None:
    names = db.execute(
        "SELECT rolname FROM pg_roles WHERE rolname IN (current_user, session_user)"
        " AND (rolsuper OR rolbypassrls)"
    ).fetchall()
    if names:
        raise StoreError(
            f"The role {names[0][0]} of DATABASE_URL bypasses row-level security, so that nothing"
            " would keep people's rows apart. Use a role that is neither superuser nor BYPASSRLS:"
            " CREATE ROLE sam LOGIN NOSUPERUSER NOBYPASSRLS."
        )


def _version(db: Connection, schema: str) -> int | None:
    """Return the number of the last migration; None if the schema is not made."""
    there = db.execute("SELECT to_regclass($1)", (f"{schema}.schema_version",)).fetchone()
    if there is None or there[0] is None:
        return None
    _use(db, schema)
    row = db.execute("SELECT number FROM schema_version").fetchone()
    return int(row[0]) if row else 0


def _use(db: Connection, schema: str) -> None:
    db.execute("SELECT set_config('search_path', $1, true)", (schema,))


def _protect(db: Connection, schema: str) -> None:
    """Enforce the tenant's policy on every table that is not protected yet."""
    for (name,) in db.execute(_UNPROTECTED, (schema,)).fetchall():
        table = sql.Identifier(name)
        for statement in (
            "ALTER TABLE {} ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE {} FORCE ROW LEVEL SECURITY",
            "CREATE POLICY tenant_only ON {} USING (tenant = current_setting('sam.tenant', true))"
            " WITH CHECK (tenant = current_setting('sam.tenant', true)"
            " OR tenant = current_setting('sam.new_tenant', true))",
            "ALTER TABLE {} ADD CHECK (tenant != '')",
        ):
            db.execute(sql.SQL(statement).format(table))


def _defer(db: Connection, schema: str) -> None:
    """Let a transaction check its foreign keys at its end: one that renames a tenant has to."""
    keys = db.execute(
        "SELECT relname, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid"
        " WHERE connamespace = $1::regnamespace AND contype = 'f' AND NOT condeferrable",
        (schema,),
    ).fetchall()
    for table, key in keys:
        text = sql.SQL("ALTER TABLE {} ALTER CONSTRAINT {} DEFERRABLE INITIALLY IMMEDIATE")
        db.execute(text.format(sql.Identifier(table), sql.Identifier(key)))

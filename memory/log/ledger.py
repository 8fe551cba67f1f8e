"""The ledger of the log: the number of rows in each state, and inconsistencies.

    turn     open → answered | failed(reason) | stopped
    message  pending → in batch b | excluded(reason); any → forgotten
    batch    claimed → written → closed | released; closed → released, its messages pending again,
             when one of them was edited

Each number is counted, never computed by subtraction, and compared with data that is stored
independently of the states: the counters of all rows ever made, a batch's size, the messages of a
turn, the sources of a bullet.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..infra.store import Connection

SHOWN = 5  # ids in one sentence


@dataclass(frozen=True, slots=True)
class Wrong:
    """An inconsistency, in a sentence. `fixable`: whether `fix` repairs it."""

    id: str
    what: str
    fixable: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """Counts by state, from one snapshot."""

    turns: dict[str, int]
    messages: dict[str, int]
    batches: dict[str, int]
    messages_total: int
    wrong: tuple[Wrong, ...] = ()

    @property
    def adds_up(self) -> bool:
        """Whether every row is in exactly one state, and redundant data agrees."""
        return not self.wrong


@dataclass(frozen=True, slots=True)
class Rule:
    """`sql` finds the ids of the rows that break it; `fixes` are statements that repair them."""

    id: str
    what: str
    sql: str
    fixes: tuple[str, ...] = ()


_ANSWERED = "EXISTS (SELECT 1 FROM message WHERE turn_id = turn.id AND role = 'assistant')"
_NAMED = (
    "(SELECT min(bullet.batch) FROM bullet, json_each(bullet.sources) AS source"
    " WHERE source.value = message.id)"
)
_STRAY = "state IN ('claimed', 'written', 'closed') AND batch IS NULL"


def _without_batch(table: str, what: str) -> Rule:
    released = f"coalesce((SELECT state FROM batch WHERE id = {table}.batch), 'released')"
    rows = f"FROM {table} WHERE {released} = 'released'"
    what = f"{what} belong to a batch that was released"
    return Rule(f"{table}-batch", what, f"SELECT id {rows}", (f"DELETE {rows}",))


RULES = (
    Rule(
        "message-batch",
        "messages are in another state than their batch",
        "SELECT message.id FROM message LEFT JOIN batch ON batch.id = message.batch"
        " WHERE CASE WHEN message.state = 'forgotten' THEN FALSE"
        " WHEN message.state IN ('pending', 'excluded') THEN message.batch IS NOT NULL"
        " ELSE batch.state IS NOT message.state END",
        (
            # A message without its batch belongs to the one whose bullets name it; else it is
            # pending.
            f"UPDATE message SET batch = {_NAMED} WHERE {_STRAY} AND {_NAMED} IS NOT NULL",
            f"UPDATE message SET state = 'pending' WHERE {_STRAY}",
            "UPDATE message SET batch = NULL WHERE state = 'excluded'",
            "UPDATE message SET state = 'pending', batch = NULL WHERE batch IS NOT NULL"
            " AND state != 'forgotten' AND coalesce((SELECT state FROM batch"
            " WHERE batch.id = message.batch), 'released') = 'released'",
            "UPDATE message SET state = (SELECT state FROM batch WHERE batch.id = message.batch)"
            " WHERE batch IS NOT NULL AND state != 'forgotten'",
        ),
    ),
    Rule(
        "batch-size",
        "batches do not have as many messages as they claimed",
        "SELECT id FROM batch WHERE state != 'released' AND size IS NOT NULL"
        " AND size != (SELECT count(*) FROM message WHERE message.batch = batch.id)",
    ),
    Rule(
        "batch-dates",
        "batches are closed without a time, or written without a place",
        "SELECT id FROM batch WHERE (closed_at IS NULL) != (state IN ('claimed', 'written'))"
        " OR (state = 'written' AND path IS NULL)",
    ),
    _without_batch("bullet", "bullets"),
    Rule(
        "bullet-sources",
        "bullets name messages of another batch",
        "SELECT DISTINCT bullet.id FROM bullet, json_each(bullet.sources) AS source"
        " LEFT JOIN message ON message.id = source.value WHERE message.batch IS NOT bullet.batch",
    ),
    _without_batch("candidate", "facts that wait to be written"),
    Rule(
        "turn-answer",
        "turns are answered without an answer, or open with one",
        f"SELECT id FROM turn WHERE (state = 'answered' AND NOT {_ANSWERED})"
        f" OR (state = 'open' AND {_ANSWERED})",
        (
            "UPDATE turn SET state = 'failed', reason = 'its answer is lost'"
            f" WHERE state = 'answered' AND NOT {_ANSWERED}",
            "UPDATE turn SET state = 'answered', closed_at = coalesce(closed_at, opened_at)"
            f" WHERE state = 'open' AND {_ANSWERED}",
        ),
    ),
    Rule(
        "turn-end",
        "turns ended without a time, or failed without a reason",
        "SELECT id FROM turn WHERE (closed_at IS NULL) != (state = 'open')"
        " OR (state = 'failed' AND coalesce(reason, '') = '')",
        (
            "UPDATE turn SET closed_at = NULL WHERE state = 'open'",
            "UPDATE turn SET closed_at = opened_at WHERE state != 'open' AND closed_at IS NULL",
            "UPDATE turn SET reason = 'not known'"
            " WHERE state = 'failed' AND coalesce(reason, '') = ''",
        ),
    ),
    Rule(
        "turn-message",
        "turns have no message, or one of another session",
        "SELECT id FROM turn WHERE NOT EXISTS (SELECT 1 FROM message WHERE turn_id = turn.id)"
        " UNION SELECT turn_id FROM message LEFT JOIN turn ON turn.id = turn_id"
        " WHERE turn.session_id IS NOT message.session_id",
    ),
)


def audit(db: Connection) -> Ledger:
    """Return all counts and inconsistencies."""
    tables = {"turns": "turn", "messages": "message", "batches": "batch"}
    states = {name: by_state(db, table) for name, table in tables.items()}
    wrong = [
        *(count_mismatch(db, name, sum(found.values())) for name, found in states.items()),
        *(violation(db, rule) for rule in RULES),
    ]
    return Ledger(
        **states,
        messages_total=db.execute("SELECT count(*) FROM message").fetchone()[0],
        wrong=tuple(each for each in wrong if each is not None),
    )


def by_state(db: Connection, table: str) -> dict[str, int]:
    """Return the number of a table's rows in each state."""
    rows = db.execute(f"SELECT state, count(*) AS n FROM {table} GROUP BY state")
    return {row["state"]: row["n"] for row in rows.fetchall()}


def count_mismatch(db: Connection, name: str, present: int) -> Wrong | None:
    """Compare the number of rows with the counter of all rows ever created, by its name."""
    row = db.execute("SELECT value FROM counter WHERE name = ?", (name,)).fetchone()
    made = row[0] if row else 0
    if made == present:
        return None
    return Wrong(f"{name}-counted", f"{made} {name} were stored, and {present} are there")


def violation(db: Connection, rule: Rule) -> Wrong | None:
    """Return the rows that break the rule, if any do."""
    ids = [str(row[0]) for row in db.execute(rule.sql).fetchall()]
    if not ids:
        return None
    named = ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
    return Wrong(rule.id, f"{len(ids)} {rule.what} ({named})", bool(rule.fixes))


def fix(db: Connection) -> None:
    """Repair what can be repaired. The caller owns `run.lock` and `batch.lock`."""
    for rule in RULES:
        if rule.fixes and db.execute(rule.sql).fetchone():
            for statement in rule.fixes:
                db.execute(statement)

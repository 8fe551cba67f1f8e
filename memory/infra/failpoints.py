"""Failpoints: named places where a test may kill the process, to verify that nothing is lost.

An unarmed failpoint costs one comparison. `arm` is called only by the composition root, with the
setting SAM_FAILPOINT (`name`, or `name:3` for the third time that the place is reached).
"""

from __future__ import annotations

import os
import signal

NAMES = (
    "after_inbox",  # the update is stored and not processed yet
    "after_log",  # the user's message is logged, its turn is open
    "after_fetch",  # the files of a message are on the disk, their words not in the log yet
    "mid_stream",  # the model is answering
    "before_send",  # the answer is complete and stored as a reply
    "after_send",  # Telegram has the message, and it is not recorded in our stores yet
    "after_answer",  # an answer is sent, and what it left undone is not done yet
    "after_claim",  # a batch has claimed its messages
    "after_section",  # the section is in the day's file, and not recorded in the log yet
    "before_close",  # the batch is marked as written
    "after_decision",  # it is stored what becomes of a batch's facts, and no note has them yet
    "after_fact",  # a fact is in its note, and not recorded in the log yet
    "after_accept",  # a proposed change is in its note, and not recorded as accepted yet
    "undo_planned",  # an undo is stored, and no note is changed yet
    "undo_note",  # a note of an undo is changed, others may not be
    "undo_settled",  # all of an undo is done but to record that
    "after_done",  # the update is done or set aside, its bytes may still be in the file
    "in_import",  # a portion of an import's messages, or a note of it, is stored
    "after_import",  # all of it is stored, and the import is not marked as done yet
    "before_bulk",  # a bulk order is recorded, and not sent yet
    "after_bulk",  # the provider has it, and its id there is not recorded yet
    "in_bulk",  # its answers are fetched, and not stored yet
    "in_export",  # an export is packed, and not sent yet
    "in_undo",  # what came of some of an import's messages is removed, the rest stands
    "after_undo",  # all that an import brought is removed but for its rows in the log
    "closing_profile",  # the jobs of an idle profile have ended, its stores are still open
    "store_marked",  # the marker of a store in PostgreSQL is written, its id is not committed yet
    "move_marked",  # a store is to be moved to PostgreSQL, and none of its rows is there yet
    "move_copied",  # a store is at both places, and nothing is deleted yet
    "move_renamed",  # a store is moved from PostgreSQL, and its rows there are not deleted yet
    "move_deleted",  # the same, and its marker is still there
    "in_rebuild",  # a new generation of the index is half built
)

_armed: tuple[str, int] = ("", 0)


def arm(spec: str) -> None:
    """Kill the process at `name`, or at its n-th time with `name:n`. An empty spec disarms."""
    global _armed
    name, _, count = spec.partition(":")
    if name and name not in NAMES:
        raise ValueError(f"no failpoint is called {name}")
    _armed = (name, int(count or "1"))


def failpoint(name: str) -> None:
    """Kill this process here if `name` is armed; with SIGKILL, so that nothing can clean up."""
    global _armed
    if _armed[0] == name:
        _armed = (name, _armed[1] - 1)
        if _armed[1] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

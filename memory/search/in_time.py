"""Answer questions within a deadline: by words alone where all else takes too long."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from ..infra.deadline import within
from .candidates.query import Question, Recalled

log = logging.getLogger(__name__)

SLOW = "it was slow, so only words were searched, and not the newest notes"
HANGS = "it did not answer in time, so nothing was recalled"

Find = Callable[[Sequence[Question], bool], Coroutine[Any, Any, list[Recalled]]]
"""Answers questions; with True by words alone, in the index as it is."""


async def in_time(
    find: Find, questions: Sequence[Question], seconds: float | None
) -> list[Recalled]:
    """Answer each question, in twice as many seconds at most; None: without a limit.

    What hangs is not waited for: after `seconds` the index is searched by words, and after as many
    again the answer is empty. Both say so in `degraded`.
    """
    for quick, note in ((False, ""), (True, SLOW)):
        try:
            found = await within(seconds, find(questions, quick))
            return [replace(each, degraded=note or each.degraded, late=quick) for each in found]
        except TimeoutError:
            log.warning("recall did not answer in seconds=%s quick=%s", seconds, quick)
    return [Recalled(each.text, "keywords", degraded=HANGS, late=True) for each in questions]

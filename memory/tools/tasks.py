"""Operations on the tasks in tasks.md, shared by models, chat commands and buttons."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from functools import partial
from typing import TYPE_CHECKING

from ..dates import Delay as Delay
from ..dates import Due as Due
from ..dates import NotDue as NotDue
from ..dates import Span as Span
from ..dates import bare as bare
from ..dates import before_event as before_event
from ..dates import behind_until as behind_until
from ..dates import definite as definite
from ..dates import due_time as due_time
from ..dates import each_day as each_day
from ..dates import each_time as each_time
from ..dates import earlier as earlier
from ..dates import halves as halves
from ..dates import is_vague_shift as is_vague_shift
from ..dates import names_only_time as names_only_time
from ..dates import region_of as region_of
from ..dates import shift as shift
from ..dates import split_ending as split_ending
from ..dates import split_repetition as split_repetition
from ..dates import time_of_day as time_of_day
from ..dates import time_range as time_range
from ..dates import with_goal as with_goal
from ..dates import with_usual_hour as with_usual_hour
from ..dates import without_same_time as without_same_time
from ..errors import EditRefused
from ..infra.clock import Clock, local_day
from ..notes import task as task_line
from ..notes import task_list
from ..notes.markdown import new_id
from ..text.task_edits import asks_politely as asks_politely
from ..text.task_edits import begins_with_goal as begins_with_goal
from ..text.task_edits import moved_task as moved_task
from ..text.task_edits import only_leads_to_time as only_leads_to_time
from ..text.task_edits import renamed_task as renamed_task
from ..text.task_edits import snoozed_for as snoozed_for
from ..text.task_edits import without_start as without_start
from ..trust import read_policy, write_policy
from ..trust.provenance import Provenance
from ..vault import Edited, obsidian

if TYPE_CHECKING:
    from ..core import Memory

NO_RING = (
    "It has no time, so that no reminder is sent. If the user wants one, tell them, and ask when."
)
PAST = "That time is past, so that the reminder is sent at once. Was another day or time meant?"


class Tasks:
    """The tasks of one profile. `now` is the turn's time; `seen` what its model was shown, None
    for the owner's own commands and buttons. Private tasks are neither listed nor changed.

    Each change raises EditRefused unless exactly one open task has that id or full text.
    """

    def __init__(self, memory: Memory, now: Clock, seen: Provenance | None = None) -> None:
        self._memory, self._now, self._seen = memory, now, seen
        self.path = memory.vault.own("tasks.md")

    @property
    def today(self) -> date:
        """Return the owner's local day."""
        return local_day(self._now(), self._memory.zone)

    async def do(
        self, action: str, text: str, priority: str, due: str, name: str, repeats: str
    ) -> tuple[str, list[task_line.Task], bool]:
        """Do what a model asks for: `list`, `add`, `postpone`, `cancel`, or `complete`. Return what
        to tell it, the tasks to show, and whether a task has changed."""
        match action:
            case "list":
                return await self.listing(), await self.open(), False
            case "add":
                made = await self.add(text, priority=priority, due=due, repeats=repeats, once=True)
                is_new = not made.line
                begin = "Added to {}" if is_new else "It stands in {} already"
                said = f"{begin.format(self.path)}: {task_line.render(made)}"
                remark = self._remark(made.at) if made.timed else NO_RING
                return f"{said}\n{remark}".strip(), [made], is_new
            case "postpone":
                day, moment = task_line.parse_due(due)
                await self.postpone(name or text, day, moment)
                remark = self._remark(datetime.combine(day, moment)) if moment else ""
                return f"It is due {due.strip()} now.\n{remark}".strip(), [], True
            case "cancel":
                changed = await self.cancel(name or text)
                return "Cancelled." if changed else "It is done or cancelled already.", [], changed
        changed, _ = await self.complete(name or text)
        return "Done." if changed else "It is done already.", [], changed

    def _local_now(self) -> datetime:
        return self._now().astimezone(self._memory.zone)

    def _remark(self, moment: datetime | None) -> str:
        """Return what to tell a model about a reminder at that local moment; "" for nothing."""
        now = self._local_now().replace(tzinfo=None)
        return PAST if moment is not None and moment <= now else ""

    async def open(self) -> list[task_line.Task]:
        """Return the open tasks, earliest first."""
        return task_list.by_date(await self._public())

    async def listing(self) -> str:
        """Return the open tasks as text, with their ids."""
        return task_list.listing(await self._public(), self.today)

    async def add(
        self,
        text: str,
        *,
        priority: str = "",
        due: str = "",
        repeats: str = "",
        shopping: bool = False,
        once: bool = False,
    ) -> task_line.Task:
        """Add a task; `due` is `2026-12-01` or `2026-12-01 09:00`, `repeats` an English rule,
        `shopping` puts it on the shopping list.

        `once`: if there is an open one like it, return that instead. A turn that failed or crashed
        after this call is repeated.
        """
        write_policy.check_new(self._seen, text)
        vault = self._memory.vault
        public = partial(read_policy.without_private, vault, self.path)
        made: task_line.Task | None = None

        def change(now: str) -> str:
            nonlocal made
            taken = {task.id for _, task in task_list.tasks(now)}
            tags = (task_line.SHOPPING if shopping else "", obsidian.task_filter(vault.root))
            made = task_line.new(
                text,
                today=self.today,
                id=new_id(taken.__contains__),
                priority=priority,
                due=due,
                repeats=repeats,
                tags=filter(None, tags),
            )
            if once and (duplicate := task_list.find_duplicate(public(now), made)) is not None:
                made = duplicate
                return now
            return task_list.add(now, made, public)

        await self._edit(change, "add")
        assert made is not None, "an edit calls the change"
        return made

    async def complete(self, id_or_text: str) -> tuple[bool, str]:
        """Mark it done; return whether it was open, and the id of the next recurrence."""
        edited = await self._change(
            id_or_text,
            lambda now: task_list.complete(now, id_or_text, self.today, self._local_now()),
            "complete",
        )
        return edited.changed, task_list.following_id(edited.before or "", edited.after)

    async def postpone(
        self, id_or_text: str, day: date, moment: time | None = None, rule: str = ""
    ) -> None:
        """Move it to another day, and its reminder to that time if one is given; with an English
        rule, it repeats from then on."""
        await self._change(
            id_or_text,
            lambda now: task_list.postpone(now, id_or_text, day, moment, rule),
            "postpone",
        )

    async def rename(self, id_or_text: str, title: str) -> None:
        """Give it another title."""
        write_policy.check_new(self._seen, title)
        await self._change(
            id_or_text, lambda now: task_list.rename(now, id_or_text, title), "rename"
        )

    async def cancel(self, id_or_text: str) -> bool:
        """Mark it as cancelled; return whether it was open."""
        edited = await self._change(
            id_or_text, lambda now: task_list.cancel(now, id_or_text, self.today), "cancel"
        )
        return edited.changed

    async def reopen(self, id: str, following: str = "") -> None:
        """Undo `complete` or `cancel`; `following` as `complete` returned it."""
        await self._edit(lambda now: task_list.reopen(now, id, following), "reopen")

    async def _public(self) -> str:
        vault = self._memory.vault
        text = await vault.read_optional(self.path) or ""
        read_policy.refuse_private(self.path, text)
        return read_policy.without_private(vault, self.path, text)

    async def _change(self, wanted: str, change: Callable[[str], str], cause: str) -> Edited:
        """Apply a change to one task."""

        def checked(now: str) -> str:
            # First without private tasks: a refusal names the candidates.
            change(read_policy.without_private(self._memory.vault, self.path, now))
            after = change(now)
            write_policy.check_done(self._seen, now, after)
            return after

        if not wanted.strip():
            raise EditRefused("Name the task by its id or its whole text.")
        return await self._edit(checked, cause)

    async def _edit(self, change: Callable[[str], str], cause: str) -> Edited:
        vault = self._memory.vault
        read_policy.refuse_private(self.path, await vault.read_optional(self.path) or "")
        return await vault.edit(self.path, change, cause=f"manage_tasks {cause}")

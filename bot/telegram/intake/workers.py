"""Serve the inbox together with other workers: each handles the updates of its own profiles.

The worker that receives an update only stores it. Every worker polls the inbox for waiting updates,
and takes the lease of a profile that no worker serves: at first only the worker that the profile is
assigned to, after a moment any. The worker with the lease resumes what another one left unfinished,
and then handles the updates in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from telegram import Update

from memory import OWNER, SamError, ServedElsewhere, StoreError

from ...inbox import Inbox, Received
from .resume import Resumer

if TYPE_CHECKING:
    from memory import Leases

    from ...assistant.profiles import Profiles

log = logging.getLogger(__name__)

LOOK = 2.0  # seconds between looks, in case a notification was lost
LEFT = 1.0  # seconds that a free profile is left to the worker that it falls to
AGAIN = 5.0  # seconds until a profile that could not be opened is tried again


class Intake:
    """The updates of the inbox, on one of several workers. `looked_at`: loop time of the last look,
    successful or not."""

    def __init__(
        self,
        leases: Leases,
        inbox: Inbox,
        profiles: Profiles,
        resumer: Resumer,
        set_known: Callable[[Mapping[int, str], Mapping[int, int]], None],
        profile_of: Callable[[Update], str | None],
    ) -> None:
        """`set_known` gets the paired users and the moved groups, for `profile_of`."""
        self._leases, self._inbox, self._set_known = leases, inbox, set_known
        self._profiles, self._resumer, self._profile_of = profiles, resumer, profile_of
        self._waiting: dict[str, dict[int, tuple[Received, Update]]] = {}
        """By profile, those that are not handled here yet, in order."""
        self._begun: dict[str, set[int]] = {}
        """By profile, those that are handled here."""
        self._since: dict[str, float] = {}
        """When each profile was first seen to wait, or when to try it again."""
        self._resumed: dict[str, int] = {}
        """The taking of each lease under which another's work was taken up."""
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._open: frozenset[int] = frozenset()
        self._looked = asyncio.Event()
        self._pause = LOOK
        self.looked_at = 0.0

    async def run(self) -> None:
        """Serve until cancelled."""
        news, trouble = asyncio.Event(), ""
        self._leases.listen(news)
        try:
            while True:
                self.looked_at = asyncio.get_running_loop().time()
                news.clear()
                try:
                    await self._look()
                    trouble = ""
                except StoreError as down:
                    if not trouble:
                        log.warning("the inbox cannot be looked at: %s", down)
                    trouble = str(down)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pause):
                        await news.wait()
        finally:
            for task in self._serving.values():
                task.cancel()
            await asyncio.gather(*self._serving.values(), return_exceptions=True)

    async def _look(self) -> None:
        here = [*self._waiting.values(), *self._begun.values()]
        work = await self._inbox.open_work({number for each in here for number in each})
        self._open = work.numbers
        self._set_known(work.paired, work.moved)
        self._sort(work.new)
        self._looked.set()
        self._looked = asyncio.Event()
        wanted = {name for name, rows in self._waiting.items() if rows}
        for name in work.replies.intersection(self._profiles.names):
            if self._leases.taken.get(name, 0) != self._resumed.get(name, -1):
                wanted.add(name)
        wanted -= self._serving.keys()
        for name in self._since.keys() - wanted:
            del self._since[name]
        self._pause = LOOK
        if not wanted:
            return
        now, me = asyncio.get_running_loop().time(), self._leases.epoch
        for name, holder in (await self._leases.holders(wanted)).items():
            since = self._since.setdefault(name, now)
            if holder.epoch not in (None, me):
                continue
            left = since - now + (0.0 if me in (holder.epoch, holder.best) else LEFT)
            if left > 0:
                self._pause = min(self._pause, left)
            else:
                self._serving[name] = asyncio.create_task(self._serve(name), name=f"serve-{name}")

    def _sort(self, new: list[Received]) -> None:
        """Keep what waits, by profile: without what is done, and with what is new."""
        for rows in self._waiting.values():
            for number in rows.keys() - self._open:
                del rows[number]
        for begun in self._begun.values():
            begun &= self._open
        for each in new:
            update = self._resumer.parse_update(each)
            name = self._profile_of(update) or OWNER
            self._profiles.serve(name)
            self._waiting.setdefault(name, {})[each.update_id] = each, update
        for name in [name for name, rows in self._waiting.items() if not rows]:
            del self._waiting[name]

    async def _serve(self, name: str) -> None:
        """Take the lease of a profile, and handle its updates while there are any."""
        try:
            async with self._profiles.use(name) as profile:
                taking = self._leases.taken.get(name, 0)
                if self._resumed.get(name) != taking:
                    rows = self._waiting.get(name, {}).values()
                    received = [each for each, _ in rows]
                    replies = await self._inbox.replies.unsettled(name)
                    close = await self._resumer.resume_replies(received, replies)
                    await close(profile)
                    self._resumed[name] = taking
                    await asyncio.sleep(0)  # the replies enter their lanes before the updates
                while True:
                    rows_now = self._waiting.pop(name, {})
                    begun = self._begun.setdefault(name, set())
                    begun.update(rows_now)
                    self._resumer.queue_updates(list(rows_now.values()))
                    if not begun:
                        break
                    await self._looked.wait()
        except ServedElsewhere as why:
            log.debug("profile=%s: %s", name, why)
        except SamError as why:
            log.warning("profile=%s waits to be opened: %s", name, why)
            self._since[name] = asyncio.get_running_loop().time() + AGAIN
        finally:
            self._begun.pop(name, None)
            del self._serving[name]

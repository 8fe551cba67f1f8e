"""Access control: who may write to the bot, how much, and which profile they use.

Allowed are the ids in TELEGRAM_ALLOWED_USERS, accounts paired with a code, and everyone in a group
of TELEGRAM_ALLOWED_GROUPS, also after Telegram has given the group a new id. Everyone else is
counted, and gets no answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from telegram import Message

from memory import OWNER, group_profile
from memory.text import mark, tn, tr

from ..inbox import KnownPeople, People
from ..markdown_escape import escape
from ..settings import Settings

REFUSALS_A_DAY = 20  # strangers per day who get the reply that the bot is private
WINDOW = timedelta(minutes=1)

ANOTHER = mark(
    "{0} (`{1}`) has just been paired with a code, and now talks to me as you. If that is not you: "
    "`/pair remove {1}`"
)
GUEST = mark(
    "{0} (`{1}`) has just been paired with a code, and now uses the profile {2}, with a memory of "
    "its own. To end that: `/pair remove {1}`"
)
MOVED = mark(
    "“{}” has become a supergroup, which gives it another id. I go on there with the same memory. "
    "Please put {} into TELEGRAM_ALLOWED_GROUPS in place of {}."
)
JOINED = mark(
    "I was added to “{}” (its id is {}), which is not in TELEGRAM_ALLOWED_GROUPS: I left without "
    "saying anything."
)


class Access:
    """The access rules; call `load` before use."""

    def __init__(
        self, allowed: Mapping[int, str], people: People, groups: Collection[int] = ()
    ) -> None:
        """`allowed`: Telegram's user ids, each with the name of a profile; `groups`: chat ids."""
        self._allowed, self._people = dict(allowed), people
        self._groups = frozenset(groups)
        self._paired: dict[int, str] = {}
        self._moved: dict[int, int] = {}
        self.strangers_wrote = False
        """Whether some of their messages were not reported to the owner yet."""

    @classmethod
    def of(cls, settings: Settings, people: People) -> Access:
        """Create the rules from the settings."""
        return cls(settings.telegram_allowed_users, people, settings.telegram_allowed_groups)

    async def load(self) -> None:
        """Reload the paired users, the moved groups, and whether strangers wrote, which another
        process may have changed."""
        self.see(await self._people.known())

    def see(self, known: KnownPeople) -> None:
        """Set all that `load` does, as it was just read."""
        self.set_known(known.paired, known.moved)
        self.strangers_wrote = known.strangers_wrote

    def set_known(self, paired: Mapping[int, str], moved: Mapping[int, int]) -> None:
        """Set the paired users and the moved groups as they were just read, see `People.known`."""
        self._paired = dict(paired)
        self._moved |= moved

    def profile_of(self, user_id: int) -> str | None:
        """Return the name of this user's profile; None for a stranger."""
        return self._allowed.get(user_id) or self._paired.get(user_id)

    def profile_of_group(self, chat_id: int) -> str | None:
        """Return the name of this group's profile; None if the group is not allowed."""
        first = self._moved.get(chat_id, chat_id)
        return group_profile(first) if self._groups & {first, chat_id} else None

    def earlier_id(self, chat_id: int) -> int | None:
        """Return the id that a group had before it became a supergroup; None if it had none."""
        return self._moved.get(chat_id)

    def see_moved_group(self, old: int, new: int) -> bool:
        """Return whether a group with a new id is allowed, and let it in until the next start."""
        if old in self._groups:
            self._moved[new] = old
        return self.profile_of_group(new) is not None

    async def move_group(self, old: int, new: int) -> None:
        """Remember the new id of a group."""
        await self._people.move_group(old, new)

    def user_of(self, profile: str) -> int | None:
        """Return the user of a profile for unprompted messages: also the id of the private chat."""
        return next(iter(self.users_of(profile)), None)

    def users_of(self, profile: str) -> list[int]:
        """Return a profile's users: those in the settings, in their order, then paired ones."""
        everybody = {**self._paired, **self._allowed}
        users = dict.fromkeys([*self._allowed, *self._paired])
        return [user_id for user_id in users if everybody[user_id] == profile]

    @property
    def empty(self) -> bool:
        """Return whether no one may write."""
        return not self._allowed and not self._paired

    async def pair(self, code: str, user_id: int) -> str | None:
        """Pair the sender with the profile of the code; return it, or None for a wrong code."""
        profile = await self._people.pair(code, user_id)
        if profile is not None:
            await self.load()
        return profile

    async def count_refusal(self, user_id: int) -> bool:
        """Count a stranger's message; return whether to answer that the bot is private.

        True for their first message of the day, while few other strangers have been answered.
        """
        messages, people = await self._people.count_stranger(user_id)
        self.strangers_wrote = True
        return messages == 1 and people <= REFUSALS_A_DAY

    async def strangers_notice(self) -> str | None:
        """Return the notice about strangers for the owner, at most once a day."""
        found = await self._people.strangers_to_report([*self._allowed, *self._paired])
        if found is None:
            return None
        who, times = tr("Someone I do not know"), tr("once")
        if found.people > 1:
            who = tn("{count} stranger", "{count} strangers", found.people)
        if found.messages > 1:
            times = tn("{count} time", "{count} times", found.messages)
        return tr(
            "{who} wrote to me ({times}). I replied that I am private, and kept nothing of it.",
            who=who,
            times=times,
        )


def moved_group(message: Message | None) -> tuple[int, int] | None:
    """Return the ids before and after of a group that became a supergroup, if the message, in
    either of them, says so."""
    if message is not None and message.migrate_to_chat_id:
        return message.chat_id, message.migrate_to_chat_id
    if message is not None and message.migrate_from_chat_id:
        return message.migrate_from_chat_id, message.chat_id
    return None


def paired_notice(profile: str, name: str, user_id: int) -> str:
    """Return the notice for the owner about somebody who was just paired, markdown."""
    if profile == OWNER:
        return tr(ANOTHER).format(escape(name), user_id)
    return tr(GUEST).format(escape(name), user_id, escape(profile))


class RateLimit:
    """Rate limit: RATE_LIMIT answers a minute for each person.

    It uses the messages' own dates, so that messages from a downtime do not count as a flood.
    Windows are kept in memory only.
    """

    def __init__(self, messages: int) -> None:
        self._messages = messages
        self._answered: dict[int, deque[tuple[datetime, int]]] = {}

    def is_over(self, user: int, update: int, at: datetime) -> bool:
        """Return whether this message exceeds the limit; else count it. An update counts once."""
        window = self._answered.setdefault(user, deque())
        while window and window[0][0] <= at - WINDOW:
            window.popleft()
        if any(known == update for _, known in window):
            return False
        if len(window) >= self._messages:
            return True
        window.append((at, update))
        return False

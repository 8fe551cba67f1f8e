"""Answer a message about Sam's last answer without a model: its source, more, or the same again.

The question before it is searched for again, as of then; nothing is kept between the turns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Protocol

from memory import Memory, Message
from memory.text import FollowUp, follow_up_kind, own_part, tr
from memory.tools import Origins, Why, origin_sentence, quoted

from ..prompt import Conversation
from ..prompt.rewording import SOON
from .events import Done, sources_line, without_forged_sources
from .fallback import NO_MORE, QuotingAnswer
from .rule_answers import GONE, NO_ANSWER, NO_SOURCE, RuleAnswer


class _Extracts(Protocol):
    async def __call__(
        self,
        talk: Conversation,
        by_rules: RuleAnswer,
        *,
        besides: Collection[int] = (),
        shown: Sequence[str] = (),
        again: bool = False,
    ) -> QuotingAnswer: ...


class _Rules(Protocol):
    def __call__(self, talk: Conversation) -> RuleAnswer: ...


@dataclass(frozen=True, slots=True)
class _LastAnswer:
    """What a message is about. `asked`: the conversation when its question was asked; None if Sam
    said something unasked. `last`: the text of the last answer; `shown`: those to that question,
    and to requests for more of it; `later`: the ids of the messages from that question on."""

    asked: Conversation | None
    last: str
    shown: tuple[str, ...]
    later: frozenset[int]


class FollowUps:
    """The follow-ups of one profile. `extract` answers a question by quotes."""

    def __init__(self, memory: Memory, extract: _Extracts) -> None:
        self._memory, self._extract = memory, extract

    async def answer(self, talk: Conversation, rules: _Rules, *, is_logged: bool) -> Done | None:
        """Return the answer to a message about Sam's last one; None to any other message.

        `rules`: how a message is answered. `is_logged`: the log has the conversation, which is
        otherwise in `talk` alone."""
        kind = _kind(talk.turn_messages)
        if kind is None:
            return None
        before = await self._before(talk) if is_logged else talk.before
        last = _last_answer(before, talk.last.sent_at)
        if last is None:
            return _plain(tr(NO_ANSWER))
        by_rules = rules(last.asked) if last.asked else None
        found, again = QuotingAnswer(_plain("")), kind != "more"
        if last.asked is not None and by_rules is not None and by_rules.question:
            found = await self._extract(
                last.asked, by_rules, besides=last.later, shown=last.shown, again=again
            )
        if kind == "again":
            return found.done if found.done.text == last.last else _plain(last.last)
        if kind == "more":
            return found.done if found.hits else _plain(tr(NO_MORE))
        return await self._sources(found, talk)

    async def _before(self, talk: Conversation) -> list[Message]:
        """Return the earlier messages of the session, with the answers that quote, which are no
        part of a conversation with a model, and messages that gave a command."""
        rows = await self._memory.log.messages.of_session(talk.last.session_id)
        return [row for row in rows if row.turn_id < talk.last.turn_id and row.text]

    async def _sources(self, found: QuotingAnswer, talk: Conversation) -> Done:
        """Return the messages and lines that an answer quotes, each with its day."""
        if not found.hits:
            return _plain(tr(NO_SOURCE))
        memory, rows = self._memory, list[str]()
        origins = Origins(memory, private=True, now=talk.last.sent_at)
        for hit in found.hits:
            rows += [self._described(each) for each in await origins.of_hit(hit, hit.text)]
        text = without_forged_sources("\n\n".join(dict.fromkeys(rows)))
        if not text:
            return _plain(tr(GONE))
        return Done(
            text, f"{text}\n\n{sources_line(found.done.sources)}", "recall", found.done.sources
        )

    def _described(self, why: Why) -> str:
        said = [quoted(each, self._memory.zone, tr("You")) for each in why.messages]
        if not why.line:
            return "\n".join(said)
        place = tr("{place}: “{text}”", place=f"{why.path}:{why.line}", text=why.words)
        return "\n".join([place, origin_sentence(why), *said])


def _plain(text: str) -> Done:
    return Done(text, text, "recall")


def _kind(rows: Sequence[Message]) -> FollowUp | None:
    """Return what the messages of a turn ask of the last answer."""
    own = [row for row in rows if row.origin == "owner" and row.role == "user"]
    if len(own) != 1 or len(own) != len(rows):
        return None
    return follow_up_kind(own_part(own[0].text))


def _last_answer(before: Sequence[Message], now: datetime) -> _LastAnswer | None:
    """Return Sam's last answer in a conversation, and the question that it answers; None if the
    last message has no answer in the log, as a command has none, or it is long ago."""
    turns = [list(rows) for _, rows in groupby(before, key=lambda row: row.turn_id)]
    said = [row for row in turns[-1] if row.role == "assistant"] if turns else []
    if not said or now - said[-1].sent_at > SOON:
        return None
    later, shown = set[int](), list[str]()
    while turns:
        rows = turns.pop()
        asked = tuple(row for row in rows if row.role == "user")
        later |= {row.id for row in rows}
        kind = _kind(asked)
        if kind in (None, "more"):
            shown += [row.text for row in rows if row.role == "assistant"]
        if kind is None:
            kept = tuple(row for each in turns for row in each)
            question = Conversation(kept, asked) if asked else None
            answers = tuple(reversed(shown))
            return _LastAnswer(question, said[-1].text, answers, frozenset(later))
    return None

"""One turn, end to end: log the message, recall, ask the model, log the answer.

It yields events; the caller shows them and reports when the answer was sent. Every step may be
repeated; a turn that a crash left open is answered again from the log.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime

from memory import Memory, MemoryTools, Message, Provenance, Said, Turn, is_group
from memory.text import tr
from memory.tools import READING
from memory.vault import turn_group

from ..claude.budget import Budget
from ..claude.client import Claude
from ..claude.request import Block, Request
from ..claude.web_tools import fetch_tool, search_tool
from ..errors import BudgetSpent, ModelDown, ModelRefused, described
from ..media import Keeper
from ..metrics import Measures
from ..prompt import Conversation, Gatherer, PromptReport, Recollection, layout, report
from ..prompt.history import first_kept, history
from ..prompt.instructions import WEB_GUIDE
from ..prompt.rewording import Rewording
from ..settings import Settings
from . import privacy_remarks, tool_loop
from .audience import ALONE, AudiencePolicy
from .events import Done, Event, Notice, Read, Restart, Text, ToolDone, ToolUse
from .fallback import QuotingAnswer, extract
from .follow_ups import FollowUps
from .incognito import MARK, Incognito, without_embedding, without_text
from .rule_answers import UNKEPT, RuleAnswer, rule_answer
from .web_pages import addresses, as_foreign
from .written import WROTE_NOTHING, written_notice

log = logging.getLogger(__name__)

ANSWER_TOKENS = 8192  # output tokens of one call, including thinking


class Turns:
    """The turns of one profile. `claude` is None if no model is set up."""

    def __init__(
        self,
        memory: Memory,
        settings: Settings,
        claude: Claude | None,
        *,
        after_turn: Callable[[], None],
        on_overflow: Callable[[], None],
        budget: Budget,
        company: AudiencePolicy = ALONE,
        measures: Measures | None = None,
    ) -> None:
        """`after_turn` is called when a turn is logged; `on_overflow` before it if the history was
        compacted and the dropped messages should be summarised."""
        self._memory, self._settings, self._claude = memory, settings, claude
        self._company = company
        self._budget = budget
        rewording = None
        if claude is not None:
            rewording = Rewording(
                claude, model=settings.summary_model, seconds=settings.recall_rewrite_seconds
            )
        self._gatherer = Gatherer(memory, settings, rewording, measures)
        self._follow_ups = FollowUps(memory, self._extract)
        self.incognito = Incognito(memory.log, settings.history_tokens)
        self.prompts: dict[str, PromptReport] = {}
        """Chat → what its last prompt contained, since the process started."""
        self._overflowed: set[int] = set()
        self._schemas: list[Block] | None = None
        self._after_turn, self._on_overflow = after_turn, on_overflow

    async def begin(self, said: Said, more: Sequence[Said] = ()) -> Turn:
        """Log the message and its attachments, before anything else."""
        log = self._memory.log
        if await self.keeps_nothing_of(said, more):
            turn = await log.messages.begin(without_text(said), list(map(without_text, more)))
            return turn if turn.message.text else self.incognito.keep_message(turn, said, more)
        turn = await log.messages.begin(said, more)
        if privacy_remarks.said_of((said, *more)) is not None:
            await self._make_private(turn, (said, *more))
            turn = await log.turns.find(turn.id) or turn
        return turn

    async def keeps_nothing_of(self, said: Said, more: Sequence[Said] = ()) -> bool:
        """Return whether the chat of a message is incognito, or it asks not to be kept."""
        return await self.incognito.is_on(said.chat) or privacy_remarks.is_unkept((said, *more))

    async def _make_private(self, turn: Turn, said: Sequence[Said]) -> None:
        """Make the turn private, and the message before it if this one is only about that."""
        await self._memory.log.turns.make_sensitive([turn.message.id])
        before = await privacy_remarks.message_before(self._memory.log, turn, said)
        if before is not None:
            with turn_group(turn.id):
                await privacy_remarks.hide(self._memory, before)

    async def complete(self, turn: Turn, texts: Mapping[str, str]) -> None:
        """Log the text of the turn's files, by the keys of their messages."""
        if self.incognito.is_incognito_turn(turn.id):
            self.incognito.keep_file_texts(turn, texts)
            return
        messages = self._memory.log.messages
        heard = {key: row for key in texts if (row := await messages.by_key(key)) is not None}
        spoken = {key: row._replace(text=texts[key]) for key, row in heard.items()}
        found = privacy_remarks.said_of(spoken.values())
        if found is not None and found.kind == "unkept":
            self.incognito.keep_transcripts(turn, spoken)
            return
        await messages.complete(turn.id, texts)
        if found is not None:
            await self._memory.log.turns.make_sensitive([turn.message.id])

    async def answer(
        self, turn: Turn, media: Mapping[int, Block] | None = None
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of the answer; the last is Done. Raises ModelDeclined.

        `media`: the files to show the model, by Telegram's message id; only in this turn, because
        the history has their text.

        Without an available model, or with the budget spent, the answer consists of recalled
        quotes, with the reason. Background embedding pauses meanwhile.
        """
        async with (
            self._memory.embeddings.paused(),
            aclosing(self._answered(turn, media or {})) as events,
        ):
            async for event in events:
                yield event

    async def _answered(
        self, turn: Turn, media: Mapping[int, Block]
    ) -> AsyncGenerator[Event, None]:
        unkept = self.incognito.is_incognito_turn(turn.id)
        in_memory = unkept and await self.incognito.is_on(turn.chat)
        if in_memory:
            talk, lost = self.incognito.conversation(turn)
            said = " ".join(filter(None, (lost, tr(MARK))))
        elif unkept:  # this message alone
            talk = await self._gatherer.conversation(turn)
            asked = self.incognito.messages_of(turn, talk.turn_messages) or talk.turn_messages
            talk, said = replace(talk, turn_messages=asked), tr(privacy_remarks.KEPT_NOTHING)
        else:
            talk = await self._gatherer.conversation(turn)
            said = await self._private_notice(turn, talk)
        with without_embedding(unkept):
            async with aclosing(self._answer_by_model(talk, media)) as events:
                async for event in events:
                    if isinstance(event, Done):
                        if in_memory:
                            self.incognito.keep_answer(turn, event.text)
                        if said and event.text != said:  # it may be all there is to say
                            yield Notice(said)
                        event = replace(event, text="") if unkept else event
                    yield event

    async def _private_notice(self, turn: Turn, talk: Conversation) -> str:
        """Return what to say below the answer, if the message said that it is private."""
        if talk.last.privacy == "normal" or privacy_remarks.said_of(talk.turn_messages) is None:
            return ""
        log = self._memory.log
        before = await privacy_remarks.message_before(log, turn, talk.turn_messages)
        return tr(privacy_remarks.PRIVATE if before is None else privacy_remarks.PRIVATE_BEFORE)

    async def _answer_by_model(
        self, talk: Conversation, media: Mapping[int, Block]
    ) -> AsyncGenerator[Event, None]:
        if self._claude is None:
            done = await self._answer_by_rules(talk)
            yield Text(done.shown)
            yield done
            return
        choice = await self._budget.choice()
        why, notice = choice.why, choice.notice
        turn_id, wrote, failed = talk.last.turn_id, False, False
        for model in filter(None, (choice.model, choice.cheaper)):
            said = acted = False
            try:
                asked = self._asked(self._claude, model, talk, media)
                async with aclosing(asked) as events:
                    async for event in events:
                        if notice and not isinstance(event, Notice):
                            # Not before: nothing may be left for the model that it names.
                            yield Notice(notice)
                            notice = None
                        said = said or isinstance(event, Text)
                        acted = acted or isinstance(event, ToolUse)
                        if isinstance(event, ToolDone):
                            wrote, failed = wrote or not event.failed, failed or event.failed
                        elif isinstance(event, Done):
                            if failed and not wrote:  # whatever the answer says
                                yield Notice(tr(WROTE_NOTHING))
                            for each in await self._last_events(event, turn_id, wrote=wrote):
                                yield each
                        else:
                            yield event
                return
            except (ModelDown, ModelRefused, BudgetSpent) as error:
                log.warning("turn=%s without model=%s: %s", turn_id, model, error)
                why = described(error, self._memory.profile.name)
                again = isinstance(error, BudgetSpent) and not acted and choice.cheaper
            if said:
                yield Restart("")
            if not again or model == choice.cheaper:
                break
            notice = await self._budget.saving_notice(model)
        by_rules = self._by_rules(talk)
        done = (await self._extract(talk, by_rules, why=why)).done
        yield Text(done.shown)
        for each in await self._last_events(done, turn_id, wrote=wrote):
            yield each

    async def _last_events(self, done: Done, turn_id: int, *, wrote: bool) -> list[Notice | Done]:
        """Return the last events: what the turn has written, and the answer."""
        notice = await written_notice(self._memory, turn_id) if wrote else ""
        return [*([Notice(notice)] if notice else []), replace(done, acted=wrote)]

    async def _answer_by_rules(self, talk: Conversation) -> Done:
        """Return the answer without a model: what was asked is quoted, what was said is kept."""
        by_rules = self._by_rules(talk)
        nothing = by_rules.nothing
        if by_rules.says_kept and self.incognito.is_incognito_turn(talk.last.turn_id):
            is_chat = await self.incognito.is_on(talk.last.chat)
            nothing = tr(UNKEPT if is_chat else privacy_remarks.KEPT_NOTHING)
        is_logged = not self.incognito.is_incognito_turn(talk.last.turn_id)
        followed = await self._follow_ups.answer(talk, self._by_rules, is_logged=is_logged)
        if followed is not None:
            return followed
        return (await self._extract(talk, by_rules, nothing=nothing)).done

    def _by_rules(self, talk: Conversation) -> RuleAnswer:
        now = talk.last.sent_at.astimezone(self._memory.zone)
        return rule_answer(talk.turn_messages, talk.before, now)

    async def _extract(
        self,
        talk: Conversation,
        by_rules: RuleAnswer,
        *,
        why: str = "",
        nothing: str = "",
        besides: Collection[int] = (),
        shown: Sequence[str] = (),
        again: bool = False,
    ) -> QuotingAnswer:
        """Return the answer without a model: the passages recalled for the question, if any.
        `besides`: messages to leave out; `shown` and `again`: as in `extract`."""
        question, found = by_rules.question, Recollection()
        if question:
            found = await self._gatherer.recalled(talk, question, besides=besides)
        zone, group = self._memory.zone, is_group(self._memory.profile.name)
        return extract(
            question,
            found.hits,
            await self._gatherer.messages_of([*found.hits, *found.more]),
            talk.last.sent_at.astimezone(zone).date(),
            why=why,
            nothing=nothing,
            lacks=found.lacks,
            about_oneself=by_rules.about_oneself,
            spans=by_rules.spans,
            owner=tr("The owner") if group else "",
            is_kept=not self.incognito.is_incognito_turn(talk.last.turn_id),
            more=found.more,
            shown=shown,
            again=again,
        )

    async def finish(
        self, turn: Turn, done: Done, sent_at: datetime, telegram_ids: Sequence[int] = ()
    ) -> Message:
        """Log the answer as sent, and close the turn."""
        logged = await self._memory.log.messages.answer(
            turn.id, done.text, origin=done.origin, sent_at=sent_at, telegram_ids=telegram_ids
        )
        self._ended(turn)
        return logged

    async def stop(self, turn: Turn) -> None:
        """Close the turn as stopped by the user."""
        await self._memory.log.messages.stop(turn.id)
        self._ended(turn)

    async def fail(self, turn: Turn, reason: str) -> None:
        """Close the turn without an answer, with that reason."""
        await self._memory.log.messages.fail(turn.id, reason)
        self._ended(turn)

    def _ended(self, turn: Turn) -> None:
        self.incognito.drop(turn)
        if turn.id in self._overflowed:
            self._overflowed.discard(turn.id)
            self._on_overflow()
        self._after_turn()

    async def _asked(
        self, claude: Claude, model: str, talk: Conversation, media: Mapping[int, Block]
    ) -> AsyncGenerator[Event, None]:
        """Yield the model's answer, with this turn's tools; ToolDone only for those that write."""
        turn_id = talk.last.turn_id
        talk = await self._compacted(talk)
        seen = Provenance.of(talk.before, talk.turn_messages)
        files, newest = await self._gatherer.context(talk, seen)
        if newest.failed:
            yield Notice(tr("My memory: {failed}.", failed=newest.failed))
        newest = replace(newest, media=media)
        tools = self._tools(talk, seen)
        if self._schemas is None:
            self._schemas = await claude.tool_schemas(tools)
        writing = {*self._company.memory_tools, "keep_media"} - READING
        if self.incognito.is_incognito_turn(turn_id):
            tools = {name: tool for name, tool in tools.items() if name not in writing}
        elif talk.last.privacy != "normal":  # its words would stand open in the note
            tools = {name: tool for name, tool in tools.items() if name != "edit_memory"}
        writing &= tools.keys()
        web_tools, guide = self._web_tools(talk), self._company.guide
        if web_tools:
            guide = f"{guide}\n\n{WEB_GUIDE}"
        if not self.incognito.is_incognito_turn(turn_id):
            self.prompts[talk.last.chat] = report(model, files, newest, talk.before, guide)
        request = Request(
            model=model,
            system=layout.stable(files, guide),
            messages=[
                *history(talk.before, self._memory.zone, newest.earlier),
                layout.newest(newest),
            ],
            documents=layout.documents(newest),
            max_tokens=ANSWER_TOKENS,
            tools=[*(s for s in self._schemas if s["name"] in tools), *web_tools],
            turn_id=turn_id,
        )
        async with aclosing(tool_loop.run(claude, request, tools)) as events:
            async for event in events:
                if isinstance(event, Read):  # from here on the model may write it down
                    seen.foreign_this_turn.append(as_foreign(event.url, event.text))
                    seen.messages.append(seen.foreign_this_turn[-1])
                elif not isinstance(event, ToolDone) or (
                    event.name in writing and event.arguments.get("action") != "list"
                ):
                    yield event

    def _tools(self, talk: Conversation, seen: Provenance) -> tool_loop.Tools:
        """Return the tools of this turn by name; what they return is added to `seen`."""
        sent_at = talk.last.sent_at
        bound = MemoryTools(self._memory, now=lambda: sent_at, seen=seen)
        tools = {name: getattr(bound, name) for name in self._company.memory_tools}
        tools |= self._company.tools
        if self._company.keeps_media:
            messages = (*talk.before, *talk.turn_messages)
            keeper = Keeper(self._memory, messages, lambda: sent_at, seen)
            tools["keep_media"] = keeper.keep_media
        return tools

    def _web_tools(self, talk: Conversation) -> list[Block]:
        """Return the server's tools to search the web, and to fetch the pages that the messages
        name; none where that is switched off."""
        if not (self._company.web and self._settings.web_search):
            return []
        tools = [search_tool(self._settings.web_search_max_uses)]
        if links := addresses(talk.turn_messages):
            tools.append(fetch_tool(links))
        return tools

    async def _compacted(self, talk: Conversation) -> Conversation:
        """Return the conversation within its budget; the rest is summarised after the turn."""
        first = first_kept(talk.before, self._settings.history_tokens)
        if first is None or self.incognito.is_incognito_turn(talk.last.turn_id):
            return talk
        kept = tuple(row for row in talk.before if row.id >= first)
        had, has = len(talk.before), len(kept)
        log.info("compacted turn=%s from=%d to=%d messages", talk.last.turn_id, had, has)
        await self._memory.log.sessions.compact(talk.last.session_id, first)
        self._overflowed.add(talk.last.turn_id)
        return replace(talk, before=kept)

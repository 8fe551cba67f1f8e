"""Summaries by Haiku: the prompt, the formatted messages, and the extractive fallback.

It implements `Summarise` of memory.summaries: messages in, a draft out.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from memory import Clock, Extract, Message, SummaryDraft, SummaryRequest
from memory.log import IMPORTED
from memory.text import disarm, in_own_words

from ...claude.client import Claude, form_request, parsed
from ...claude.request import Request
from ...errors import AnswerUnusable, BudgetSpent, ModelDeclined, ModelDown, ModelRefused
from ...prompt.history import WITHHELD, foreign_remark
from ...prompt.layout import kind_of_chat
from ...prompt.prompt_files import is_chinese, prompt
from ...prompt.token_budget import shorten

log = logging.getLogger(__name__)

PATIENCE = timedelta(hours=6)  # maximum time that a summary waits for a model that is down
TRIES = 2  # of a whole batch, if the answer cannot be used
# Bytes of all messages together: below the 100,000 tokens where Haiku gets five times dearer.
LONGEST = 300_000
LEAST_A_MESSAGE = 2_000  # characters
EXCERPT = 500  # characters of a message of an earlier batch


class Summary:
    """`Summarise` with Haiku, or by extraction if no model is available.

    A truncated or malformed answer does not count as an outage: the batch is requested twice, then
    each half once, and halves without a usable answer are extracted. At most four calls.
    """

    def __init__(
        self,
        claude: Claude | None,
        clock: Clock,
        *,
        model: str,
        max_tokens: int,
        ordered: Callable[[Sequence[int], str], Awaitable[str]] | None = None,
    ) -> None:
        """`ordered`: returns the answer from a bulk order, by message ids and the text's hash."""
        self._claude, self._clock, self._ordered = claude, clock, ordered
        self._model, self._max_tokens = model, max_tokens
        self._extract = Extract()
        self._mark = ""

    @property
    def mark(self) -> str:
        """The remark on how the latest draft was made; "" if the model wrote it."""
        return self._mark

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """Return the draft. Raises ModelDown, ModelRefused while waiting makes sense."""
        self._mark = ""
        if (draft := await self._from_bulk_order(request)) is not None:
            return draft
        if self._claude is not None:
            try:
                return await self._by_model(self._claude, request)
            except (BudgetSpent, ModelDeclined) as why:
                if isinstance(why, BudgetSpent) and _is_imported(request):
                    raise  # not urgent: a model will be available tomorrow
                log.info("summary without a model: %s", why)
            except (ModelDown, ModelRefused) as why:
                since = request.failing_since
                if since is None or self._clock() - since < PATIENCE:
                    raise
                log.warning("summary without a model since=%s: %s", since, why)
        return await self._extracted(request)

    def build_request(self, request: SummaryRequest) -> Request:
        """Return the request for this summary. The SDK must have been imported."""
        said = (row.text for row in request.messages if row.role == "user")
        chinese = is_chinese(said, request.language)
        system = prompt(
            request.language,
            ended=request.ended,
            rules=bool(request.rules),
            before=bool(request.before),
            chinese=chinese,
        )
        return form_request(
            self._model,
            system,
            format_messages(request),
            SummaryDraft,
            max_tokens=self._max_tokens,
            purpose="summary",
        )

    async def _from_bulk_order(self, request: SummaryRequest) -> SummaryDraft | None:
        """Return the draft from a bulk order; None without a usable one."""
        if self._ordered is None or not _is_imported(request):
            return None
        text = await self._ordered([row.id for row in request.messages], text_hash(request))
        try:
            return parsed(text, SummaryDraft) if text else None
        except AnswerUnusable as why:
            log.warning("summary of %d messages: %s", len(request.messages), why)
            return None

    async def _extracted(self, request: SummaryRequest) -> SummaryDraft:
        self._mark = self._extract.mark
        return await self._extract(request)

    async def _by_model(self, claude: Claude, request: SummaryRequest) -> SummaryDraft:
        for _ in range(TRIES):
            try:
                return await self._ask_model(claude, request)
            except AnswerUnusable as why:
                log.warning("summary of %d messages: %s", len(request.messages), why)
        first, second = request.halves()
        drafts, extracted = [], 0
        for half in (first, second) if second.messages else ():
            try:
                drafts.append((await self._ask_model(claude, half)).of_batch())
            except (AnswerUnusable, BudgetSpent, ModelDeclined) as why:
                if isinstance(why, BudgetSpent) and _is_imported(request):
                    raise
                log.warning("summary of %d messages: %s", len(half.messages), why)
                extracted += 1
                drafts.append(await self._extract(half))
        if extracted == len(drafts):
            return await self._extracted(request)
        self._mark = f"partly {self._extract.mark}" if extracted else ""
        return _joined(drafts, len(first.messages))

    async def _ask_model(self, claude: Claude, request: SummaryRequest) -> SummaryDraft:
        await claude.warm()
        draft = await claude.fill_form(self.build_request(request), SummaryDraft)
        return draft.renumbered(-len(request.before))


def text_hash(request: SummaryRequest) -> str:
    """Return a hash of the request's messages. Rules are left out: each new one would make all
    answers of a bulk order useless, which are paid for."""
    text = format_messages(replace(request, rules=()))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _is_imported(request: SummaryRequest) -> bool:
    return request.messages[0].chat.startswith(IMPORTED)


def _joined(drafts: Sequence[SummaryDraft], middle: int) -> SummaryDraft:
    """Join the drafts of two halves; the second half's message numbers are shifted by `middle`."""
    first, second = drafts[0], drafts[1].renumbered(middle)
    return SummaryDraft(
        summary="; ".join(filter(None, (draft.summary.strip() for draft in drafts))),
        bullets=[*first.bullets, *second.bullets],
        facts=[*first.facts, *second.facts],
    )


def format_messages(request: SummaryRequest) -> str:
    """Format the messages for the model: `[1] 14:02 owner: text`, further lines indented, below
    the owner's rules and the messages of earlier batches, which are numbered first.

    The indentation prevents a text from looking like the start of another message.
    """
    zone = getattr(request.zone, "key", str(request.zone))
    chat = kind_of_chat(request.messages[0].chat) if request.messages else ""
    head = f"A conversation on {request.day:%A, %Y-%m-%d}, {chat} (times are local, {zone})."
    room = _room([row.text for row in request.messages])
    rows = [
        f"[{number}] {_sent(row, request)} {_speaker(row)}: {_text(row, room if new else EXCERPT)}"
        for number, row in enumerate(request.shown, 1)
        for new in [number > len(request.before)]
    ]
    if earlier := len(request.before):
        rows = ["Before:", *rows[:earlier], "", "Now:", *rows[earlier:]]
    rules = [f"- {' '.join(disarm(rule).split())}" for rule in request.rules]
    if rules:
        rules = ["The owner's rules for Sam:", *rules, ""]
    return "\n".join([head, "", *rules, *rows])


def _sent(row: Message, request: SummaryRequest) -> str:
    """Return the local time of a message, with its day if that is another than the request's."""
    sent = row.sent_at.astimezone(request.zone)
    return f"{sent:%H:%M}" if sent.date() == request.day else f"{sent:%Y-%m-%d %H:%M}"


def _room(texts: Sequence[str]) -> int:
    """Return how many characters of each text are shown: fewer where they have more bytes."""
    characters = sum(map(len, texts))
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return max(LEAST_A_MESSAGE, LONGEST * characters // max(1, size * len(texts)))


def _speaker(row: Message) -> str:
    if row.role == "assistant":
        return "Sam"
    if row.origin == "owner":
        return f"{row.author} (owner)" if row.author else "owner"
    passed_on = "" if row.origin == "other" else "owner, passing on "
    return f"{passed_on}({foreign_remark(row)})"


def _text(row: Message, room: int) -> str:
    if row.privacy != "normal":
        return WITHHELD
    text = shorten(row.text.strip(), room)
    seen = in_own_words(text) if row.origin == "owner" else disarm(text)
    return "\n    ".join(seen.splitlines())

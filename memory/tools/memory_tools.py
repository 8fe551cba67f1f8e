"""The memory tools for models: the same bound methods serve Claude and MCP.

Their docstrings and field descriptions are all that a model sees of them. Each method returns text,
or raises a SamError whose sentence says what to do. Nothing sealed or sensitive is ever shown; chat
text is made inert before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ..errors import EditRefused, NoteMissing, SearchRefused
from ..guidance import guidance_path, submit_proposal
from ..infra.clock import Clock, local_day
from ..log import Message
from ..notes.kinds import kind_of
from ..notes.redaction import redacted_lines
from ..trust import read_policy, write_policy
from ..trust.provenance import Provenance
from ..vault import as_one_change
from . import arguments, notes, output, reports, results, save, skills
from .results import ToolResult
from .tasks import Tasks
from .why import Origins, explained

if TYPE_CHECKING:
    from ..core import Memory
    from ..search import Hit

TOOLS = (
    "search_memory",
    "get_memory",
    "get_recent_conversations",
    "why",
    "save_memory",
    "create_note",
    "list_facts",
    "edit_memory",
    "manage_tasks",
    "read_skill",
)
"""The names of the methods that are tools, in display order."""
_RECALLING = {"search_memory", "get_memory", "get_recent_conversations", "why"}
READING = frozenset(_RECALLING | {"list_facts", "read_skill"})
"""The read-only tools, which may be called in an incognito chat."""


class MemoryTools:
    """The tools of one profile. `now` is the turn's time, by default the memory's clock; `seen`
    what the turn shows its model, None without a turn; `client` the calling program."""

    def __init__(
        self,
        memory: Memory,
        now: Clock | None = None,
        seen: Provenance | None = None,
        client: str = "",
    ) -> None:
        self._memory, self._seen, self._client = memory, seen, client
        self._now = now or memory.clock

    async def search_memory(
        self,
        query: Annotated[str, Field(description="What to look for: names, words, a question")],
        limit: Annotated[int, Field(description="How many hits, 1 to 20")] = 5,
        filter: Annotated[
            Literal["all", "conversations", "knowledge"],
            Field(description="conversations: what was said; knowledge: notes and facts"),
        ] = "all",
        queries: Annotated[
            tuple[str, ...],
            Field(
                description="Up to three other wordings of the query: synonyms, another language "
                "of the user's, the bare nouns and names"
            ),
        ] = (),
        nearest: Annotated[
            bool, Field(description="Show what comes closest, where nothing fits")
        ] = False,
    ) -> ToolResult[results.Passages]:
        """Search everything remembered: notes, facts, and all past conversations.

        Search eagerly, without being asked: at the start of a conversation; when the user mentions
        the past ("remember when", "like I said", "that thing about", "as we discussed"); when the
        question is about the user's own preferences, plans, deadlines, people, home or work; when
        a topic is named that may be known, even vaguely ("the project", "my application"); when
        the user seems to expect you to know. Unsure: search first, then answer.

        Each hit ends in a path with lines, which get_memory opens. A weak one may be about
        something else; `until` is the day since which a newer one counts.
        """
        arguments.check(SearchRefused, arguments.LINE, query=query)
        recalled = await self._memory.recall(
            query,
            limit=max(1, min(limit, 20)),
            filter=filter,
            now=self._now(),
            wordings=arguments.wordings(query, queries),
        )
        return await reports.report(self._memory, reports.shown(recalled, nearest), self._saw)

    async def get_memory(
        self,
        path: Annotated[
            str,
            Field(description="As search_memory gives it: `knowledge/task.md`, `log/2026-02-12`"),
        ],
        from_line: Annotated[int, Field(description="The first line, from 1")] = 1,
        lines: Annotated[int, Field(description="How many lines")] = 200,
    ) -> ToolResult[results.NoteLines]:
        """Read a note of the vault, or a day's conversations (`log/YYYY-MM-DD`).

        For more than a hit shows, or when the path or the date is known. The files are
        MEMORY.md, tasks.md, memories/YYYY-MM-DD.md, knowledge/NAME.md, and the user's own notes.
        """
        arguments.check(NoteMissing, arguments.NAME, path=path)
        path, from_line, lines = arguments.place(path, from_line, lines)
        if match := arguments.DAY.fullmatch(path):
            spoken = arguments.day(match[1])
            rows, begins = await reports.conversation(self._memory, spoken)
            if not begins:
                raise NoteMissing(f"Nothing was said on {spoken}.")
            self._saw(await self._memory.log.messages.by_ids(begins))
            return output.excerpt(f"log/{spoken}", rows, from_line, lines)
        name, text = await read_policy.read(self._memory.vault, path)
        sam_dir = self._memory.vault.sam_dir
        if self._seen is not None:
            self._seen.note_shown(name, text, kind_of(name, sam_dir))
        return output.excerpt(name, redacted_lines(text, name, sam_dir), from_line, lines)

    async def get_recent_conversations(
        self, n: Annotated[int, Field(description="How many messages, 1 to 100")] = 10
    ) -> ToolResult[results.MessageList]:
        """The last messages of the user and of Sam, over all chats, oldest first."""
        found = await self._memory.log.messages.recent(max(1, min(n, 100)), self._now())
        self._saw(found)
        return output.recent(found, self._memory.zone)

    async def why(
        self,
        query: Annotated[
            str, Field(description="What you know, in its words: `Ana's birthday is in May`")
        ],
    ) -> ToolResult[results.OriginList]:
        """Show where something comes from: the line that says it, and the messages behind it.

        When the user asks how you know something, when they said it, or doubts it.
        """
        arguments.check(SearchRefused, arguments.LINE, query=query)
        found = await Origins(self._memory, private=False, now=self._now()).of_words(query)
        self._saw([message for each in found for message in each.messages])
        for each in found:
            if self._seen is not None and each.line:
                self._seen.note_shown(
                    each.path, each.text, kind_of(each.path, self._memory.vault.sam_dir)
                )
        return explained(found, self._memory.zone)

    @as_one_change
    async def save_memory(
        self,
        content: Annotated[str, Field(description="What to remember, complete in itself")],
        source: Annotated[
            str,
            Field(
                description="`owner`: the user asked to remember it; else where it comes from, "
                "in a word"
            ),
        ] = "manual",
        kind: Annotated[
            save.Kind,
            Field(
                description="note: of today; log: an event that nobody needs in a month (a run, a "
                "meal); else a fact of that kind. rule: how you should act from now on"
            ),
        ] = "note",
        tags: Annotated[tuple[str, ...], Field(description="facts: words to list them by")] = (),
        life: Annotated[
            str, Field(description="`for 2 weeks` or `until 2026-03-01`; empty for ever")
        ] = "",
        privacy: Annotated[
            Literal["normal", "sensitive"],
            Field(description="sensitive: no model sees it again; only the user's own search does"),
        ] = "normal",
    ) -> ToolResult[results.Saved]:
        """Write something down at once; the next search finds it.

        When the user says "remember this" or anything like it, call it with source `owner` in the
        same turn: it becomes a line of MEMORY.md, which is always in view. All else becomes a
        note of today. Conversations are summarised by themselves and need no saving. Say that it
        is saved only after this has said so.
        """
        content = content.strip()
        if not content:
            raise EditRefused("There is nothing to save: give the text.")
        arguments.check(EditRefused, arguments.TEXT, content=content)
        arguments.check(EditRefused, arguments.NAME, source=source, tags=tags, life=life)
        now = self._now().astimezone(self._memory.zone)
        marks = save.make_marks(kind, tags, life, privacy, now.date())
        return await save.save(self._memory, self._seen, now, content, source, marks, self._client)

    async def list_facts(
        self,
        category: Annotated[
            Literal["", "biographical", "preference", "task", "relationship", "contextual", "rule"],
            Field(description="Empty for all"),
        ] = "",
        tags: Annotated[tuple[str, ...], Field(description="With one of these tags")] = (),
        words: Annotated[str, Field(description="With all of these words")] = "",
        limit: Annotated[int, Field(description="How many, 1 to 100")] = 50,
        as_of: Annotated[
            str, Field(description="`2026-03-15`, or `2026-03` for its end: what was true then")
        ] = "",
    ) -> ToolResult[results.FactList]:
        """List what is known of the user, the latest first: facts of knowledge/, a line each.

        For "what do you know about me?", and to look through one category. Each ends in its id.
        With `as_of`, for "what did you know in March?": also those that were replaced since.
        """
        arguments.check(SearchRefused, arguments.LINE, words=words)
        arguments.check(SearchRefused, arguments.NAME, tags=tags, as_of=as_of)
        most = max(1, min(limit, 100))
        if as_of:
            day = arguments.past_day(as_of)
            every = await self._memory.history.as_of(day, words, day_of=self._memory.today)
            past = [each for each in every if each.known.fits(category, tags)][:most]
            found, answer = [each.known for each in past], output.past_facts(past, day)
        else:
            knowledge = self._memory.knowledge
            found = await knowledge.facts(category=category, tags=tags, words=words, limit=most)
            answer = output.facts(found)
        if self._seen is not None:
            for known in found:
                self._seen.note_shown(known.path, known.fact.text, known.kind)
        return answer

    @as_one_change
    async def create_note(
        self,
        title: Annotated[str, Field(description="A few words: the note's heading and file name")],
        content: Annotated[str, Field(description="The note, with headings and lists as needed")],
        privacy: Annotated[
            Literal["normal", "sensitive"],
            Field(description="sensitive: no model sees it again; only the user's own search does"),
        ] = "normal",
        kind: Annotated[
            Literal["note", "log"], Field(description="log: merged with others after a week")
        ] = "note",
    ) -> ToolResult[results.Saved]:
        """Write a new note into the folder notes/, when the user asks for a note of its own.

        For a packing list, a recipe, a plan. What is a sentence goes to save_memory, and a change
        of a note that there is to edit_memory: this never writes over one.
        """
        if not content.strip():
            raise EditRefused("There is nothing to write: give the content.")
        arguments.check(EditRefused, arguments.NAME, title=title)
        arguments.check(EditRefused, arguments.TEXT, content=content)
        theirs = write_policy.source_of_note(self._seen, content)
        sensitive = privacy == "sensitive" or await save.is_private(self._memory, self._seen)
        text = notes.note_text(
            title,
            content,
            local_day(self._now(), self._memory.zone),
            client=self._client,
            theirs=theirs,
            sensitive=sensitive,
            is_log=kind == "log",
        )
        if sensitive:
            await save.keep_private(self._memory, self._seen, content)
        path = await notes.new_note(self._memory.vault, title, text)
        said = f", as what {theirs.who} said" if theirs is not None else ""
        return ToolResult(f"Written to {path}{said}.", results.Saved([path], known=False))

    @as_one_change
    async def edit_memory(
        self,
        path: Annotated[str, Field(description="A note, like `MEMORY.md` or `knowledge/task.md`")],
        old: Annotated[str, Field(description="The exact text that stands there, once")],
        new: Annotated[str, Field(description="What replaces it; empty to take it out")],
        reason: Annotated[
            str, Field(description="For a file of the user's: why, in one sentence to them")
        ] = "",
    ) -> ToolResult[results.EditResult]:
        """Correct a note: replace a text that stands in it exactly once.

        Read the note first with get_memory. To add a line, give the line before it as `old`, and
        both as `new`. soul.md, identity.md, user.md, heartbeat.md and the skills are the user's:
        there this only proposes the change, which the user is shown and accepts or rejects.
        """
        arguments.check(EditRefused, arguments.NAME, path=path, reason=reason)
        arguments.check(EditRefused, arguments.TEXT, old=old, new=new)
        vault = self._memory.vault
        if (owners := await guidance_path(vault, path, old)) is not None:
            guidance = self._memory.guidance
            said = await submit_proposal(
                guidance, self._seen, self._now(), owners, old, new, reason
            )
            return ToolResult(said, results.EditResult(owners, changed=False, proposed=True))
        today = local_day(self._now(), self._memory.zone)
        edited = await notes.edit(self._memory, self._seen, today, path, old, new)
        said = f"{edited.path} {'is changed' if edited.changed else 'says so already'}."
        return ToolResult(said, results.EditResult(edited.path, edited.changed, proposed=False))

    async def manage_tasks(
        self,
        action: Annotated[
            Literal["add", "complete", "postpone", "cancel", "list"],
            Field(description="list shows the open ones"),
        ],
        text: Annotated[
            str, Field(description="add: what is to be done; else the task's whole text")
        ] = "",
        priority: Annotated[
            str, Field(description="add: highest, high, medium, low or lowest; empty for none")
        ] = "",
        due: Annotated[
            str, Field(description="add, postpone: 2026-12-01, or 2026-12-01 09:00 for a reminder")
        ] = "",
        id: Annotated[
            str, Field(description="complete, postpone, cancel: the id that list shows")
        ] = "",
        repeats: Annotated[
            str,
            Field(
                description="add: how it repeats, as in `every week` or"
                " `every day until December 4, 2026`; empty for once"
            ),
        ] = "",
    ) -> ToolResult[results.TaskList]:
        """Keep the user's tasks in tasks.md, which Obsidian's Tasks shows too.

        Use it for anything that the user wants to do or be reminded of: with a time in `due`, a
        reminder is sent at that minute. Complete, postpone and cancel by id; list shows the ids.
        """
        arguments.check(EditRefused, arguments.LINE, text=text)
        arguments.check(
            EditRefused, arguments.NAME, priority=priority, due=due, id=id, repeats=repeats
        )
        tasks = Tasks(self._memory, self._now, self._seen)
        said, rows, changed = await tasks.do(action, text, priority, due, id, repeats)
        return ToolResult(said, results.TaskList([*map(results.TaskLine.of, rows)], changed))

    async def read_skill(
        self, name: Annotated[str, Field(description="As the list of skills has it")]
    ) -> ToolResult[results.SkillText]:
        """Read a skill, the user's instructions for a kind of work, before doing such work."""
        arguments.check(NoteMissing, arguments.NAME, name=name)
        skill, said = await skills.read(self._memory.vault, name)
        return ToolResult(said, results.SkillText(skill.name, skill.path, said))

    def _saw(self, messages: Iterable[Message], hits: Iterable[Hit] = ()) -> None:
        if self._seen is not None:
            self._seen.passages_shown(messages, hits)

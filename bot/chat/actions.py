"""The actions of buttons: ACTIONS, by the names in stored buttons."""

from __future__ import annotations

from functools import partial

from memory.text import tr

from . import answer_edited, introduction, model
from .forgetting import forget
from .introduction import timezone
from .lookup import open_source, search
from .protocol import Action, Outcome, Press, Shown
from .review import changes, decisions, facts, fix, sync, undo, versions, why
from .tasks import buttons
from .transfer import export, imports, offer


def _leave(said: str) -> Action:
    """Return the action that changes nothing, and says that."""

    async def leave(press: Press) -> Outcome:
        return Outcome(replace=Shown(tr(said)))

    return Action(leave)


ACTIONS: dict[str, Action] = {
    "again": Action(answer_edited.answer_edited, once=True, asks=True),
    "open": Action(open_source.open_source, private=True),
    "forget": Action(forget.forget_chosen),
    "forget.keep": _leave(forget.KEPT),
    "why": Action(why.explain_button, private=True),
    "proposal.accept": Action(partial(decisions.decide, accept=True)),
    "proposal.reject": Action(partial(decisions.decide, accept=False)),
    "contradiction.answer": Action(decisions.answer_contradiction),
    "memory.move": Action(decisions.move_entries),
    introduction.ACTION: Action(introduction.answer, once=True),
    timezone.CHOOSE: Action(timezone.choose),
    "version.show": Action(versions.show, private=True),
    "version.restore": Action(versions.restore),
    "changes.keep": Action(changes.keep),
    "changes.pin": Action(changes.pin),
    "changes.task": Action(changes.task),
    "changes.more": Action(changes.more),
    "changes.fix": Action(changes.fix),
    "changes.forget": Action(changes.forget_line, private=True),
    "changes.undo": Action(changes.undo_line, private=True),
    "facts.more": Action(facts.more),
    "facts.open": Action(facts.open_fact),
    "facts.confirm": Action(facts.confirm),
    "facts.pin": Action(facts.pin),
    "facts.fix": Action(facts.fix),
    "facts.forget": Action(facts.forget_fact, private=True),
    fix.LEAVE: _leave(undo.LEFT),
    "undo.show": Action(undo.show, private=True),
    "undo.do": Action(undo.undo_change),
    "undo.redo": Action(undo.redo),
    "undo.line": Action(undo.line),
    "undo.leave": _leave(undo.LEFT),
    "sync.agree": Action(sync.agree),
    "sync.accept": Action(sync.accept),
    "model": Action(model.choose_model),
    "search.more": Action(search.more, private=True),
    "search.forget": Action(forget.list_result, private=True),
    "export.make": Action(export.make, once=True),
    "export.leave": _leave(export.LEFT),
    "import.choose": Action(offer.choose),
    "import.who": Action(offer.who),
    "import.run": Action(imports.run, once=True),
    "import.cancel": Action(offer.cancel),
    "import.undo": Action(imports.undo),
    "import.undo.do": Action(imports.undo_now, once=True),
    "import.leave": _leave(imports.LEFT),
    "task.list": Action(buttons.listed),
    "task.done": Action(buttons.done),
    "task.undo": Action(buttons.undo, once=True),
    "task.move": Action(buttons.move),
    "task.retime": Action(buttons.retime),
    "task.drop": Action(buttons.drop),
    "task.snooze": Action(buttons.snooze),
}
"""Keep a name as long as stored buttons may use it (bot/inbox/buttons.py)."""

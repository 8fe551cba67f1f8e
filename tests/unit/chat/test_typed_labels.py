"""Which button a typed line stands for, in a chat without buttons."""

from __future__ import annotations

from bot.chat.protocol import Button, Keyboard, chosen, how_to_choose, offered

PAIR: Keyboard = ((Button("Undo it", "undo.do"), Button("Leave it", "undo.leave")),)
WHICH: Keyboard = (
    (Button("Lives in Porto", "contradiction.answer"),),
    (Button("Lives in Braga", "contradiction.answer"),),
    (Button("Both are true", "contradiction.answer"), Button("Don't ask", "contradiction.answer")),
)
LIST: Keyboard = tuple(
    (Button(f"Keep {n}", "changes.keep"), Button(f"Undo {n}", "changes.undo")) for n in (1, 2)
)


def label(keyboard: Keyboard, text: str, *, asked: bool = True) -> str:
    found = chosen(keyboard, text, asked=asked)
    return found.label if found is not None else ""


def test_a_label_is_its_button_in_any_case() -> None:
    assert label(PAIR, "undo it.") == "Undo it" and label(LIST, "KEEP 2") == "Keep 2"
    assert label(PAIR, "undo it please") == "" and label(LIST, "keep 3") == ""


def test_the_number_of_a_row_of_one_button_is_that_button() -> None:
    assert [label(WHICH, n) for n in ("1", "2", "3", "0", "4")] == [
        *("Lives in Porto", "Lives in Braga"),
        *("", "", ""),
    ]
    assert label(LIST, "1") == "", "it has several"


def test_yes_and_no_answer_only_what_was_asked_for_and_has_one_alternative() -> None:
    assert (label(PAIR, "Ja!"), label(PAIR, "nein")) == ("Undo it", "Leave it")
    assert label(PAIR, "yes", asked=False) == "", "it may answer something else"
    assert label(WHICH, "yes") == label(LIST, "yes") == ""
    assert label(((Button("Redo", "undo.redo"),),), "no") == ""


def test_of_numbered_labels_the_first_are_named() -> None:
    assert how_to_choose(LIST) == "To choose, write: Keep 1 · Undo 1 …"
    assert how_to_choose(PAIR) == "To choose, write: Undo it · Leave it"


def test_what_needs_telegram_is_not_offered() -> None:
    link = Button("Open", "open")
    assert offered(((link,), (PAIR[0][0], link))) == ((PAIR[0][0],),)


def test_of_a_task_the_labels_alone_are_choices() -> None:
    """A lone "Undo" is not named each time, and an "ok" neither undoes nor finishes the task."""
    undo: Keyboard = ((Button("Undo", "task.drop", {"task": "a1"}),),)
    assert label(offered(undo), "undo") == "Undo" and how_to_choose(undo) == ""
    assert how_to_choose(()) == ""
    assert label(undo, "ok") == label(undo, "no") == label(undo, "1") == ""
    done: Keyboard = ((Button("Done", "task.done", {"task": "a1"}),),)
    assert how_to_choose(done) == "To choose, write: Done" and label(done, "ok") == ""


def test_the_buttons_of_a_list_of_tasks_are_not_offered() -> None:
    row = (Button("1 → tomorrow", "task.move", {"task": "a1", "days": 1, "list": True}),)
    assert offered((row, (Button("Finish or move them", "task.list"),))) == ()

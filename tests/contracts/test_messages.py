"""Every text that Sam writes to people on Telegram is in the catalogue, in every language."""

from __future__ import annotations

import ast
import gettext
import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs.dev import messages
from memory.text.catalogue import TRANSLATED, lookup
from tests.support.catalogues import catalogue, files

ENGLISH = {
    "bot/assistant/backup.py": "for the person who runs Sam: /status and `sam backup` show it",
    "bot/assistant/heartbeat.py": "the prompt",
    "bot/assistant/jobs.py": "the jobs in the documents and the log, and an alarm",
    "bot/assistant/profiles/profiles.py": "names of tasks, and an error for the log",
    "bot/assistant/profiles/background.py": "names of tasks",
    "bot/assistant/scheduler.py": "an error for the log",
    "bot/assistant/summaries/summary.py": "the prompt",
    "bot/media/conversion.py": "part of the message that the model and the log see",
    "bot/media/message_content.py": "part of the message that the model and the log see",
    "bot/media/attachments.py": "the result of a tool, for the model",
    "bot/media/programs/transcribe.py": "an error of a child process, for the log",
    "bot/telegram/api/connection.py": "alarms for the person who runs Sam",
    "bot/telegram/formatting/links.py": "names of HTML elements",
    "bot/telegram/formatting/marks.py": "names of the events of the Markdown parser",
    "bot/telegram/intake/inbox_queue.py": "alarms for the person who runs Sam",
}
"""Files whose texts stay English, each with the reason."""
PASSAGES = {
    "bot/assistant/assistant.py": {
        "The sync is waiting for your decision: see /sync.",
        "The sync failed: /sync shows the reason.",
    },
    "bot/chat/costs.py": {"web search"},  # a purpose in the usage log
    "bot/chat/introduction/introduction.py": {"timezone: {}", "Name", "Language"},
    "bot/chat/introduction/questions.py": {
        "short and plain, without small talk",
        "warm and friendly, with room for small talk",
        "polite and formal",
        *("English", "German", "Deutsch", "Spanish", "French", "Italian", "Italiano", "Polish"),
        *("Polski", "Portuguese", "Dutch", "Nederlands", "Ukrainian", "Russian", "Turkish"),
        *("Chinese", "Japanese"),
    },
    "bot/chat/protocol/call.py": {"Sam"},
    "bot/chat/privacy_report.py": {"Anthropic"},
    "bot/chat/review/undo.py": {"Summary:"},
    "bot/media/reader.py": {
        "too big",
        "too large",
        "not heard",
        "which I cannot view",
        "without words",
        "could not be fetched",
        "could not be stored",
        "not fetched",
        "not shown: too many at once",
    },
    "bot/media/speech/speaker.py": {"Bearer {}", "Authorization"},
    "bot/media/speech/transcriber.py": {"Bearer {}", "Authorization"},
    "bot/pictures/canvas.py": {"Roboto", "Regular"},
    "bot/telegram/api/sender.py": {"not modified"},
    "bot/telegram/bot.py": {
        "talking as {}",
        "no poll has ended for {} seconds",
        "connecting to Telegram",
        "nobody is allowed to talk to {}: pair first",
        "TELEGRAM_BOT_TOKEN: get one from @BotFather",
    },
    "bot/telegram/intake/inbox_queue.py": {"messages cannot be stored: {}"},
    "bot/telegram/intake/resume.py": {"its press was set aside"},
    "bot/telegram/intake/webhook.py": {"set WEBHOOK_HOST and WEBHOOK_PORT"},
    "bot/telegram/conversation.py": {
        "its profile is gone",
        "the answer could not be delivered",
    },
    "bot/telegram/handlers.py": {"its files cannot be read", "over RATE_LIMIT"},
    "bot/telegram/parse.py": {"Sam"},
    "bot/turn/incognito.py": {"incognito {}"},
    "bot/turn/tool_loop.py": {
        "These arguments do not fit. ",
        "Not called: {} calls at once are the most.",
        "Not called: the arguments are not valid JSON. Is there half of an emoji in them?",
        "There is no tool {}. There are: {}.",
        "It failed: {}.",
        "turn {}",
    },
}
"""Texts that stay English: in the log, in notes, for the model, or for the operator of Sam."""


def outside(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield texts for people that are not looked up in the catalogue: `path:line text`.

    Such a text is a literal of two words or more, or of one with a capital, unless it is a
    docstring, a log line, a regular expression, SQL, or the message of an assertion.
    """
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            values = node.values
            text = "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in values)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not isinstance(parents[node], ast.JoinedStr | ast.FormattedValue)
        ):
            text = node.value
        else:
            continue
        if is_prose(text) and not _is_exempt(node, parents):
            yield f"{path}:{node.lineno} {text}"


def is_prose(text: str) -> bool:
    """Return whether a literal has two words or more, or one with a capital, and is neither SQL nor
    a command of `sam`."""
    is_other = re.match(r"\W*(SELECT|INSERT|UPDATE|DELETE|CREATE|sam [a-z]+|--[a-z]+)\b", text)
    has_words = re.search(r"[A-Za-z]{2,}[,.:;!?’”)]* +[A-Za-z(/`“{]", text)
    return not is_other and bool(has_words or re.fullmatch(r"[A-Z][a-z]{2,}[:.!?…]?", text))


def _is_exempt(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    above = node
    while above in parents:
        below, above = above, parents[above]
        match above:
            case ast.Call(func=ast.Name("tr" | "tn" | "mark")):
                return True
            case ast.Call(func=ast.Attribute(ast.Name("log" | "re"))):
                return True
            case ast.Expr(ast.Constant()) | ast.Assert() | ast.arguments():
                return True
            case ast.AnnAssign(annotation=annotation) if annotation is below:
                return True
            case ast.Call(func=ast.Name("Field" | "cast")) | ast.Assign([ast.Name("__all__")]):
                return True
            case ast.Call(func=ast.Name("AssertionError" | "NotImplementedError")):
                return True
            case ast.stmt():
                return False
    return False


def test_no_text_is_outside_the_catalogue() -> None:
    found = ast.parse('def f(x):\n    """A docstring here."""\n    return f"{x} is not here"')
    assert list(outside("a.py", found)) == ["a.py:3 {} is not here"]
    assert list(outside("a.py", ast.parse('rows = ["Today:", "yes"]'))) == ["a.py:1 Today:"]
    found = ast.parse('log.info("a line of the log")\ntr("in the catalogue")')
    assert list(outside("a.py", found)) == []
    missed = [
        each
        for path, tree in files().items()
        if path not in ENGLISH
        for each in outside(path, tree)
        if each.partition(" ")[2] not in PASSAGES.get(path, ())
    ]
    assert missed == [], "wrap these in tr() or mark(), and run `make messages`"


def test_what_stays_english_is_still_there() -> None:
    trees = files()
    unused = [path for path in ENGLISH if path not in trees or not [*outside(path, trees[path])]]
    assert unused == []
    for path, texts in PASSAGES.items():
        assert {each.partition(" ")[2] for each in outside(path, trees[path])} >= texts


def unasked(trees: dict[str, ast.Module]) -> list[str]:
    """Return constants that are marked for the catalogue, but used without looking them up."""
    marked, packages = dict[str, set[str]](), dict[str, set[str]]()
    for path, tree in trees.items():
        for node in tree.body:
            match node:
                case ast.Assign([ast.Name(name)], ast.Call(func=ast.Name("mark"))):
                    marked.setdefault(name, set()).add(Path(path).stem)
                    packages.setdefault(name, set()).add(Path(path).parent.name)
    found = []
    for path, tree in trees.items():
        names = {name for name, stems in marked.items() if Path(path).stem in stems}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                # Also by the package that exports it: `from ..media import HEARD`.
                source = (node.module or "").rpartition(".")[2]
                names |= {
                    a.asname or a.name
                    for a in node.names
                    if source in {*marked.get(a.name, ()), *packages.get(a.name, ())}
                }
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
                continue
            if node.id in names and not _is_looked_up(node, parents):
                found.append(f"{path}:{node.lineno} {node.id}")
    return found


def _is_looked_up(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return whether the node is an argument of `tr`, possibly via a choice or a variable."""
    above = parents[node]
    while isinstance(above, ast.IfExp | ast.Call) and not _is_tr(above):
        above = parents[above]
    return _is_tr(above) or (isinstance(above, ast.Assign) and isinstance(node, ast.Name))


def _is_tr(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr"


def test_a_marked_constant_is_looked_up_where_it_is_used() -> None:
    tried = {"a.py": ast.parse('HI = mark("Hi there")\n\ndef f():\n    return HI\n')}
    assert unasked(tried) == ["a.py:4 HI"]
    said = ast.parse('from ..media import HI\n\ndef f():\n    return f"{HI}"\n')
    assert unasked({"bot/media/a.py": tried["a.py"], "b.py": said})[1:] == ["b.py:4 HI"]
    assert unasked(files()) == []


# ── the translations ─────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", autouse=True)
def texts_are_read_once() -> Iterator[None]:
    """Parse the source once for all languages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "texts", cache(messages.texts))
        yield


def placeholders(text: str) -> Counter[str]:
    """Return the placeholders of a text with their formats; unnamed ones by position."""
    found, place = Counter[str](), 0
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is None:
            continue
        if name == "":
            name, place = str(place), place + 1
        found[f"{name}:{spec}"] += 1
    return found


def marks(text: str) -> Counter[str]:
    """Return the parts with a meaning to Telegram, Markdown or Sam; they are not translated."""
    # Words in capitals in code are placeholders for people: WORDS becomes WÖRTER.
    code = re.findall(r"`(?:/\w+|sam [a-z]+|[A-Z_]{5,})", text)
    commands = re.findall(r"(?<![\w/])/[a-z]+", text)
    return Counter(
        [*code, *commands, *re.findall(r"\*\*|`|~~|⚠️|👎|\b[A-Z]+_[A-Z_]+\b|\]\(|\\n", text)]
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_text_is_translated_and_none_is_stale(language: str) -> None:
    header, known = catalogue(language).pop(("", "")), catalogue(language)
    assert f"Language: {language}\n" in header[0]
    assert known.keys() - {("", "")} == messages.texts().keys(), "run `make messages`"
    text = (messages.FOLDER / f"{language}.po").read_text("utf-8")
    assert text == messages.written(language, known), "run `make messages`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_what_is_filled_in_and_what_is_marked(language: str) -> None:
    wrong = []
    for (one, many), forms in catalogue(language).items():
        for form in forms if one else ():
            like = many or one
            fits = placeholders(form) == placeholders(like)
            if many:  # a singular may omit its number
                fits = placeholders(form).keys() | {"count:"} == placeholders(like).keys()
            begins = [text[:2] == "! " or text[:1] == "\n" for text in (form, like)]
            if not fits or marks(form) != marks(like) or begins[0] != begins[1]:
                wrong.append(form)
    assert wrong == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_plurals_have_the_forms_of_the_language(language: str) -> None:
    rule = messages.PLURALS[language]
    count, plural = re.fullmatch(r"nplurals=(\d); plural=(.*);", rule).groups()  # type: ignore[union-attr]
    asked = gettext.c2py(plural)  # type: ignore[attr-defined]
    for number in range(300):
        assert lookup.plural_form(language, number) == asked(number)
    sizes = {len(forms) for (_, many), forms in catalogue(language).items() if many}
    assert sizes == {int(count)}

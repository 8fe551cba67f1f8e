"""Write `tests/data/bot_api.json`: the methods and types of Telegram's Bot API, with their fields.

    python -m tests.support.bot_api

The facts are read off python-telegram-bot's signatures; what the signatures omit or state
differently is in `bot_api_more.py`. A field is written as its types (`Integer|String`), with `!` if
it is required, and as `=emoji` if it is a constant string.
"""

from __future__ import annotations

import collections.abc
import datetime
import inspect
import json
import operator
import re
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import telegram
from telegram._utils import types as aliases

from tests.support.bot_api_more import FIELDS, METHODS, NO_TYPES, RETURNS, SUBTYPES, Fields

FILE = Path(__file__).parents[1] / "data" / "bot_api.json"

PLAIN = {
    int: "Integer",
    float: "Float",
    str: "String",
    bool: "Boolean",
    datetime.datetime: "Integer",
    datetime.timedelta: "Integer",
    telegram.InputFile: "InputFile",
}
TELLING = ("type", "status", "source")
"""The fields that distinguish the subtypes of a type."""

ORDER = ("Integer", "Float", "Boolean", "InputFile", "String")


def described() -> dict[str, Any]:
    """Return the description, as it is written to FILE."""
    methods = {name: _method(function) for name, function in _functions().items()}
    for name, more in METHODS.items():
        method = methods.setdefault(name, {"fields": {}, "returns": "Boolean"})
        method["fields"] = _changed(method["fields"], more)
        method["returns"] = RETURNS.get(name, method["returns"])
    kinds = dict(_types())
    for name, more in FIELDS.items():
        kinds[name] = _changed(kinds.get(name, {}), more)
    return {
        "library": telegram.__version__,
        "methods": dict(sorted(methods.items())),
        "types": dict(sorted((kinds | SUBTYPES).items())),
    }


def _changed(fields: dict[str, str], more: Fields) -> dict[str, str]:
    return {name: told for name, told in {**fields, **more}.items() if told is not None}


def text() -> str:
    """Return the content of FILE: one line per method and type."""
    whole = described()
    parts = [f'"library": {json.dumps(whole["library"])}']
    for part in ("methods", "types"):
        rows = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in whole[part].items())
        parts.append(f'"{part}": {{\n' + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _functions() -> dict[str, Any]:
    """Return the methods by Telegram's camelCase names, which the library keeps as aliases."""
    return {
        name: function
        for name, function in inspect.getmembers(telegram.Bot, inspect.isfunction)
        if re.fullmatch(r"[a-z]+(?:[A-Z][a-z]*)+", name)
    }


def _method(function: Any) -> dict[str, Any]:
    hints = _hints(function)
    fields = {
        each.name: _field(hints[each.name], each.default is each.empty)
        for each in _given(function)
        if each.name != "self"
    }
    return {"fields": fields, "returns": "|".join(_kinds(hints["return"]))}


def _types() -> Iterator[tuple[str, Any]]:
    """Yield each type with its fields, or with the names of its subtypes."""
    kinds = [
        kind
        for name, kind in inspect.getmembers(telegram, inspect.isclass)
        if issubclass(kind, telegram.TelegramObject)
        and kind is not telegram.TelegramObject
        and name not in NO_TYPES
    ]
    for kind in kinds:
        family = [other.__name__ for other in kinds if kind in other.__bases__]
        yield kind.__name__, family or _type(kind)


def _type(kind: type) -> dict[str, str]:
    hints = _hints(kind.__init__)
    fields = {
        name: f"={constant}!" for name in TELLING if (constant := _constant(kind, name)) is not None
    }
    for each in _given(kind):
        if not each.name.endswith("_depr"):
            name = "from" if each.name == "from_user" else each.name
            fields[name] = _field(hints[each.name], each.default is each.empty)
            if kind.__name__.startswith("Input"):  # the file is sent as a separate part
                fields[name] = fields[name].replace("InputFile|String", "String")
    return fields


def _constant(kind: type, name: str) -> str | None:
    """Return the constant value of this field in every object of the type; None if it varies.

    The library's documentation states it; otherwise it is the type's name without its parent's.
    """
    names = {name, f"media_{name}"}
    above = next(
        (up for up in kind.__mro__[1:] if names & inspect.signature(up).parameters.keys()), None
    )
    if above is None or any(each.name == name for each in _given(kind)):
        return None
    told = (inspect.getdoc(kind) or "").partition("Attributes:")[2]
    found = re.search(rf"^\s*{name} \(:obj:`str`\):(.*?)(?:^\s*\w+ \(|\Z)", told, re.S | re.M)
    if found and (word := re.search(r":tg-const:`telegram\.([\w.]+)`", found[1])):
        value = operator.attrgetter(word[1])(telegram)
        return str(getattr(value, "value", value))
    if found and (word := re.search(r"``['\"](\w+)['\"]``", found[1])):
        return word[1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__.removeprefix(above.__name__)).lower()


def _given(function: Any) -> list[inspect.Parameter]:
    """Return the parameters that Telegram has; keyword-only ones are the library's own."""
    return [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind is each.POSITIONAL_OR_KEYWORD
    ]


def _hints(function: Any) -> dict[str, Any]:
    names = {**vars(aliases), **vars(typing), **vars(telegram), "dtm": datetime}
    return typing.get_type_hints(function, localns=names)


def _field(hint: Any, required: bool) -> str:
    return "|".join(_kinds(hint)) + "!" * required


def _kinds(hint: Any) -> list[str]:
    """Return Telegram's names for the types of a hint, without the library's shorthands."""
    found = set(_each(hint))
    objects = {each for each in found if each.rpartition(" of ")[2] not in PLAIN.values()}
    rows = {each for each in objects if each.startswith("Array of ")}
    if rows:  # a single item or its name is a shorthand for the array
        found = rows
    elif "String" in found:  # an object whose id the library takes
        found -= objects
    if "Integer" in found:  # a float hint allows both
        found.discard("Float")
    return sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else 9, name))


def _each(hint: Any) -> Iterator[str]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in PLAIN:
        yield PLAIN[hint]
    elif origin in (typing.Union, types.UnionType):
        for each in args:
            yield from _each(each)
    elif origin is typing.Literal:
        yield from (PLAIN[type(each)] for each in args)
    elif origin in (collections.abc.Sequence, list, tuple):
        yield from (f"Array of {each}" for each in _each(args[0]))
    elif origin is typing.IO:
        yield "InputFile"
    elif isinstance(hint, type):
        yield from _class(hint)


def _class(kind: type) -> Iterator[str]:
    if issubclass(kind, bytes | Path):
        yield "InputFile"
    elif issubclass(kind, telegram.TelegramObject):
        yield kind.__name__
    elif issubclass(kind, str):
        yield "String"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")

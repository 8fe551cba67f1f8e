"""The shapes of docs/json.md, and their comparison with what a command printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from tests.support.homes import ROOT


def shapes() -> dict[str, Any]:
    """Return what docs/json.md says: command → shape."""
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    found = re.findall(r"^### `(sam [^`]+)`\n.*?```json\n(.*?)```", text, re.M | re.S)
    return {title: json.loads(shape) for title, shape in found}


def unlike(value: Any, shape: Any, at: str = "") -> Iterator[str]:
    """Yield where the value differs from the shape."""
    if isinstance(shape, str):
        kinds = shape.split(" or ") if shape != "true or false" else [shape]
        if not any(_is(value, kind) for kind in kinds):
            yield f"{at} is {value!r}, not {shape}"
    elif isinstance(shape, list):
        # Of an object one is required: else its fields would not be checked.
        if not isinstance(value, list) or not (value or isinstance(shape[0], str)):
            yield f"{at} is {value!r}, not a list with something in it"
        for number, each in enumerate(value):
            yield from unlike(each, shape[0], f"{at}[{number}]")
    elif not isinstance(value, dict):
        yield f"{at} is {value!r}, not an object"
    elif set(shape) == {"…"}:
        for name, each in value.items():
            yield from unlike(each, shape["…"], f"{at}.{name}")
    else:
        if value.keys() != shape.keys():
            yield f"{at} has {sorted(value.keys() ^ shape.keys())} on one side only"
        for name in value.keys() & shape.keys():
            yield from unlike(value[name], shape[name], f"{at}.{name}")


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "null":
            return value is None
        case "true or false":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "object" | "hit":
            return isinstance(value, dict)
        case "day" | "time":
            read = date.fromisoformat if kind == "day" else datetime.fromisoformat
            return isinstance(value, str) and bool(read(value))
    raise AssertionError(f"{kind!r} is no kind of docs/json.md")

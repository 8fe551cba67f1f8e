"""Checks values against Telegram's published description of its API. Knows no chat and no HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "bot-api-10.1.json"
"""The description lies beside the repository, not in it."""

MISSING = f"the description of the Bot API is not here: ../shared/data/{PATH.name}"

STRINGS = (
    "text caption parse_mode action file_id callback_query_id language_code url "
    "inline_message_id secret_token name description short_description"
)
"""What is text although it may look like JSON; only needed when there is no description."""


class Misfit(Exception):
    """A request, or an object of our own, that the description does not allow."""


@cache
def load(path: Path = PATH) -> Spec | None:
    """The description, or None where the file is absent."""
    if not path.exists():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    return Spec(data["methods"], data["types"])


def undescribed(values: Mapping[str, object]) -> dict[str, Any]:
    """Arguments as well as they can be read without a description: nothing is refused."""
    return {name: _guess(name, value) for name, value in values.items()}


def _guess(name: str, value: object) -> object:
    if not isinstance(value, str) or name in STRINGS.split():
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


class Spec:
    """Methods and types with their fields, as published."""

    def __init__(self, methods: Mapping[str, Any], types: Mapping[str, Any]) -> None:
        self.methods = methods
        self._types = types

    def arguments(
        self, method: str, values: Mapping[str, object], files: Collection[str] = ()
    ) -> dict[str, Any]:
        """A method's arguments with their Python types. Raises Misfit.

        `values` come from a JSON body as they are, or as text from a form, where everything but
        text is JSON. `files` are the names of the uploaded parts; one that is neither a field nor
        named by an `attach://` is refused.
        """
        fields = {field["name"]: field for field in self.methods[method].get("fields", [])}
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in fields:
                raise Misfit(f'{method} has no field "{name}"')
            read[name] = self._argument(f"{method}.{name}", value, fields[name]["types"])
        for name, field in fields.items():
            if field["required"] and name not in values and name not in files:
                raise Misfit(f'{method} needs the field "{name}"')
        attached = set(re.findall(r"attach://([\w.-]+)", json.dumps(read)))
        for name in files:
            if name in read:
                raise Misfit(f'{method}: "{name}" stands twice, as a value and as a file')
            if name not in attached and "InputFile" not in fields.get(name, {}).get("types", ()):
                raise Misfit(f'{method} has no file "{name}"')
        return read

    def _argument(self, where: str, value: object, types: list[str]) -> object:
        if isinstance(value, str) and not any(self._is_text(kind) for kind in types):
            try:
                value = json.loads(value)
            except ValueError:
                raise Misfit(f"{where} is not JSON: {value[:80]!r}") from None
        elif isinstance(value, str) and "Integer" in types and re.fullmatch(r"-?\d+", value):
            value = int(value)
        self.check(value, types, where)
        return value

    @staticmethod
    def _is_text(kind: str) -> bool:
        return kind in ("String", "InputFile")

    def check(self, value: object, types: list[str], where: str) -> None:
        """Raises Misfit when the value is of none of the types."""
        likely = [kind for kind in types if self._alike(value, kind)]
        if not likely:
            raise Misfit(f"{where} must be {' or '.join(types)}, not {_shown(value)}")
        misfits = []
        for kind in likely:
            try:
                self._fits(value, kind, where)
            except Misfit as misfit:
                misfits.append(str(misfit))
            else:
                return
        raise Misfit("; or ".join(misfits))

    def _alike(self, value: object, kind: str) -> bool:
        """Whether the value has the JSON form of that type, without a look inside."""
        match kind:
            case "Integer":
                return isinstance(value, int) and not isinstance(value, bool)
            case "Float":
                return isinstance(value, int | float) and not isinstance(value, bool)
            case "Boolean":
                return isinstance(value, bool)
            case "String" | "InputFile":
                return isinstance(value, str)
        if kind.startswith("Array of "):
            return isinstance(value, list)
        subtypes = self._types[kind].get("subtypes")
        if not subtypes:
            return isinstance(value, dict)
        return any(self._alike(value, subtype) for subtype in subtypes)

    def _fits(self, value: Any, kind: str, where: str) -> None:
        if kind.startswith("Array of "):
            for number, item in enumerate(value):
                self.check(item, [kind.removeprefix("Array of ")], f"{where}[{number}]")
        elif kind in self._types and not self._is_text(kind):
            subtypes = self._types[kind].get("subtypes")
            if subtypes:
                self.check(value, self._meant(value, subtypes), where)
            else:
                self._check_object(value, kind, where)

    def _meant(self, value: object, subtypes: list[str]) -> list[str]:
        """The subtypes that the object's own `type` names; all of them when none does."""
        if not isinstance(value, dict):
            return subtypes
        named = [
            kind
            for kind in subtypes
            if (constant := self._constant(kind)) and value.get(constant[0]) == constant[1]
        ]
        return named or subtypes

    def _constant(self, kind: str) -> tuple[str, str] | None:
        """The field that tells a subtype from its siblings, and its value."""
        found = map(_constant_of, self._types.get(kind, {}).get("fields", []))
        return next(filter(None, found), None)

    def _check_object(self, value: dict[str, object], kind: str, where: str) -> None:
        fields = {field["name"]: field for field in self._types[kind].get("fields", [])}
        for name, member in value.items():
            if name not in fields:
                raise Misfit(f'{where}: {kind} has no field "{name}"')
            field = fields[name]
            self.check(member, field["types"], f"{where}.{name}")
            constant = _constant_of(field) if self._types[kind].get("subtype_of") else None
            if constant and constant[1] != member:
                raise Misfit(f'{where}.{name} must be "{constant[1]}" in {kind}')
        for name, field in fields.items():
            if field["required"] and name not in value:
                raise Misfit(f'{where}: {kind} needs the field "{name}"')


def _constant_of(field: Mapping[str, Any]) -> tuple[str, str] | None:
    """`("type", "emoji")` for a field whose description says that it is always that."""
    if field["name"] not in ("type", "status", "source") or field["types"] != ["String"]:
        return None
    found = re.search(r'(?:always|must be) [“"]?(\w+)', field["description"])
    return (field["name"], found[1]) if found else None


def _shown(value: object) -> str:
    return f"{type(value).__name__} {json.dumps(value, ensure_ascii=False, default=str)[:80]}"

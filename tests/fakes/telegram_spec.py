"""Validate values against a description of Telegram's Bot API."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[1] / "data" / "bot_api.json"


class Misfit(Exception):
    """A request, or an object of the fake, that the description does not allow."""


@dataclass(frozen=True, slots=True)
class Field:
    """The allowed types of a field, as written: `Integer|String!`, or `=emoji!`."""

    types: tuple[str, ...]
    required: bool
    constant: str | None = None
    """The only allowed string; it distinguishes the subtypes of a type."""

    @classmethod
    def read(cls, text: str) -> Field:
        told, required = text.removesuffix("!"), text.endswith("!")
        if told.startswith("="):
            return cls(("String",), required, told[1:])
        return cls(tuple(told.split("|")), required)


Fields = Mapping[str, Field]


@dataclass(frozen=True, slots=True)
class Called:
    """A method: its parameters and return types."""

    fields: Fields
    returns: tuple[str, ...]


@cache
def load(path: Path = PATH) -> Spec:
    """Load the description from tests/data."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Spec(
        {
            name: Called(_fields(told["fields"]), tuple(told["returns"].split("|")))
            for name, told in data["methods"].items()
        },
        {
            name: tuple(told) if isinstance(told, list) else _fields(told)
            for name, told in data["types"].items()
        },
    )


def _fields(told: Mapping[str, str]) -> Fields:
    return {name: Field.read(text) for name, text in told.items()}


class Spec:
    """Methods with their fields, and types with their fields or their subtypes."""

    def __init__(
        self, methods: Mapping[str, Called], types: Mapping[str, Fields | tuple[str, ...]]
    ) -> None:
        self.methods = methods
        self.types = types

    def arguments(
        self, method: str, values: Mapping[str, object], files: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return a method's arguments converted to Python types. Raises Misfit.

        `values` come from a JSON body as they are, or as text from a form, where everything except
        text is JSON. `files` are the names of the uploaded parts; one that is neither a field nor
        referred to by `attach://` is refused.
        """
        fields = self.methods[method].fields
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in fields:
                raise Misfit(f'{method} has no field "{name}"')
            read[name] = self._argument(f"{method}.{name}", value, fields[name].types)
        for name, field in fields.items():
            if field.required and name not in values and name not in files:
                raise Misfit(f'{method} needs the field "{name}"')
        attached = set(re.findall(r"attach://([\w.-]+)", json.dumps(read)))
        for name in files:
            if name in read:
                raise Misfit(f'{method}: "{name}" stands twice, as a value and as a file')
            if name not in attached and not (name in fields and "InputFile" in fields[name].types):
                raise Misfit(f'{method} has no file "{name}"')
        return read

    def _argument(self, where: str, value: object, types: Collection[str]) -> object:
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

    def check(self, value: object, types: Collection[str], where: str) -> None:
        """Raise Misfit if the value has none of the types."""
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
        """Return whether the value has the JSON form of that type, without checking its fields."""
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
        told = self.types[kind]
        if not isinstance(told, tuple):
            return isinstance(value, dict)
        return any(self._alike(value, subtype) for subtype in told)

    def _fits(self, value: Any, kind: str, where: str) -> None:
        if kind.startswith("Array of "):
            for number, item in enumerate(value):
                self.check(item, [kind.removeprefix("Array of ")], f"{where}[{number}]")
        elif kind in self.types:
            told = self.types[kind]
            if isinstance(told, tuple):
                self.check(value, self._meant(value, told), where)
            else:
                self._check_object(value, kind, told, where)

    def _meant(self, value: object, family: tuple[str, ...]) -> tuple[str, ...]:
        """Return the subtypes that match the object's `type`; all of them if none does."""
        if not isinstance(value, dict):
            return family
        named = tuple(
            kind
            for kind in family
            if any(
                field.constant is not None and value.get(name) == field.constant
                for name, field in self._fields(kind).items()
            )
        )
        return named or family

    def _fields(self, kind: str) -> Fields:
        told = self.types.get(kind, {})
        return {} if isinstance(told, tuple) else told

    def _check_object(
        self, value: dict[str, object], kind: str, fields: Fields, where: str
    ) -> None:
        for name, member in value.items():
            if name not in fields:
                raise Misfit(f'{where}: {kind} has no field "{name}"')
            field = fields[name]
            self.check(member, field.types, f"{where}.{name}")
            if field.constant not in (None, member):
                raise Misfit(f'{where}.{name} must be "{field.constant}" in {kind}')
        for name, field in fields.items():
            if field.required and name not in value:
                raise Misfit(f'{where}: {kind} needs the field "{name}"')


def _shown(value: object) -> str:
    return f"{type(value).__name__} {json.dumps(value, ensure_ascii=False, default=str)[:80]}"

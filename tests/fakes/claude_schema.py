"""JSON schemas for structured output: which are allowed, a default instance, and validation."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from pydantic import BaseModel

from tests.fakes.claude_blocks import (
    Fields,
    Refused,
    check_fields,
    is_nothing_or,
    is_object,
    one_of,
)

PLAIN = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "null": None}

OUTPUT: Fields = {
    "effort": (False, one_of("low", "medium", "high", "xhigh", "max", None), "a known effort"),
    "format": (False, is_nothing_or(is_object), "an object or null"),
}
FORMAT: Fields = {
    "type": (True, one_of("json_schema"), "'json_schema'"),
    "schema": (True, is_object, "a valid dictionary"),
}
# the API does not enforce numbers and lengths; they go into the descriptions
UNSUPPORTED = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
)


def unsound(schema: dict[str, Any]) -> str | None:
    """Return what is wrong with the schema itself, or None."""
    return _unsound(json.dumps(schema))


@lru_cache(maxsize=256)
def _unsound(schema: str) -> str | None:
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return error.message
    return None


def check_output(config: dict[str, Any]) -> None:
    """Raise `Refused` for an output_config that the API does not accept."""
    check_fields("output_config", config, OUTPUT)
    if (form := config.get("format")) is not None:
        check_fields("output_config.format", form, FORMAT)
        if wrong := unsound(form["schema"]):
            raise Refused(f"output_config.format.schema: JSON schema is invalid: {wrong}")
        _closed("output_config.format.schema", form["schema"])


def _closed(at: str, schema: object) -> None:
    if isinstance(schema, list):
        for index, part in enumerate(schema):
            _closed(f"{at}.{index}", part)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        raise Refused(f"{at}: For 'object' type, 'additionalProperties' must be false")
    for name, part in schema.items():
        if name in UNSUPPORTED and not isinstance(part, dict):
            raise Refused(f"{at}: For '{schema.get('type')}' type, '{name}' is not supported")
        if name not in ("enum", "const", "default"):
            _closed(f"{at}.{name}", part)


def default(schema: dict[str, Any], root: dict[str, Any] | None = None) -> Any:
    """Return the simplest instance: empty texts and lists, false, 0, the first of an enum."""
    root = root if root is not None else schema
    if "$ref" in schema:
        found: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return default(found, root)
    for name in ("const", "default"):
        if name in schema:
            return schema[name]
    if "enum" in schema:
        return schema["enum"][0]
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return default(schema[name][0], root)
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {name: default(properties[name], root) for name in schema.get("required", ())}
    if schema.get("type") == "array" and schema.get("minItems"):
        return [default(schema["items"], root)] * schema["minItems"]
    kind = schema.get("type", "null")
    return PLAIN[kind[0] if isinstance(kind, list) else kind]


def fault(value: object, schema: dict[str, Any]) -> str | None:
    """Return what is wrong with `value`, or None."""
    for error in Draft202012Validator(schema).iter_errors(value):
        return f"{error.json_path}: {error.message}"
    return None


def written(value: object) -> str:
    """Return a scripted value as the JSON that a model writes; a string is JSON already."""
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

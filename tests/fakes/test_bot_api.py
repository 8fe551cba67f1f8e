"""Check the description of the Bot API against its generator and against a published one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import telegram

from tests.fakes.telegram_spec import Called, Field, Fields, load
from tests.support import bot_api

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "bot-api-10.1.json"
PARTLY = {"RichBlock", "RichText"}
"""Types whose subtypes are described only as far as the fake sends them."""


def test_the_file_is_as_its_program_writes_it() -> None:
    written = json.loads(bot_api.FILE.read_text("utf-8"))["library"]
    if written != telegram.__version__:
        pytest.skip(
            f"bot_api.json is of python-telegram-bot {written}, and {telegram.__version__} is here"
        )
    assert bot_api.text() == bot_api.FILE.read_text("utf-8"), "python -m tests.support.bot_api"


def test_every_type_that_is_named_is_described() -> None:
    spec = load()
    fields = [
        field
        for each in (*(method.fields for method in spec.methods.values()), *spec.types.values())
        if not isinstance(each, tuple)
        for field in each.values()
    ]
    families = [kind for each in spec.types.values() if isinstance(each, tuple) for kind in each]
    results = [kind for method in spec.methods.values() for kind in method.returns]
    named = {kind for field in fields for kind in field.types} | {*families, *results}
    plain = {"Integer", "Float", "Boolean", "String", "InputFile"}
    assert {kind.rpartition(" of ")[2] for kind in named} - plain <= spec.types.keys()
    assert len(spec.methods) > 150 and len(spec.types) > 250, "it is the whole API"


@pytest.mark.skipif(
    not PUBLISHED.exists(),
    reason=f"Telegram's own description is not beside the project: ../shared/data/{PUBLISHED.name}",
)
def test_it_says_what_telegram_publishes() -> None:
    """Compare each method's and type's fields and flags with the published ones, both ways."""
    data = json.loads(PUBLISHED.read_text("utf-8"))
    spec = load()
    assert spec.methods.keys() == data["methods"].keys()
    for name, told in data["methods"].items():
        theirs = Called(_published(told), tuple(told["returns"]))
        ours = spec.methods[name]
        assert _sorted(ours.fields) == _sorted(theirs.fields), name
        assert set(ours.returns) == set(theirs.returns), name
    for name, kind in spec.types.items():
        told = data["types"][name]
        if name in PARTLY:
            assert set(kind) <= set(told["subtypes"])
        elif isinstance(kind, tuple):
            assert set(kind) == set(told["subtypes"]), name
        else:
            assert _sorted(kind) == _sorted(_published(told)), name


def _published(told: dict[str, Any]) -> Fields:
    family = bool(told.get("subtype_of"))
    return {
        each["name"]: Field(
            tuple(each["types"]), each["required"], _constant(each) if family else None
        )
        for each in told.get("fields", [])
    }


def _constant(field: dict[str, Any]) -> str | None:
    """Return the constant value of a field in the published description."""
    if field["name"] not in ("type", "status", "source") or field["types"] != ["String"]:
        return None
    found = re.search(r'(?:always|must be) [“"]?(\w+)', field["description"])
    return found[1] if found else None


def _sorted(fields: Fields) -> dict[str, tuple[Any, ...]]:
    return {
        name: (sorted(field.types), field.required, field.constant)
        for name, field in fields.items()
    }

"""Front matter that was meant to seal a note, but does not, is detected."""

from __future__ import annotations

import pytest

from memory.notes.markdown import privacy
from memory.notes.redaction import failed_seal


@pytest.mark.parametrize(
    "text",
    [
        "--\nprivacy: sealed\n--\ntext",
        "\n---\nprivacy: sealed\n---\ntext",
        "# Diary\n---\nprivacy: sealed\n---\ntext",
        "privacy: sealed\n\ntext",
        " ---\nprivacy = sensitive\n---\ntext",
        "----\n'privacy' : \"Sealed\"\n----\ntext",
    ],
)
def test_a_seal_without_effect_is_seen(text: str) -> None:
    assert privacy(text) == "normal"
    assert failed_seal(text) in ("sealed", "sensitive")


@pytest.mark.parametrize(
    "text",
    [
        "---\nprivacy: sealed\n---\ntext",
        "\ufeff---\nprivacy: sealed\n---\ntext",
        "---\nprivacy : sealed\n---\ntext",
        "---\nprivacy: normal\n---\ntext",
        "On privacy: sealed notes are read by nobody.",
        "```yaml\nprivacy: sealed\n```",
        "a\n" * 40 + "privacy: sealed",
        "",
    ],
)
def test_what_is_sealed_or_not_meant_to_be_is_left_alone(text: str) -> None:
    assert failed_seal(text) == ""


@pytest.mark.parametrize("indent", ["\t", " \t", "\t ", "    "])
def test_an_indented_seal_counts_where_yaml_cannot_be_read(indent: str) -> None:
    """Of two values the stricter one counts."""
    assert privacy(f"---\ntitle: x\n{indent}privacy: sealed\n---\ntext") == "sealed"
    assert privacy(f"---\nprivacy: sealed\n{indent}privacy: normal\n---\ntext") == "sealed"

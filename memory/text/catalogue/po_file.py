"""Read .po files, as Poedit and other editors of translations use them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

Key = tuple[str, str]
"""The English text and its plural; "" for a text without one."""
Entries = Mapping[Key, tuple[str, ...]]
"""The forms of each translated text: one, or as many as the language has plurals."""
_LINE = re.compile(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)? ?"((?:[^"\\]|\\.)*)"')
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def read(text: str) -> dict[Key, tuple[str, ...]]:
    """Return the translated entries of a file; ("", "") is its header. Raises ValueError."""
    found: dict[Key, tuple[str, ...]] = {}
    for block in re.split(r"\n\s*\n", text.strip()):
        fields: dict[str, str] = {}
        name = ""
        for row in block.split("\n"):
            if row.startswith("#"):
                continue
            if (line := _LINE.fullmatch(row.strip())) is None or not (name := line[1] or name):
                raise ValueError(f"not a line of a .po file: {row}")
            words = re.sub(r"\\(.)", lambda each: _ESCAPED[each[1]], line[2])
            fields[name] = fields.get(name, "") + words
        forms = tuple(words for name, words in fields.items() if name.startswith("msgstr"))
        if "msgid" in fields and all(forms):
            found[fields["msgid"], fields.get("msgid_plural", "")] = forms
    return found

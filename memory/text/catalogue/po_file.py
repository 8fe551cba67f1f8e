"""Read and write .po files, as Poedit and other editors of translations use them. Pure."""

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


def entry(key: Key, forms: tuple[str, ...], comment: str = "") -> str:
    """Return one entry as text."""
    text, plural = key
    rows = [f"#: {comment}"] if comment else []
    rows.append(f"msgid {_quoted(text)}")
    if plural:
        rows.append(f"msgid_plural {_quoted(plural)}")
        rows += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(forms)]
    else:
        rows.append(f"msgstr {_quoted(forms[0])}")
    return "\n".join(rows)


def _quoted(text: str) -> str:
    """Return a string; one of several lines begins with an empty one, as editors write it."""
    lines = text.splitlines(keepends=True) or [""]
    quoted = [
        '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        for line in lines
    ]
    return quoted[0] if len(quoted) == 1 else "\n".join(['""', *quoted])

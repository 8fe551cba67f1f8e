"""Bring the catalogues up to date with the texts in the source: `make messages`.

New texts are added without a translation, unused ones are removed. tests/contracts/test_messages.py
fails until every text is translated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bot.chat.commands import COMMANDS
from memory.text.catalogue import TRANSLATED
from memory.text.catalogue.po_file import Key, read

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "memory/text/catalogue"
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 "
    "&& (n%100<12 || n%100>14) ? 1 : 2);",
    "zh": "nplurals=1; plural=0;",
}
"""The rules of `memory.text.catalogue.lookup.plural_form`, as other programs read them."""


def texts() -> dict[Key, str]:
    """Return the texts in the source, and the lines of the commands, each with the first file that
    has it."""
    found: dict[Key, str] = {}
    for package in ("bot", "memory"):
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for key in of_tree(tree):
                found.setdefault(key, path.relative_to(ROOT).as_posix())
    for command in COMMANDS.values():
        found.setdefault(((command.__doc__ or "").strip(), ""), "bot/chat/commands.py")
    return found


def of_tree(tree: ast.Module) -> Iterator[Key]:
    """Yield what the calls of `tr`, `tn` and `mark` look up."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        match call:
            case ast.Call(func=ast.Name("tr" | "mark"), args=[first, *_]):
                yield from ((text, "") for text in _literals(first))
            case ast.Call(func=ast.Name("tn"), args=[ast.Constant(one), ast.Constant(many), *_]):
                yield str(one), str(many)


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield a literal, or both of a condition."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_literals(body), *_literals(orelse))


def written(language: str, known: dict[Key, tuple[str, ...]]) -> str:
    """Return the file of a language with all texts, and the translations that are known."""
    header = f"Language: {language}\nContent-Type: text/plain; charset=UTF-8\n"
    header += f"Plural-Forms: {PLURALS[language]}\n"
    forms = int(PLURALS[language].split("=")[1].split(";")[0])
    blocks = [entry(("", ""), (header,))]
    for key, path in texts().items():
        empty = ("",) * (forms if key[1] else 1)
        blocks.append(entry(key, known.get(key, empty), path))
    return "\n\n".join(blocks) + "\n"


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


def main() -> None:
    """Rewrite every catalogue, and say what is left to translate."""
    for language in TRANSLATED:
        path = FOLDER / f"{language}.po"
        known = read(path.read_text("utf-8")) if path.exists() else {}
        path.write_text(written(language, known), "utf-8")
        missing = len(texts()) - len(texts().keys() & known.keys())
        print(f"{path.name}: {missing} of {len(texts())} texts are not translated")


if __name__ == "__main__":
    main()

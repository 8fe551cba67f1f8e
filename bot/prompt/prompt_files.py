"""Prompts in files of their own, in English and Chinese: `texts/NAME.en.md`, `texts/NAME.zh.md`.

docs/dev/prompts.md says why each sentence is there. A line `---` separates the parts of a prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).with_name("texts")
_CHINESE = re.compile(r"(?:zh\b.*|chinese.*|mandarin|.*中文|.*汉语|.*漢語)", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
_SHARE = 0.3  # of a text's letters; the others may be names


@cache
def parts(name: str, *, chinese: bool = False) -> tuple[str, ...]:
    text = (TEXTS / f"{name}.{'zh' if chinese else 'en'}.md").read_text("utf-8")
    return tuple(part.strip() for part in re.split(r"(?m)^---$", text))


def is_chinese(texts: Iterable[str], language: str = "auto") -> bool:
    """Return whether the prompt should be in Chinese: the language that is set is, or, with `auto`,
    the texts are."""
    if language.strip().lower() not in ("", "auto"):
        return _CHINESE.fullmatch(language.strip()) is not None
    said = " ".join(texts)
    letters = len(_LETTER.findall(said))
    return bool(letters) and not _KANA.search(said) and len(_HAN.findall(said)) / letters >= _SHARE


def prompt(
    language: str,
    *,
    ended: bool = False,
    rules: bool = False,
    before: bool = False,
    chinese: bool = False,
) -> str:
    """Return the prompt for that MEMORY_LANGUAGE; facts are in the owner's language in any case.
    `ended`: the session has. `rules`: the owner's are shown before the messages. `before`:
    so are messages of earlier batches. `chinese`: the prompt itself is in Chinese, else in English.
    """
    found = parts("summary", chinese=chinese)
    text, at_the_end, with_rules, with_before, as_spoken, in_language = found
    spoken = language.lower() in ("", "auto")
    text = text.format(language=as_spoken if spoken else in_language.format(language))
    more = [with_rules if rules else "", with_before if before else ""]
    more.append(at_the_end if ended else "")
    return "\n\n".join(filter(None, [text, *more]))

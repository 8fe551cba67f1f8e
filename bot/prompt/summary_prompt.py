"""The system prompt of a summary. docs/dev/prompts.md says why each sentence is there."""

from __future__ import annotations

from .prompt_files import parts


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

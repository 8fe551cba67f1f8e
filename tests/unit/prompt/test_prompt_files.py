"""The prompt files: both languages say the same, and every sentence has a documented reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.prompt.prompt_files import TEXTS, is_chinese, parts, prompt

ROOT = Path(__file__).resolve().parents[3]
NAMES = sorted(path.name.removesuffix(".en.md") for path in TEXTS.glob("*.en.md"))


def words(text: str) -> str:
    return " ".join(re.sub(r"(?m)^- |^---$", "", text).split())


@pytest.mark.parametrize("name", NAMES)
def test_each_sentence_has_a_reason(name: str) -> None:
    page = (ROOT / "docs/dev/prompts.md").read_text("utf-8")
    section = page.partition(f"`{name}.en.md`\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    rows = [row for row in cells if row[0] not in ("Sentence", "---")]
    assert rows and all(len(row) == 2 and row[1].strip() for row in rows)
    said = " ".join(row[0] for row in rows)
    assert said == words((TEXTS / f"{name}.en.md").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_chinese_says_the_same_line_by_line(name: str) -> None:
    english, chinese = ((TEXTS / f"{name}.{code}.md").read_text("utf-8") for code in ("en", "zh"))
    pairs = list(zip(english.splitlines(), chinese.splitlines(), strict=True))
    assert len(parts(name)) == len(parts(name, chinese=True))
    for here, there in pairs:
        assert here.startswith("- ") == there.startswith("- ") and bool(here) == bool(there)
        assert re.findall(r"\{\w*\}", here) == re.findall(r"\{\w*\}", there)
        assert (match := re.match(r"- (\w+):", here)) is None or there.startswith(f"- {match[1]}：")
    for key in ("biographical", "preference", "relationship", "contextual", "goal", "done", "next"):
        assert (key in english) == (key in chinese)


def test_a_prompt_is_filled_in_both_languages() -> None:
    for chinese in (False, True):
        for language in ("auto", "German"):
            for ended in (False, True):
                text = prompt(language, ended=ended, chinese=chinese)
                assert "{" not in text and ("German" in text) == (language == "German")
                assert prompt(language, ended=ended, rules=True, chinese=chinese) != text
    assert prompt("auto", ended=True, rules=True).endswith(
        "the part of every other bullet is empty."
    )


@pytest.mark.parametrize(
    ("text", "language", "chinese"),
    [
        ("我住在柏林", "auto", True),
        ("我住在柏林", "", True),
        ("Lunch at 老北京 with the whole team", "auto", False),
        ("我妹妹 Clara 六月在里斯本结婚", "auto", True),
        ("明日クララと展示を見る", "auto", False),
        ("I live in Berlin", "auto", False),
        ("", "auto", False),
        ("12:30", "auto", False),
        ("我住在柏林", "English", False),
        ("I live in Berlin", "zh-CN", True),
        ("I live in Berlin", "Chinese", True),
        ("I live in Berlin", "简体中文", True),
    ],
)
def test_when_a_prompt_is_in_chinese(text: str, language: str, chinese: bool) -> None:
    assert is_chinese([text], language) is chinese

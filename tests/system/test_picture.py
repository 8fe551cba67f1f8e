"""The pictures of chats in the docs are up to date: regenerating them gives the same files."""

from __future__ import annotations

import re

from docs.dev.pictures import answer, first_day

EMBEDDED = re.compile(r'href="data:image/png;base64,[^"]*"')
"""A picture embedded in a picture: other library versions may write other bytes."""
INDEXED = re.compile(r"I remember \d+ messages")
"""The count excludes what is not indexed yet."""


def test_the_picture_is_what_happens() -> None:
    made = answer.drawn(answer.scene())
    assert made == answer.PICTURE.read_text("utf-8"), "make picture, and look at it"
    assert len(made.encode()) < 30_000
    assert "http" not in made.replace("http://www.w3.org/2000/svg", ""), "it loads nothing"


def test_the_first_day_is_what_happens() -> None:
    page = (first_day.FOLDER.parent / "first-day.md").read_text("utf-8")
    for name, made in first_day.drawn(first_day.scenes()).items():
        drawn = (first_day.FOLDER / name).read_text("utf-8")
        assert _steady(made) == _steady(drawn), "make picture, and look at it"
        assert len(EMBEDDED.findall(made)) == len(EMBEDDED.findall(drawn))
        assert f"(images/{name})" in page
        assert "http" not in made.replace("http://www.w3.org/2000/svg", ""), "it loads nothing"


def _steady(picture: str) -> str:
    """Return the picture without what may differ from run to run."""
    return INDEXED.sub("", EMBEDDED.sub("", picture))

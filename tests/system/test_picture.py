"""The picture in README is what Sam sends and writes today: it is made again, and is the same."""

from __future__ import annotations

import pytest

from docs.dev import picture


@pytest.mark.timeout(120)
def test_the_picture_is_what_happens() -> None:
    made = picture.drawn(picture.scene())
    assert made == picture.PICTURE.read_text("utf-8"), "make picture, and look at it"
    assert len(made.encode()) < 30_000
    assert "http" not in made.replace("http://www.w3.org/2000/svg", ""), "it loads nothing"

"""Attachments of a message: sizes, kinds, names, texts."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.media import MediaFiles, content
from bot.media.files import KEPT
from bot.media.message_content import best_size

NOW = datetime(2026, 2, 12, 12, tzinfo=UTC)


def message(**fields: Any) -> dict[str, Any]:
    return {"message_id": 5, "chat": {"id": -100}, **fields}


def document(name: str, mime: str = "") -> dict[str, Any]:
    given = {"file_id": "f", "file_unique_id": "u", "file_name": name}
    return message(document=given | ({"mime_type": mime} if mime else {}))


@pytest.mark.parametrize(
    ("widths", "best"),
    [
        ([90, 320, 800, 1280, 2560], 1280),
        ([90, 1568, 1569], 1568),
        ([3000, 2000], 2000),
        ([90], 90),
    ],
)
def test_the_largest_size_that_a_model_can_use(widths: list[int], best: int) -> None:
    sizes = [{"file_id": str(w), "width": w // 2, "height": w} for w in widths]
    assert best_size(sizes)["file_id"] == str(best)


@pytest.mark.parametrize(
    ("name", "mime", "kind"),
    [
        ("a.pdf", "", "pdf"),
        ("A.PDF", "application/octet-stream", "pdf"),
        ("a.png", "image/png", "photo"),
        ("a.heic", "image/heic", "other"),
        ("a.md", "", "text"),
        ("main.rs", "application/octet-stream", "text"),
        ("x.ts", "video/mp2t", "text"),
        ("Makefile", "", "text"),
        (".env", "", "text"),
        ("data", "application/vnd.api+json", "text"),
        ("a.svg", "image/svg+xml", "text"),
        ("a.mp3", "audio/mpeg", "audio"),
        ("a.mp4", "video/mp4", "other"),
        ("a.zip", "application/zip", "other"),
        ("a", "", "other"),
    ],
)
def test_how_a_document_is_read(name: str, mime: str, kind: str) -> None:
    file = content(document(name, mime)).file
    assert file is not None and file.kind == kind


@pytest.mark.parametrize(
    ("name", "shown", "suffix"),
    [
        ("../../etc/passwd", ".. .. etc passwd", ""),
        ("a]\n[PDF: b", "a PDF: b", ""),
        ("x" * 300 + ".pdf", None, ".pdf"),
        ("a.tar.gz", "a.tar.gz", ".gz"),
        ("", "file", ""),
    ],
)
def test_a_name_is_no_more_than_a_name(name: str, shown: str | None, suffix: str) -> None:
    file = content(document(name)).file
    assert file is not None and len(file.name) <= 75 and file.suffix == suffix
    assert "\n" not in file.label and "]" not in file.name
    if shown is not None:
        assert " ".join(file.name.split()) == shown


def test_an_animation_is_not_the_document_that_repeats_it() -> None:
    played = {"file_id": "a", "file_unique_id": "u", "width": 1, "height": 1, "duration": 61}
    both = document("a.mp4", "video/mp4") | {"animation": played}
    file = content(both).file
    assert file is not None and file.label == "animation, 1:01"


def test_a_text_holds_nothing_more() -> None:
    assert content(message(text="hello")) == content(message(caption="x"))
    assert content(message(text="hello")).file is None


def test_files_expire_and_are_forgotten_by_message(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path / "media")
    assert files.expire(NOW) == 0 and files.of(-100, 5) is None
    files.folder.mkdir()
    for number, age in ((5, KEPT - timedelta(hours=1)), (55, KEPT + timedelta(hours=1))):
        path = files.path(-100, number, ".jpg")
        path.write_bytes(b"x")
        then = (NOW - age).timestamp()
        os.utime(path, (then, then))
    assert files.of(-100, 5) == files.path(-100, 5, ".jpg")
    assert files.of(100, 5) is None
    assert files.expire(NOW) == 1
    assert [path.name for path in files.folder.iterdir()] == ["-100_5.jpg"]
    assert files.forget(-100, [55, 4]) == 0
    assert files.forget(-100, [5]) == 1 and not [*files.folder.iterdir()]

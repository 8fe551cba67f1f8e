"""`python -m docs.dev.pictures`: make all pictures."""

from __future__ import annotations

from . import answer, first_day

answer.PICTURE.write_text(answer.drawn(answer.scene()), "utf-8")
for name, picture in first_day.drawn(first_day.scenes()).items():
    (first_day.FOLDER / name).write_text(picture, "utf-8")

"""The generated documents are up to date, and README and docs agree with the code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.assistant.jobs import JOBS
from bot.cli import main
from bot.settings import Settings
from docs.dev import generate
from memory.config import read
from tests.support.homes import ROOT

REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")


def test_nothing_differs_from_the_code() -> None:
    """This is also what `make check` does."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "docs.dev.generate", "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_setting_command_tool_job_and_error_has_its_line() -> None:
    from bot.chat.commands import COMMANDS
    from memory.tools.memory_tools import TOOLS

    named = [name.upper() for name in Settings.model_fields]
    named += [f"sam {name}" for name in main.COMMANDS]
    named += [f"/{name}" for name in COMMANDS]
    named += [*TOOLS, *(job.name for job in JOBS), "ModelDown", "VaultGone"]
    assert [name for name in named if f"`{name}`" not in REFERENCE] == []
    for name, field in Settings.model_fields.items():
        assert field.description, name


def test_the_example_names_every_setting_and_changes_none(tmp_path: Path) -> None:
    """With its lines uncommented, `.env.example` yields the defaults."""
    text = generate.env_example()
    names = re.findall(r"^#([A-Z_]+)=", text, re.MULTILINE)
    hidden = {"SAM_FAILPOINT"}
    assert sorted(names) == sorted({n.upper() for n in Settings.model_fields} - hidden)
    path = tmp_path / "example"
    path.write_text(re.sub(r"^#([A-Z_]+=)", r"\1", text, flags=re.MULTILINE))
    plain = Settings(_env_file=None)  # type: ignore[call-arg]
    assert Settings(_env_file=path) == plain  # type: ignore[call-arg]


def test_a_difference_is_reported_and_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "page.md"
    page.write_text("Mine.\n\n<!-- begin:jobs -->\nold\n<!-- end:jobs -->\n\nMine too.\n")
    (tmp_path / "README.md").write_text("# Sam\n")
    assert generate.main(["--check"], tmp_path) == 1
    assert "-old" in capsys.readouterr().out
    assert page.read_text().count("old") == 1, "a check writes nothing"
    assert generate.main([], tmp_path) == 0
    text = page.read_text()
    assert text.startswith("Mine.\n\n<!-- begin:jobs -->\n") and text.endswith("\nMine too.\n")
    assert "| `reconcile` |" in text and "old" not in text
    assert generate.main(["--check"], tmp_path) == 0


def test_an_unknown_block_is_refused() -> None:
    with pytest.raises(SystemExit, match="no block is called 'weather'"):
        generate.filled("<!-- begin:weather -->\n<!-- end:weather -->")


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert generate.table(("A",), [("a|b",)]) == "| A |\n| --- |\n| a\\|b |\n"


def anchors(page: Path) -> set[str]:
    """Return the ids of a page's headings, as the site makes them."""
    headings = re.findall(r"^#{1,6} (.+)$", page.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", each).lower() for each in headings)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", each).strip()) for each in plain}


def test_links_between_documents_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert len(pages) > 15
    dead = []
    for page in pages:
        text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", text):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = page.parent / path if path else page
            is_dead = not file.exists() or (
                anchor and file.suffix == ".md" and anchor not in anchors(file)
            )
            dead += [f"{page.relative_to(ROOT)}: {target}"] if is_dead else []
    assert dead == []


def test_reading_settings_knows_no_machine() -> None:
    assert read(Settings).vault_dir.is_absolute()
    assert str(Path.home()) not in generate.env_example() + REFERENCE

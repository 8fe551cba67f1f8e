"""Sam's old notes of kind log are merged into one; the owner's are not touched."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.assistant.jobs import JOBS
from memory.maintenance import ForgetChoice, forget_words
from memory.tools import MemoryTools
from tests.support.knowledge import archived, facts_of
from tests.support.memories import Clock, Died, dies_at_write, opened, write

HEAD = "created: 2026-02-0{}\nauthor: Sam\nkind: log\n"


def log(folder: Path, number: int, *fields: str, body: str = "") -> bytes:
    """Write a note of Sam's on that day of February; return its bytes."""
    head = HEAD.format(number) + "".join(f"{each}\n" for each in fields)
    text = f"---\n{head}---\n\n# Birds {number}\n\n" + (body or f"- saw an okapi{number}\n")
    write(folder, f"notes/Birds {number}.md", text)
    return text.encode()


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "vault/notes").iterdir()}


async def test_old_notes_become_one_of_five_by_the_nightly_job(tmp_path: Path) -> None:
    for number in range(1, 5):
        log(tmp_path, number, *["confidence: 0.7"] * (number == 2))
    log(tmp_path, 5, "privacy: sensitive", "confidence: 0.4", body="## Lake\n\n```\n# no\n```\n")
    new = log(tmp_path, 6)
    async with opened(tmp_path) as memory:
        [job] = [job for job in JOBS if job.name == "maintain"]

        async def no_words(text: str) -> None:
            raise AssertionError(text)

        await job.run(SimpleNamespace(memory=memory), no_words)  # type: ignore[arg-type]  # all it needs
        done = texts(tmp_path)
        title = "Log 2026-02-01 to 2026-02-05"
        links = "".join(f'  - "[[notes/Birds {number}]]"\n' for number in range(1, 6))
        birds = "".join(
            f"## Birds {number} (2026-02-0{number})\n\n- saw an okapi{number}\n\n"
            for number in range(1, 5)
        )
        assert done[f"{title}.md"].decode() == (
            "---\ncreated: 2026-02-12\nauthor: Sam\nprivacy: sensitive\nconfidence: 0.4\n"
            f"supersedes:\n{links}---\n\n# {title}\n\n{birds}"
            "## Birds 5 (2026-02-05)\n\n### Lake\n\n```\n# no\n```\n"
        )
        assert f'kind: log\nsuperseded_by: "[[notes/{title}]]"\n---'.encode() in done["Birds 1.md"]
        assert done["Birds 6.md"] == new
        assert (await memory.knowledge.maintain()).merged == 0


async def test_only_the_merged_note_is_recalled_and_an_undo_brings_all_back(
    tmp_path: Path,
) -> None:
    log(tmp_path, 1)
    log(tmp_path, 2)
    before = texts(tmp_path)
    async with opened(tmp_path) as memory:

        async def places() -> list[str]:
            await memory.reconcile()
            found = await memory.recall("saw an okapi1", filter="knowledge", every=True)
            return [hit.path for hit in found.hits if "okapi1" in hit.text]

        assert await places() == ["notes/Birds 1.md"]
        assert (await memory.knowledge.maintain()).merged == 2
        assert await places() == ["notes/Log 2026-02-01 to 2026-02-02.md"]
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        assert texts(tmp_path) == before and await places() == ["notes/Birds 1.md"]
        assert (await memory.knowledge.maintain()).merged == 0  # not again in the next night
        await memory.history.redo(last.key)
        assert await places() == ["notes/Log 2026-02-01 to 2026-02-02.md"]


async def test_a_model_writes_one_and_a_week_later_it_is_merged(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        tools = MemoryTools(memory, now=clock)
        await tools.create_note("Run: Monday", "- 5 km", kind="log")
        await tools.create_note("Run Tuesday", "- 6 km", kind="log", privacy="sensitive")
        await tools.create_note("Shoes", "- worn out")
        assert b"author: Sam\nkind: log\n---\n" in texts(tmp_path)["Run Monday.md"]
        clock.forward(days=6)
        assert (await memory.knowledge.maintain()).merged == 0
        clock.forward(days=1)
        assert (await memory.knowledge.maintain()).merged == 2
    merged = texts(tmp_path)["Log 2026-02-12 to 2026-02-12.md"].decode()
    assert "privacy: sensitive\n" in merged
    assert merged.endswith(
        "## Run: Monday (2026-02-12)\n\n- 5 km\n\n## Run Tuesday (2026-02-12)\n\n- 6 km\n"
    )


@pytest.mark.parametrize(
    "other",
    [
        "created: 2026-02-01\nkind: log\n",  # the owner's
        "created: 2026-02-01\nauthor: Sam\n",  # not of kind log
        HEAD.format(6),  # not seven days old
        HEAD.format(1) + "expires: 2026-03-01\n",
        HEAD.format(1) + "privacy: sealed\n",
        HEAD.format(1) + "tags: [sam/pinned]\n",
        "author: Sam\nkind: log\n",  # without a known date
    ],
)
async def test_what_is_no_old_log_of_sams_is_left_alone(tmp_path: Path, other: str) -> None:
    log(tmp_path, 1)
    write(tmp_path, "notes/Other.md", f"---\n{other}---\n\n- saw a zebu\n")
    before = texts(tmp_path)
    async with opened(tmp_path) as memory:
        assert (await memory.knowledge.maintain()).merged == 0
    assert texts(tmp_path) == before


@pytest.mark.parametrize("writes", [1, 2, 3, 4])
async def test_a_crash_in_the_merge_ends_the_same(tmp_path: Path, writes: int) -> None:
    for number in (1, 2, 3, 4):
        log(tmp_path, number)
    async with opened(tmp_path) as memory:
        dies_at_write(memory, writes)
        with pytest.raises(Died):
            await memory.knowledge.maintain()
    async with opened(tmp_path) as memory:
        await memory.knowledge.maintain()
        done = texts(tmp_path)
    [merged] = [text for name, text in done.items() if name.startswith("Log")]
    assert merged.count(b"okapi") == 4
    assert all(b"superseded_by" in text for name, text in done.items() if name[0] == "B")


async def test_a_forgotten_word_leaves_both_notes(tmp_path: Path) -> None:
    log(tmp_path, 1)
    log(tmp_path, 2)
    async with opened(tmp_path) as memory:
        await memory.knowledge.maintain()
        await memory.reconcile()
        kept = await forget_words.find_kept(memory, "okapi1")
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
    assert all(b"okapi1" not in text for text in texts(tmp_path).values())


async def test_another_merge_on_the_same_days_gets_a_name_of_its_own(tmp_path: Path) -> None:
    log(tmp_path, 1)
    log(tmp_path, 2)
    write(tmp_path, "notes/Log 2026-02-01 to 2026-02-02.md", "my own\n")
    async with opened(tmp_path) as memory:
        await memory.knowledge.maintain()
    done = texts(tmp_path)
    assert done["Log 2026-02-01 to 2026-02-02.md"] == b"my own\n"
    assert b"okapi2" in done["Log 2026-02-01 to 2026-02-02 2.md"]


async def test_the_lines_of_a_note_of_kind_log_are_merged_as_well(tmp_path: Path) -> None:
    rows = "".join(f"- Bird {n} (updated:: 2026-02-0{n}) ^bird{n}\n" for n in range(1, 4))
    write(tmp_path, "knowledge/birds.md", f"---\nkind: log\n---\n\n{rows}")
    async with opened(tmp_path, clock=Clock()) as memory:
        assert [each.kind for each in await memory.knowledge.every()] == ["log"] * 3
        assert (await memory.knowledge.maintain()).merged == 3
    assert facts_of(tmp_path, "birds") == [] and len(archived(tmp_path, "birds")) == 3
    [line] = facts_of(tmp_path, "contextual")
    assert line.startswith("- 2026-02-01 to 2026-02-03: Bird 1; Bird 2; Bird 3 (updated::")

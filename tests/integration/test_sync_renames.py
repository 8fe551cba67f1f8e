"""Sync of a note that one side has renamed, and the other edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sync import Sync, SyncResult
from tests.support.synced import Killed, World, killed, tree

PLAN = "one\ntwo\nthree\n"
EDITED = PLAN + "four\n"


class Sides:
    """A side that renames notes, and the other one, which edits them."""

    def __init__(self, world: World, *, here: bool) -> None:
        self.world, self.renaming = world, world.vault.root if here else world.far
        self.edit = world.there if here else world.here

    def rename(self, old: str, new: str) -> None:
        (self.renaming / new).parent.mkdir(exist_ok=True)
        (self.renaming / old).rename(self.renaming / new)


async def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    (tmp_path / "rclone.conf").touch()
    world = World(tmp_path)
    await world.begun(plan=PLAN)
    return world


@pytest.fixture(params=["here", "there"])
async def sides(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Sides:
    """Both sides have plan.md; the side of the parameter renames."""
    return Sides(await begun(tmp_path, monkeypatch), here=request.param == "here")


async def test_the_edit_follows_the_rename(sides: Sides) -> None:
    sides.rename("plan.md", "trips/Japan.md")
    sides.edit("plan.md", EDITED)
    assert not (await sides.world.sync.run()).conflicts
    assert sides.world.same() == {"home.md": "home\n", "trips/Japan.md": EDITED}
    assert await sides.world.sync.run() == SyncResult()


async def test_it_follows_by_a_pull_and_a_push_too(sides: Sides) -> None:
    """And what is pushed before the pull does not bring the old name back."""
    sides.rename("plan.md", "Japan.md")
    sides.edit("plan.md", EDITED)
    assert len((await sides.world.sync.push()).left) == 1
    await sides.world.sync.push(["plan.md", "Japan.md"])
    await sides.world.sync.pull()
    assert tree(sides.world.vault.root) == {"home.md": "home\n", "Japan.md": EDITED}
    await sides.world.sync.push()
    assert sides.world.same() == {"home.md": "home\n", "Japan.md": EDITED}


async def test_where_the_content_proves_no_rename_both_notes_stay(sides: Sides) -> None:
    """One of the two new notes is a copy; which one, nobody knows."""
    sides.rename("plan.md", "Japan.md")
    (sides.renaming / "Japan copy.md").write_text(PLAN)
    sides.edit("plan.md", EDITED)
    await sides.world.sync.run()
    both = sides.world.same()
    assert (both["plan.md"], both["Japan.md"], both["Japan copy.md"]) == (EDITED, PLAN, PLAN)


async def test_another_text_under_the_old_name_does_not_follow(sides: Sides) -> None:
    sides.rename("plan.md", "Japan.md")
    sides.edit("plan.md", "quite another note\n")
    await sides.world.sync.run()
    both = sides.world.same()
    assert (both["plan.md"], both["Japan.md"]) == ("quite another note\n", PLAN)


async def test_no_edit_follows_into_the_archive_or_the_instructions(sides: Sides) -> None:
    for name in ("archive/plan.md", "skills/plan/SKILL.md"):
        (sides.renaming / "skills").mkdir(exist_ok=True)
        sides.rename("plan.md", name)
        sides.edit("plan.md", EDITED)
        await sides.world.sync.run()
        both = sides.world.same()
        assert (both["plan.md"], both[name]) == (EDITED, PLAN)
        for root in (sides.world.vault.root, sides.world.far):
            (root / name).unlink()
            (root / "plan.md").write_text(PLAN)
        await sides.world.sync.run()


async def test_a_rename_that_was_killed_behind_the_move_is_no_conflict(sides: Sides) -> None:
    """What is on both sides then: the new name alone, with the edit on one of them."""
    for root in (sides.world.vault.root, sides.world.far):
        (root / "plan.md").rename(root / "Japan.md")
    sides.edit("Japan.md", EDITED)
    done = await sides.world.sync.run()
    assert not done.conflicts
    assert sides.world.same() == {"home.md": "home\n", "Japan.md": EDITED}


async def test_an_edit_that_followed_before_a_kill_leaves_no_old_name(sides: Sides) -> None:
    """What is there then: the edit under both names, each on one side."""
    sides.rename("plan.md", "Japan.md")
    (sides.renaming / "Japan.md").write_text(EDITED)
    sides.edit("plan.md", EDITED)
    assert not (await sides.world.sync.run()).conflicts
    assert sides.world.same() == {"home.md": "home\n", "Japan.md": EDITED}
    assert await sides.world.sync.run() == SyncResult()


async def test_another_edit_after_a_kill_follows_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one has the new name here already, and the old one there."""
    world = await begun(tmp_path, monkeypatch)
    sides = Sides(world, here=True)
    sides.rename("plan.md", "Japan.md")
    sides.edit("plan.md", EDITED)
    put = world.vault.put

    async def killed_behind(*given: Any, **named: Any) -> None:
        await put(*given, **named)
        raise Killed

    with monkeypatch.context() as behind_the_write, pytest.raises(Killed):
        behind_the_write.setattr(world.vault, "put", killed_behind)
        behind_the_write.setattr("bot.sync.state.SyncFolder.save", killed)
        await world.sync.run()
    assert tree(world.vault.root)["Japan.md"] == tree(world.far)["plan.md"] == EDITED
    sides.edit("plan.md", EDITED + "five\n")
    assert not (await world.sync.run()).conflicts
    assert world.same() == {"home.md": "home\n", "Japan.md": EDITED + "five\n"}


async def test_an_end_behind_the_move_is_no_conflict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a full disk: unlike after a kill, what is known by then is saved."""
    sides = Sides(world := await begun(tmp_path, monkeypatch), here=False)
    sides.rename("plan.md", "Japan.md")
    sides.edit("plan.md", EDITED)
    move = world.vault.move

    async def ended_behind(*given: Any, **named: Any) -> None:
        await move(*given, **named)
        behind_the_move.setattr("bot.sync.session.Round.remember", killed)

    with monkeypatch.context() as behind_the_move, pytest.raises(Killed):
        behind_the_move.setattr(world.vault, "move", ended_behind)
        await world.sync.run()
    assert not (await world.sync.run()).conflicts
    assert world.same() == {"home.md": "home\n", "Japan.md": EDITED}


async def test_an_edit_during_the_sync_follows_too(
    sides: Sides, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides were compared before it: so the next round has to see the rename."""
    carry = Sync._carry

    async def edited_before(self: Sync, *given: Any) -> None:
        monkeypatch.setattr(Sync, "_carry", carry)
        sides.edit("plan.md", EDITED)
        await carry(self, *given)

    sides.rename("plan.md", "Japan.md")
    monkeypatch.setattr(Sync, "_carry", edited_before)
    assert not (await sides.world.sync.run()).conflicts
    assert sides.world.same() == {"home.md": "home\n", "Japan.md": EDITED}
    assert await sides.world.sync.run() == SyncResult()

"""The buttons below /facts: open a fact; confirm, pin, correct, forget and explain it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.assistant.asking import contradictions_of
from memory.knowledge import Decision
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Sent
from tests.support.buttons import buttons, press
from tests.support.knowledge import ScriptedDecisions, facts_of, learn_facts
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


async def opened(telegram: FakeTelegram, shown: Sent, label: str) -> Sent:
    """Press a button, and return the message that it sends."""
    before = len(telegram.sent)
    await press(telegram, shown, label)
    return (await telegram.wait_sent(before + 1))[-1]


async def replied(telegram: FakeTelegram, to: Sent, text: str, **how: Any) -> str:
    """Reply to a message of Sam's, and return the text of the answer."""
    answer = await telegram.asks(text, reply_to=to.message_id, **how)
    return str(answer.text)


async def test_a_fact_is_corrected_by_a_reply_and_the_correction_is_undone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros", "I own a *red* cat")
        shown = await telegram.asks("/facts")
        assert list(buttons(shown)) == ["1", "2"]
        before = facts_of(tmp_path)
        number = next(n for n in "12" if f"{n}. My rent" in shown.text.replace("\\", ""))
        one = await opened(telegram, shown, number)
        assert "My rent is 900 euros" in one.text and "knowledge/biographical.md:" in one.text
        assert list(buttons(one)) == ["Pin", "Fix", "Forget", "Why"]
        asks = await opened(telegram, one, "Fix")
        assert buttons(asks)["Copy the words"] == "My rent is 900 euros"
        assert await replied(telegram, asks, "My rent is 980 euros, with #heating") == "Corrected."
        done = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert done.message_id == asks.message_id and list(buttons(done)) == ["Undo", "Leave it"]
        rent, cat = sorted(facts_of(tmp_path), reverse=True)
        assert rent.startswith(r"- My rent is 980 euros, with \#heating (updated:: 2026-02-12)")
        assert "#sam/pinned" in rent and cat in before, "the owner's line is his alone to change"
        preview = await opened(telegram, done, "Undo")
        assert await press(telegram, preview, "Undo it") == "Undone."
        assert sorted(facts_of(tmp_path)) == sorted(before)
    assert claude.requests == [], "no model was asked"


async def test_an_uncertain_fact_is_confirmed_and_not_asked_about(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros")
        [rent] = await memory.knowledge.facts()
        other = ScriptedDecisions(Decision("contradict", rent.fact.id))
        await learn_facts(memory, "My rent is 950 euros", decide=other)
        assert await contradictions_of(memory).next() is not None
        shown = await telegram.asks("/facts rent")
        assert "(uncertain)" in shown.text
        one = await opened(telegram, shown, "1")
        assert await press(telegram, one, "Confirm") == "Confirmed."
        done = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "uncertain" not in done.text and "Confirm" not in buttons(done)
        assert await contradictions_of(memory).next() is None
        await memory.knowledge.learn()
        [line] = facts_of(tmp_path)
        assert "950" in line and "confidence" not in line and "pinned" not in line


async def test_a_fact_is_pinned_explained_and_forgotten_by_its_buttons(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "I own a red cat")
        one = await opened(telegram, await telegram.asks("/facts"), "1")
        assert "I own a red cat" in (await opened(telegram, one, "Why")).text
        assert await press(telegram, one, "Pin") == "Pinned: only you can change it."
        [line] = facts_of(tmp_path)
        assert "#sam/pinned" in line
        kept = await opened(telegram, one, "Forget")
        await press(telegram, kept, next(label for label in buttons(kept) if "Forget" in label))
        assert facts_of(tmp_path) == []
        pinned = (await telegram.wait_for(lambda fake: fake.edited))[0]
        assert "Pin" not in buttons(pinned)
        assert "no longer works" in await press(telegram, pinned, "Fix"), "it had the line"


async def test_an_edited_reply_corrects_again_and_a_no_leaves_the_line(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await learn_facts(it.profiles["owner"].memory, "My rent is 900 euros")
        one = await opened(telegram, await telegram.asks("/facts"), "1")
        asks = await opened(telegram, one, "Fix")
        assert await replied(telegram, asks, "No.") == "Left as it is."
        assert facts_of(tmp_path)[0].startswith("- My rent is 900 euros (")
        said = await telegram.receives("My rent is 980 eurso", reply_to=asks.message_id)
        await it.at_rest()
        await telegram.edits(said, "My rent is 980 euros")
        await it.at_rest()
        [line] = facts_of(tmp_path)
        assert line.startswith("- My rent is 980 euros (") and line.count("#sam/pinned") == 1
        assert [each.text for each in telegram.sent[-2:]] == ["Corrected.", "Corrected."]
    assert claude.requests == []


async def test_many_facts_go_on_behind_more(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        path = memory.vault.resolve("knowledge/contextual.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [f"- My locker {number} is blue" for number in range(100, 122)]
        path.write_text("\n".join([*rows, "- Hides a tapir #sam/sensitive", ""]), "utf-8")
        shown = await telegram.asks("/facts blue")
        assert list(buttons(shown)) == [*map(str, range(1, 21)), "More"]
        assert "… and 2 more" in shown.text
        rest = await opened(telegram, shown, "More")
        assert list(buttons(rest)) == ["21", "22"] and "locker 121" in rest.text
        one = await opened(telegram, rest, "22")
        assert "My locker 121 is blue" in one.text
        assert list(buttons(one)) == ["Fix", "Forget", "Why"], "it is the owner's own line"
        asks = await opened(telegram, one, "Fix")
        assert await replied(telegram, asks, "My locker 121 is red") == "Corrected."
        assert "- My locker 121 is red\n" in path.read_text("utf-8")


async def test_a_private_line_of_memory_is_corrected_from_the_list_of_changes(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/remember this is private: I take pills against gout")
        asks = await opened(telegram, await telegram.asks("/changes"), "Fix 1")
        assert await replied(telegram, asks, "I take pills against pain") == "Corrected."
        [line] = [
            row
            for row in it.profiles["owner"].memory.vault.load("MEMORY.md").text.splitlines()
            if "pills" in row
        ]
        assert line.startswith("- 2026-02-12: I take pills against pain #sam/sensitive ^")
        asks = await opened(telegram, await telegram.asks("/changes"), "Fix 1")
        await telegram.asks("/incognito")
        refused = await replied(telegram, asks, "I take nothing")
        assert refused.startswith("I am incognito")

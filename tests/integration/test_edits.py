"""Edited messages: a new answer on request, and a memory that follows the new text."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.telegram import edits
from bot.telegram.edits import same_meaning
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, File, Group
from tests.support.buttons import buttons, press, press_again
from tests.support.media import photo, png
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

NO_MODEL = {"anthropic_api_key": None, "anthropic_base_url": None}


async def test_an_edit_that_means_something_else_is_answered_again_on_request(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("On Friday.", when="Friday")
    claude.responds_with("On Monday.", when="Monday")
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("Is it on Friday?")
        await telegram.wait_sent(1)
        await it.at_rest()
        telegram.passes(minutes=1)
        await telegram.edits(asked, "Is it on Monday?")
        _, notice = await telegram.wait_sent(2)
        await it.at_rest()
        assert (notice.text, notice.reply_to) == (edits.NOTED, asked.message_id)
        assert len(claude.chats) == 1, "nothing is answered by itself"
        await press(telegram, notice, "Answer again")
        *_, answer = await telegram.wait_sent(3)
        await it.at_rest()
        assert (answer.text, answer.reply_to) == ("On Monday.", asked.message_id)
        assert buttons(telegram.edited[-1]) == {}
        await press_again(telegram, notice, "Answer again")
        await it.at_rest()
        assert len(telegram.sent) == 3 and len(claude.chats) == 2
        rows = await it.texts()
    assert [text for _, text in rows] == [
        "Is it on Monday?",
        "On Friday.",
        "Is it on Monday?",
        "On Monday.",
    ]


async def test_a_photo_is_shown_again_when_its_caption_is_answered_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("which colour?", photo=photo(png()))
        await telegram.wait_sent(1)
        await it.at_rest()
        await telegram.edits(asked, "which make is that bike?")
        _, notice = await telegram.wait_sent(2)
        await press(telegram, notice, "Answer again")
        await telegram.wait_sent(3)
        await it.at_rest()
        first, again = (json.dumps(each.body) for each in claude.chats)
        assert first.count('"image"') == again.count('"image"') == 1
        assert "file.jpg, sent before" in (await it.texts())[-2][1]


async def test_an_edit_of_a_slip_is_only_seen(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("where is the libary")
        await telegram.wait_sent(1)
        await it.at_rest()
        await telegram.edits(asked, "Where is the library?")
        await telegram.wait_for(lambda fake: fake.reactions)
        await it.at_rest()
        assert telegram.reactions == {(ANA.id, asked.message_id): ["✍"]}
        assert len(telegram.sent) == 1
        assert (await it.texts())[0] == ("user", "Where is the library?")


async def test_an_edited_reply_keeps_its_quotation_when_its_target_was_deleted(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        first = await telegram.receives("My dentist is Dr. Roth")
        await telegram.wait_sent(1)
        reply = await telegram.receives("She moved to Bonn", reply_to=first)
        await telegram.wait_sent(2)
        await it.at_rest()
        telegram.store.messages[ANA.id, reply.message_id].pop("reply_to_message")
        await telegram.edits(reply, "She moved to Berlin")
        await telegram.wait_sent(3)
        await it.at_rest()
        said = [text for role, text in await it.texts() if role == "user"]
    assert said[-1] == "> My dentist is Dr. Roth\n\nShe moved to Berlin"


@pytest.mark.parametrize(
    ("text", "edited", "given"),
    [
        ("/remind tomorrow 9:00 call Ana", "/remind tomorrow 10:00 call Ana", {}),
        ("Remind me tomorrow at 9 to call Ana", "Remind me tomorrow at 10 to call Ana", NO_MODEL),
    ],
)
async def test_an_edited_command_is_not_run_again_and_that_is_said(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, text: str, edited: str, given: Any
) -> None:
    async with sam(telegram, claude, tmp_path, **given) as it:
        asked = await telegram.receives(text)
        await telegram.wait_sent(1)
        await it.at_rest()
        await telegram.edits(asked, edited)
        _, notice = await telegram.wait_sent(2)
        await it.at_rest()
        assert notice.text.startswith("I do not follow edits of commands")
        tasks = (it.profiles["owner"].memory.vault.root / "tasks.md").read_text("utf-8")
        assert "09:00" in tasks and "10:00" not in tasks


async def test_an_edit_while_it_is_answered_is_offered_after_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    hold = claude.holds(after_events=2)
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("two eggs")
        await telegram.wait_for(lambda fake: claude.chats)
        await telegram.edits(asked, "three eggs")
        await asyncio.sleep(0.2)
        assert telegram.sent == []
        hold.release()
        _, notice = await telegram.wait_sent(2)
        assert list(buttons(notice)) == ["Answer again"]
        await it.at_rest()


async def test_of_an_incognito_chat_nothing_is_offered(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito")
        asked = await telegram.receives("two eggs")
        await telegram.wait_sent(2)
        await telegram.edits(asked, "three eggs")
        await it.at_rest()
        assert len(telegram.sent) == 2 and telegram.reactions == {}
        await telegram.asks("/new")
        await telegram.edits(asked, "four eggs, and something else")
        await it.at_rest()
        assert len(telegram.sent) == 3


async def test_in_a_group_an_edit_that_removes_the_name_corrects_the_log(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = Group(-100777, "Family", "supergroup")
    async with sam(telegram, claude, tmp_path, telegram_allowed_groups=f"{family.id}") as it:
        asked = await telegram.receives("@sam_the_bot my PIN is 4711, oops", chat=family)
        other = await telegram.receives("the PIN is 4711", chat=family)
        await telegram.wait_sent(1)
        await it.at_rest()
        rewritten = list[object]()
        monkeypatch.setattr("memory.infra.sqlite.vacuum", rewritten.append)
        await telegram.edits(asked, "sorry, ignore that", chat=family)
        await telegram.edits(other, "the PIN is 4712", chat=family)
        await it.at_rest()
        assert (await it.texts(f"group{family.id}"))[0] == ("user", "sorry, ignore that")
        assert len(telegram.sent) == 1
        async with asyncio.timeout(60):
            while True:  # words to others are not kept, once they are settled
                if b"4712" not in b"".join(p.read_bytes() for p in tmp_path.glob("data/inbox.db*")):
                    break
                await asyncio.sleep(0.05)
        assert rewritten == [], "each of them would cost as much as the inbox is large"


async def summarised(it: Sam, text: str) -> str:
    """Summarise everything pending, and return the daily note."""
    owner = it.profiles["owner"]
    await owner.summarise("command")
    assert (await owner.memory.log.ledger()).adds_up
    note = owner.memory.vault.root / "memories" / "2026-02-12.md"
    found = note.read_text("utf-8") if note.exists() else ""
    assert text in found
    return found


async def test_an_edit_corrects_what_was_made_of_the_old_words(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    def summary(request: object) -> dict[str, object]:
        text = request.newest_text  # type: ignore[attr-defined]  # of the fake
        place = "Lisbon" if "Lisbon" in text else "Porto"
        fact = {
            "category": "biographical",
            "text": f"Moves to {place} in May",
            "messages": [1],
            "quote": f"I move to {place} in May",
        }
        bullet = {
            "text": f"Moves to {place} in May.",
            "messages": [1],
            "action": False,
            "quote": f"I move to {place} in May",
        }
        return {"summary": f"About {place}.", "bullets": [bullet], "facts": [fact]}

    claude.summaries(summary)
    async with sam(telegram, claude, tmp_path) as it:
        owner = it.profiles["owner"]
        asked = await telegram.receives("I move to Porto in May")
        await telegram.wait_sent(1)
        await it.at_rest()
        await summarised(it, "Moves to Porto in May.")
        await owner.consolidate()
        assert [each.fact.text for each in await owner.memory.knowledge.facts()] == [
            "Moves to Porto in May"
        ]
        await telegram.edits(asked, "I move to Lisbon in May")
        await telegram.wait_sent(2)
        await it.at_rest()
        assert await owner.memory.knowledge.facts() == []
        found = await summarised(it, "Moves to Lisbon in May.")
        assert "Porto" not in found
        await owner.consolidate()
        assert [each.fact.text for each in await owner.memory.knowledge.facts()] == [
            "Moves to Lisbon in May"
        ]
        await owner.memory.reconcile()
        hits = (await owner.memory.recall("where do I move in May?", every=True)).hits
        assert "Lisbon" in hits[0].text
        assert not any("Porto" in hit.text for hit in hits if hit.kind != "archive")


async def test_a_caption_that_is_added_later_is_summarised(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        owner = it.profiles["owner"]
        sent = await telegram.receives(photo=photo())
        await telegram.wait_sent(1)
        await it.at_rest()
        await telegram.edits(sent, "The cake that Ana baked for my birthday")
        await telegram.wait_sent(2)
        await it.at_rest()
        assert await owner.memory.log.batches.pending() == 3, "the photo, the caption, the answer"
        await owner.summarise("command")
        assert "The cake that Ana baked" in claude.requests[-1].newest_text
        assert (await owner.memory.log.ledger()).adds_up


@pytest.mark.parametrize("is_summarised", [False, True])
async def test_of_a_caption_that_is_removed_nothing_is_left(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, is_summarised: bool
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        owner = it.profiles["owner"]
        sent = await telegram.receives("The cake that Ana baked in Porto", photo=photo())
        await telegram.wait_sent(1)
        await it.at_rest()
        if is_summarised:
            await owner.summarise("command")
            assert "baked in Porto" in claude.requests[-1].newest_text
        await telegram.edits(sent, "")
        *_, noted = await telegram.wait_sent(2)
        await it.at_rest()
        assert noted.text == edits.NOTED and "reply_markup" not in noted.fields
        await owner.summarise("command")
        assert "baked in Porto" not in claude.requests[-1].newest_text
        assert (await owner.memory.log.ledger()).adds_up
        await owner.memory.reconcile()
        hits = (await owner.memory.recall("who baked the cake?", every=True)).hits
        assert not any("baked in Porto" in hit.text for hit in hits if hit.kind != "archive")


async def test_a_file_that_an_edit_replaces_is_said_to_be_unread(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        note = await telegram.receives("look", document=b"the first file")
        await telegram.wait_sent(1)
        shown = await telegram.receives("", photo=photo())
        await telegram.wait_sent(2)
        await it.at_rest()
        await telegram.edits(note, "look here, please")
        await telegram.wait_sent(3)
        await telegram.edits(note, "look here, please", document=b"the second, longer file")
        *_, of_note = await telegram.wait_sent(4)
        await telegram.edits(shown, "", photo=File(png(90, 60)))
        *_, of_photo = await telegram.wait_sent(5)
        same = await telegram.receives("and", document=b"as long as the other")
        await telegram.wait_sent(6)
        await telegram.edits(same, "and", document=b"the other, as it was")
        *_, of_same = await telegram.wait_sent(7)
        await it.at_rest()
        assert [each.text for each in (of_note, of_photo, of_same)] == [edits.NEW_FILE] * 3
        assert (of_note.reply_to, of_photo.reply_to) == (note.message_id, shown.message_id)
        for kept in (tmp_path / "data" / "media").iterdir():  # as an earlier version names them
            kept.rename(kept.with_name(kept.name.partition(".")[0] + kept.suffix))
        await telegram.edits(same, "and this", document=b"the other, as it is")
        *_, of_same = await telegram.wait_sent(8)
        await it.at_rest()
        assert of_same.text == edits.NEW_FILE and len(telegram.sent) == 8


async def test_an_edit_during_a_summary_is_taken_up_by_the_next_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        owner = it.profiles["owner"]
        asked = await telegram.receives("The dentist is on Tuesday at nine")
        await telegram.wait_sent(1)
        await it.at_rest()
        hold = claude.holds(after_events=1, model="haiku")
        writing = asyncio.create_task(owner.summarise("command"))
        assert await asyncio.to_thread(hold.reached.wait, 30)
        await telegram.edits(asked, "The dentist is on Wednesday at nine")
        await telegram.wait_sent(2)
        await it.at_rest()
        hold.release()
        await writing
        assert [m.text for m in await owner.memory.log.messages.outdated()] == [
            "The dentist is on Wednesday at nine"
        ]
        await owner.summarise("command")
        assert await owner.memory.log.messages.outdated() == []
        assert (await owner.memory.log.ledger()).adds_up


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("See you at 9", "see  you at 9!", True),
        ("I like the libary", "I like the library", True),
        ("recieve it", "receive it", True),
        ("it is raning", "it is raining", True),
        ("See you at 9", "See you at 8", False),
        ("I can go", "I can't go", False),
        ("I do eat fish", "I do not eat fish", False),
        ("call Ana", "call Ann", False),
        ("meet me in Porto", "meet me in Lisbon", False),
        ("我喜欢吃鱼的人们", "我喜欢吃肉的人们", False),
        ("code 48151", "code 48152", False),
        ("5 + 3", "5 = 3", False),
        ("gut 👍", "gut 👎", False),
        ("Straße", "STRASSE", True),
        ("it was 5 degrees", "it was -5 degrees", False),
        ("open 9-5", "open 9–5", True),
        ("vienes?", "¿vienes?", True),
        ("好的", "好的。", True),
        ("il dit oui", "il dit « oui »", True),
    ],
)
def test_what_counts_as_another_meaning(before: str, after: str, same: bool) -> None:
    assert same_meaning(before, after) is same
    assert same_meaning(after, before) is same


async def test_after_an_edit_all_pictures_of_an_album_are_seen_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives(
            "Which one is cheaper?", photo=photo((200, 30, 30)), media_group_id="album"
        )
        await telegram.receives("", photo=photo((30, 200, 30)), media_group_id="album")
        await telegram.wait_sent(1)
        await it.at_rest()
        await telegram.edits(asked, "Which one is heavier?")
        _, notice = await telegram.wait_sent(2)
        await press(telegram, notice, "Answer again")
        await telegram.wait_sent(3)
        await it.at_rest()
    last = claude.chats[-1].body["messages"][-1]
    assert str(last).count("'type': 'image'") == 2 and "Which one is heavier?" in str(last)

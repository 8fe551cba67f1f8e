"""`/why`: from a line to its source messages, in a chat, in a terminal, and for a model."""

from __future__ import annotations

import json
import re
from datetime import UTC
from pathlib import Path

from memory import Memory, MemoryTools
from memory.log.batches import line_hash
from memory.maintenance import ForgetChoice, forget_words
from memory.tools import Origins, origin_sentence, report
from memory.trust.provenance import Provenance
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Person
from tests.support import exports
from tests.support.buttons import buttons, press
from tests.support.homes import Home
from tests.support.knowledge import FactPerMessage, learn_facts
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write
from tests.support.telegram import claude, quick, sam, telegram
from tests.support.verbatim_summaries import DAY, Echo, talk
from tests.support.web import served

__all__ = ["claude", "quick", "telegram"]


async def texts(memory: Memory, words: str, *, private: bool = True) -> list[tuple[str, list[str]]]:
    found = await Origins(memory, private=private).of_words(words)
    return [(each.text, [message.text for message in each.messages]) for each in found]


async def test_a_bullet_leads_to_its_messages_and_not_to_its_neighbours(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "Ana's birthday is on 3 May", "the heating was repaired")
        [written] = await memory.summarise(Echo(), reason="asked")
        [first, *_] = await Origins(memory, private=True).of_words("Ana's birthday")
        row = (await memory.vault.read(DAY)).split("\n")[first.line - 1]
        assert (first.path, first.batch, first.alike) == (DAY, written.batch, False)
        assert "Ana's birthday" in row and first.text == row
        assert {"Ana's birthday is on 3 May"} == {
            m.text for m in first.messages if m.role == "user"
        }
        assert not any("heating" in m.text for m in first.messages)


async def test_a_line_that_was_written_twice_on_a_day_leads_to_both_messages(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        for _ in range(2):
            await log_exchange(memory, "Went for a run in the park", "Well done.")
            await memory.summarise(FactPerMessage(), reason="asked")
            clock.forward(hours=5)
        rows = (await memory.vault.read(DAY)).split("\n")
        line = rows.index("- Went for a run in the park") + 1
        [found] = await Origins(memory, private=True).of_passage(DAY, line, line)
    assert [message.sent_at.hour for message in found.messages] == [12, 17]


async def test_what_has_none_of_the_words_gives_way_to_what_has_some(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        other = ("the bicycle is in the garage", "Went for a run", "the dentist is on 3 December")
        for said in ("my sister Clara marries in Lisbon", *other):
            await log_exchange(memory, said)
        write(tmp_path, "a.md", f"- {other[0]}\n")
        await memory.reconcile()
        await memory.index_deferred()
        hits = (await memory.recall("Clara", private=True)).hits
        assert any("bicycle" in hit.text and not hit.weak for hit in hits), "it is found"
        found = await texts(memory, "Clara")
        assert [text for text, _ in found] == ["my sister Clara marries in Lisbon"]


async def test_a_summary_leads_to_all_messages_of_its_batch(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "Ana's birthday is on 3 May", "the heating was repaired")
        await memory.summarise(Echo(), reason="asked")
        rows = (await memory.vault.read(DAY)).split("\n")
        line = 1 + next(n for n, row in enumerate(rows) if "**Summary**" in row)
        [why] = await Origins(memory, private=True).of_passage(DAY, line, line)
        assert len(why.messages) == 4


async def test_a_line_of_knowledge_leads_through_its_link(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "I moved to Utrecht in March", "the heating was repaired")
        [written] = await memory.summarise(Echo(), reason="asked")
        link = f"[[{DAY.removesuffix('.md')}#^{written.batch}]]"
        fact = f"- Lives in Utrecht (updated:: 2026-02-12) (source:: {link}) ^f00001\n"
        write(tmp_path, "knowledge/biographical.md", fact)
        await memory.reconcile()
        [why] = await Origins(memory, private=True).of_passage("knowledge/biographical.md", 1, 1)
        assert {message.text for message in why.messages} <= {
            "I moved to Utrecht in March",
            "heard I moved to Utrecht in March",
        }
        assert why.messages and why.batch == written.batch
        assert why.words == "Lives in Utrecht", "as a person reads it, without its fields"


async def test_what_was_saved_at_once_leads_to_the_message_that_asked_for_it(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "the boiler is old")
        turn = await log_exchange(memory, "Remember: my locker at the pool has number 118", "Done.")
        tools = MemoryTools(memory, seen=Provenance.of([], [turn.message]))
        await tools.save_memory("Locker: number 118", "owner")
        await tools.save_memory("Swims in a pool", "plan")
        day = (await memory.vault.read(DAY)).split("\n")
        kept = (await memory.vault.read("MEMORY.md")).split("\n")
        origins = Origins(memory, private=True)
        for path, rows, words in (
            (DAY, day, "Remembered [[MEMORY"),
            (DAY, day, "Swims in a pool"),
            ("MEMORY.md", kept, "Locker: number"),
        ):
            line = 1 + next(n for n, row in enumerate(rows) if words in row)
            [why] = await origins.of_passage(path, line, line)
            assert (why.alike, [each.id for each in why.messages]) == (False, [turn.message.id])
        hash_ = line_hash("Note (plan): Swims in a pool")
        assert await memory.log.saved.sources(hash_) == (turn.message.id,)
        kept_now = await forget_words.find_kept(memory, "locker pool")
        await forget_words.forget(memory, ForgetChoice.of(kept_now.items))
        assert await memory.log.saved.sources(hash_) == (), "nothing is known of it any more"


async def test_a_fact_of_sams_leads_to_its_own_messages(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talk(memory, "I own a wallaby", "I own a wallaby hutch")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        path = "knowledge/biographical.md"
        rows = (await memory.vault.read(path)).split("\n")
        line = 1 + next(n for n, row in enumerate(rows) if "hutch" in row)
        [why] = await Origins(memory, private=True).of_passage(path, line, line)
        assert [message.text for message in why.messages] == ["I own a wallaby hutch"]


async def test_of_a_fact_that_the_owner_edited_no_message_is_said_to_be_the_origin(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        [before] = await Origins(memory, private=True).of_words("rent euros")
        path = tmp_path / "vault" / before.path
        path.write_text(path.read_text("utf-8").replace("900", "910"), "utf-8")
        await learn_facts(memory, "My rent is 950 euros")
        await memory.reconcile()
        [after] = await Origins(memory, private=True).of_passage(before.path, before.line, 99)
        assert "My rent is 900 euros" in [m.text for m in after.messages]
        assert after.words == "My rent is 910 euros" and before.words == "My rent is 900 euros"
        assert origin_sentence(before) == "It comes from:"
        assert origin_sentence(after).startswith("You edited or pinned this line.")


async def test_of_the_owners_own_line_the_messages_that_say_the_same_are_named(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The boiler was serviced by Jansen in Utrecht", "Noted.")
        write(tmp_path, "house.md", "# House\n\nThe boiler was serviced by Jansen in Utrecht.\n")
        write(tmp_path, "garden.md", "# Garden\n\nThe quince was planted by Wilma in Breda.\n")
        await memory.reconcile()
        [why] = await Origins(memory, private=True).of_passage("house.md", 3, 3)
        assert why.alike and [m.role for m in why.messages] == ["user"]
        [alone] = await Origins(memory, private=True).of_passage("garden.md", 3, 3)
        assert alone.messages == () and alone.text.startswith("The quince")


async def test_a_model_sees_nothing_private_nor_forgotten(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "house.md", "# House\n\nThe safe opens with 4711. #sam/sensitive\n")
        write(tmp_path, "sealed/safe.md", "The other safe opens with 0815.\n")
        await memory.reconcile()
        owner, model = Origins(memory, private=True), Origins(memory, private=False)
        assert [why.text for why in await owner.of_passage("house.md", 3, 3)]
        assert await model.of_passage("house.md", 3, 3) == []
        for origins in (owner, model):
            assert await origins.of_passage("sealed/safe.md", 1, 1) == []
        assert "4711" not in await MemoryTools(memory).why("safe opens")


async def test_the_tool_names_line_batch_and_message(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=Clock()) as memory:
        await talk(memory, "Ana's birthday is on 3 May")
        [written] = await memory.summarise(Echo(), reason="asked")
        said = await MemoryTools(memory).why("Ana's birthday")
        assert f"{DAY}:" in said and f"summary {written.batch}" in said
        assert "2026-02-12 12:00 · User: “Ana's birthday is on 3 May” — log/2026-02-12" in said


def test_the_command_prints_the_same_and_json(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("chat", stdin="Ana's birthday is on 3 May\n/quit\n").returncode == 0
    assert home.sam("summarize").returncode == 0
    printed = home.sam("why", "Ana's", "birthday")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert "It comes from:" in printed.stdout and "memories/" in printed.stdout
    assert "· You: “Ana's birthday is on 3 May”" in printed.stdout
    found = json.loads(home.sam("why", "--json", "Ana's birthday").stdout)
    [first, *_] = found["lines"]
    assert first["batch"] and "Ana's birthday is on 3 May" in [m["text"] for m in first["messages"]]
    assert home.sam("why", "submarines").stdout == "I have nothing about that.\n"


def test_the_words_of_others_in_an_imported_chat_are_theirs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    file = tmp_path / "_chat.txt"
    lines = [("Max", "Where is the key?"), ("Lena", "The key is under the pot")]
    file.write_text(exports.whatsapp(lines, days=0), "utf-8")
    done = home.sam("import", "--yes", "--me", "Max", str(file))
    assert done.returncode == 0, done.stderr
    assert "· Lena: “The key is under the pot”" in home.sam("why", "key", "pot").stdout
    head, *rest = home.sam("search", "key", "pot").stdout.splitlines()
    assert head.endswith(", Lena") and "    before: You: Where is the key?" in rest
    with served(home) as console, console.browser() as browser:
        day = f"/days/{exports.BEGAN:%Y-%m-%d}"
        assert "<b>Lena</b>" in browser.get(day).text
        [why] = set(re.findall(r'href="(/why\?message=2)"', browser.get(day).text))
        assert '<span class="soft">Lena</span>' in browser.get(why).text


def test_no_text_steers_the_terminal(tmp_path: Path) -> None:
    home = Home(tmp_path)
    evil = "the wallaby \x1b[2J likes\x07 quinces \x9b31m and \x1b]0;owned\x07 figs"
    bell = "The parrot\x1b[31m is green"
    home.write("zoo\x1b[7m.md", f"# Zoo \x1b[1m\n\n- {evil}\n")
    home.write("knowledge/biographical.md", f"- {bell} (updated:: 2026-02-12) ^f1parr\n")
    assert home.sam("chat", stdin=f"{evil}\n/remember {evil}\n/quit\n").returncode == 0
    assert home.sam("summarize").returncode == 0
    for words, seen in (
        (("search", "wallaby"), "the wallaby [2J likes quinces"),
        (("why", "wallaby"), "the wallaby [2J likes quinces"),
        (("facts", "parrot"), "The parrot[31m is green"),
        (("forget", "--words", "wallaby"), "the wallaby [2J likes quinces"),
        (("forget",), "the wallaby"),
        (("undo", "--list"), "the wallaby [2J likes quinces"),
        (("undo",), "the wallaby [2J likes quinces"),
    ):
        done = home.sam(*words)
        assert seen in done.stdout, (words, done.stdout, done.stderr)
        assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stdout) == [], words


# ── on Telegram ──────────────────────────────────────────────────────────────────────────────


async def test_words_are_answered_as_a_reply_to_the_message_and_the_others_have_buttons(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives("Ana's birthday is on 3 May")
        await telegram.wait_sent(1)
        await it.at_rest()
        memory = it.profiles["owner"].memory
        await memory.summarise(Echo(both="Buy a present for Ana's birthday"), reason="asked")
        said = await telegram.asks("/why Ana's birthday")
        assert said.reply_to == told.message_id
        assert "It comes from:" in said.text and "summary" in said.text
        assert "You: “Ana's birthday is on 3 May”" in said.text and DAY in said.text
        assert "2" in buttons(said)
        await press(telegram, said, "2")
        *_, opened_ = await telegram.wait_sent(3)
        assert "Noted." in opened_.text


async def test_results_and_opened_sources_have_the_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives("Ana's birthday is on 3 May")
        await telegram.wait_sent(1)
        await it.at_rest()
        await it.profiles["owner"].memory.summarise(Echo(), reason="asked")
        found = await telegram.asks("/search Ana's birthday")
        await press(telegram, found, "Why 1")
        *_, why = await telegram.wait_sent(3)
        assert why.reply_to == told.message_id and "It comes from:" in why.text
        assert DAY in why.text
        listed = await telegram.asks("/search things spoke of")
        assert f"2026-02-12 · {DAY}" in listed.text, listed.text
        await press(telegram, listed, "1")
        *_, opened_ = await telegram.wait_sent(5)
        await press(telegram, opened_, "Why")
        *_, again = await telegram.wait_sent(6)
        assert again.reply_to == told.message_id and "Noted." in again.text


async def test_the_sources_below_an_answer_are_named_in_the_owners_language(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    german = Person(ANA.id, "Ana", language_code="de")
    claude.cites("Huhn.", "Huhn", when="Was verträgt Rex")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("Rex verträgt kein Huhn.", user=german)
        await telegram.asks("/new", user=german)
        await it.profiles["owner"].memory.index_deferred()
        answer = await telegram.asks("Was verträgt Rex nicht?", user=german)
        assert answer.text.endswith("> [1] Gespräch vom 2026-02-12 (log/2026-02-12)")


async def test_an_answer_is_explained_by_its_sources_and_without_them_by_what_it_says(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.cites("It is chicken.", "chicken", when="What is Rex")
    claude.responds_with("Rex must not have chicken.", when="Remind me about Rex")
    claude.responds_with("Poor Rex.")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives("Rex, my dog, is allergic to chicken.")
        await telegram.wait_sent(1)
        await telegram.receives("/new")
        await telegram.wait_sent(2)
        await it.profiles["owner"].memory.index_deferred()
        for number, question in enumerate(("What is Rex allergic to?", "Remind me about Rex")):
            answer = await telegram.asks(question)
            assert ("[1]" in buttons(answer)) is (number == 0)
            await it.at_rest()
            why = await telegram.asks("/why", reply_to=answer)
            assert "Rex, my dog, is allergic to chicken." in why.text, question
            assert why.reply_to == told.message_id
            assert question not in why.text


async def test_what_a_command_saved_leads_to_the_command(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives("/remember My locker at the pool is 118")
        await telegram.wait_sent(1)
        await it.at_rest()
        why = await telegram.asks("/why locker pool")
        assert "MEMORY.md" in why.text and "/remember My locker at the pool is 118" in why.text
        assert why.reply_to == told.message_id
        memory = it.profiles["owner"].memory
        assert not await memory.summarise(Echo(), reason="asked"), "a command is not summarised"
        await telegram.asks("I own a wallaby")
        await it.at_rest()
        found = (await memory.recall("locker pool", private=True)).hits
        assert not any("wallaby" in hit.text for hit in found), "nor part of the conversation"
        assert not (await memory.log.ledger()).wrong


async def test_what_was_remembered_in_plain_words_is_quoted_as_it_was_said(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    no_model = {"anthropic_api_key": None, "anthropic_base_url": None}
    async with sam(telegram, claude, tmp_path, **no_model) as it:
        await telegram.asks("Remember that my locker at the pool is 118")
        await it.at_rest()
        why = await telegram.asks("/why locker pool")
        assert "“Remember that my locker at the pool is 118”" in why.text
        answer = await telegram.asks("Which number is my locker?")
    assert "You asked me to remember: my locker" in answer.text, "the line comes first"


async def test_what_has_most_of_the_words_comes_first_and_what_has_none_does_not_come(
    tmp_path: Path,
) -> None:
    """A note with one of the words comes after a message with both, and no message states it."""
    async with opened(tmp_path) as memory:
        write(tmp_path, "tasks.md", "- [ ] call Ana 🆔 ana001\n")
        for text in ("I'm Nora and I live in Lyon", "Ana's birthday is 3 May", "we had pasta"):
            await log_exchange(memory, text)
        await memory.reconcile()
        (first, said), (second, none) = await texts(memory, "Ana's birthday")
        assert (first, said) == ("Ana's birthday is 3 May", ["Ana's birthday is 3 May"])
        assert "call Ana" in second and none == []


async def test_what_is_only_the_nearest_is_said_to_be_that(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, embedding_provider="local") as it:
        for text in ("The boat has a new sail", "I like quinces and plums", "Ana lives in Porto"):
            await telegram.asks(text)
        await it.at_rest()
        memory = it.profiles["owner"].memory
        await memory.catch_up()
        while await memory.embeddings.embed(100):
            pass
        weak = (await telegram.asks("/why quince jam price")).text
        sure = (await telegram.asks("/why new sail")).text
        found = await Origins(memory, private=True).of_words("quince jam price")
        nothing = [(await telegram.asks(f"/search {each}")).text for each in ("!!!", "...", "!")]
    assert weak.startswith("Nothing fits well; the nearest:") and "quinces" in weak
    assert not sure.startswith("Nothing") and "new sail" in sure
    assert report(found, UTC).startswith("Nothing fits well; the nearest:")
    assert all(each.startswith("What should I search for?") for each in nothing)


async def test_without_words_it_says_how_and_of_nothing_it_says_so(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        assert "Write it after the command" in (await telegram.asks("/why")).text
        assert (await telegram.asks("/why submarines")).text.startswith("I have nothing about that")

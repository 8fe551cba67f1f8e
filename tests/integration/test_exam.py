"""The self-evaluation, run on a real Memory with regressions planted in its index."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import time
from pathlib import Path

import numpy as np
import pytest

from bot.assistant import Assistant, status
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.cli.commands import eval as command
from bot.doctor import doctor
from memory.core import Memory
from memory.log.evals import Exam, SourcedBullet
from memory.maintenance.self_eval import (
    count_changes,
    find_regressions,
    hit5,
    mrr,
    question_of,
    run_probes,
    sample,
    sign_test,
)
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.support.homes import Home
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened
from tests.support.notifications import NotificationRecorder

THINGS = [
    *("kayak", "violin", "bonsai", "telescope", "sourdough", "chessboard", "hammock", "accordion"),
    *("aquarium", "typewriter", "unicycle", "greenhouse", "origami", "saxophone", "beehive"),
    *("lighthouse", "windmill", "vineyard", "tapestry", "compass"),
]
JOB = next(job for job in JOBS if job.name == "exam")


class Retold:
    """One bullet per message with its date, reworded except for the key fact."""

    mark = ""

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        bullets = [
            DraftBullet(
                text=f"{message.text.split()[3]} repaired on 2026-02-12",
                messages=[n],
                quote=message.text,
            )
            for n, message in enumerate(request.messages, 1)
            if message.role == "user"
        ]
        return SummaryDraft(summary="many things", bullets=bullets)


async def talked(memory: Memory) -> None:
    for thing in THINGS:
        await log_exchange(memory, f"Yesterday I repaired {thing} at home with glue", "Well done!")
    await memory.summarise(Retold(), reason="asked")
    await memory.reconcile()
    while await memory.embeddings.embed(64):
        pass


@asynccontextmanager
async def remembering(folder: Path, embedder: WordEmbedder | None = None) -> AsyncIterator[Memory]:
    async with opened(folder, embedder=embedder) as memory:
        await talked(memory)
        memory.watching = True
        yield memory


async def test_what_was_said_is_found_by_its_bullet_and_the_bullet_itself_does_not_count(
    tmp_path: Path,
) -> None:
    async with remembering(tmp_path) as memory:
        assert "kayak repaired" in (tmp_path / "vault/memories/2026-02-12.md").read_text()
        seen: list[int] = []
        exam = await run_probes(memory, progress=lambda done, all_: seen.append(done * 100 // all_))
        assert exam is not None and len(exam.found) == len(THINGS)
        assert hit5(exam.found) == mrr(exam.found) == 1.0, "each message is its own first hit"
        assert exam.near == {} and exam.alarm == "" and exam.identity == ""
        assert seen[0] == 0 and seen[-1] == 100
        assert await memory.log.exams.recent(5) == [exam]
        again = await run_probes(memory)
        assert again is not None and again.found == exam.found
        ledger = await memory.log.ledger()
        assert ledger.messages_total == 2 * len(THINGS), "an exam is no conversation"


async def test_messages_that_went_missing_from_the_index_are_an_alarm(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await run_probes(memory)
        db = await memory.index.db()
        await db.write(
            lambda db: db.execute("DELETE FROM chunk WHERE message_id > 20 AND kind = 'message'")
        )
        worse = await run_probes(memory)
        assert worse is not None and hit5(worse.found) == 0.5
        assert worse.alarm == "recall no longer finds 10 of 20 things that it found"


async def test_a_dropped_file_of_the_index_comes_back_and_is_no_alarm(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await run_probes(memory)
    for file in (tmp_path / "data" / "index").iterdir():
        file.unlink()
    async with opened(tmp_path) as memory:
        again = await run_probes(memory)
        assert again is not None and hit5(again.found) == 1.0 and again.alarm == ""


async def test_garbled_vectors_are_an_alarm_although_keywords_hide_them(tmp_path: Path) -> None:
    async with remembering(tmp_path, WordEmbedder(256)) as memory:
        well = await run_probes(memory)
        assert well is not None and hit5(well.near) == 1.0
        noise = np.random.default_rng(7)
        db = await memory.index.db()

        def garble(db: object) -> None:
            for row in db.execute("SELECT chunk_id FROM chunk_vec").fetchall():  # type: ignore[attr-defined]
                vector = noise.normal(size=256).astype(np.float32)
                db.execute(  # type: ignore[attr-defined]
                    "UPDATE chunk_vec SET embedding = ? WHERE chunk_id = ?",
                    (vector.tobytes(), row["chunk_id"]),
                )

        await db.write(garble)
        worse = await run_probes(memory)
        assert worse is not None and hit5(worse.found) == 1.0, "the words are as they were"
        assert "search by vectors alone no longer finds" in worse.alarm


async def test_an_embedder_of_another_dimension_is_an_alarm(tmp_path: Path) -> None:
    """The provider silently changes the model behind the same name."""
    embedder = WordEmbedder(64)
    async with remembering(tmp_path, embedder) as memory:
        await run_probes(memory)
        db = await memory.index.db()
        await db.write(lambda db: db.execute("DELETE FROM embedding"))
        embedder.identity = replace(embedder.identity, dimension=32)
        worse = await run_probes(memory)
        assert worse is not None and worse.near == {} and hit5(worse.found) == 1.0
        assert worse.alarm.startswith("vectors are gone (searched by keywords alone: ")


async def test_without_summaries_there_is_nothing_to_ask(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Hello", "Hi!")
        assert await run_probes(memory) is None and await memory.log.exams.recent(1) == []


async def test_what_is_forgotten_or_private_is_not_asked_about(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.log._db.write(
            lambda db: db.execute("UPDATE message SET privacy = 'sensitive' WHERE id = 1")
        )
        asked = await memory.log.exams.sources()
        assert [each.messages for each in asked][:2] == [(3,), (5,)] and len(asked) == 19


def test_a_question_has_neither_dates_nor_labels_nor_small_words() -> None:
    assert question_of("Action: Set up DNS for sam.example.org by 2026-02-13") == (
        "Set DNS sam example org"
    )
    assert question_of("- **Summary**: The violin \\[old\\] was sold") == "violin old sold"
    assert question_of("Lunch at 12:30") == "", "one word asks nothing"
    assert question_of("- 昨天和妈妈一起去医院看了王医生") == "昨天和妈妈一起去医院看了王医生"
    assert question_of("- 午饭") == ""
    assert len(question_of(" ".join(f"w{chr(97 + n)}" for n in range(26))).split()) == 12


def test_the_sample_is_the_same_in_each_run_and_changes_little() -> None:
    every = [SourcedBullet(id_, f"bullet about thing{'x' * id_}", (id_,)) for id_ in range(1, 300)]
    first, later = sample(every[:290]), sample(every)
    assert len(first) == len(later) == 100 and first == sample(every[:290][::-1])
    assert len({each.id for each in first} & {each.id for each in later}) > 90
    assert sample([SourcedBullet(1, "far too many messages", tuple(range(9)))]) == []


def test_by_chance_is_the_sign_test() -> None:
    assert sign_test(7, 0) == pytest.approx(1 / 128)
    assert sign_test(7, 5) == pytest.approx(1586 / 4096)
    assert sign_test(0, 0) == 1.0


def ran(found: list[int], near: list[int] | None = None) -> Exam:
    ranks, nearest = dict(enumerate(found)), dict(enumerate(near or []))
    return Exam(START, "1", "", "", ranks, nearest)


def test_an_alarm_needs_more_than_chance_and_the_best_of_the_last_runs_is_the_measure() -> None:
    good, six, seven = [1] * 30, [0] * 6 + [1] * 24, [6] * 7 + [5] * 23
    assert count_changes(ran(good).found, ran(seven).found) == (7, 0)
    assert find_regressions(ran(six), [ran(good)]) == ""
    assert "7 of 30" in find_regressions(ran(seven), [ran(good)])
    assert "7 of 30" in find_regressions(ran(seven), [ran(seven), ran(good)]), (
        "it stays until it is fixed"
    )
    assert find_regressions(ran(seven), [ran(seven)] * 14 + [ran(good)]) == "", (
        "what is long ago is past"
    )
    assert find_regressions(ran(good), [ran(seven)]) == ""
    mixed = [0] * 7 + [1] * 23
    assert find_regressions(ran(mixed), [ran([1] * 7 + [0] * 5 + [1] * 18)]) == "", (
        "five are newly found"
    )


async def test_the_job_tells_the_owner_once_and_status_and_doctor_go_on_telling(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    notified = NotificationRecorder()
    async with AsyncExitStack() as stack:
        settings = home.settings()
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=Clock())
        memory = profile.memory
        await talked(memory)
        await JOB.run(profile, notified.notify)
        assert notified.texts == [] and any(
            "hit@5 1.00" in line for line in await status.status_lines(profile)
        )
        db = await memory.index.db()
        await db.write(lambda db: db.execute("DELETE FROM chunk WHERE kind = 'message'"))
        await JOB.run(profile, notified.notify)
        await JOB.run(profile, notified.notify)
        assert len(notified.texts) == 1 and "20 of 20" in notified.texts[0]
        assert any(line.startswith("! self-exam") for line in await status.status_lines(profile))
    problems = [problem async for problem in doctor._stores(settings, Clock(), {})]
    assert next(each.what for each in problems if each.id == "exam").startswith("since 2026-02-12")


def test_no_exam_in_the_hour_that_some_days_have_twice() -> None:
    assert JOB.at is not None and not time(2) <= JOB.at < time(3)


async def test_the_command_prints_a_table_or_one_document(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert "No evaluation has run yet" in home.sam("eval", "--history").stdout
    empty = home.sam("eval")
    assert empty.returncode == 0 and "nothing to test" in empty.stdout
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(), stack, poke=no_jobs, clock=Clock())
        await talked(profile.memory)
    assert home.sam("eval").returncode == 0
    told = home.sam("eval", "--json")
    runs = json.loads(told.stdout)["runs"]
    assert told.returncode == 0 and [run["hit5"] for run in runs] == [1.0, 1.0]
    assert runs[0]["probes"] == 20 and runs[0]["vectors"] is None and runs[0]["alarm"] is None
    shown = home.sam("eval", "--history").stdout
    assert shown.count(" 1.00 ") == 4 and "██" in shown


def test_a_run_that_got_worse_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    worse = replace(ran([0, 1]), alarm="recall no longer finds 9 of 20 things that it found")
    text = command.table([worse, ran([1, 1])])
    assert "!\n" in text and "█▅" in text and "`sam doctor`" in text

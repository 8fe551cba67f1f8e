"""`sam …` as a user calls it: a process with an exit code and output."""

from __future__ import annotations

import asyncio
import json
import shlex
import stat
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.cli import main
from bot.cli.commands.search import age, marked
from bot.inbox import Inbox
from memory import system_clock
from memory.search import Hit
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import TOKEN, FakeTelegram
from tests.support.homes import ROOT, Home
from tests.support.noon import noon_somewhere
from tests.support.source import HEAVY

TALK = "my cat is called Miso\nthe router is in the cellar\n/quit\n"


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Provide a home with a message and a note."""
    home = Home(tmp_path_factory.mktemp("used"))
    done = home.sam("chat", stdin=TALK)
    assert done.returncode == 0, done.stderr
    home.write("garden.md", "# Garden\n\nThe tomatoes want water\nevery second evening.\n")
    return home


def test_help_names_every_command_and_every_command_has_help(tmp_path: Path) -> None:
    home = Home(tmp_path)
    shown = home.sam("--help")
    assert shown.returncode == 0
    for name, what in main.COMMANDS.items():
        assert name in shown.stdout and what in shown.stdout
        assert (ROOT / "bot" / "cli" / "commands" / f"{name}.py").is_file()
    files = {path.stem for path in (ROOT / "bot" / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert files == set(main.COMMANDS)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_a_commands_help_ends_with_0(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main([name, "--help"])
    assert ended.value.code == 0
    assert main.COMMANDS[name].split(",")[0] in " ".join(capsys.readouterr().out.split())


def test_wrong_usage_ends_with_2(tmp_path: Path) -> None:
    home = Home(tmp_path)
    unknown = home.sam("serch", "cat")
    assert unknown.returncode == 2
    assert "did you mean 'search'" in unknown.stderr
    for nothing in (["search"], ["search", ""], ["search", "  "]):
        wrong = home.sam(*nothing)
        assert wrong.returncode == 2 and "give words, or a question" in wrong.stderr
    for given, said in {
        "search ¿? …": "give words, or a question: `sam search dentist`",
        "search cat --since yesterday": "'yesterday' is not a day like",
        "search cat --limit 0": "'0' is not a number from 1 to 200",
        "search cat --since 2026-03-02 --until 2026-02-01": "--until is a day before --since",
        "privacy --days 999999999": "is not a number from 1 to 3650",
        "forget x": "'x' is not a whole number",
        "inbox --drop -1": "'-1' is not a whole number",
        "status": "/status in `sam chat`",
        "sttaus": "unknown command 'sttaus'",
    }.items():
        wrong = home.sam(*given.split())
        assert wrong.returncode == 2 and said in wrong.stderr, (given, wrong.stderr)


def test_help_may_be_asked_for_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for given, said in (
        (["help"], "privacy    show what was sent"),
        (["help", "backup"], "BACKUP_DIR"),
    ):
        with pytest.raises(SystemExit) as ended:
            main.main(given)
        assert ended.value.code == 0 and said in capsys.readouterr().out


def test_every_mistake_in_the_settings_is_told_at_once(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.dotenv("ACTIVE_HOURS=22-8\nTELEGRAM_BOT_TOKEN=hunter2hunter2\nRECALL_HITS=many\n")
    done = home.sam("chat")
    assert done.returncode == 2
    for name in ("ACTIVE_HOURS", "TELEGRAM_BOT_TOKEN", "RECALL_HITS"):
        assert name in done.stderr
    assert "hunter2" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert not home.data.exists()


def test_run_without_token_and_terminal_ends_with_2(tmp_path: Path) -> None:
    done = Home(tmp_path).sam("run")
    assert done.returncode == 2
    assert "sam setup" in done.stderr


def test_sync_without_a_remote_ends_with_2(tmp_path: Path) -> None:
    done = Home(tmp_path).sam("sync")
    assert done.returncode == 2
    assert "RCLONE_REMOTE" in done.stderr


def test_a_long_text_is_remembered_and_reminded_of_in_words_too(tmp_path: Path) -> None:
    home = Home(tmp_path)
    boxes = "; ".join(f"box {number} holds thing {number}" for number in range(120))
    told = (f"Remember that {boxes}", f"Remind me tomorrow at 9 to sort {boxes}")
    assert all(2_000 < len(text) < 8_000 for text in told)
    shown = home.sam("chat", stdin="\n".join((*told, "/remember " + boxes * 3, "/quit\n"))).stdout
    assert "Noted" not in shown and "Saved in MEMORY.md" in shown and "⏰ tomorrow 09:00" in shown
    assert "too long to remember in one piece: it has 8,334 characters" in " ".join(shown.split())
    assert (home.vault / "MEMORY.md").read_text("utf-8").count("box 119 holds thing 119") == 1
    assert "box 119 holds thing 119" in (home.vault / "tasks.md").read_text("utf-8")


def test_search_prints_one_json_document(used: Home) -> None:
    done = used.sam("search", "what", "is", "the", "cat", "called", "--json", "--limit", "3")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert list(found) == ["query", "mode", "hits", "nearest"]
    assert found["query"] == "what is the cat called"
    assert found["mode"] == "keywords"
    hit = found["hits"][0]
    assert list(hit) == [
        *("path", "start_line", "end_line", "heading", "text", "date", "kind", "role"),
        *("score", "chunk_id", "message_ids", "weak", "until", "past"),
    ]
    assert hit["text"] == "my cat is called Miso"
    assert hit["path"] == f"log/{hit['date']}"
    assert (hit["kind"], hit["role"], len(hit["message_ids"])) == ("message", "user", 1)
    assert 0 <= hit["score"] <= 1


def test_search_for_a_person_gives_place_age_and_passage(used: Home) -> None:
    done = used.sam("search", "tomatoes")
    assert done.returncode == 0
    head, *passage = done.stdout.split("\n\n")[0].splitlines()
    assert head == "garden.md:1", "its heading is the name of the note"
    assert passage == ["  The tomatoes want water", "  every second evening."]


def test_search_narrows_and_finds_nothing(used: Home) -> None:
    assert "garden.md" not in used.sam("search", "water", "--filter", "conversations").stdout
    tomorrow = (date.today() + timedelta(days=2)).isoformat()  # noqa: DTZ011
    late = used.sam("search", "cat", "--since", tomorrow)
    assert (late.returncode, late.stdout) == (0, "I have nothing about that.\n")


def test_a_reader_that_goes_away_is_no_failure_worth_a_traceback(used: Home) -> None:
    for number in range(40):
        used.write(f"water/{number}.md", f"# Water {number}\n\n" + "water and more water " * 200)
    done = subprocess.run(
        f"{sys.executable} -m bot search water --limit 40 --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        cwd=used.folder,
        env=used.env,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("{", "")


NEVER_FOR_A_LOOK = {
    *("bot.app", "bot.claude", "bot.telegram", "bot.sync", "bot.assistant.scheduler"),
    *("memory.summaries.summarizer", "memory.search.in_memory.cache", "bot.mcp.server"),
}


def loaded(home: Home, *words: str) -> set[str]:
    """Return the heavy modules that the process imports: packages by name, ours by module."""
    done = home.sam(*words, env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0, done.stderr
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "bot.cli.main" in names
    return names & {*HEAVY, *NEVER_FOR_A_LOOK}


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (("search", "tomatoes", "--json"), set()),
        (("search", "tomatoes"), {"rich"}),
        (("privacy",), set()),
        (("forget",), set()),
        (("index", "--dry-run"), set()),
    ],
)
def test_a_look_imports_nothing_that_it_does_not_need(
    used: Home, words: tuple[str, ...], heavy: set[str]
) -> None:
    assert loaded(used, *words) == heavy


def test_a_search_compiles_no_pattern_of_a_clock(used: Home) -> None:
    look = (
        "from bot.__main__ import main; main(['search', 'tomatoes']);"
        " import memory.dates.clock as clock; print([name for name, each in vars(clock).items()"
        " if type(each).__name__ == 'LazyPattern' and 'compiled' not in vars(each)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", look], env=used.env, cwd=ROOT, capture_output=True, text=True
    )
    assert "tomatoes" in done.stdout, done.stderr
    assert "'_CLOCK'" in done.stdout and "'_SPELLED'" in done.stdout


def test_a_question_asked_before_needs_no_embedder(tmp_path: Path) -> None:
    home = Home(tmp_path, EMBEDDING_PROVIDER="local")
    home.write("garden.md", "# Garden\n\nThe tomatoes want water.\n")
    assert "0 without a vector" in home.sam("index", timeout=170).stdout
    assert loaded(home, "search", "what do the tomatoes want", "--json") == {"numpy"}
    assert loaded(home, "search", "what do the tomatoes want", "--json") == set()


def _hit(text: str) -> Hit:
    return Hit("a.md", 1, 1, "", text, None, "note", None, 1.0, 1, ())


def test_the_words_are_marked_and_a_long_passage_is_cut_around_them() -> None:
    text = marked(_hit("x " * 1000 + "The Tomatoes are red " + "y " * 1000), "tomato red")
    assert len(text.plain) < 700
    assert {text.plain[span.start : span.end] for span in text.spans} == {"Tomatoes", "red"}


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (None, ""),
        (date(2026, 11, 21), "today"),
        (date(2026, 11, 20), "yesterday"),
        (date(2026, 11, 11), "10 days ago"),
        (date(2026, 7, 21), "4 months ago"),
        (date(2023, 11, 21), "3 years ago"),
        (date(2026, 11, 22), "tomorrow"),
        (date(2026, 12, 1), "in 10 days"),
    ],
)
def test_an_age_in_words(day: date | None, words: str) -> None:
    assert age(day, date(2026, 11, 21)) == words


def test_index_says_what_there_is_and_does_it(used: Home) -> None:
    dry = used.sam("index", "--dry-run")
    assert dry.returncode == 0 and "keyword only" in dry.stdout
    before = sorted(path.name for path in (used.data / "index").iterdir())
    anew = used.sam("index", "--rebuild")
    assert anew.returncode == 0, anew.stderr
    assert "0 without a vector" in anew.stdout
    assert sorted(path.name for path in (used.data / "index").iterdir()) != before
    assert used.sam("search", "tomatoes", "--json").stdout.count("garden.md") == 1


def test_notes_leave_the_machine_only_when_that_was_agreed(tmp_path: Path) -> None:
    with FakeEmbeddings.running() as provider:
        home = Home(
            tmp_path,
            EMBEDDING_PROVIDER="voyage",
            VOYAGE_API_KEY="pa-k",
            VOYAGE_BASE_URL=provider.url,
        )
        for number in range(51):
            home.write(f"mine/{number}.md", f"Note {number}.\n")
        asked = home.sam("index", stdin="y\n")
        assert "51 notes of yours" in asked.stdout and "would be sent to voyage" in asked.stdout
        assert "EMBEDDING_CONSENT" in asked.stdout, "a pipe cannot agree"
        assert provider.requests == []
        assert "0 without a vector" in asked.stdout, "the local embedder did it"
        agreed = home.sam("index", env={"EMBEDDING_CONSENT": "voyage"})
        assert agreed.returncode == 0, agreed.stderr
        assert "would be sent" not in agreed.stdout
        assert {"1\nNote 1.", "50\nNote 50."} <= {text.strip() for text in provider.texts}
        assert "free" not in home.sam("index", "--dry-run").stdout


def test_summarize_writes_what_is_pending_once(tmp_path: Path) -> None:
    home = Home(tmp_path, TIMEZONE=noon_somewhere()[0])
    home.sam("chat", stdin=TALK)
    done = home.sam("summarize")
    assert done.returncode == 0, done.stderr
    [day] = (home.vault / "memories").glob("2*.md")
    assert "Miso" in done.stdout and "Miso" in day.read_text()
    before = day.read_text()
    again = home.sam("summarize")
    assert "nothing new" in again.stdout
    assert day.read_text() == before


def test_pair_prints_a_code_and_keeps_only_its_hash(tmp_path: Path) -> None:
    home = Home(tmp_path)
    done = home.sam("pair")
    assert "No bot is set up yet" in done.stdout
    assert done.returncode == 0
    code = done.stdout.split("/pair ")[1].split()[0]
    assert len(code) == 9 and code[4] == "-"
    assert code.encode() not in (home.data / "inbox.db").read_bytes()


def test_pair_shows_a_link_where_the_bot_is_known(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram:
        home = Home(tmp_path, TELEGRAM_BOT_TOKEN=TOKEN, TELEGRAM_BASE_URL=telegram.url)
        said = home.sam("pair").stdout
    code = said.split("/pair ")[1].split()[0]
    [link] = [row for row in said.splitlines() if row.startswith("https://")]
    assert link == f"https://t.me/sam_the_bot?start={code.replace('-', '')}"
    assert "▄▄▄" in said, "and its QR code"


def test_pair_lists_who_is_paired_and_removes_them(tmp_path: Path) -> None:
    home = Home(tmp_path)
    code = home.sam("pair").stdout.split("/pair ")[1].split()[0]

    async def paired() -> None:
        inbox = await Inbox.open(home.data / "inbox.db", system_clock)
        assert await inbox.people.pair(code, 4711)
        await inbox.close()

    asyncio.run(paired())
    listed = home.sam("pair", "--list")
    assert "4711  owner, since 2" in listed.stdout and listed.returncode == 0
    [row] = json.loads(home.sam("pair", "--list", "--json").stdout)
    assert (row["user_id"], row["profile"]) == (4711, "owner")
    wrong = home.sam("pair", "--remove", "4712")
    assert wrong.returncode == 1 and "sam pair --list" in wrong.stderr
    right = home.sam("pair", "--remove", "4711")
    assert right.returncode == 0 and "no longer paired" in right.stdout
    assert "Nobody is paired" in home.sam("pair", "--list").stdout


def test_all_that_sam_writes_is_its_owners_alone(used: Home) -> None:
    open_to_others = [
        path for path in used.data.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert not open_to_others


def test_a_checkout_stays_clean(tmp_path: Path) -> None:
    """Started inside the checkout, Sam writes nothing there."""
    status = ["git", "status", "--porcelain"]
    before = subprocess.run(status, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    starter = {path: path.stat().st_mtime_ns for path in (ROOT / "vault").rglob("*")}
    home = Home(tmp_path, SAM_NO_ENV_FILE="1", PYTHONDONTWRITEBYTECODE="1")
    assert home.sam("start", stdin=TALK, cwd=ROOT).returncode == 0
    after = subprocess.run(status, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert after == before
    assert starter == {path: path.stat().st_mtime_ns for path in (ROOT / "vault").rglob("*")}
    assert home.vault.is_dir()


def test_commands_of_telegram_are_explained_in_the_terminal(tmp_path: Path) -> None:
    talk = "/start\n/stop\n/pair\n/import\n/Status\n/sttaus\n/quit\n"
    said = Home(tmp_path).sam("chat", stdin=talk).stdout
    assert "/start is only needed on Telegram." in said
    assert "/pair is only needed on Telegram." in said
    assert "Ctrl-C stops an answer." in said
    assert "In a shell, sam import FILE shows" in said.replace("`", "")
    assert "I am well." in said and "Did you mean /status?" in said


def test_a_file_dragged_into_the_chat_is_neither_a_command_nor_kept(tmp_path: Path) -> None:
    picture = tmp_path / "my cat's.jpg"
    picture.touch()
    typed = [shlex.quote(str(picture)), str(picture).replace(" ", r"\ ").replace("'", r"\'")]
    said = Home(tmp_path).sam("chat", stdin="\n".join([*typed, "/no/such.jpg", "/quit"])).stdout
    assert said.count("In a terminal I cannot read files, and kept nothing of my cat's.jpg.") == 2
    assert "I don't know" not in said and said.count("Noted") == 1


def test_what_hardly_fits_is_marked_below_what_fits(tmp_path: Path) -> None:
    home = Home(tmp_path)
    talk = [
        "The kitchen tiles from the shop in Porto cost 34 euros per square metre.",
        "Miso the cat got her vaccination at Dr. Lopes on Monday.",
        "Our neighbour Jonas sold his old blue Volvo to a student.",
        "The landlord Herr Brandt came into the kitchen for the rent.",
        "/search kitchen tiles",
    ]
    shown = home.sam("chat", stdin="\n".join(talk)).stdout.partition("> /search kitchen tiles\n")[2]
    first, *others = shown.split("\n\n")[:2]
    assert "kitchen tiles" in first and "weak match" not in first
    assert others and all("weak match" in each for each in others), shown
    first, *others = home.sam("search", "kitchen", "tiles").stdout.strip().split("\n\n")
    assert "kitchen tiles" in first and "weak match" not in first
    assert others and all("weak match" in each for each in others)
    hits = json.loads(home.sam("search", "kitchen", "tiles", "--json").stdout)["hits"]
    assert [hit["weak"] for hit in hits] == [False, *[True] * len(others)]

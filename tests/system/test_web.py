"""`sam web` as a process, with a real HTTP client: what each page shows and does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.homes import Home
from tests.support.web import BULLETS, TODAY, Browser, day, invented, served


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return invented(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="module")
def browser(home: Home) -> Iterator[Browser]:
    with served(home) as console, console.browser() as signed_in:
        yield signed_in


def words(html: str) -> str:
    """Return the text of a page, without its markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


class TestDays:
    def test_a_month_says_how_much_is_remembered_of_each_day(self, browser: Browser) -> None:
        month = browser.get(f"/days?month={day(1)[:7]}").text
        cell = re.search(rf'<a class="day l(\d)" href="/days/{day(1)}".*?</a>', month, re.DOTALL)
        assert cell and cell[1] == "2"
        assert words(cell[0]).endswith(f": {len(BULLETS[1]) + 1} bullets , 4 messages")

    def test_an_empty_month_and_a_wrong_one_are_pages_too(self, browser: Browser) -> None:
        assert "There are no memories of this month" in browser.get("/days?month=1999-02").text
        assert f"{TODAY:%B}" in browser.get("/days?month=2026-99").text
        for month in ("0001-01", "9999-12"):
            assert f"{TODAY:%B}" in browser.get(f"/days?month={month}").text

    def test_a_day_shows_its_bullets_and_its_messages(self, browser: Browser) -> None:
        shown = browser.get(f"/days/{day(0)}").text
        assert "<li>Ana and Ben plan a trip to Lisbon in May</li>" in shown
        assert "<strong>window seats</strong>" in shown and "Noted: Lisbon." in shown
        assert "^s0000" not in shown, "block ids are for links"
        assert browser.get("/days/yesterday").status_code == 404

    def test_what_was_said_incognito_is_not_there(self, browser: Browser) -> None:
        shown = browser.get(f"/days/{day(2)}").text
        assert "There are no memories of this day" in shown


class TestSearch:
    def test_the_passage_is_highlighted_with_source_date_and_score(self, browser: Browser) -> None:
        found = browser.get("/search", params={"q": "Where does Tomas live?"}).text
        assert "<mark>Tomas</mark>" in found
        assert re.search(r'class="source" href="/note\?path=knowledge%2Frelationship.md"', found)
        assert f'<time datetime="{day(3)}">' in found and re.search(r"\d+ %</span>", found)

    def test_while_typing_only_the_hits_come(self, browser: Browser) -> None:
        found = browser.get("/search", params={"q": "Tomas har", "typing": "1"}).text
        assert "<html" not in found and "<mark>Tomas</mark>" in found
        half = browser.get("/search", params={"q": "To", "typing": "1"}).text
        assert "I have nothing" not in half, "it is not asked yet"

    def test_filters_and_nothing_found(self, browser: Browser) -> None:
        said = browser.get("/search", params={"q": "Ana", "in": "conversations"}).text
        assert "log/" in words(said) and "memories/" not in words(said)
        late = browser.get("/search", params={"q": "Ana", "since": day(-3)}).text
        assert "I have nothing about “Ana”" in words(late)
        assert "I have nothing" in browser.get("/search", params={"q": "xylophone"}).text

    def test_what_is_as_good_as_no_answer_is_left_out(self, browser: Browser) -> None:
        for asked in ("Where does Tomas live?", "Ana birthday", "Lisbon trip", "coffee"):
            found = browser.get("/search", params={"q": asked}).text
            shown = [int(score) for score in re.findall(r">(\d+) %</span>", found)]
            assert shown and 0 not in shown, asked

    def test_all_of_a_day_is_found_and_nothing_is_likelier(self, browser: Browser) -> None:
        found = browser.get("/search", params={"q": "What did I say today?"}).text
        assert found.count('<li class="card hit">') >= 2 and "%</span>" not in found

    def test_a_hit_leads_to_what_it_comes_from(self, browser: Browser) -> None:
        why = browser.get("/why", params={"words": "Ana birthday"}).text
        assert "It is from this note" in why or "Ana&#39;s birthday is on 14 May." in why


class TestFacts:
    def test_they_stand_by_category_and_can_be_filtered(self, browser: Browser) -> None:
        every = browser.get("/facts").text
        assert re.findall(r"<h2>(\w[\w ]*?) <span", every)[:3] == [
            "About you",
            "What you like",
            "People",
        ]
        assert "Takes tablets for the thyroid" in every, "the owner sees what no model may"
        assert words(browser.get("/facts?q=coffee").text).count("Likes strong coffee") == 1
        assert "Tomas" not in words(browser.get("/facts?category=preference").text)

    def test_words_in_no_fact_are_not_known(self, browser: Browser) -> None:
        shown = words(browser.get("/facts?q=xylophone").text)
        assert "know anything of that kind." in shown

    def test_one_shows_what_was_so_before(self, browser: Browser) -> None:
        assert "Pays 900 euros rent" in browser.get("/facts/f1rent").text
        assert "Pays 900 euros rent" in browser.get("/facts/before").text

    def test_an_edit_changes_its_line_alone_and_pins_it(self, browser: Browser, home: Home) -> None:
        note = home.vault / "knowledge" / "preference.md"
        before = note.read_text().splitlines()
        was = "Likes strong coffee, no sugar"
        after = browser.does(
            "/facts/f2coff", "/facts/f2coff/edit", text="Likes tea\nwith milk", was=was
        )
        assert "Changed." in after.text and "Likes tea with milk" in after.text
        rows = note.read_text().splitlines()
        changed = [new for old, new in zip(before, rows, strict=True) if old != new]
        assert changed == [f"- Likes tea with milk (updated:: {day(1)}) ^f2coff"]
        late = browser.does("/facts/f2trai", "/facts/f2coff/edit", text="Likes milk", was=was)
        assert late.status_code == 409 and "has changed in the meantime" in late.text
        empty = browser.does("/facts/f2trai", "/facts/f2coff/edit", text=" ", was=was)
        assert empty.status_code == 409 and note.read_text().splitlines() == rows

    def test_a_fact_can_be_pinned(self, browser: Browser, home: Home) -> None:
        assert "Pinned" in browser.does("/facts/f3toma", "/facts/f3toma/pin").text
        note = (home.vault / "knowledge/relationship.md").read_text()
        assert re.search(r"#sam/pinned \^f3toma$", note, re.M)
        assert "\\#sam" not in note, "the tag is no word of the fact"

    def test_what_is_no_longer_so_goes_to_the_archive(self, browser: Browser, home: Home) -> None:
        shown = browser.does("/facts/f1live", "/facts/f1live/retire").text
        assert "Lives in Bergen" in shown and "the owner says so" in shown
        assert "f1live" not in (home.vault / "knowledge/biographical.md").read_text()
        assert "f1live" in (home.vault / "archive/knowledge/biographical.md").read_text()
        assert browser.get("/facts/f1live").status_code == 409

    def test_a_private_one_is_changed_in_an_editor(self, browser: Browser, home: Home) -> None:
        note = (home.vault / "knowledge/biographical.md").read_text()
        assert 'action="/facts/f1tabs/edit"' not in browser.get("/facts/f1tabs").text
        refused = browser.does(
            "/tasks", "/facts/f1tabs/edit", text="x", was="Takes tablets for the thyroid"
        )
        assert refused.status_code == 409
        assert (home.vault / "knowledge/biographical.md").read_text() == note


class TestTasks:
    def test_each_button_does_what_it_says(self, browser: Browser, home: Home) -> None:
        def line(id_: str) -> str:
            rows = (home.vault / "tasks.md").read_text().splitlines()
            return next(row for row in rows if f"🆔 {id_}" in row)

        listed = browser.get("/tasks").text
        assert listed.index("Pay the rent") < listed.index("Call Ana") < listed.index("Oil the")
        assert "overdue since yesterday" in words(listed)
        assert "Done." in browser.does("/tasks", "/tasks/done", task="toil01").text
        assert line("toil01") == f"- [x] Oil the workbench 🆔 toil01 ✅ {day(0)}"
        assert "open again" in browser.does("/tasks", "/tasks/reopen", task="toil01").text
        assert line("toil01") == "- [ ] Oil the workbench 🆔 toil01"
        assert "Moved to" in browser.does("/tasks", "/tasks/week", task="tana01").text
        assert f"(@{day(-7)} 09:00)" in line("tana01")
        assert "Again at" in browser.does("/tasks", "/tasks/hour", task="tana01").text
        assert "Dropped." in browser.does("/tasks", "/tasks/drop", task="tana01").text
        assert line("tana01").startswith("- [-] ")

    def test_a_task_with_a_time_becomes_a_reminder(self, browser: Browser, home: Home) -> None:
        shown = browser.does("/tasks", "/tasks/add", text="tomorrow 9:00 buy film").text
        assert "tomorrow 09:00" in words(shown)
        assert f"buy film (@{day(-1)} 09:00)" in (home.vault / "tasks.md").read_text()
        assert browser.does("/tasks", "/tasks/add", text=" ").status_code == 409


class TestForget:
    def test_nothing_goes_before_it_was_shown_chosen_and_confirmed(
        self, browser: Browser, home: Home
    ) -> None:
        page = "/forget?words=whales"
        shown = browser.get(page).text
        boxes = re.findall(r'name="item" id="i\d+" value="([^"]*)"', shown)
        assert "We saw the whales near Andenes" in shown and len(boxes) > 1
        # As many as the exchanges of years, of which each has its box.
        years = browser.does(page, "/forget", item=[boxes[0].replace("&#34;", '"')] * 3000)
        assert years.status_code == 409 and "tick the box" in years.text
        unsure = browser.does(page, "/forget", item=boxes[0].replace("&#34;", '"'))
        assert unsure.status_code == 409 and "you are sure" in words(unsure.text)
        assert browser.does(page, "/forget", sure="1").status_code == 409
        assert browser.does(page, "/forget", sure="1", item="{}").status_code == 409
        assert browser.get(page).text.count('name="item"') == len(boxes)

        note = home.vault / "memories" / f"{day(12)}.md"
        only = next(each for each in boxes if "&#34;lines&#34;: []" not in each)
        done = browser.does(page, "/forget", sure="1", item=only.replace("&#34;", '"'))
        assert "Forgotten: " in words(done.text) and "1 line" in words(done.text)
        assert "Whales near" not in note.read_text() and "lent them her boat" in note.read_text()
        assert browser.get(page).text.count('name="item"') == len(boxes) - 1


class TestOverview:
    def test_costs_are_drawn_and_told(self, browser: Browser) -> None:
        shown = browser.get("/sent").text
        assert shown.count("<rect") == 14 and "$1.63" in words(shown)
        heights = [float(each) for each in re.findall(r'<rect [^>]*height="([\d.]+)"', shown)]
        assert max(heights) == 160 and min(heights) > 0
        assert "anthropic/claude-haiku-5-5" in shown and "30,000" in shown
        assert "<td>answers</td>" in shown
        assert browser.get("/sent?days=90").text.count("<rect") == 14

    def test_health_and_all_checks(self, browser: Browser, home: Home) -> None:
        shown = words(browser.get("/health").text)
        assert "stored 18 messages" in shown and "~/Sam/vault" in shown
        assert "There is no backup in ~/Sam/data/backups: sam backup" in shown, "no backticks"
        checks = browser.does("/health", "/health/doctor")
        assert checks.status_code == 200 and "Sam can start" in checks.text


class TestGraph:
    def test_names_places_and_days_are_joined(self, browser: Browser) -> None:
        shown = browser.get("/graph").text
        for name, sort in (("Ana", "name"), ("Lisbon", "place"), (day(0), "day")):
            assert re.search(rf'class="chip s-{sort}" href="/graph\?about={name}"', shown), name
        of_ana = browser.get("/graph?about=Ana").text
        assert "Mentioned together with it" in of_ana and "about=Lisbon" in of_ana
        assert "a gift from Ana" in of_ana and "Oslo" not in words(of_ana)

    def test_the_picture_stays_within_its_frame(self, browser: Browser) -> None:
        places = re.findall(r'<circle cx="([\d.-]+)" cy="([\d.-]+)"', browser.get("/graph").text)
        assert len(places) > 8 and len(set(places)) == len(places)
        assert all(0 < float(x) < 720 and 0 < float(y) < 560 for x, y in places)

    def test_no_label_covers_another_or_is_cut_off(self, browser: Browser) -> None:
        shown = browser.get("/graph").text
        texts = re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)"[^>]*>([^<]+)</text>', shown)
        boxes = [(float(x), float(y), len(label) * 6.0) for x, y, label in texts]
        assert len(boxes) > 8
        assert all(half <= x <= 720 - half and y >= 20 for x, y, half in boxes)
        for number, (x, y, half) in enumerate(boxes):
            for other_x, other_y, other_half in boxes[number + 1 :]:
                assert abs(x - other_x) >= half + other_half - 1 or abs(y - other_y) >= 22


def test_the_port_is_taken(home: Home, browser: Browser) -> None:
    port = str(browser.base_url.port)
    second = home.sam("web", env={"WEB_PORT": port})
    assert second.returncode == 2
    assert "(Address already in use): set WEB_PORT or WEB_HOST" in second.stderr


def test_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    home = Home(tmp_path, WEB_PORT="0")
    with served(home) as console:
        console.process.terminate()
        _, said = console.process.communicate(timeout=60)
    assert console.process.returncode == 0 and "Traceback" not in said

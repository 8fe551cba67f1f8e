"""What `sam web` refuses: foreign hosts and origins, old links, forms without a token."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from bot.chat.web_access import WebAccess
from bot.web import costs_and_health, days, facts, forget, graph, notes, search, tasks
from bot.web.frame.guard import HEADERS
from memory import DataDir, system_clock
from tests.support.homes import Home
from tests.support.web import CSRF, Browser, Served, day, invented, served

ROOMS = (days, notes, search, facts, forget, tasks, costs_and_health, graph)
ROUTES: list[Route] = [route for room in ROOMS for route in room.ROUTES]
PAGES = ["/", *(r.path for r in ROUTES if "GET" in (r.methods or ()))]
ACTIONS = ["/sign-out", *(r.path for r in ROUTES if "POST" in (r.methods or ()))]
SEALED = ("quokka", "closedword", "vowedword")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return invented(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="module")
def console(home: Home) -> Iterator[Served]:
    with served(home) as running:
        yield running


@pytest.fixture
def browser(console: Served) -> Iterator[Browser]:
    with console.browser() as signed_in:
        yield signed_in


@pytest.fixture
def stranger(console: Served) -> Iterator[Browser]:
    with Browser(console.url) as nobody:
        yield nobody


def filled(path: str) -> str:
    return path.replace("{day}", day(0)).replace("{id}", "f1rent")


def kept(home: Home) -> dict[str, dict[str, str]]:
    found = json.loads((home.data / "web.json").read_text())
    assert isinstance(found, dict)
    return found


def cookie_of(home: Home) -> str:
    return WebAccess(DataDir(home.data), system_clock).cookie_name(False)


class TestSigningIn:
    def test_the_printed_link_signs_in_once(self, home: Home) -> None:
        with served(home) as fresh, Browser(fresh.url) as one, Browser(fresh.url) as two:
            answer = one.signs_in(fresh.token)
            assert answer.status_code == 303 and one.get("/days").status_code == 200
            cookie = answer.headers["Set-Cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie
            assert "secure" not in cookie, "http://127.0.0.1 would lose it"
            late = two.signs_in(fresh.token)
            assert late.status_code == 403 and "has been used" in late.text
            assert two.get("/days").status_code == 303

    def test_neither_the_link_nor_the_session_stands_in_a_file(
        self, home: Home, browser: Browser
    ) -> None:
        token = home.sam("web", "--link").stdout.strip().rpartition("#")[2]
        secrets = [token.encode(), *(value.encode() for value in browser.cookies.values())]
        files = [each for each in home.data.rglob("*") if each.is_file()]
        assert home.data / "web.json" in files
        for file in files:
            assert not any(secret in file.read_bytes() for secret in secrets), file
        assert (home.data / "web.json").stat().st_mode & 0o077 == 0

    def test_without_a_session_nothing_is_shown_or_done(
        self, home: Home, stranger: Browser
    ) -> None:
        for path in PAGES:
            answer = stranger.get(filled(path))
            assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in"), path
        for path in ACTIONS:
            assert stranger.posts(filled(path), csrf="0" * 64).status_code == 401, path
        stranger.cookies.set(cookie_of(home), "x" * 43)
        assert stranger.get("/days").status_code == 303
        shown = stranger.get("/sign-in")
        assert shown.status_code == 200 and 'aria-label="Pages"' not in shown.text

    def test_links_and_sessions_expire(self, home: Home, console: Served) -> None:
        with console.browser() as browser, Browser(console.url) as late:
            token = home.sam("web", "--link").stdout.strip().rpartition("#")[2]
            past = {
                kind: dict.fromkeys(rows, "2026-01-01T00:00:00.000Z")
                for kind, rows in kept(home).items()
            }
            assert browser.get("/days").status_code == 200
            (home.data / "web.json").write_text(json.dumps(past))
            assert browser.get("/days").status_code == 303
            assert late.signs_in(token).status_code == 403
            home.sam("web", "--link")
            left = kept(home)
            assert len(left["links"]) == 1 and left["sessions"] == {}, "nothing old is kept"

    def test_signing_out_ends_the_session_and_not_the_cookie_alone(self, console: Served) -> None:
        with console.browser() as browser, console.browser() as other:
            cookie = browser.cookies[cookie_of(console.home)]
            assert browser.does("/days", "/sign-out").url.path == "/sign-in"
            browser.cookies.set(cookie_of(console.home), cookie)
            assert browser.get("/days").status_code == 303
            assert other.get("/days").status_code == 200
            other.does("/days", "/sign-out", all="1")
            assert other.get("/days").status_code == 303

    def test_two_consoles_on_one_machine_do_not_sign_each_other_out(
        self, console: Served, tmp_path: Path
    ) -> None:
        """Browsers send the cookies of 127.0.0.1 to each of its ports."""
        with served(invented(tmp_path)) as second, console.browser() as browser:
            first, browser.base_url = browser.base_url, httpx.URL(second.url)
            browser.url = second.url
            assert browser.get("/days").status_code == 303, "the other's session opens nothing"
            assert browser.signs_in(second.token).status_code == 303
            assert browser.get("/days").status_code == 200
            browser.base_url = first
            assert browser.get("/days").status_code == 200, "both are signed in"
            assert len(browser.cookies) == 2

    def test_every_browser_is_signed_out_from_the_terminal(
        self, home: Home, browser: Browser
    ) -> None:
        assert browser.get("/days").status_code == 200
        assert home.sam("web", "--sign-out").returncode == 0
        assert browser.get("/days").status_code == 303

    def test_links_that_do_not_sign_in_are_counted(self, home: Home) -> None:
        with served(home) as console, Browser(console.url) as stranger:
            answers = [stranger.signs_in(f"wrong{number}") for number in range(12)]
            assert [each.status_code for each in answers] == [403] * 10 + [429] * 2
            assert int(answers[-1].headers["Retry-After"]) > 500
            assert stranger.signs_in(console.token).status_code == 303, "and locks nobody out"

    def test_a_damaged_file_signs_everybody_out_and_no_one_in(
        self, home: Home, console: Served
    ) -> None:
        with console.browser() as browser:
            (home.data / "web.json").write_text("{")
            assert browser.get("/days").status_code == 303
        with console.browser() as again:
            assert again.get("/days").status_code == 200


class TestForms:
    def test_each_needs_its_token(self, browser: Browser, home: Home) -> None:
        before = {file: file.read_bytes() for file in home.vault.rglob("*.md")}
        with_other = CSRF.search(browser.get("/tasks").text)
        assert with_other
        for path in ACTIONS:
            for form in ({"a": "1"}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "é"}):
                assert browser.posts(filled(path), **form).status_code == 403, (path, form)
        assert {file: file.read_bytes() for file in home.vault.rglob("*.md")} == before
        assert browser.get("/days").status_code == 200, "nobody was signed out"

    def test_the_token_of_another_session_is_none(self, console: Served) -> None:
        with console.browser() as one, console.browser() as two:
            token = CSRF.search(one.get("/tasks").text)
            assert token
            form = {"csrf": token[1], "text": "milk"}
            assert two.posts("/tasks/add", **form).status_code == 403
            assert one.posts("/tasks/add", **form).status_code == 303

    def test_each_must_come_from_the_console_itself(self, browser: Browser) -> None:
        token = CSRF.search(browser.get("/tasks").text)
        assert token
        port = browser.base_url.port
        for path in ["/sign-in", *ACTIONS]:
            for origin in (
                *("https://evil.example", "null", f"http://evil.example:{port}"),
                f"https://127.0.0.1:{port}",  # the right host, over another scheme
            ):
                answer = browser.posts(filled(path), origin=origin, csrf=token[1])
                assert answer.status_code == 403, (path, origin)
            # another address of the same console is not the page of the form
            other = browser.posts(filled(path), origin=f"http://localhost:{port}", csrf=token[1])
            assert other.status_code == 403
            assert browser.post(filled(path), data={"csrf": token[1]}).status_code == 403, path
        assert browser.get("/days").status_code == 200

    def test_forms_are_small_and_nothing_else_is_taken(
        self, browser: Browser, stranger: Browser
    ) -> None:
        assert stranger.posts("/tasks/add", text="x" * 300_000).status_code == 413
        assert browser.posts("/tasks/add", text="x" * 21_000_000).status_code == 413
        json_ = browser.post("/tasks/add", json={"a": 1}, headers={"Origin": browser.url})
        assert json_.status_code == 415
        many = "&".join(f"a{n}=1" for n in range(100_001))
        assert (
            browser.post(
                "/tasks/add",
                content=many,
                headers={
                    "Origin": browser.url,
                    "Content-Type": "application/x-www-form-urlencoded",
                },
            ).status_code
            == 400
        )
        assert browser.delete("/tasks").status_code == 405
        assert browser.get("/tasks/add").status_code == 405


class TestHosts:
    @pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
    def test_another_name_for_this_machine_is_refused(self, browser: Browser, host: str) -> None:
        """DNS rebinding: a page of another host, whose name now resolves to this machine."""
        host = host.format(port=browser.base_url.port)
        answer = browser.get("/days", headers={"Host": host})
        assert answer.status_code in (400, 421) and "remembered" not in answer.text

    def test_localhost_is_served(self, browser: Browser) -> None:
        host = f"localhost:{browser.base_url.port}"
        assert browser.get("/days", headers={"Host": host}).status_code == 200

    def test_behind_a_proxy_with_https_the_cookie_is_secure(self, tmp_path: Path) -> None:
        home = Home(tmp_path, WEB_PORT="0", WEB_URL="https://Sam.example.org/")
        process = home.start("web")
        assert process.stdout is not None and process.stderr is not None
        try:
            said = "".join(process.stdout.readline() for _ in range(4))
            token = re.search(r"https://sam\.example\.org/sign-in#(\S+)", said)
            assert token and "Careful" not in said
            port = listening(process.pid)
            with Browser(f"http://127.0.0.1:{port}") as browser:
                at = {"Host": "sam.example.org", "Origin": "https://sam.example.org"}
                answer = browser.post("/sign-in", data={"code": token[1]}, headers=at)
                cookie = answer.headers["Set-Cookie"].lower()
                assert cookie.startswith("__host-sam-") and "; secure" in cookie
                assert not re.search("domain=", cookie) and "; path=/;" in f"{cookie};"
                sent = answer.headers["Set-Cookie"].partition(";")[0]
                with_cookie = {"Host": at["Host"], "Cookie": sent}
                assert browser.get("/days", headers=with_cookie).status_code == 200
        finally:
            process.terminate()
            process.communicate(timeout=60)

    def test_a_wrong_address_is_refused_at_the_start(self, tmp_path: Path) -> None:
        home = Home(tmp_path, WEB_PORT="0", WEB_URL="https://sam.example.org/console")
        refused = home.sam("web")
        assert refused.returncode == 2 and "without a path" in refused.stderr

    def test_who_opens_it_to_others_without_https_is_warned(self, tmp_path: Path) -> None:
        home = Home(tmp_path, WEB_PORT="0", WEB_HOST="0.0.0.0")
        with served(home) as console:
            assert "not encrypted" in console.said
            address = f"{console.url}/sign-in"
            shown = httpx.get(address, headers={"Host": "0.0.0.0"}, timeout=60)
            assert shown.status_code == 421


class TestPages:
    def test_each_answer_has_the_headers(self, browser: Browser, stranger: Browser) -> None:
        answers = [browser.get(filled(path)) for path in [*PAGES, "/nothing", "/static/sam.css"]]
        answers += [stranger.get("/days"), stranger.get("/sign-in")]
        answers += [browser.get("/days", headers={"Host": "evil.example"})]
        for answer in answers:
            for name, value in HEADERS.items():
                assert answer.headers.get(name) == value, (answer.url, name)
            assert "server" not in answer.headers
            stored = answer.headers["Cache-Control"]
            assert stored == ("no-cache" if "/static/" in str(answer.url) else "no-store")
        policy = HEADERS["Content-Security-Policy"]
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy

    def test_none_has_inline_code_or_asks_another_host(self, browser: Browser) -> None:
        for path in PAGES:
            html = browser.get(filled(path), params={"q": "Ana", "about": "Ana"}).text
            tags = re.findall(r"<[a-z][^>]*>", html)
            assert not [t for t in tags if re.search(r"\s(?:style|on\w+)\s*=", t)], path
            assert "<style" not in html and not re.search(r"<script(?! src=\"/static/)", html)
            assert not re.search(r'(?:src|action|<link[^>]*href)="(?!/)', html), path

    def test_sealed_notes_are_on_no_page(self, browser: Browser) -> None:
        paths = [filled(path) for path in PAGES]
        paths += ["/facts/zvows1", "/facts/zclos1", "/graph?about=Diary"]
        for name in ("sealed/diary.md", "closed.md", "knowledge/vows.md"):
            paths += [f"/note?path={name}", f"/why?path={name}&from=1&to=9&words=fact"]
        for word in SEALED:
            for place in ("/search?q=", "/search?typing=1&q=", "/facts?q=", "/why?words="):
                paths.append(f"{place}{word}&nearest=1")
            paths.append(f"/forget?words={word}")
        for path in paths:
            html = browser.get(path).text
            asked = next((word for word in SEALED if word in path), "")
            shown = html.replace(asked, "", html.count(f"“{asked}”") + 99) if asked else html
            assert not any(word in shown for word in SEALED), path
            assert "privacy: sealed" not in html and "Diary" not in html.replace("about=Diary", "")

    def test_no_file_beside_the_vault_is_read(self, browser: Browser, home: Home) -> None:
        (home.vault.parent / "outside.md").write_text("the outsideword")
        for path in (
            "../outside.md",
            "/etc/passwd",
            "..%2Foutside.md",
            str(home.data / "web.json"),
        ):
            answer = browser.get("/note", params={"path": path})
            assert answer.status_code == 409 and "outsideword" not in answer.text
        for path in ("/static/../server.py", "/static/%2e%2e/server.py"):
            assert browser.get(path).status_code in (303, 404)

    def test_what_others_wrote_is_shown_and_does_nothing(
        self, browser: Browser, home: Home
    ) -> None:
        evil = (
            "<script>alert(1)</script> <img src=x onerror=alert(2)>\n\n"
            "![p](https://evil.example/p.png) [a](javascript:alert(3)) [b](data:text/html,x)\n\n"
            "[c](https://evil.example/?q=1) <style>*{}</style> [[x|<b>bold</b>]]\n"
        )
        home.write("clipped.md", evil)
        home.write("tasks.md", "# Tasks\n\n- [ ] <img src=x onerror=alert(4)> 🆔 tevil1\n")
        html = browser.get("/note?path=clipped.md").text + browser.get("/tasks").text
        html += browser.get("/search", params={"q": "<script>alert(5)</script>"}).text
        assert "&lt;script&gt;alert(1)" in html and "<script>alert" not in html
        tags = re.findall(r"<[a-z][^>]*>", html)
        assert not [t for t in tags if "onerror" in t or "javascript:" in t or "data:" in t]
        assert not [t for t in tags if t.startswith("<img") and "/static/" not in t]
        assert ">c</a> (evil.example)" in html and ">p</a> (evil.example)" in html
        links = [t for t in tags if "evil.example" in t]
        assert links and all('rel="noreferrer noopener nofollow"' in t for t in links)


def listening(pid: int) -> int:
    """Return the port on which a process listens, from /proc."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            if match := re.match(r"socket:\[(\d+)\]", str(link.readlink())):
                inodes.add(match[1])
    for row in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        parts = row.split()
        if parts[3] == "0A" and parts[9] in inodes:
            return int(parts[1].partition(":")[2], 16)
    raise AssertionError("it does not listen")

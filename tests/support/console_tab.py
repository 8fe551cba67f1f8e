"""A person in the console: a browser tab that clicks what is visible, and a record of the forms
that were sent."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.chromium import Page, chromium
from tests.support.console_forms import pattern
from tests.support.web import PAGES, Served

NOTICE = "return document.querySelector('.notice')?.innerText || ''"
PHONE = (390, 844)
BEHIND_BUTTONS = ("/health/doctor", "/forget, done")
"""What `each_page` yields of the pages without an address of their own."""
UNANSWERED = (
    "/search?q=Which+is+the+largest+planet+of+the+solar+system%3F",
    "/search?q=Who+painted+the+flat+smile+of+the+Mona+Lisa%3F",
    "/search?q=Which+birthday+did+Napoleon+celebrate+on+Elba%3F",
)
"""With vectors, some of these offer the closest matches instead of hits."""
_RECORD = """
const add = row => sessionStorage.sent = JSON.stringify(
  [...JSON.parse(sessionStorage.sent || '[]'), row]);
const differs = e => e.type === 'checkbox' ? e.checked !== e.defaultChecked
  : e.matches('select') ? e.selectedIndex !== Math.max(0, [...e.options].findIndex(o => o.defaultSelected))
  : e.matches('input, textarea') && e.value !== e.defaultValue;
addEventListener('submit', event => {
  const form = event.target;
  const used = [...form.elements].filter(e => e.name && (e === event.submitter || differs(e)));
  add([`${form.method.toUpperCase()} ${new URL(form.action).pathname}`, used.map(e => e.name)]);
}, true);
"""  # noqa: E501 - JavaScript
_TAKE = (
    "try { const it = sessionStorage.sent || '[]'; delete sessionStorage.sent; return it }"
    " catch { return '[]' }"
)


@contextmanager
def tab() -> Iterator[Page]:
    """Open a tab of a phone's size, which records the forms that are sent."""
    with chromium() as page:
        page.on_each_page(_RECORD)
        page.sized(*PHONE)
        yield page


@contextmanager
def signed_in(console: Served) -> Iterator[Page]:
    """Open a tab with the link that the console printed."""
    with tab() as page:
        page.opens(f"{console.url}/sign-in#{console.token}")
        comes(lambda: page.url == f"{console.url}/days", "the days behind the link")
        yield page


def drives(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare the forms, and their fields, that a test fills in and sends, like `POST /tasks/add
    text`. The test fails if the browser's record does not have them."""

    def declared(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def checked(**given: Any) -> None:
            values = [each for value in given.values() for each in _flat(value)]
            page = next(each for each in values if isinstance(each, Page))
            page.runs(_TAKE)
            test(**given)
            record = json.loads(page.runs(_TAKE))
            left = [name for name in names if not _was_sent(name, record)]
            assert not left, f"not sent: {left}; sent: {record}"

        return checked

    return declared


def _flat(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _was_sent(name: str, record: list[tuple[str, list[str]]]) -> bool:
    method, path, *fields = name.split()
    wanted = pattern(f"{method} {path}")
    return any(wanted.fullmatch(sent) and set(fields) <= set(used) for sent, used in record)


def comes(true: Callable[[], object], what: str) -> None:
    """Wait until it is true; fail after 60 seconds.

    An error of the page is no answer: a page that is just being loaded lacks what is asked for.
    """
    end, wrong = time.monotonic() + 60, ""
    while True:
        try:
            if true():
                return
        except AssertionError as error:
            wrong = f" ({error})"
        assert time.monotonic() < end, f"never came: {what}{wrong}"
        time.sleep(0.05)


def presses(page: Page, selector: str, text: str = "", within: str = "") -> None:
    """Click the first element whose text has `text`, below the first one that has `within`."""
    page.runs(
        "const [css, text, within] = arguments;"
        "const has = (e, t) => e.textContent.includes(t) || e.ariaLabel === t;"
        "const all = [...document.querySelectorAll('li')];"
        "const below = within ? all.filter(e => has(e, within)).at(-1) : document;"
        "const all_ = [...below.querySelectorAll(css)];"
        "document.querySelectorAll('#here').forEach(e => e.removeAttribute('id'));"
        "document.querySelector('.notice')?.remove();"
        "const it = all_.find(e => has(e, text)); it.closest('details')?.setAttribute('open', '');"
        "it.id = 'here'; it.scrollIntoView({block: 'center'})",
        selector,
        text,
        within,
    )
    page.clicks("#here")


def text_of(page: Page) -> str:
    """Return the visible text of the page's main part."""
    return str(page.runs("return document.getElementById('main').innerText"))


def each_page(page: Page, console: Served) -> Iterator[str]:
    """Open every page of the console in turn, also those behind a button; yield each one's path.
    The last one forgets something."""
    for path in (*PAGES, *UNANSWERED, "/why?words=tomatoes", "/nothing"):
        page.opens(f"{console.url}{path}")
        yield path
    page.opens(f"{console.url}/health")
    presses(page, "form[action='/health/doctor'] button")
    comes(lambda: "All checks" in text_of(page), "the checks")
    yield BEHIND_BUTTONS[0]
    page.opens(f"{console.url}/forget?words=tomatoes")
    page.clicks("#sure")
    presses(page, "button.danger")
    comes(lambda: "Forgotten" in text_of(page), "the receipt")
    yield BEHIND_BUTTONS[1]

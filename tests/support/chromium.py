"""Headless Chromium, driven through chromedriver by the W3C WebDriver protocol."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

PROGRAMS = ("chromium", "chromedriver")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1"),
)
_LONGEST = 10.0  # seconds until a page counts as loaded; to a fragment, none is
_SKEW = 20.0  # milliseconds between the browser's clock and the system's
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id in the WebDriver protocol."""


class Page:
    """One browser tab."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._session = client, f"/session/{session}"

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = self._client.request(method, f"{self._session}{path}", json=body)
        value = answer.json()["value"]
        assert answer.status_code == 200, value
        return value

    def opens(self, url: str) -> None:
        """Navigate to the URL, and wait until it is loaded."""
        begun = time.time() * 1000
        self._ask("POST", "/url", {"url": url})
        # While the page before it is still loading, chromedriver answers when that one is there.
        end = time.monotonic() + _LONGEST
        while not self._is_new(begun) and time.monotonic() < end:
            time.sleep(0.02)

    def _is_new(self, begun: float) -> bool:
        """Return whether the tab shows a page, completely loaded, that was asked for since then."""
        with suppress(AssertionError):  # between two pages there is none
            asked, state = self.runs("return [performance.timeOrigin, document.readyState]")
            return state == "complete" and asked >= begun - _SKEW
        return False

    @property
    def url(self) -> str:
        """Return the tab's URL."""
        return str(self._ask("GET", "/url"))

    def runs(self, script: str, *given: object) -> Any:
        """Run JavaScript in the page and return its result; a promise is awaited."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(given)})

    def types(self, selector: str, text: str) -> None:
        """Type into the first matching element, key by key."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{found[_ELEMENT]}/value", {"text": text})

    def strikes(self, key: str) -> None:
        """Press one key where the focus is, as a keyboard does."""
        self._cdp("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
        self._cdp("Input.dispatchKeyEvent", type="keyUp", key=key)

    def clicks(self, selector: str) -> None:
        """Click the first matching element as a pointer does: fails if it is covered."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{found[_ELEMENT]}/click", {})

    def on_each_page(self, script: str) -> None:
        """Run JavaScript in each page before its own, from now on."""
        self._cdp("Page.addScriptToEvaluateOnNewDocument", source=script)

    def sized(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the viewport in CSS pixels, and the light or dark colour scheme."""
        self._cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)  # fmt: skip
        colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._cdp("Emulation.setEmulatedMedia", features=[colours])

    def shot(self) -> bytes:
        """Return a screenshot as PNG."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def _cdp(self, command: str, **given: object) -> Any:
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": given})

    def said(self) -> list[str]:
        """Return the browser's error messages since the last call."""
        rows = self._ask("POST", "/se/log", {"type": "browser"})
        return [row["message"] for row in rows]


@contextmanager
def chromium() -> Iterator[Page]:
    """Run Chromium with a new profile until the end of the block."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as driver,
    ):
        assert driver.stdout is not None
        try:
            port = next(
                m[1]
                for row in driver.stdout
                if (m := re.search(r"successfully on port (\d+)", row))
            )
            wanted = {
                "browserName": "chrome",
                "goog:chromeOptions": {
                    "binary": shutil.which("chromium"),
                    "args": [*FLAGS, f"--user-data-dir={Path(profile)}"],
                },
                "goog:loggingPrefs": {"browser": "ALL"},
            }
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                made = client.post("/session", json={"capabilities": {"alwaysMatch": wanted}})
                assert made.status_code == 200, made.text
                session = made.json()["value"]["sessionId"]
                yield Page(client, session)
                client.delete(f"/session/{session}")
        finally:
            driver.terminate()

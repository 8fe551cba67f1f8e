"""/metrics, /healthz and /readyz of a running Sam: numbers of what it did, and nothing personal."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.fakes.telegram import ANA
from tests.support.homes import ROOT, Home
from tests.support.postgres import Cluster
from tests.support.process import free_port, wait_until
from tests.support.world import World


@pytest.fixture(name="free_port")
def _free_port() -> int:
    return free_port()


def start(world: World) -> None:
    world.sam.start()

    def answers() -> bool:
        try:
            return get(world, "readyz").status_code == 200
        except httpx.ConnectError:
            return False

    wait_until(answers, "it is ready")


def samples(world: World) -> dict[tuple[str, str], float]:
    """What /metrics shows: (name, labels as text) → value."""
    answer = httpx.get(f"{address(world)}/metrics", timeout=60)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    return {
        (each.name, ",".join(f"{k}={v}" for k, v in sorted(each.labels.items()))): each.value
        for family in text_string_to_metric_families(answer.text)
        for each in family.samples
    }


def jobs_done(shown: dict[tuple[str, str], float]) -> bool:
    return any(name == "sam_job_runs_total" and "outcome=done" in labels for name, labels in shown)


def address(world: World) -> str:
    return f"http://{world.sam.env['METRICS_ADDRESS']}"


def get(world: World, path: str) -> httpx.Response:
    return httpx.get(f"{address(world)}/{path}", timeout=60)


def test_a_monitor_sees_what_sam_does_and_nothing_of_whom(tmp_path: Path, free_port: int) -> None:
    with World.running(tmp_path, METRICS_ADDRESS=f"127.0.0.1:{free_port}") as world:
        start(world)
        before = samples(world)
        assert before["sam_updates_received_total", ""] == 0
        assert before["sam_database_up", ""] == 1
        world.asks("my boat is called Zephyrine", "two", "what is my boat called?")
        wait_until(lambda: samples(world)["sam_updates_waiting", ""] == 0, "all is handled")
        wait_until(lambda: jobs_done(samples(world)), "the end of a job")
        now = samples(world)
        assert now["sam_updates_received_total", ""] == 3
        assert now["sam_replies_total", ""] == 3
        assert now["sam_oldest_waiting_seconds", ""] == 0
        calls = {
            labels: value
            for (name, labels), value in now.items()
            if name == "sam_model_calls_total"
        }
        assert sum(value for labels, value in calls.items() if "purpose=turn" in labels) == 3, calls
        spent = sum(value for (name, _), value in now.items() if name == "sam_model_usd_total")
        assert spent > 0
        assert (
            now["sam_recall_seconds_count", ""] == 3 == now["sam_recall_seconds_bucket", "le=+Inf"]
        )
        assert now["sam_recall_seconds_sum", ""] > 0
        assert jobs_done(now)
        text = get(world, "metrics").text
        for personal in ("Zephyrine", "boat", "owner", str(world.data)):
            assert personal not in text, personal
        # As a number of its own: the digits of a duration may contain those of an id.
        assert not re.search(rf"(?<![\d.]){ANA.id}(?!\d)", text), text
        assert get(world, "healthz").text == "ok\n"
        assert get(world, "readyz").json() == {"ready": True, "lacking": []}
        assert get(world, "elsewhere").status_code == 404
        assert world.sam.stop(60) == 0
        with pytest.raises(httpx.ConnectError):
            get(world, "healthz")


def test_what_waits_is_counted_and_has_an_age(tmp_path: Path, free_port: int) -> None:
    with World.running(tmp_path, METRICS_ADDRESS=f"127.0.0.1:{free_port}") as world:
        start(world)
        world.claude.chunk_delay = 5
        world.sends("one that takes long")
        wait_until(lambda: samples(world)["sam_updates_waiting", ""] == 1, "it waits")
        first = samples(world)["sam_oldest_waiting_seconds", ""]
        time.sleep(1.5)
        assert samples(world)["sam_oldest_waiting_seconds", ""] >= first + 1


def test_a_load_balancer_sees_that_the_database_is_away(
    tmp_path: Path, postgres: Cluster, free_port: int
) -> None:
    url = postgres.new_database()
    given = {"DATABASE_URL": url, "METRICS_ADDRESS": f"127.0.0.1:{free_port}"}
    with World.running(tmp_path, **given) as world:
        start(world)
        world.asks("hello")
        assert get(world, "readyz").status_code == 200
        try:
            postgres.stop()
            answer = get(world, "readyz")
            assert answer.status_code == 503 and answer.json()["lacking"] == ["database"]
            assert samples(world)["sam_database_up", ""] == 0
            assert get(world, "healthz").status_code == 200, "a restart would not help"
        finally:
            postgres.start()
        wait_until(lambda: get(world, "readyz").status_code == 200, "it is ready again")


def test_nothing_listens_and_nothing_is_imported_by_default() -> None:
    script = (
        "import sys, bot.app, bot.telegram.bot, bot.app.runtime, bot.claude.budget\n"
        "from bot.settings import Settings\n"
        "assert Settings(_env_file=None).metrics_address == ''\n"
        "print([name for name in sys.modules if name.startswith('prometheus')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_an_address_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for wrong in ("9464", "localhost", "localhost:x"):
        refused = home.sam("doctor", "--json", env={"METRICS_ADDRESS": wrong})
        assert "METRICS_ADDRESS: use HOST:PORT" in refused.stdout + refused.stderr

"""A Mini App's init data: the signature, the age, the user."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.web.mini_app import AHEAD, LIFE, NotTelegrams, opened
from tests.support.mini_app import init_data

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
# The example from aiogram's own tests.
PUBLISHED_TOKEN = "42:TEST"
PUBLISHED = (
    "auth_date=1650385342"
    "&user=%7B%22id%22%3A42%2C%22first_name%22%3A%22Test%22%7D"
    "&query_id=test"
    "&hash=46d2ea5e32911ec8d30999b56247654460c0d20949b6277af519e76271182803"
)


def test_who_opened_it_is_known_and_each_proof_is_another() -> None:
    one = opened(init_data(1001, TOKEN, NOW), TOKEN, NOW)
    two = opened(init_data(1001, TOKEN, NOW - timedelta(seconds=1)), TOKEN, NOW)
    assert (one.user_id, two.user_id) == (1001, 1001) and one.proof != two.proof


def test_an_example_that_another_library_accepts_is_accepted() -> None:
    at = datetime.fromtimestamp(1650385342, UTC)
    assert opened(PUBLISHED, PUBLISHED_TOKEN, at).user_id == 42


@pytest.mark.parametrize("age", [LIFE + timedelta(seconds=1), -AHEAD - timedelta(seconds=1)])
def test_what_is_old_or_of_the_future_is_refused(age: timedelta) -> None:
    with pytest.raises(NotTelegrams):
        opened(init_data(1001, TOKEN, NOW - age), TOKEN, NOW)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace("1001", "1002"),
        lambda data: data.replace("auth_date=", "auth_date=1"),
        lambda data: f"{data}&chat_type=private",
        lambda data: f"user=%7B%22id%22%3A1002%7D&{data}",
        lambda data: data[:-1] + ("0" if data[-1] != "0" else "1"),
        lambda data: data.partition("&hash=")[0],
        lambda data: data.partition("&hash=")[0] + "&hash=",
        lambda data: "",
        lambda data: "no query",
        lambda data: "hash=%ff&a=b",
    ],
)
def test_what_telegram_did_not_write_is_refused(change: object) -> None:
    assert callable(change)
    with pytest.raises(NotTelegrams):
        opened(change(init_data(1001, TOKEN, NOW)), TOKEN, NOW)


def test_another_bots_data_is_refused() -> None:
    with pytest.raises(NotTelegrams):
        opened(init_data(1001, "123:another", NOW), TOKEN, NOW)


@pytest.mark.parametrize("user", ['{"id":"1001"}', "{}", "[]", "7", "no JSON", '{"id":true}'])
def test_a_user_that_is_none_is_refused(user: str) -> None:
    with pytest.raises(NotTelegrams):
        opened(init_data(1001, TOKEN, NOW, user=user), TOKEN, NOW)

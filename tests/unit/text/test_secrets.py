"""Secrets that people state, in twenty languages, are masked; ordinary lines are not."""

from __future__ import annotations

import time
import unicodedata

import pytest

from memory.text.secrets import CARD, KEY, PASSWORD, mask
from tests.support.secret_samples import Sample, developed_on, held_out, ordinary, samples

EVERY = samples()
UNITS = (
    *("password ", "password is ", "password: ", "pw: a ", "pin 12 ", "token: ", "wifi key "),
    *("密码", "密码是", "비번 ", "wlan1-", "a=b ", "api_key=", "sk-sk-", "eyJaaaaaaaaa.", "AAAA/"),
    *("-----BEGIN A", "-----BEGIN PRIVATE KEY-----", "PRIVATE KEY", "://a:", "Bearer ", "mysql -"),
    *(
        "login a / b",
        "abandon ",
        "1. word ",
        "4111 ",
        "'",
        '"',
        "codes:\n1234\n",
        " ",
        "\n",
        "a",
        "1",
    ),
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("card 4111\u00a01111\u00a01111\u00a01111", f"card {CARD}"),
        ("card 4111\u20111111\u20111111\u20111111", f"card {CARD}"),
        ("my password is\u00a0hunter22", f"my password is {PASSWORD}"),
        (unicodedata.normalize("NFD", "contraseña: Gatito20"), f"contraseña: {PASSWORD}"),
        ("password:\r\nsunshine\r\nbye", f"password:\n{PASSWORD}\nbye"),
        ("PIN is:\r\n4821", f"PIN is:\n{PASSWORD}"),
        ("the password is x7(Kq)2pL9v", f"the password is {PASSWORD}"),
        ("my password is Kq7[x2pL9v", f"my password is {PASSWORD}"),
        ("- password:: hunter22", f"- password:: {PASSWORD}"),
        ("| password | hunter22 |", f"| password | {PASSWORD} |"),
    ],
)
def test_how_a_secret_is_written_does_not_matter(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "password = base64.b64decode(x1)",
        "password: sha256(salt1)",
        "echo $password | sha256sum",
        "no\u00a0secret\r\n",
        unicodedata.normalize("NFD", "café"),
    ],
)
def test_a_text_without_secrets_keeps_its_bytes(text: str) -> None:
    assert mask(text) == text


def test_there_are_150_samples_and_200_ordinary_lines() -> None:
    assert len(EVERY) == 150 and len(held_out(EVERY)) == 50
    assert all(each.secrets for each in EVERY)
    assert len(ordinary()) > 200


@pytest.mark.parametrize("sample", developed_on(EVERY), ids=lambda each: repr(each.text[:40]))
def test_what_the_rules_were_made_with_is_masked(sample: Sample) -> None:
    masked = mask(sample.text)
    assert not sample.shown_in(masked), masked
    assert masked.count("\n") == sample.text.count("\n")
    assert mask(masked) == masked


def test_nine_of_ten_are_masked_of_those_that_no_rule_was_made_with() -> None:
    missed = [each.text for each in held_out(EVERY) if each.shown_in(mask(each.text))]
    assert len(missed) <= 5, missed


@pytest.mark.parametrize("line", ordinary())
def test_an_ordinary_line_stays_as_it_is(line: str) -> None:
    assert mask(line) == line


def test_a_phrase_of_common_words_is_no_seed_phrase() -> None:
    words = "ribbon velvet canyon maple orbit puzzle tornado lemon jacket window cactus river"
    assert mask(f"seed phrase: {words}") == f"seed phrase: {KEY}"
    assert mask(words) == KEY
    assert mask(words + " and then the rest of it") != KEY
    eleven = words.rpartition(" ")[0]
    assert mask(eleven) == eleven, "no phrase has eleven words"
    prose = words.replace("orbit", "the")
    assert mask(prose) == prose


def test_each_code_of_a_list_is_masked() -> None:
    text = "backup codes:\n8f3k-22lp\n9dk2-77qa\nkeep them"
    assert mask(text) == f"backup codes:\n{PASSWORD}\n{PASSWORD}\nkeep them"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Bearer Zq3vB8nTw2Lx9RkP7Ymc4D", f"Bearer {KEY}"),
        ("Basic dXNlcjpwYXNzd29yZDEy", f"Basic {KEY}"),
        ("token=ab#cd!ef$gh", f"token={KEY}"),
        ("password: 2468", f"password: {PASSWORD}"),
        ("password: Tr0ub4dor&3 ok", f"password: {KEY} ok"),
        ("see https://x.y/?a=1&api_key=Ab12cd34&b", f"see https://x.y/?a=1&api_key={KEY}&b"),
        ("my password is sUnshine, you know", f"my password is {PASSWORD}, you know"),
    ],
)
def test_the_shortest_value_that_is_a_secret_by_what_precedes_it(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "value", ["abcdefghijklmnopqrstuvwXYZ", "deadbeefdeadbeefdeadbeef12345678"]
)
def test_a_value_with_few_kinds_of_characters_is_no_key(value: str) -> None:
    assert mask(f"x={value}") == f"x={value}"


@pytest.mark.parametrize("unit", UNITS)
def test_masking_takes_linear_time(unit: str) -> None:
    """Four times the text takes at most eight times as long; quadratic would be sixteen."""

    def spent(length: int) -> float:
        times = []
        for _ in range(3):
            text = (unit * (length // len(unit) + 1))[:length]
            began = time.thread_time()
            mask.__wrapped__(text)
            times.append(time.thread_time() - began)
        return min(times)

    assert spent(32_000) < 8 * spent(8_000) + 0.05

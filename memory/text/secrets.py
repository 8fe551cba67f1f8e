"""Mask keys, card numbers and passwords in a text. Pure.

The log keeps messages as they were. Masked are the texts that are summarised, embedded, indexed, or
written into a transcript. Keys are found by the detectors of
Yelp's detect-secrets, and by the prefixes that it does not know; cards by their checksum; passwords
by how people announce them.
"""

from __future__ import annotations

import functools
import re
from typing import Any

MASK = "1"
"""The version of these rules, part of the index's identity: raise it when it changes texts."""

KEY, CARD, PASSWORD = "(a key, masked)", "(a card number, masked)", "(a password, masked)"

DETECTORS = (
    "aws.AWSKeyDetector",
    "azure_storage_key.AzureStorageKeyDetector",
    "discord.DiscordBotTokenDetector",
    "github_token.GitHubTokenDetector",
    "gitlab_token.GitLabTokenDetector",
    "mailchimp.MailchimpDetector",
    "npm.NpmDetector",
    "openai.OpenAIDetector",
    "pypi_token.PypiTokenDetector",
    "sendgrid.SendGridDetector",
    "slack.SlackDetector",
    "square_oauth.SquareOAuthDetector",
    "stripe.StripeDetector",
    "telegram_token.TelegramBotTokenDetector",
    "twilio.TwilioKeyDetector",
)
"""The detectors of detect-secrets that match a fixed format. Not those that guess by entropy or
context, which mistake prose for keys; nor addresses, which are no secrets."""

LEAST_KEY = 16  # characters: no key is shorter
# … or without a digit; a login in an address may be.
_LONG = re.compile(r"(?<!\S)(?=[^\s\d@]*[\d@])\S{16}|PRIVATE KEY")

_PREFIXED = re.compile(
    r"\b(?:sk-ant|sk-proj|sk-or|sk|rk|pk|pa|hf|gsk|xai|github_pat|AIza|AGE-SECRET-KEY)[-_]?"
    r"(?=[\w-]*\d)[A-Za-z0-9_-]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?"  # a JSON web token, to its end
)
_BLOCK = re.compile(
    r"-----BEGIN (?P<what>[A-Z0-9 ]*PRIVATE KEY[A-Z ]*)-----.*?(?:-----END (?P=what)-----|\Z)", re.S
)
_LOGIN = re.compile(r"(?<=://)[^\s/:@?#]+:[^\s/@?#]+(?=@)")
_DIGITS = re.compile(r"(?<![\w.+-])[2-6](?:[ -]?\d){13,18}(?![\w-]|\.\d)")
# Visa; Mastercard; American Express; Diners; JCB; Discover, Maestro and UnionPay
_CARD = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18}"
)

# How a password is announced, in some languages: the word, then what says "is".
_WORD = (
    r"password|passwort|passphrase|passcode|passord|pwd|kennwort|wachtwoord|lösenord|adgangskode"
    r"|mot de passe|contraseña|clave|senha|palavra-passe|parola|has[łl]o|heslo|jelszó|şifre"
    r"|пароль|κωδικός|pin(?:[- ](?:code|number|nummer))?|cvv|cvc"
)
_IS = r"(?<!\w)(?:is|ist|lautet|est|es|é|è|jest|je|är|er)(?!\w)|[:=：→]|->"
_ANNOUNCED = re.compile(
    rf"(?<!\w)(?:{_WORD})(?!\w)[^\n.!?:=]{{0,40}}?(?P<is>{_IS})(?!//)[ \t]*"
    r"(?P<quote>[\"'`“„«]?)(?P<value>[^\s\"'`”“»]{3,64})(?P<last>[\"'`”“»]?\s*(?:\n|$))?",
    re.I,
)
_ANNOUNCED_CJK = re.compile(
    r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호)\s*(?:是|为|為|は|는|은|:|：|=)\s*"
    r"(?P<value>[!-~]{4,64})"
)
_HINTS = (
    *("passw", "passp", "passc", "passo", "pwd", "kennw", "wachtw", "lösen", "adgang", "de passe"),
    *(
        "contras",
        "clave",
        "senha",
        "palavra",
        "parola",
        "hasło",
        "haslo",
        "heslo",
        "jelsz",
        "şifre",
    ),
    *(
        "парол",
        "κωδικ",
        "pin",
        "cvv",
        "cvc",
        "密码",
        "密碼",
        "口令",
        "パスワ",
        "暗証",
        "비밀",
        "암호",
    ),
)
"""Each text that announces a password has one of them; a cheap first check."""
_TAIL = ".,;:!?)]}”»\"'"


@functools.lru_cache(256)  # a message is masked again as a neighbour of others
def mask(text: str) -> str:
    """Mask what looks like a secret; most texts are returned unchanged, and fast."""
    if any(len(word) >= LEAST_KEY for word in text.split()) and _LONG.search(text):
        text = _keys(text)
    text = _DIGITS.sub(_card, text)
    low = text.lower()
    if any(hint in low for hint in _HINTS):
        text = _ANNOUNCED_CJK.sub(_hidden, _ANNOUNCED.sub(_password, text))
    return text


def _keys(text: str) -> str:
    text = _LOGIN.sub(KEY, _PREFIXED.sub(KEY, _BLOCK.sub(_lines, text)))
    for pattern in _known_forms():
        text = pattern.sub(KEY, text)
    return text


@functools.cache
def _known_forms() -> tuple[re.Pattern[str], ...]:
    """Return detect-secrets' key formats; imported at the first long word."""
    from importlib import import_module

    found: list[re.Pattern[str]] = []
    for path in DETECTORS:
        module, _, name = path.partition(".")
        detector: Any = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        found += detector.denylist
    return tuple(found)


def _lines(found: re.Match[str]) -> str:
    """Keep the number of lines: passages refer to them."""
    return KEY + "\n" * found[0].count("\n")


def _card(found: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", found[0])
    # Luhn, ISO/IEC 7812-1 annex B: every second digit from the right is doubled
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    plain = sum(map(int, digits[-1::-2]))
    return CARD if _CARD.fullmatch(digits) and (doubled + plain) % 10 == 0 else found[0]


def _password(found: re.Match[str]) -> str:
    value = found["value"].rstrip(_TAIL)
    if len(value) < 3 or not _looks_secret(value, found):
        return found[0]
    at = found.start("value") - found.start()
    return found[0][:at] + PASSWORD + found[0][at + len(value) :]


def _looks_secret(value: str, found: re.Match[str]) -> bool:
    """Return whether it is not just a word of a sentence: "my password is too long", "password: ask
    Bob"."""
    if found["quote"] or any(char.isdigit() for char in value):
        return True
    if value.startswith(("(", "http")):
        return False
    if not value.isalpha():
        return bool(re.search(r"[^\w'’-]", value))
    if not value[1:].islower() and not value.isupper():
        return len(value) > 5
    # a plain word counts only at the end of its line: "password: sunshine"
    return found["is"] in ":=：" and found["last"] is not None and len(value) > 3


def _hidden(found: re.Match[str]) -> str:
    return found[0][: found.start("value") - found.start()] + PASSWORD

"""Find API keys by their format, by the name before them, or by their context.

The formats are those that the services publish: a prefix, an alphabet, and a length.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from .labels import KEY

LEAST_KEY = 16  # characters: no key is shorter
# Nor is one without a digit. A login in an address may be, and what follows a name or an option.
_LONG = re.compile(r"(?<!\S)(?=[^\s\d@]{0,400}[\d@])\S{16}")
_MARKS = ("PRIVATE KEY", "://", "earer ", "asic ", "-p", "=", '":')

_FORM = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    # Anthropic, OpenAI, OpenRouter, Stripe, Voyage, Hugging Face, Groq, xAI, age, and others
    r"(?:sk-ant|sk-proj|sk-or|sk|rk|pk|pa|hf|gsk|xai|pplx|r8|lin|re)[-_](?=[\w-]{0,80}\d)[\w-]{20,}"
    r"|AIza[\w-]{30,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"
    r"|(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{20,}"
    r"|(?:glpat|gldt|glft|glsoat|glrt|glcbt|glimt|glptt|glagent|gloas)-[\w-]{20,}|GR1348941[\w-]{20,}"
    r"|xox[abeoprs](?:\.xox[abeoprs])?-(?=[\w-]{0,80}\d)[\w-]{10,}|xapp-\d-[\w-]{20,}"  # Slack
    r"|npm_[A-Za-z0-9]{30,}|pypi-AgE[\w-]{50,}|dckr_(?:pat|oat)_[\w-]{20,}"
    r"|whsec_[A-Za-z0-9+/=]{20,}|sq0(?:csp|atp)-[\w-]{20,}|EAAA[\w-]{60}"  # Stripe, Square
    r"|hv[sbr]\.[\w-]{20,}|[a-zA-Z0-9]{14}\.atlasv1\.[\w-]{60,}"  # HashiCorp
    r"|shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}|do[por]_v1_[a-f0-9]{60,}"
    r"|SG\.[\w-]{16,32}\.[\w-]{30,}|key-[0-9a-f]{32}|[0-9a-z]{32}-us\d{1,2}"  # mail senders
    r"|(?:AC|SK)[a-f0-9]{32}(?![a-z0-9])"  # Twilio
    r"|ATATT3[\w=-]{50,}|lin_api_\w{30,}|ntn_\w{30,}|secret_[A-Za-z0-9]{40,}|PMAK-[\w-]{30,}"
    r"|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"  # Discord
    r"|\d{8,10}:[\w-]{32,50}(?![\w-])"  # a bot of Telegram
    r"|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"  # a JSON web token, to its end
    r"|dp\.(?:pt|st|ct|sa)\.[\w.-]{30,}|sntry[su]_[\w+/=-]{30,}|figd_[\w-]{30,}"
    r"|tskey-[a-z]{2,12}-[\w-]{20,}|pscale_(?:pw|tkn)_[\w.-]{30,}|rubygems_[a-f0-9]{40,}"
    r")"
    r"|AccountKey=[A-Za-z0-9+/=]{60,}"  # Azure
    r"|https://hooks\.slack\.com/services/[\w/]{20,}"
)
_BLOCK = re.compile(
    r"-----BEGIN (?P<what>[A-Z0-9 ]{0,30}PRIVATE KEY[A-Z ]{0,10})-----"
    r".*?(?:-----END (?P=what)-----|\Z)",
    re.S,
)
_LOGIN = re.compile(r"(?<=://)[^\s/:@?#]{0,200}:[^\s/@?#]{1,200}(?=@)")
_HEADER = re.compile(
    r"\b(?:(?P<named>Authorization\"?'?\s{0,3}[:=]\s{0,3}[\"']?(?:Bearer|Basic|Token|ApiKey))"
    r"|Bearer|Basic)\s{1,3}(?P<value>[\w.~+/=-]{8,2000})",
    re.I,
)
_OPTION = re.compile(
    r"\b(?:(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,80}?\s-p|sshpass\s{1,3}-p\s{0,3})'?"
    r"(?P<value>[^\s']{4,80})"
)
_NAMED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{0,60})"
    r"(?P<sign>[\"']?\s{0,3}(?:(?P<colon>:(?!\s{0,3}[\"'`]?(?:http|//)))|[=:])\s{0,3}[\"'`]?)"
    r"(?P<value>(?:[^\s\"'`,;<>&]|(?(colon)&|(?!))){6,400})"  # in an address, & ends a value
)
_SECRET_NAME = re.compile(
    r"pass(?:w|phrase|code|$)|pwd|secret|token|api[_.-]?key|apikey|credential|private[_.-]?key"
    r"|access[_.-]?key|account[_.-]?key|encryption[_.-]?key|signing[_.-]?key|master[_.-]?key"
    r"|auth(?:$|[_.-]?(?:key|token|pass))|session[_.-]?(?:id|key)|cookie|[_-]key$|[_-]pw$|[_-]pass$"
    r"|\bsig(?:nature)?$",
    re.I,
)
# Look-alikes of keys: checksums and serial numbers.
_PUBLIC_NAME = re.compile(
    r"sha\d*|md5|hash|commit|checksum|digest|etag|integrity|uuid|guid|rev(?:ision)?|public"
    r"|fingerprint|url|uri|href|src|path|file|version|isbn|doi|tracking|order|ref$|^id$|[_-]id$|model|image",
    re.I,
)
_PLACEHOLDER = re.compile(
    r"(?:your|my|the|some|any|insert|enter|replace|change)[-_ ]|x{4,}|[*•.]{3,}|<|\[|\{"
    r"|\$[({A-Z]|%[({A-Z]|none$|null$|true$|false$|undefined$|example$|placeholder|\("
    r"|[a-z_-]*(?:password|passwort|secret|token|key)(?:_here)?[\"']?$",
    re.I,
)
_CODE = re.compile(
    r"(?:[A-Za-z_]+|[A-Za-z_]\w{0,40}[._][\w.]{0,60}|[a-z]{2,20}\d{1,4})[(\[{]|[A-Za-z_]+(?:\.[A-Za-z_]+)+[;,)]*$|&|\w+::|@[\w-]+[({]|.{0,80}=>"
)
_AWS_NEAR = re.compile(r"aws|secret|\bs3\b|bucket|access key", re.I)
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=._-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")


def mask_keys(text: str) -> str:
    """Mask the keys; line numbers are unchanged."""
    if any(len(word) >= LEAST_KEY for word in text.split()) and (
        _LONG.search(text) or any(mark in text for mark in _MARKS)
    ):
        text = _LOGIN.sub(KEY, _FORM.sub(KEY, _BLOCK.sub(_lines, text)))
        if _AWS_NEAR.search(text):
            text = _AWS_SECRET.sub(lambda found: KEY if _mixed(found[0]) else found[0], text)
    if "earer" in text or "asic" in text or "uthorization" in text:
        text = _HEADER.sub(_header, text)
    if "-p" in text:
        text = _OPTION.sub(
            lambda found: found[0] if is_placeholder(found["value"]) else _valued(found), text
        )
    if "=" in text or ":" in text:
        text = _NAMED.sub(_named, text)
    return text


def entropy(text: str) -> float:
    """Return the Shannon entropy in bits per character, from the text's own frequencies."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def is_placeholder(value: str) -> bool:
    """Return whether it is a placeholder or a program's expression instead of a secret."""
    return _PLACEHOLDER.match(value) is not None or _CODE.match(value) is not None


def _mixed(value: str) -> bool:
    """Return whether digits, upper and lower case are mixed as in a random string."""
    kinds = (str.isdigit, str.isupper, str.islower)
    return all(sum(map(kind, value)) >= 3 for kind in kinds) and entropy(value) > 4


def _lines(found: re.Match[str]) -> str:
    """Return the mask with as many line breaks as the match: passages refer to line numbers."""
    return KEY + "\n" * found[0].count("\n")


def _valued(found: re.Match[str]) -> str:
    at = found.start("value") - found.start()
    return found[0][:at] + KEY + found[0][at + len(found["value"]) :]


def _header(found: re.Match[str]) -> str:
    value = found["value"]
    if is_placeholder(value) or value.startswith(KEY[1:5]):
        return found[0]
    chance = any(map(str.isdigit, value)) and len(value) >= LEAST_KEY
    return _valued(found) if chance or (found["named"] and len(value) >= 12) else found[0]


def _named(found: re.Match[str]) -> str:
    name, value = found["name"], found["value"].rstrip(".)]}!?")
    if len(value) < 6 or value.startswith(("//", "http")) or is_placeholder(value):
        return found[0]
    digits = sum(map(str.isdigit, value))
    if _SECRET_NAME.search(name):
        secret = bool(digits) and not value.isdigit() and len(value) >= 8
        secret |= len(value) >= 10 and re.search(r"[^\w.'’-]", value) is not None
    else:
        secret = (
            "=" in found["sign"]
            and re.fullmatch(r"[A-Za-z0-9+/_=-]{20,400}", value) is not None
            and not _PUBLIC_NAME.search(name)
            and not re.fullmatch(r"[0-9a-f-]+|[\d-]+|[a-z]+(?:[/_-][a-z0-9]+)+", value)
            and _mixed(value)
            and not _within_address(found)
        )
    if not secret:
        return found[0]
    at = found.start("value") - found.start()
    return found[0][:at] + KEY + found[0][at + len(value) :]


def _within_address(found: re.Match[str]) -> bool:
    """Return whether the name is a parameter in a URL, where long values are common."""
    start = max(found.start() - 400, 0)
    before = found.string[start : found.start()].rsplit(None, 1)
    return "://" in (before[-1] if before else "")

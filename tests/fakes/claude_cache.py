"""Prompt caching as in the API: prefixes are stored at breakpoints.

A prompt is flattened to blocks, tools first, then system, then messages, each as its own JSON
without `cache_control`. At each breakpoint the prefix up to it is stored, for five minutes (or an
hour) since its last use; a lookup at a breakpoint finds prefixes that end there or up to 20 blocks
earlier.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from tests.fakes.claude_request import Request, blocks
from tests.fakes.claude_stream import tokens

LOOKBACK = 20
LIFE = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True, slots=True)
class Block:
    """Block of the flattened prompt. `life`: the TTL, if the block is a breakpoint."""

    text: str
    life: str | None

    @property
    def tokens(self) -> int:
        return tokens(self.text)


@dataclass(frozen=True, slots=True)
class CacheUse:
    """Row of the report. `breakpoints`: tokens of the prompt up to each breakpoint."""

    number: int
    model: str
    read: int
    created: int
    fresh: int
    breakpoints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrefixBreak:
    """P(`before`) is not a byte prefix of P(`after`): they differ from block `block` on."""

    before: int
    after: int
    block: int
    was: str
    now: str


def _bare(value: object) -> object:
    if isinstance(value, list):
        return [_bare(part) for part in value]
    if isinstance(value, dict):
        return {
            name: part if name in ("input", "input_schema") else _bare(part)
            for name, part in value.items()
            if name != "cache_control"
        }
    return value


def _life(block: dict[str, Any]) -> str | None:
    control = block.get("cache_control")
    return control.get("ttl", "5m") if control else None


def _deep_life(block: dict[str, Any]) -> str | None:
    """Return the TTL of a breakpoint inside a tool result; it counts at the result's end."""
    lives = [_life(part) for part in blocks(block.get("content", "")) if _life(part)]
    return _life(block) or (lives[-1] if lives else None)


def flatten(body: dict[str, Any]) -> list[Block]:
    """Return the prompt as blocks, in caching order."""
    flat: list[Block] = []

    def add(head: str, block: dict[str, Any]) -> None:
        text = json.dumps(_bare(block), ensure_ascii=False, separators=(",", ":"))
        flat.append(Block(f"{head}{text}\n", _deep_life(block)))

    for tool in body.get("tools") or ():
        add("tool ", tool)
    for block in blocks(body.get("system", "")):
        add("system ", block)
    for message in body["messages"]:
        for place, block in enumerate(blocks(message["content"])):
            add(f"\n{message['role']}:\n" if place == 0 else "", block)
    if (control := body.get("cache_control")) and flat:
        flat[-1] = Block(flat[-1].text, flat[-1].life or control.get("ttl", "5m"))
    return flat


def prefix(request: Request, breakpoints: int = 2) -> list[str]:
    """Return P(n): the blocks up to the given breakpoint, or up to the last if there are fewer."""
    flat = flatten(request.body)
    ends = [index for index, block in enumerate(flat) if block.life][:breakpoints]
    return [block.text for block in flat[: ends[-1] + 1]] if ends else []


def prefix_breaks(requests: Sequence[Request], breakpoints: int = 2) -> list[PrefixBreak]:
    """Return the consecutive pairs for which P(n) is not a byte prefix of P(n+1)."""
    found = []
    for before, after in pairwise(requests):
        was, now = prefix(before, breakpoints), prefix(after, breakpoints)
        if not "".join(now).startswith("".join(was)):
            same = sum(1 for _ in _common(was, now))
            found.append(
                PrefixBreak(
                    before.number,
                    after.number,
                    same,
                    was[same] if same < len(was) else "",
                    now[same] if same < len(now) else "",
                )
            )
    return found


def _common(was: list[str], now: list[str]) -> list[str]:
    same: list[str] = []
    for a, b in zip(was, now, strict=False):
        if a != b:
            break
        same.append(a)
    return same


class Cache:
    """The stored prefixes and their expiry. `minimum`: shorter prompts are not cached."""

    def __init__(self, minimum: int = 0) -> None:
        self.minimum = minimum
        self.ahead = 0.0
        self._kept: dict[str, tuple[float, float]] = {}

    def _now(self) -> float:
        return time.monotonic() + self.ahead

    def clear(self) -> None:
        self._kept.clear()

    def use(self, request: Request) -> CacheUse:
        """Look the prompt up, and store it at its breakpoints."""
        flat = flatten(request.body)
        names = list(_names(request, flat))
        sums = list(accumulate(block.tokens for block in flat))
        ends = [i for i, block in enumerate(flat) if block.life and sums[i] >= self.minimum]
        found = max((self._find(names, end) for end in ends), default=-1)
        now = self._now()
        if found >= 0:
            life = self._kept[names[found]][1]
            self._kept[names[found]] = (now + life, life)
        for end in ends:
            life = LIFE[flat[end].life or "5m"]
            self._kept[names[end]] = (now + life, life)
        read = sums[found] if found >= 0 else 0
        upto = sums[ends[-1]] if ends else 0
        created = max(0, upto - read)
        return CacheUse(
            request.number,
            request.model,
            read,
            created,
            sums[-1] - read - created,
            tuple(sums[end] for end in ends),
        )

    def _find(self, names: list[str], end: int) -> int:
        for index in range(end, max(-1, end - LOOKBACK), -1):
            kept = self._kept.get(names[index])
            if kept and kept[0] >= self._now():
                return index
        return -1


def _names(request: Request, flat: list[Block]) -> list[str]:
    """Return a key for the prefix that ends at each block: from the model, the bytes and the
    options for the messages (another tool choice, thinking or format invalidates the messages)."""
    digest = hashlib.sha256(request.model.encode())
    asked = {
        "tool_choice": request.body.get("tool_choice"),
        "thinking": request.body.get("thinking"),
        "schema": request.schema,
    }
    names, begun = [], False
    for block in flat:
        if not begun and block.text.startswith("\n"):
            digest.update(json.dumps(asked).encode())
            begun = True
        digest.update(block.text.encode())
        names.append(digest.copy().hexdigest())
    return names

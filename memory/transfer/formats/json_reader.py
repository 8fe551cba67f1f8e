"""Read a large JSON file value by value, so that only one conversation is in memory at a time."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import ijson
import ijson.common

from ...errors import TransferRefused
from .source_file import CountingReader

DEEPEST = 100  # levels of nesting; exports have about ten
_BLOCK = 1 << 16
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.DOTALL)
_BEGUN = re.compile(rb"\\(?:x[0-9A-Fa-f]?)?")

Event: TypeAlias = tuple[str, Any]


class JsonReader:
    """Read a JSON file as a stream of events. Every method may raise TransferRefused.

    Lists and objects begin with `start_array` and `start_map`, and end with `end_…`; the keys of an
    object are `map_key` events.
    """

    def __init__(self, stream: CountingReader, name: str) -> None:
        self._stream, self._name = stream, name
        self._events = self._read()

    def next(self) -> Event:
        """Return the next event."""
        return next(self._events)

    def items(self) -> Iterator[Any]:
        """Yield the values of the list that has just begun, one at a time."""
        while (event := self.next())[0] != "end_array":
            self._stream.next_item()
            yield self.value(event)

    def whole_list(self) -> Iterator[Any]:
        """Yield the values of a file that is one list; none of another file."""
        if self.next()[0] == "start_array":
            yield from self.items()
            self.end()

    def keys(self) -> Iterator[str]:
        """Yield the keys of the object that has just begun; read each value before the next."""
        while (event := self.next())[0] != "end_map":
            self._stream.next_item()
            yield event[1]

    def value(self, event: Event, depth: int = 0) -> Any:
        """Return the value that starts with that event, as a Python object."""
        kind, given = event
        if kind not in ("start_map", "start_array"):
            return given
        if depth > DEEPEST:
            raise self._refusal("it has lists in each other without end")
        if kind == "start_array":
            found = []
            while (inner := self.next())[0] != "end_array":
                found.append(self.value(inner, depth + 1))
            return found
        made: dict[str, Any] = {}
        while (inner := self.next())[0] != "end_map":
            made[inner[1]] = self.value(self.next(), depth + 1)
        return made

    def skip(self, event: Event) -> None:
        """Skip the value that begins with that event."""
        depth = 0
        while True:
            if event[0] in ("start_map", "start_array"):
                depth += 1
            elif event[0] in ("end_map", "end_array"):
                depth -= 1
            if not depth:
                return
            event = self.next()
            self._stream.next_item()

    def end(self) -> None:
        """Read to the end of the file; anything after the last value is an error."""
        for _ in self._events:
            raise self._refusal("something follows its end")

    def _read(self) -> Iterator[Event]:
        first = self._stream.read(4)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in first:
            raise self._refusal("it is not in UTF-8")
        mark = codecs.BOM_UTF8
        source = _Source(first[len(mark) :] if first.startswith(mark) else first, self._stream)
        try:
            yield from ijson.basic_parse(source, use_float=True, buf_size=_BLOCK)
        except ijson.common.JSONError as error:
            said = error.args[0] if error.args else ""
            text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
            first_line = text.strip().splitlines()[0] if text.strip() else "it ends too early"
            raise self._refusal(first_line) from None
        except RecursionError:
            raise self._refusal("it has lists in each other without end") from None

    def _refusal(self, why: str) -> TransferRefused:
        return TransferRefused(
            f"{self._name} is no valid JSON ({why}): export it again. Nothing was imported."
        )


class _Source:
    """A binary stream with bytes that were read already put back in front of it.

    Telegram Desktop writes a control character as `\\x1B`, which is no JSON: it is read as
    `\\u001B` (https://github.com/telegramdesktop/tdesktop/issues/27571).
    """

    def __init__(self, first: bytes, rest: CountingReader) -> None:
        self._pending, self._rest = first, rest

    def read(self, size: int) -> bytes:
        if not size:  # ijson asks whether the stream is binary
            return b""
        block = self._rest.read(size)
        while block:
            read = self._pending + block
            cut = _unfinished_escape(read)
            read, self._pending = read[:cut], read[cut:]
            if read:
                return _ESCAPE.sub(_valid_escape, read) if rb"\x" in read else read
            block = self._rest.read(size)
        read, self._pending = self._pending, b""
        return read


def _unfinished_escape(read: bytes) -> int:
    """Return where an escape begins whose end may be in the next block; the length if none does."""
    at = read.rfind(b"\\", max(0, len(read) - 3))
    if at < 0 or not _BEGUN.fullmatch(read, at):
        return len(read)
    before = read[:at]
    is_escaped = (len(before) - len(before.rstrip(b"\\"))) % 2
    return len(read) if is_escaped else at


def _valid_escape(found: re.Match[bytes]) -> bytes:
    return rb"\u00" + found[1] if found[1] else found[0]

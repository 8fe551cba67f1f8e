"""Reading JSON in pieces."""

from __future__ import annotations

import io

import pytest

from memory.transfer.formats.json_reader import JsonReader
from memory.transfer.formats.source_file import CountingReader


class Pieces(io.BytesIO):
    """A stream that returns few bytes at a time."""

    most = 1

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.most)


@pytest.mark.parametrize("most", range(1, 12))
def test_an_escape_may_begin_in_one_piece_and_end_in_another(most: int) -> None:
    stream = Pieces(rb'["a\x1Bb\\x41\\\x01\n\"\u00e9", "\\", "x"]')
    stream.most = most
    reader = JsonReader(CountingReader(stream), "result.json")
    assert reader.next()[0] == "start_array"
    assert list(reader.items()) == ['a\x1bb\\x41\\\x01\n"é', "\\", "x"]

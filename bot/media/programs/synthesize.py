"""Speak the text on standard input in English, with the extra `voice`; write Opus in Ogg.

Runs as a separate process.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BytesIO

MISSING = 3
BITS = 32_000  # per second, as in voice messages


def spoken(text: str) -> bytes:
    """Return the text as speech: Opus in Ogg."""
    import av
    import numpy as np
    from hibari import SAMPLE_RATE, Hibari

    out = BytesIO()
    with av.open(out, "w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=SAMPLE_RATE, layout="mono")
        stream.bit_rate = BITS
        for sound in Hibari().stream(text):
            samples = (np.clip(sound, -1, 1) * 32767).astype("<i2")[None, :]
            frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
            frame.sample_rate = SAMPLE_RATE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def main() -> int:
    """Convert standard input; the exit code says whether a package is missing."""
    with suppress(OSError):  # the service's sandbox refuses it
        os.nice(10)
    try:
        sys.stdout.buffer.write(spoken(sys.stdin.buffer.read().decode()))
    except ModuleNotFoundError as missing:
        print(missing, file=sys.stderr)
        return MISSING
    return 0


if __name__ == "__main__":
    sys.exit(main())

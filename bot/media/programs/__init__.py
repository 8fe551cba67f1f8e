"""Programs that run as separate processes: reading PDFs, speech to text, text to speech."""

from .child import run

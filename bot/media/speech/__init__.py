"""Speech to text and text to speech, through a server or with models on this machine."""

from .speaker import Speaker
from .transcriber import Transcriber

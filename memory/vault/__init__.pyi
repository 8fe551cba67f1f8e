from . import obsidian as obsidian
from . import paths as paths
from . import starter as starter
from .scanner import NoteFile as NoteFile
from .vault import Vault as Vault
from .watcher import watch as watch

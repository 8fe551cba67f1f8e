"""The settings, the file `.env`, and lenient loading."""

from .database_retention import engine_keeps
from .known_profiles import known_profiles, remote_of
from .models import ModelEntry, keys_by_host
from .settings import LOCAL, Settings, Supervisor, environment, load, supervisor

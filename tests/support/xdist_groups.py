"""Group tests that share expensive fixtures in one xdist worker.

By file, not by pytest-xdist's marks, which it ignores with pytest 9.2 (its issue 1386).
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

GROUPS = {
    "tests/contracts/test_architecture.py": "the parsed source",
    "tests/contracts/test_regular_expressions.py": "the parsed source",
    "tests/contracts/test_rooms.py": "the parsed source",
    "tests/integration/test_embed.py": "the loaded models",
    "tests/system/test_cli.py": "a filled home",
    "tests/system/test_damaged.py": "a filled home to be damaged",
    "tests/system/test_first_chat.py": "a conversation",
    "tests/system/test_guest_house.py": "a large vault",
    "tests/system/test_json.py": "a home with a little of everything",
    "tests/system/test_main_job.py": "months of conversation",
    "tests/system/test_mcp_http.py": "a server",
    "tests/system/test_mini_app.py": "a console",
    "tests/system/test_offline.py": "a home that was never online",
    "tests/system/test_web.py": "another console",
    "tests/system/test_web_browser.py": "a browser",
    "tests/system/test_web_security.py": "a console under attack",
    "tests/unit/embedding/test_e5_numpy.py": "E5, and its reference",
    "tests/unit/embedding/test_use_numpy.py": "USE, and its reference",
}
"""File → what its tests share. Files with the same value run in one worker."""


class GroupScheduling(LoadScopeScheduling):
    """Assign each group to one worker, the largest group first, and all other tests singly."""

    def _split_scope(self, nodeid: str) -> str:
        return GROUPS.get(nodeid.split("::")[0], nodeid)

"""Which tests run in one process of the suite, because they share what is expensive to make.

By file, and not by pytest-xdist's marks: with pytest 9.2 it ignores them (its issue 1386).
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

TOGETHER = {
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
"""File → what its tests share. Those that share the same run in one process."""


class Together(LoadScopeScheduling):
    """Give the tests of one group to one process, the largest group first; others singly."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(nodeid.split("::")[0], nodeid)

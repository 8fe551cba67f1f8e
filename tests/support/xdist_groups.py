"""Group tests that share expensive fixtures in one xdist worker.

By file, not by pytest-xdist's marks, which it ignores with pytest 9.2 (its issue 1386).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

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

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        """Forget a group that is complete.

        The base class keeps it, and counts all tests of a worker at each of their ends.
        """
        super().mark_test_complete(node, item_index, duration)
        work = self.assigned_work[node]
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(work[scope].values()):
            del work[scope]

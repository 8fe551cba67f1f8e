"""The inputs and results of commands and button presses."""

from ...inbox import Button, Keyboard
from .call import Call, Command, replied
from .results import EXPIRED, Action, Ask, Desk, Outcome, Press, Shown, Work, as_shown, in_rows
from .typed_labels import chosen, how_to_choose, offered

"""The menu of a chat: Sam's commands, and for the owner a button that opens the web console."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from telegram import BotCommand, MenuButton, MenuButtonDefault, MenuButtonWebApp, WebAppInfo
from telegram.ext import ExtBot

from memory.text import TRANSLATED, mark, speaking, tr

from ...chat.web_access import MINI_APP
from ...errors import ChatError
from .connection import telegram_errors

log = logging.getLogger(__name__)

LABEL = mark("Memory")


class ChatMenu:
    """The menus of one bot. `web_url`: the console's or ""; Telegram opens https alone."""

    def __init__(self, bot: ExtBot[None], web_url: str) -> None:
        self._bot = bot
        self._console = f"{web_url}{MINI_APP}" if web_url.startswith("https://") else ""

    async def show(
        self, commands: Callable[[], Sequence[tuple[str, str]]], owners: Sequence[int]
    ) -> None:
        """Show everybody the commands in the language of their app, and the owners their button.

        `commands`: returns name and line of each, in the current language. Raises ChatError.
        """
        for code in ("", *TRANSLATED):  # "": for everybody else
            with speaking(code), telegram_errors():
                rows = [BotCommand(*row) for row in commands()]
                await self._bot.set_my_commands(rows, language_code=code or None)
        for user in owners:
            await self.show_owner(user)

    async def show_owner(self, user: int) -> None:
        """Give the owner's private chat the button, or take it away where nothing is served."""
        button: MenuButton = MenuButtonDefault()
        if self._console:
            button = MenuButtonWebApp(tr(LABEL), WebAppInfo(self._console))
        try:
            with telegram_errors():
                await self._bot.set_chat_menu_button(user, button)
        except ChatError as refused:  # who has not written yet has no chat; or an old server
            log.info("menu button of user=%s: %s", user, refused)

"""A scripted owner for `sam setup`."""

from __future__ import annotations

from bot.setup.prompts import SetupPrompts


class Owner:
    """Answer by question: use up the first answer whose keyword occurs in the question."""

    def __init__(self, *answers: tuple[str, str]) -> None:
        self.answers = list(answers)
        self.heard: list[str] = []

    def talk(self) -> SetupPrompts:
        return SetupPrompts(self._hear, self._answer, self._answer)

    def _hear(self, text: str) -> None:
        self.heard.append(text)

    def _answer(self, question: str) -> str:
        self.heard.append(question)
        for number, (begins, answer) in enumerate(self.answers):
            if begins in question:
                del self.answers[number]
                return answer
        return ""

    @property
    def all(self) -> str:
        return "\n".join(self.heard)

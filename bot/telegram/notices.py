"""What Sam says about a message instead of an answer to it. Knows no message."""

from __future__ import annotations

WELCOME = "You are paired with me now. I am Sam: write to me, or see /help."
PRIVATELY = "That I do only where we are alone: write to me in a private chat."
TOO_MANY = (
    "That is more than I can answer in a minute. I have kept what you wrote; write again in a "
    "minute, and I answer."
)
JOINED = (
    "I was put into “{}” (its id is {}), which is not in TELEGRAM_ALLOWED_GROUPS: I said nothing "
    "there, and left."
)
CRASHED = "Sam ended each time"
SET_ASIDE = (
    "I could not handle a message of yours, in several tries ({}). It is set aside and kept in my "
    "inbox for 30 days: `sam inbox` shows it. Sending it again may help."
)
NOT_KEPT = (
    "I could not handle a message of yours, in several tries ({}). It was said incognito: "
    "`sam inbox` shows that it came, and nothing of it. Sending it again may help."
)
NOT_READ = (
    "Something came from you that I cannot read ({}). It is set aside and kept in my inbox for 30 "
    "days: `sam inbox` shows it. Can you tell me in other words?"
)
NEITHER = (
    "Something came from you that I cannot read ({}). It was said incognito: `sam inbox` shows "
    "that it came, and nothing of it. Can you tell me in other words?"
)

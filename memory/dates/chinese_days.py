"""Read a day to come in Chinese: 明天, 下周一, 11月30日. Pure; for reminders (due.py).

The grammar of period.py does not know Chinese, so questions about a past period are not parsed.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from .calendar import YEARS_TO_LEAP_DAY, dated

_NAMED = {"今天": 0, "今晚": 0, "明天": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_DAY = re.compile(
    f"({'|'.join(sorted(_NAMED, key=len, reverse=True))})"
    r"|(下下?)?个?(?:周|星期|礼拜)([一二三四五六日天])|(\d{1,2})月(\d{1,2})[日号]"
)


def chinese_day(text: str, today: date) -> tuple[tuple[date, ...], str] | None:
    """Return the first day that the text names, and the text without it; None without one. The
    likeliest day is first; there is none for a date that does not exist.

    周一 is the next Monday, also today; 下周一 the one of the next week.
    """
    if (found := _DAY.search(text)) is None:
        return None
    # 今晚 and 明早 name a part of the day, too, which due.py reads.
    kept = found[1][-1] if found[1] and found[1][-1] in "早晚" else ""
    part = {"早": "早上", "晚": "晚上"}.get(kept, "")
    return _days(found, today), " ".join(
        f"{text[: found.start()]} {part}{text[found.end() :].lstrip()}".split()
    )


def _days(found: re.Match[str], today: date) -> tuple[date, ...]:
    if found[1]:
        return (today + timedelta(days=_NAMED[found[1]]),)
    if found[3]:
        weekday = _WEEKDAYS[found[3]]
        if found[2]:
            monday = today - timedelta(days=today.weekday())
            return (monday + timedelta(days=7 * len(found[2]) + weekday),)
        coming = today + timedelta(days=(weekday - today.weekday()) % 7)
        return coming, coming + timedelta(days=7)
    for year in range(today.year, today.year + YEARS_TO_LEAP_DAY + 1):
        span = dated(year, int(found[4]), int(found[5]))
        if span and span[0] >= today:
            return (span[0],)
    return ()

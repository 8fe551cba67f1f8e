"""Read a day to come in Chinese: 明天, 下周一, 11月30日. Pure; for reminders (due.py).

The grammar of period.py does not know Chinese, so questions about a past period are not parsed.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

_NAMED = {"今天": 0, "今晚": 0, "明天": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_DAY = re.compile(
    f"({'|'.join(sorted(_NAMED, key=len, reverse=True))})"
    r"|(下下?)?个?(?:周|星期|礼拜)([一二三四五六日天])|(\d{1,2})月(\d{1,2})[日号]"
)


def chinese_day(text: str, today: date) -> tuple[date, str] | None:
    """Return the first day that the text names, and the text without it; None without one.

    周一 is the next Monday, also today; 下周一 the one of the next week.
    """
    if (found := _DAY.search(text)) is None or (day := _day(found, today)) is None:
        return None
    # 今晚 and 明早 name a part of the day, too, which due.py reads.
    kept = found[1][-1] if found[1] and found[1][-1] in "早晚" else ""
    part = {"早": "早上", "晚": "晚上"}.get(kept, "")
    return day, " ".join(f"{text[: found.start()]} {part}{text[found.end() :].lstrip()}".split())


def _day(found: re.Match[str], today: date) -> date | None:
    if found[1]:
        return today + timedelta(days=_NAMED[found[1]])
    if found[3]:
        weekday = _WEEKDAYS[found[3]]
        if found[2]:
            monday = today - timedelta(days=today.weekday())
            return monday + timedelta(days=7 * len(found[2]) + weekday)
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    try:
        day = date(today.year, int(found[4]), int(found[5]))
        return day.replace(year=today.year + 1) if day < today else day
    except ValueError:
        return None

"""Draw what Sam knows and what it costs as pictures, and describe the same in words."""

from .daily import DayFigures, daily, kept, last_days, spent
from .layout import HEIGHT, WIDTH, apart, layout
from .names import Mention, Names, Pair, Sort, chosen, mentions, readable

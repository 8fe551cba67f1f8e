"""Around the handling of updates: order, several workers, what a crash or incognito leaves."""

from .resume import FILE_KEY, Resumer
from .webhook import Webhook
from .workers import Intake

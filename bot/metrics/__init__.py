"""What one process counts of itself, and the addresses at which a monitor or a load balancer asks.

Without METRICS_ADDRESS nothing listens, and prometheus-client is not imported.
"""

from .measures import Measures

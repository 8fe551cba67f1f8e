"""A simulated quarter: 90 days of chat with an unreliable model, then checks of the memory."""

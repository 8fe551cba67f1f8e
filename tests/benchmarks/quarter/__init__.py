"""A simulated quarter: 90 days of chat with a model that errs, and what memory is like after it."""

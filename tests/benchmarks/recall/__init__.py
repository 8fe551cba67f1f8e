"""The recall portfolio: conversations and everyday life of several kinds, asked through Memory."""

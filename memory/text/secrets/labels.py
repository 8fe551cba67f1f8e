"""The placeholder of a masked secret."""

KEY, CARD, PASSWORD = "(a key, masked)", "(a card number, masked)", "(a password, masked)"

"""The chat. No rule is known here."""

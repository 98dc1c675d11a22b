"""Content that no text for others may have, whatever its subject: secrets, insults, accusations, orders to programs."""

"""Searches of a mailbox: as SQL, and over documents in the full-text index."""

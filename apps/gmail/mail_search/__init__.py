"""Searches of a mailbox: as SQL, and over the documents that full text is kept in."""

"""Stories: what really happened and why, told into the event log, one kind per module."""

"""Settings of a mailbox: vacation, forwarding, filters, and addresses that must be verified."""

"""What the owner of a mailbox sets: vacation, forwarding, filters, and addresses that must be verified."""

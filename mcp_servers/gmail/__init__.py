"""Tool surfaces of the mail service."""

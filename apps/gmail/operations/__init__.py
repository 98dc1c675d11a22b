"""What can be done on the mail service; importing a module declares its operations."""

from apps.gmail.operations import messages

__all__ = ["messages"]

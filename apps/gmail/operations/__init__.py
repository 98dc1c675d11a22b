"""What can be done on the mail service; importing a module declares its operations."""

from apps.gmail.operations import client, compose, conversation, messages

__all__ = ["client", "compose", "conversation", "messages"]

"""The mail service: Gmail's API, its search language, its MIME forms and its delivery."""

from apps.gmail import delivery, notices, notifying, operations, staff
from apps.gmail.app import app

__all__ = ["app", "delivery", "notices", "notifying", "operations", "staff"]

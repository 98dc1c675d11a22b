"""The mail service: Gmail's API, its search language, its MIME forms and its delivery."""

from apps.gmail import conduct, delivery, directory_sync, notification_mail, notifications, operations, probes, readings
from apps.gmail.app import app

__all__ = [
    "conduct",
    "app",
    "delivery",
    "notifications",
    "notification_mail",
    "operations",
    "directory_sync",
    "probes",
    "readings",
]

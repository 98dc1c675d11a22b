"""The mail service: Gmail's API, its search language, its MIME forms and its delivery."""

from apps.gmail import (
    conduct,
    directory_sync,
    mail_routing,
    notification_mail,
    notifications,
    operations,
    probes,
    readings,
)
from apps.gmail.app import app

__all__ = [
    "conduct",
    "app",
    "mail_routing",
    "notifications",
    "notification_mail",
    "operations",
    "directory_sync",
    "probes",
    "readings",
]

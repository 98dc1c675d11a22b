"""Rows of the vendors' public status pages: every component operational, nothing open."""

from apps.status.models import Component, StatusPage
from seeds.rows.row_collector import Sink
from seeds.spec import Spec

PAGES = {
    "aws": (
        "Amazon Web Services",
        ("Compute (US-EAST-1)", "Database tables (US-EAST-1)", "Object storage (US-EAST-1)", "DNS", "Support centre"),
    ),
    "slack": ("Slack", ("Messaging", "Threads", "Search", "Files", "Notifications", "Apps and integrations")),
    "github": (
        "GitHub",
        ("Git operations", "API requests", "Issues", "Pull requests", "Actions", "Webhooks", "Notifications"),
    ),
    "google": ("Google Workspace", ("Gmail", "Drive", "Sheets")),
    "jira": ("Jira", ("Viewing content", "Creating and editing", "Search", "Notifications", "Automation")),
    "nordacq": ("Nordacq", ("Card authorisation", "Settlement files", "Merchant API")),
    "letterpost": ("Letterpost", ("Mail API", "Delivery", "Webhooks")),
}


def project(spec: Spec, sink: Sink) -> None:
    """One page per vendor."""
    for vendor, (name, components) in PAGES.items():
        sink.add(StatusPage, id=vendor, name=name, created_at=spec.window_start)
        for position, component in enumerate(components):
            sink.add(Component, page_id=vendor, name=component, position=position, updated_at=spec.window_start)

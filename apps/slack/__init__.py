"""The chat service: Slack's Web API, its search language and its text format."""

from apps.slack import feeds, notices, operations, staff
from apps.slack.app import app

__all__ = ["app", "feeds", "notices", "operations", "staff"]

"""The chat service: Slack's Web API, its search language and its text format."""

from apps.slack import notices, operations
from apps.slack.app import app

__all__ = ["app", "notices", "operations"]

"""The chat service: Slack's Web API, its search language and its text format."""

from apps.slack import channel_feeds, conduct, directory_sync, notifications, operations, probes, readings
from apps.slack.app import app

__all__ = ["conduct", "app", "channel_feeds", "notifications", "operations", "directory_sync", "probes", "readings"]

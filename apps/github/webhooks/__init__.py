"""Webhooks: what a repository's hooks are sent, and the deliveries that are kept."""

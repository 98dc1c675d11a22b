"""Logs of agents that acted elsewhere, repeated as runs."""

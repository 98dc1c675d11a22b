"""The shelf's door."""

from tests.apps.google.shelf import routes

__all__ = ["routes"]

"""What tests of the drive start from: the small company's spreadsheets, which lie in it."""

import pytest

import apps.drive
from tests.apps.sheets.conftest import budget, client, host, sealed
from world.core.app import App

__all__ = ["budget", "client", "host", "sealed"]


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.drive.app

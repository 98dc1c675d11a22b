"""Nothing that a vendor's feed writes on a status page runs, loads or leaves the site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from sqlmodel import SQLModel

import apps.status
from apps.status.models import Component, StatusPage
from tests.browser.crawl import complaints
from tests.browser.scripts import Hostile, hostile_site, look, without_text
from tests.company import person


def rows() -> list[SQLModel]:
    """The feed and a page with a component."""
    feed = person("p_feed", "Vendor Status", "vendor-status", "Bot", None, kind="bot")
    return [feed, StatusPage(id="aws", name="AWS"), Component(page_id="aws", name="zqx1z")]


def build_hostile(folder: Path) -> Hostile:
    """The pages, full of hostile texts."""
    return hostile_site(
        folder,
        apps.status,
        rows,
        ("/", "/aws", "/aws/history", "/aws/post", "/?q=aws"),
        writer="vendor-status",
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = build_hostile(tmp_path_factory.mktemp("status"))
    yield made
    made.stop()


def test_every_field_for_text_was_tried(hostile: Hostile) -> None:
    assert set(without_text(hostile.harvest)) <= {"not_found"}
    assert len(set().union(*hostile.harvest.taken.values())) >= 200


def test_every_page_is_reached_and_none_holds_a_script_or_a_foreign_resource(hostile: Hostile) -> None:
    assert hostile.unseen() == []
    assert complaints(hostile.pages.items()) == []
    assert complaints(hostile.crawler.reflected("\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>")) == []


def test_chromium_runs_nothing_on_any_page(hostile: Hostile, chromium: Browser) -> None:
    assert look(hostile, chromium) == []

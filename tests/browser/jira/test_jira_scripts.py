"""Nothing that a person writes anywhere in the tracker runs, loads or leaves the site."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import apps.jira
from apps.jira.bodies import adf
from apps.jira.bodies.html import to_html
from apps.jira.bodies.markdown_parser import from_markdown
from apps.jira.bodies.plain_text import from_text
from apps.jira.bodies.wiki_parser import from_wiki
from apps.jira.pages.template_filters import link_issue_keys, render_prose
from tests.apps.jira import tracker
from tests.browser.crawl import Inspector, complaints
from tests.browser.hostile_shapes import doc
from tests.browser.payloads import PAYLOADS
from tests.browser.scripts import Hostile, hostile_site, look, stubborn, without_text

CLOSED = {  # what a field may be refused for that holds no text: ids, times, closed lists
    "issue_not_found",
    "invalid_arguments",
    "comment_not_found",
    "link_type_not_found",
    "remote_link_not_found",
    "user_not_found",
    "field_errors",
    "worklog_not_found",
    "epic_not_found",
    "bad_rank",
    "bad_recipient",
    "filter_not_found",
    "project_not_found",
    "request_not_found",
    "request_type_not_found",
    "service_desk_not_found",
    "component_not_found",
    "version_not_found",
    "role_not_found",
    "group_not_found",
    "board_not_found",
    "sprint_state",
    "sprint_not_found",
    "unknown_transition",
    "bad_transition",
}
NARROW = {"createFilter jql", "updateFilter jql", "createSprint name"}
STARTS = (
    "/browse/SHOP-1",
    "/",
    "/more",
    "/browse/SHOP-1?show=all",
    "/browse/SHOP-1?show=history",
    "/browse/SHOP-1?dialog=watchers",
    "/browse/SHOP-1?dialog=edit",
    "/browse/SHOP-1?edit=description",
    "/browse/SHOP-1?comment=10000",
    "/browse/SHOP-1?dialog=properties",
    "/issues?jql=project%3DSHOP",
    "/complete?q=@a",
    "/create?project=SHOP&type=Bug",
    "/dashboards/10000",
    "/projects/SHOP/board",
    "/servicedesk/customer/portal/1/SHOP-1",
    "/projects/SHOP/backlog",
    "/projects/SHOP/releases",
    "/projects/SHOP/components",
    "/filters",
    "/sprints/1",
    "/plan?issues=SHOP-1,SHOP-2",
    "/boards/1",
    "/boards/1/backlog",
    "/issues/",
    "/jira/people/5fBO",
    "/links/10000",
)


def build_hostile(folder: Path) -> Hostile:
    """The tracker, full of hostile texts."""
    return hostile_site(folder, apps.jira, tracker.rows, STARTS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    made = build_hostile(tmp_path_factory.mktemp("tracker"))
    yield made
    made.stop()


def test_every_field_for_text_was_tried_and_those_that_keep_text_took_payloads(hostile: Hostile) -> None:
    refused = without_text(hostile.harvest)
    assert set(refused) <= CLOSED, refused
    assert {str(leaf) for leaf in stubborn(hostile.harvest)} <= NARROW
    assert set().union(*hostile.harvest.taken.values()) == set(PAYLOADS)


def test_every_page_is_reached_and_none_holds_a_script_or_a_foreign_resource(hostile: Hostile) -> None:
    assert hostile.unseen() == []
    assert complaints(hostile.pages.items()) == []


def test_what_an_address_says_is_shown_as_text(hostile: Hostile) -> None:
    assert complaints(hostile.crawler.reflected("\"><img src=x onerror=alert(1)>'<svg onload=alert(1)>²")) == []


def test_chromium_runs_nothing_on_any_page(hostile: Hostile, chromium: Browser) -> None:
    assert look(hostile, chromium) == []


@pytest.mark.parametrize("read", [from_wiki, from_markdown, from_text, doc], ids=lambda read: read.__name__)
def test_no_payload_becomes_markup_of_its_own_in_a_body(read: Callable[[str], adf.Adf]) -> None:
    for payload in PAYLOADS:
        html = to_html(read(payload))
        shown = render_prose(html, lambda account: '"><img src=x onerror=alert(1)>', lambda key: "/jira/browse/" + key)
        for text in (str(shown), str(link_issue_keys(payload, lambda key: "/jira/browse/" + key))):
            assert Inspector(text).complaints == [], payload

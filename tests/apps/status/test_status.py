"""The vendors' status pages: what employees read, and that only the feed writes."""

from pathlib import Path

import pytest
from sqlmodel import SQLModel

from apps.status import app
from apps.status.models import Component, StatusPage
from tests.company import as_person, host, person
from world.core.errors import OperationError
from world.run.host import Host

NOTE = {
    "vendor": "aws",
    "incident": "i1",
    "name": "Errors",
    "status": "investigating",
    "impact": "minor",
    "body": "Looking.",
}


def rows() -> list[SQLModel]:
    feed = person("p_feed", "Vendor Status", "vendor-status", "Bot", None, kind="bot")
    return [
        feed,
        StatusPage(id="aws", name="AWS"),
        Component(page_id="aws", name="DNS"),
        Component(page_id="aws", name="EC2", position=1),
    ]


@pytest.fixture
def firm(tmp_path: Path) -> Host:
    return host(tmp_path, [app], rows)


def test_a_quiet_page_says_that_everything_is_operational(firm: Host) -> None:
    summary = firm.call(as_person(firm), "rest", "status.summary", {"vendor": "aws"})
    assert summary["status"] == {"indicator": "none", "description": "All Systems Operational"}
    assert [c["name"] for c in summary["components"]] == ["DNS", "EC2"]
    assert summary["incidents"] == []


def test_only_the_feed_writes_a_page(firm: Host) -> None:
    with pytest.raises(OperationError, match="forbidden"):
        firm.call(as_person(firm), "rest", "status.post", NOTE)
    feed = as_person(firm, "vendor-status", kind="bot")
    firm.call(feed, "world", "status.post", {**NOTE, "components": {"DNS": "major_outage"}})
    summary = firm.call(as_person(firm), "rest", "status.summary", {"vendor": "aws"})
    assert summary["status"]["indicator"] == "critical"
    assert [(i["status"], len(i["incident_updates"])) for i in summary["incidents"]] == [("investigating", 1)]


def test_a_resolved_incident_moves_to_the_past(firm: Host) -> None:
    feed = as_person(firm, "vendor-status", kind="bot")
    firm.call(feed, "world", "status.post", NOTE)
    firm.call(feed, "world", "status.post", {**NOTE, "status": "resolved", "body": "Over."})
    assert firm.call(as_person(firm), "rest", "status.summary", {"vendor": "aws"})["incidents"] == []
    past = firm.call(as_person(firm), "rest", "status.incidents", {"vendor": "aws"})["incidents"]
    assert [u["body"] for u in past[0]["incident_updates"]] == ["Over.", "Looking."]


def test_unknown_vendors_and_components_are_not_found(firm: Host) -> None:
    with pytest.raises(OperationError, match="not_found"):
        firm.call(as_person(firm), "rest", "status.summary", {"vendor": "nobody"})
    with pytest.raises(OperationError, match="not_found"):
        firm.call(
            as_person(firm, "vendor-status", kind="bot"),
            "world",
            "status.post",
            {**NOTE, "components": {"X": "operational"}},
        )
    assert firm.call(as_person(firm), "rest", "status.incidents", {"vendor": "aws"})["incidents"] == []

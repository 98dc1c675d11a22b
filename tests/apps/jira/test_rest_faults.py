"""Outages at the REST door: a stale index, an error behind which the write happened, a limit and its Retry-After."""

import base64
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from apps.jira import app, rest
from tests.company import START, as_person
from world.core.access import Tokens
from world.core.clock import MINUTE
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.store import Base, Store

NEW = {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "During the outage"}}


def client(image: Path, folder: Path, story: Callable[[Script], None]) -> tuple[TestClient, Host]:
    """A client of a world that runs a script of faults."""
    host = Host(Store(folder / "worlds", Base(image)), [app], Tokens("test secret"))
    script = Script("faults", START)
    story(script)
    host.create("w", Settings(), compile_script(script, horizon="8h"))
    token = host.tokens.issue(as_person(host, "bo", app="jira"), "ATATT3x{}")
    made = TestClient(
        Starlette(routes=[Mount("/jira", app=Starlette(routes=rest.routes(host)))]), base_url="http://tracker.test/jira"
    )
    made.headers["Authorization"] = "Basic " + base64.b64encode(f"bo@tiny.example:{token}".encode()).decode()
    return made, host


def test_a_stale_index_misses_the_new_issue_that_its_key_finds(image: Path, tmp_path: Path):
    stale = Fault("index", "jira", "stale_read", operations=("search*", "countIssues"))
    made, host = client(image, tmp_path, lambda s: s.fault(stale, start="+0s", end="+1h"))
    host.actors["w"].advance(START + MINUTE)
    key = made.post("/rest/api/3/issue", json=NEW).json()["key"]
    ask = {"jql": 'summary ~ "outage"', "fields": "summary"}
    assert made.get("/rest/api/3/search/jql", params=ask).json()["issues"] == []
    assert made.get(f"/rest/api/3/issue/{key}").status_code == 200
    host.actors["w"].advance(START + 61 * MINUTE)
    assert [i["key"] for i in made.get("/rest/api/3/search/jql", params=ask).json()["issues"]] == [key]


def test_a_write_may_have_happened_behind_the_error(image: Path, tmp_path: Path):
    made, _ = client(
        image, tmp_path, lambda s: s.fault(Fault("odd", "jira", "write_then_error"), start="+0s", end="+1h")
    )
    answer = made.post("/rest/api/3/issue", json=NEW)
    assert answer.status_code == 500 and answer.json() == {"errorMessages": ["Internal server error"], "errors": {}}
    assert made.get("/rest/api/3/issue/SHOP-5").json()["fields"]["summary"] == "During the outage"


def test_a_limited_call_says_when_to_come_back(image: Path, tmp_path: Path):
    busy = Fault(
        "busy", "jira", "ratelimit", operations=("createIssue",), retry_after_s=120, reason="jira-quota-tenant-based"
    )
    made, host = client(image, tmp_path, lambda s: s.fault(busy, start="+0s", end="+1m"))
    first = made.post("/rest/api/3/issue", json=NEW)
    assert (first.status_code, first.headers["retry-after"]) == (429, "120")
    assert first.headers["ratelimit-reason"] == "jira-quota-tenant-based"
    host.actors["w"].advance(START + 3 * MINUTE // 2)
    early = made.post("/rest/api/3/issue", json=NEW)
    assert early.status_code == 429 and 0 < int(early.headers["retry-after"]) <= 30
    assert early.headers["ratelimit-reason"] == "jira-burst-based" and "early" not in early.text
    host.actors["w"].advance(START + 5 * MINUTE)
    assert made.post("/rest/api/3/issue", json=NEW).status_code == 201


def test_maintenance_refuses_writes_and_still_reads(image: Path, tmp_path: Path):
    made, host = client(image, tmp_path, lambda s: s.fault(Fault("ro", "jira", "readonly"), start="+0s", end="+1h"))
    assert made.post("/rest/api/3/issue", json=NEW).status_code == 503
    assert made.get("/rest/api/3/issue/SHOP-1").status_code == 200
    host.actors["w"].advance(START + 61 * MINUTE)
    assert made.post("/rest/api/3/issue", json=NEW).status_code == 201

"""Every address of the tracker over plain HTTP: whole, in part, and as the home of every form."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import apps.jira
from apps.jira.pages import PLACES, pages
from tests.apps.jira import tracker
from tests.browser.outline import Outline, is_whole
from tests.company import START
from tests.company import host as make_host
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.agent_plane import agent_plane
from world.web import template_env
from world.web.session import COOKIE

DIALOGS = (
    "edit",
    "transition",
    "transition&transition=41",
    "link",
    "assign",
    "plan",
    "worklog",
    "delete-worklog&worklog=1",
    "watchers",
    "voters",
    "move",
    "web-link",
    "properties",
    "attach",
    "delete",
    "delete-comment&comment=10000",
    "delete-link&link=1",
    "create",
    "remove-attachment&link=1",
    "no-such-dialog",
)
ADDRESSES = (
    "/",
    "/?show=reported",
    "/?dialog=create",
    "/create",
    "/create?project=SHOP&type=Bug",
    "/browse/SHOP-1",
    "/browse/SHOP-2",
    "/browse/SHOP-3",
    "/browse/SHOP-4",
    "/browse/SUP-1",
    *(f"/browse/SHOP-1?dialog={name}" for name in DIALOGS),
    *(
        f"/browse/SHOP-1?edit={name}"
        for name in ("summary", "description", "assignee", "labels", "duedate", "timetracking", tracker.SEVERITY)
    ),
    "/browse/SHOP-1?comment=10000",
    "/browse/SHOP-1?show=all",
    "/browse/SHOP-1?show=history&order=oldest",
    "/browse/SHOP-1?show=worklog",
    "/projects",
    "/projects?find=eng",
    "/projects/SHOP/board",
    "/projects/SHOP/board?menu=SHOP-1",
    "/projects/SHOP/board?group=assignee",
    "/projects/SHOP/board?who=5fBO&quick=mine&find=x&epic=SHOP-3&kind=Task",
    "/projects/SHOP/board?dialog=transition&issue=SHOP-1&transition=41",
    "/projects/OPS/board",
    "/projects/SHOP/backlog",
    "/projects/SHOP/backlog?menu=SHOP-1",
    "/projects/SHOP/backlog?dialog=sprint",
    "/projects/SHOP/backlog?dialog=sprint&sprint=2",
    "/projects/SHOP/backlog?dialog=start&sprint=2",
    "/projects/SHOP/backlog?dialog=complete&sprint=1",
    "/projects/SHOP/backlog?dialog=delete-sprint&sprint=2",
    "/plan?issues=SHOP-1&issues=SHOP-2,SHOP-4",
    "/sprints/1",
    "/projects/SHOP/list",
    "/projects/SHOP/list?bulk=1",
    "/projects/SHOP/list?kind=Bug&who=me&open=1&q=login",
    "/projects/SHOP/reports",
    "/projects/OPS/reports",
    "/projects/SHOP/settings",
    "/projects/SHOP/settings?show=people",
    "/projects/SHOP/settings?show=workflow",
    "/projects/SHOP/components",
    "/components/10000",
    "/projects/SHOP/releases",
    "/versions/10000",
    "/issues",
    "/issues?jql=project%3DSHOP",
    "/issues?filter=10000",
    "/issues?dialog=save-filter",
    "/issues?q=login",
    "/filters",
    "/filters/10000",
    "/dashboards",
    "/people",
    "/people/5fBO",
    "/complete?q=@b",
    "/more",
    "/more/createIssues",
)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host over the tracker."""
    return make_host(tmp_path, [apps.jira.app], tracker.rows)


def cookie(host: Host, who: str) -> str:
    """A session of somebody."""
    found = host.principal("w", who)
    return host.tokens.issue(Principal(found.world, found.person, "session", generation=found.generation))


@pytest.fixture
def browser(host: Host) -> Iterator[TestClient]:
    """Ada's browser, without a browser."""
    with TestClient(agent_plane(host, [apps.jira]), base_url="http://testserver") as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        yield client


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Ada's browser over a world that nothing changes: every look is free."""
    host = make_host(tmp_path_factory.mktemp("still"), [apps.jira.app], tracker.rows)
    with TestClient(agent_plane(host, [apps.jira]), base_url="http://testserver", headers={"Firm-Live": "1"}) as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        yield client


def first_difference(part: str, whole: str) -> str:
    """Where a part leaves the page that it is a part of; empty when it is one."""
    if part in whole:
        return ""
    start = whole.find(part[:60])
    at = next((n for n, (a, b) in enumerate(zip(part, whole[start:], strict=False)) if a != b), 0) if start >= 0 else 0
    return f"part: {part[max(0, at - 40) : at + 200]!r}, page: {whole[start + at - 40 : start + at + 200]!r}"


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_its_blocks_are_its_parts_and_it_is_the_same_again(
    still: TestClient, address: str
) -> None:
    answer = still.get(f"/jira{address}")
    outline = is_whole(answer)
    assert {a for a in outline.addresses if not a.startswith(("/", "#", "http://testserver/"))} == set()
    for block in (
        "page",
        "main",
        "overlay",
        *(("head", "side", "activity") if address.startswith("/browse") else ("columns",)),
    ):
        part = still.get(f"/jira{address}", headers={"HX-Request": "true", "HX-Target": block})
        if "hx-retarget" not in part.headers:
            assert part.status_code == 200 and "<html" not in part.text, block
            assert first_difference(part.text.strip(), answer.text) == "", block
    again = still.get(f"/jira{address}").text
    assert again == answer.text


def test_a_page_and_its_parts_come_from_one_state_of_the_templates(tmp_path: Path) -> None:
    (tmp_path / "outer.html").write_text(
        "{% block page %}<p>{% block main %}{% endblock %}</p>{% endblock %}", encoding="utf-8"
    )
    (tmp_path / "inner.html").write_text(
        '{% extends "outer.html" %}{% block main %}old{% endblock %}', encoding="utf-8"
    )
    env = template_env.environment((tmp_path,))
    assert template_env.render_page(env, "inner.html", {}) == "<p>old</p>"
    for name in ("outer.html", "inner.html"):
        (tmp_path / name).write_text("changed while it runs", encoding="utf-8")
    assert template_env.has_block(env, "inner.html", "page")
    assert template_env.fragment(env, "inner.html", "page", {}) == "<p>old</p>"


def prepared(host: Host) -> dict[str, str]:
    """One of everything that a form can be about, made by Ada through another door."""
    ada = host.principal("w", "ada")

    def act(operation: str, **arguments: object) -> dict[str, object]:
        return host.call(ada, "rest", operation, arguments)

    act("linkIssues", type={"name": "Blocks"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "SHOP-2"})
    link = host.call(ada, "rest", "getIssue", {"issueIdOrKey": "SHOP-1", "fields": ["issuelinks"]})["fields"][
        "issuelinks"
    ][0]["id"]
    web = act(
        "createOrUpdateRemoteIssueLink",
        issueIdOrKey="SHOP-1",
        object={"url": "https://a.example/1", "title": "One"},
        globalId="g1",
    )
    work = act("addWorklog", issueIdOrKey="SHOP-1", timeSpent="1h")
    act("setIssueProperty", issueIdOrKey="SHOP-1", propertyKey="deploy", value={"a": 1})
    act("addWatcher", issueIdOrKey="SHOP-2", accountId="5fBO")
    return {"link": str(link), "web": str(web["id"]), "work": str(work["id"])}


SAMPLES = {
    "issueIdOrKey": "SHOP-1",
    "issues": "SHOP-1",
    "project": "SHOP",
    "projectIdOrKey": "SHOP",
    "fields_project_key": "SHOP",
    "fields_issuetype_name": "Bug",
    "transition_id": "21",
    "inwardIssue_key": "SHOP-1",
    "originBoardId": "1",
    "sprintId": "2",
    "id": "10000",
}
SPECIAL = {
    "deleteIssueLink": {"linkId": "link"},
    "deleteRemoteIssueLinkById": {"linkId": "web"},
    "updateRemoteIssueLink": {"linkId": "web"},
    "deleteWorklog": {"id": "work"},
    "updateWorklog": {"id": "work"},
    "removeWatcher": {"issueIdOrKey": "SHOP-2"},
    "removeVote": {"issueIdOrKey": "SHOP-2"},
}


@pytest.mark.full
def test_every_writing_operation_has_its_form(browser: TestClient, host: Host) -> None:
    made = prepared(host)
    ada = host.principal("w", "ada")
    host.call(ada, "rest", "addWatcher", {"issueIdOrKey": "SHOP-2"})
    host.call(ada, "rest", "addVote", {"issueIdOrKey": "SHOP-2"})
    writing = {o.id for o in apps.jira.app.operations.values() if o.writes}
    assert writing <= {place.split("+")[0] for place in PLACES} <= set(apps.jira.app.operations)
    missing = []
    for key, place in sorted(PLACES.items()):
        operation = key.split("+")[0]
        if operation not in writing:
            continue
        special = {k: made.get(v, v) for k, v in SPECIAL.get(operation, {}).items()}
        address = place.format(**{**SAMPLES, **special})
        answer = browser.get(f"/jira{address}")
        if answer.status_code != 200 or operation not in Outline(answer.text).operations:
            missing.append(f"{operation} at {address}: {answer.status_code}")
    assert [line for line in missing if not line.startswith("deleteRemoteIssueLinkByGlobalId")] == [
        "deleteFavouriteForFilter at /filters/10000: 200"
    ]
    host.call(ada, "rest", "setFavouriteForFilter", {"id": "10000"})
    assert "deleteFavouriteForFilter" in Outline(browser.get("/jira/filters/10000").text).operations


READS = {**SAMPLES, "boardId": "1", "accountId": "5fBO", "jql": "project%3DSHOP"}


@pytest.mark.parametrize("operation", sorted(o for o in PLACES if not apps.jira.app.operations[o.split("+")[0]].writes))
def test_a_reads_page_performs_that_read_and_nothing_else(browser: TestClient, host: Host, operation: str) -> None:
    if operation == "getDashboard":
        return  # the fixture has none
    assert browser.get(f"/jira{PLACES[operation].format(**READS)}").status_code == 200
    assert host.actor("w").bound.raw.execute("SELECT operation, status FROM _call").fetchall() == [(operation, "ok")]


def test_what_somebody_may_not_see_is_not_found(browser: TestClient, host: Host) -> None:
    browser.cookies.set(COOKIE, cookie(host, "eve"))
    for address in (
        "/browse/OPS-1",
        "/projects/OPS/board",
        "/projects/OPS/list",
        "/projects/OPS/settings",
        "/boards/2",
        "/filters/10001",
    ):
        answer = browser.get(f"/jira{address}")
        assert answer.status_code == 404, address
        assert "Secret" not in answer.text
    lists = ("/", "/projects", "/issues?q=secret", "/people/5fADA", "/filters", "/create")
    everything = "".join(browser.get(f"/jira{address}").text for address in lists)
    assert "Secret migration" not in everything and "Operations" not in everything


def test_a_query_that_does_not_parse_says_what_the_vendor_says(browser: TestClient) -> None:
    answer = browser.get("/jira/issues", params={"jql": "nonsense = 3"})
    assert answer.status_code == 400
    assert "Field &#39;nonsense&#39; does not exist or you do not have permission to view it." in answer.text


def token(browser: TestClient, address: str) -> str:
    """A form token of a page."""
    found = re.search(r'name="_token" value="([^"]+)"', browser.get(f"/jira{address}", headers={"Firm-Live": "1"}).text)
    assert found
    return found[1]


def test_no_form_is_served_without_its_token_or_from_elsewhere(browser: TestClient, host: Host) -> None:
    ours, before = token(browser, "/"), host.actor("w").version
    for operation in (*sorted(o.id for o in apps.jira.app.operations.values() if o.writes), "card.move", "bulk.change"):
        assert browser.post(f"/jira/do/{operation}", data={"issueIdOrKey": "SHOP-1"}).status_code == 403
        foreign = browser.post(
            f"/jira/do/{operation}", data={"_token": ours}, headers={"Origin": "http://evil.example"}
        )
        assert foreign.status_code == 403
    assert host.actor("w").version == before


def send(browser: TestClient, host: Host, operation: str, address: str, **values: object) -> None:
    """Submit a form as a browser without scripts does."""
    data = {"_token": token(browser, address), **values}
    headers = {"Referer": f"http://testserver/jira{address}", "Origin": "http://testserver"}
    answer = browser.post(f"/jira/do/{operation}", data=data, headers=headers, follow_redirects=False)
    assert answer.status_code == 303, answer.text[:800]


def test_an_edit_form_sent_back_as_shown_changes_nothing(browser: TestClient, host: Host) -> None:
    page = browser.get("/jira/browse/SHOP-1?dialog=edit", headers={"Firm-Live": "1"}).text
    form = page[page.index('id="edit-issue"') :]
    assert 'name="fields.description"' in form
    before = host.actor("w").bound.raw.execute("SELECT * FROM jira_issue").fetchall()
    send(
        browser,
        host,
        "editIssue",
        "/browse/SHOP-1?dialog=edit",
        **{
            "issueIdOrKey": "SHOP-1",
            "contentFormat": "markdown",
            "fields.summary": "Login fails",
            "fields.labels": "auth",
            "fields.description": "Login fails after a retry.",
            "fields.priority.name": "Medium",
            "fields.assignee.accountId": "5fBO",
            "fields.customfield_10016": "3",
            "fields.components": ["", "10000"],
            "fields.duedate": "",
            "fields.customfield_10020": "1",
            f"fields.{tracker.SEVERITY}.value": "",
        },
    )
    assert host.actor("w").bound.raw.execute("SELECT * FROM jira_issue").fetchall() == before


def test_every_kind_of_field_can_be_set_and_emptied_by_form(browser: TestClient, host: Host) -> None:
    def now(*names: str) -> dict[str, object]:
        return host.peek(
            host.principal("w", "ada"), "rest", "getIssue", {"issueIdOrKey": "SHOP-1", "fields": list(names)}
        )["fields"]

    where = "/browse/SHOP-1?dialog=edit"
    send(
        browser,
        host,
        "editIssue",
        where,
        **{
            "issueIdOrKey": "SHOP-1",
            "contentFormat": "markdown",
            "fields.labels": "one, two",
            "fields.customfield_10016": "2.5",
            "fields.duedate": "2026-04-01",
            f"fields.{tracker.SEVERITY}.value": "SEV2",
            "fields.assignee.accountId": "",
            "fields.components": [""],
            "fields.fixVersions": ["", "10001"],
            "fields.timetracking.originalEstimate": "2d",
            "fields.description": "**Now** ask @Bo Lindqvist",
            "fields.customfield_10020": "2",
            "fields.parent.key": "SHOP-3",
        },
    )
    got = now("*all")
    assert (got["labels"], got["customfield_10016"], got["duedate"], got["assignee"], got["components"]) == (
        ["one", "two"],
        2.5,
        "2026-04-01",
        None,
        [],
    )
    assert got[tracker.SEVERITY]["value"] == "SEV2" and [v["name"] for v in got["fixVersions"]] == ["1.1"]  # type: ignore[index]
    assert got["timetracking"]["originalEstimate"] == "2d" and got["parent"]["key"] == "SHOP-3"  # type: ignore[index]
    assert {"type": "mention", "attrs": {"id": "5fBO"}} in got["description"]["content"][0]["content"]  # type: ignore[index]
    assert "@Bo Lindqvist" in browser.get("/jira/browse/SHOP-1").text
    send(
        browser,
        host,
        "editIssue",
        where,
        **{
            "issueIdOrKey": "SHOP-1",
            "fields.labels": "",
            "fields.duedate": "",
            f"fields.{tracker.SEVERITY}.value": "",
            "fields.customfield_10016": "",
            "fields.fixVersions": "",
            "fields.parent.key": "",
        },
    )
    got = now("*all")
    assert (got["labels"], got["duedate"], got["customfield_10016"], got["fixVersions"], got[tracker.SEVERITY]) == (
        [],
        None,
        None,
        [],
        None,
    )
    assert "parent" not in got


def test_a_link_to_an_issue_by_the_vendors_address_stays_here(browser: TestClient, host: Host) -> None:
    body = "See https://tiny.atlassian.net/browse/SHOP-2 and https://tiny.atlassian.net/browse/NOPE-2, as SHOP-3 says"
    host.call(
        host.principal("w", "ada"),
        "rest",
        "addComment",
        {"issueIdOrKey": "SHOP-1", "contentFormat": "markdown", "body": body},
    )
    addresses = Outline(browser.get("/jira/browse/SHOP-1").text).addresses
    assert not any(a.startswith("https:") for a in addresses)
    assert {"/jira/browse/SHOP-2", "http://testserver/jira/browse/SHOP-3"} <= set(addresses)
    assert any(a.endswith("/jira/browse/NOPE-2") for a in addresses)


def test_shortcuts_named_in_the_help_exist(browser: TestClient) -> None:
    text = browser.get("/jira/browse/SHOP-1").text
    bound = set(re.findall(r'data-shortcut="([^"]+)"', text))
    assert {shortcut.keys for shortcut in pages.shortcuts} <= bound | {
        "Escape",
        "j",
        "k",
    }  # these are pressed in test_jira_boards.py and test_jira_issues.py


@pytest.mark.parametrize(("kind", "status"), [("error", 500), ("timeout", 504), ("ratelimit", 429), ("partial", 503)])
def test_every_kind_of_outage_is_a_page_of_its_status(browser: TestClient, host: Host, kind: str, status: int) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "jira", kind, retry_after_s=20), start=START)  # type: ignore[arg-type]
    host.drop("w")
    host.create("w", Settings(seed=1, limits="off"), compile_script(script, horizon="+1d"))
    browser.cookies.set(COOKIE, cookie(host, "ada"))
    answer = browser.get("/jira/browse/SHOP-1")
    assert answer.status_code == status
    assert 'role="alert"' in answer.text and "Login fails" not in answer.text

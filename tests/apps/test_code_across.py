"""What happens to code shows in the other apps: issues of the tracker move, channels and mailboxes are told, links
unfurl.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from world.core.errors import OperationError
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

Say = Callable[..., Any]
WHERE = {"owner": "quayline", "repo": "payments"}


@pytest.fixture
def world(firm: Host) -> Host:
    """A host with one world, `w`, without quotas."""
    firm.create("w", Settings(limits="off"))
    return firm


def seat(host: Host, login_of: str) -> Principal:
    """Somebody by part of their title."""
    sql = (
        "SELECT p.id FROM person p JOIN github_account a ON a.person_id = p.id WHERE p.title = ? AND p.status ="
        " 'active' ORDER BY p.id LIMIT 1"
    )
    return Principal("w", rows(host, sql, login_of)[0][0], "user")


def rows(host: Host, sql: str, *values: Any) -> list[Any]:
    return host.actors["w"].bound.raw.execute(sql, values).fetchall()


@pytest.fixture
def say(firm: Host) -> Say:
    """`say(principal, operation, **arguments)`: a call; events that are due fire."""
    return lambda who, operation, **arguments: firm.call(
        who, "rest", operation, arguments, base_url="http://quayline.test"
    )


@pytest.fixture
def developer(world: Host) -> Principal:
    """A senior engineer of payments."""
    return seat(world, "Engineering Manager Payments")


def change(say: Say, who: Principal, key: str) -> dict[str, Any]:
    """A branch with one commit that names an issue, and a pull request from it."""
    main = say(who, "git/get-ref", **WHERE, ref="heads/main")["object"]["sha"]
    say(who, "git/create-ref", **WHERE, ref=f"refs/heads/{key}-notes", sha=main)
    say(
        who,
        "repos/create-or-update-file-contents",
        **WHERE,
        path="docs/notes.md",
        branch=f"{key}-notes",
        message=f"{key}: notes",
        content="bm90ZXMK",
    )
    return say(who, "pulls/create", **WHERE, title=f"{key} Notes", head=f"{key}-notes", base="main", body="Notes.")


def test_a_pull_request_that_names_an_issue_moves_it_and_stands_on_it(
    world: Host, say: Say, developer: Principal
) -> None:
    key = rows(
        world,
        "SELECT i.key FROM jira_issue i JOIN jira_status s ON s.id = i.status_id WHERE s.name = 'To Do' AND i.key LIKE"
        " 'SHOP-%' ORDER BY i.id",
    )[0][0]
    pull = change(say, developer, key)
    say(developer, "world.wait", seconds=120)
    issue = say(developer, "getIssue", issueIdOrKey=key)
    assert issue["fields"]["status"]["name"] == "In Review"
    work = say(developer, "getDevelopmentInformation", issueIdOrKey=key)
    assert sorted(one["kind"] for one in work) == ["branch", "commit", "pull"]
    assert {one["state"] for one in work if one["kind"] == "pull"} == {"open"}
    say(developer, "pulls/update", **WHERE, pull_number=pull["number"], state="closed")
    say(developer, "world.wait", seconds=60)
    assert {
        one["state"] for one in say(developer, "getDevelopmentInformation", issueIdOrKey=key) if one["kind"] == "pull"
    } == {"declined"}
    assert say(developer, "getIssue", issueIdOrKey=key)["fields"]["status"]["name"] == "In Review"


def test_a_request_for_review_is_mailed_and_posted_where_the_channel_follows(
    world: Host, say: Say, developer: Principal
) -> None:
    reviewer = rows(
        world,
        "SELECT a.login, a.person_id FROM github_account a JOIN person p ON p.id = a.person_id WHERE p.title = 'Staff"
        " Engineer Platform'",
    )[0]
    pull = change(say, developer, "SHOP-1")
    before = rows(world, "SELECT max(id) FROM slack_message")[0][0]
    say(developer, "pulls/request-reviewers", **WHERE, pull_number=pull["number"], reviewers=[reviewer[0]])
    say(developer, "world.wait", seconds=120)
    posted = rows(
        world,
        "SELECT m.text, c.name FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id WHERE m.id > ?",
        before,
    )
    assert any(
        name == "team-payments" and f"#{pull['number']}" in text and "needs a review from <@U" in text
        for text, name in posted
    )
    subjects = rows(
        world,
        "SELECT m.subject FROM gmail_mail m JOIN gmail_message b ON b.mail_id = m.id WHERE b.person_id = ? ORDER BY"
        " m.id DESC LIMIT 1",
        reviewer[1],
    )
    assert subjects[0][0] == f"[quayline/payments] SHOP-1 Notes (PR #{pull['number']})"


def needed(say: Say, who: Principal, key: str, step: str) -> dict[str, Any]:
    """A value for what a transition's screen requires."""
    found = say(who, "getTransitions", issueIdOrKey=key, transitionId=step, expand="transitions.fields")["transitions"][
        0
    ].get("fields", {})
    return {
        name: {"id": one["allowedValues"][0]["id"]}
        for name, one in found.items()
        if one["required"] and one.get("allowedValues")
    }


def cards(host: Host, since: int) -> list[tuple[str, str]]:
    """What the issue tracker's bot has posted: channel and text."""
    sql = (
        "SELECT c.name, m.text FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id JOIN person p ON p.id ="
        " m.person_id WHERE p.handle = 'jira' AND m.id > ? ORDER BY m.id"
    )
    return rows(host, sql, since)


def test_new_bugs_incidents_and_what_is_done_are_posted_where_a_channel_follows(
    world: Host, say: Say, developer: Principal
) -> None:
    before = rows(world, "SELECT max(id) FROM slack_message")[0][0]
    site, me = rows(world, "SELECT c.jira_site, p.full_name FROM company c, person p WHERE p.id = ?", developer.person)[
        0
    ]
    made: dict[str, str] = {}
    for project, kind, summary, parts in (
        ("SHOP", "Bug", "Refund <twice>", ["payments", "ledger", "platform"]),
        ("SHOP", "Task", "Sweep", ["payments"]),
        ("SHOP", "Bug", "Nobody's", ["platform"]),
        ("INC", "Incident", "Refunds fail", []),
        ("SEC", "Bug", "Hidden", []),
    ):
        fields = {
            "project": {"key": project},
            "issuetype": {"name": kind},
            "summary": summary,
            "components": [{"name": one} for one in parts],
        }
        with suppress(OperationError):  # no bugs in SEC, no components in INC
            made[summary] = say(developer, "createIssue", fields=fields)["key"]
    say(developer, "world.wait", seconds=10)
    link = f"https://{site}.atlassian.net/browse/"
    bug, incident = made["Refund <twice>"], made["Refunds fail"]
    assert cards(world, before) == [
        ("team-payments", f"{me} created a *Bug* <{link}{bug}|{bug}> Refund &lt;twice&gt;"),
        ("incidents", f"{me} created an *Incident* <{link}{incident}|{incident}> Refunds fail"),
    ]
    before = rows(world, "SELECT max(id) FROM slack_message")[0][0]
    for key in (bug, made["Sweep"]):
        for wanted in ("In Progress", "In Review", "Done"):
            steps = say(developer, "getTransitions", issueIdOrKey=key)["transitions"]
            step = next((one for one in steps if one["to"]["name"] == wanted), None)
            if step is not None:
                say(developer, "doTransition", issueIdOrKey=key, transition={"id": step["id"]})
    say(developer, "world.wait", seconds=10)
    assert [
        (name, text.partition("|")[2].partition(">")[0], text.rpartition(" to ")[2])
        for name, text in cards(world, before)
    ] == [
        ("team-payments", bug, "*Done*"),
        ("team-payments", made["Sweep"], "*Done*"),
    ]


def test_an_incident_is_told_of_when_it_is_only_watched_and_when_it_ends_once(
    world: Host, say: Say, developer: Principal
) -> None:
    before = rows(world, "SELECT max(id) FROM slack_message")[0][0]
    key = say(
        developer,
        "createIssue",
        fields={"project": {"key": "INC"}, "issuetype": {"name": "Incident"}, "summary": "Down"},
    )["key"]
    for wanted in ("Investigating", "Monitoring", "Resolved"):
        steps = say(developer, "getTransitions", issueIdOrKey=key)["transitions"]
        step = next(one["id"] for one in steps if one["to"]["name"] == wanted)
        say(
            developer,
            "doTransition",
            issueIdOrKey=key,
            transition={"id": step},
            fields=needed(say, developer, key, step),
        )
    say(developer, "world.wait", seconds=10)
    assert [text.rpartition("*")[0].rpartition("*")[2] for _, text in cards(world, before)] == [
        "Incident",
        "Monitoring",
        "Resolved",
    ]


@pytest.mark.parametrize("down", [True, False])
def test_while_chat_is_down_what_its_bots_would_post_is_lost(firm: Host, say: Say, down: bool) -> None:
    firm.create("clock", Settings())
    script = Script("down", firm.actors["clock"].now, "Europe/Warsaw")
    script.fault(Fault("down", "slack" if down else "gmail", "error", code="internal_error"), start="+0s")
    firm.create("w", Settings(limits="off"), compile_script(script, horizon="1d"))
    world, developer = firm, seat(firm, "Engineering Manager Payments")
    before = rows(world, "SELECT max(id) FROM slack_message")[0][0]
    fields = {"project": {"key": "INC"}, "issuetype": {"name": "Incident"}, "summary": "Refunds fail"}
    assert say(developer, "createIssue", fields=fields)["key"]
    say(developer, "world.wait", seconds=10)
    assert len(cards(world, before)) == (0 if down else 1)


def test_a_link_unfurls_for_who_may_see_it_and_for_nobody_else(world: Host, say: Say, developer: Principal) -> None:
    channel = rows(world, "SELECT id FROM slack_channel WHERE name = 'engineering'")[0][0]
    text = "see https://github.com/quayline/payments/pull/1 and https://github.com/quayline/nothing/pull/1"
    sent = say(developer, "chat.postMessage", channel=channel, text=text)
    say(developer, "world.wait", seconds=60)
    message = say(developer, "conversations.history", channel=channel, latest=sent["ts"], inclusive=True, limit=1)[
        "messages"
    ][0]
    assert [one["title"][:3] for one in message["attachments"]] == ["#1 "]
    owner = seat(world, "Chief Technology Officer")
    hidden = say(owner, "repos/create-in-org", org="quayline", name="plans", private=True)
    say(owner, "issues/create", owner="quayline", repo="plans", title="Secret plan")
    rows(world, "UPDATE github_account SET base_permission = 'none' WHERE login = 'quayline'")
    for who, seen in ((developer, []), (owner, ["#1 Secret plan"])):
        sent = say(
            who,
            "chat.postMessage",
            channel=channel,
            text=f"{hidden['html_url'].replace('http://quayline.test', 'https://github.com')}/issues/1",
        )
        say(who, "world.wait", seconds=60)
        message = say(who, "conversations.history", channel=channel, latest=sent["ts"], inclusive=True, limit=1)[
            "messages"
        ][0]
        assert [one["title"] for one in message.get("attachments", [])] == seen


def shared(host: Host, say: Say, who: Principal, url: str) -> list[str]:
    """What stands under a message with a link, a minute later, as a colleague sees it."""
    channel = rows(host, "SELECT id FROM slack_channel WHERE name = 'general'")[0][0]
    sent = say(who, "chat.postMessage", channel=channel, text=f"see {url}")
    say(who, "world.wait", seconds=60)
    reader = seat(host, "Chief Technology Officer")
    (message,) = say(reader, "conversations.history", channel=channel, latest=sent["ts"], inclusive=True, limit=1)[
        "messages"
    ]
    return [f"{one['service_name']}: {one['title']}" for one in message.get("attachments", [])]


def test_a_link_to_an_issue_unfurls_for_who_may_browse_its_project(world: Host, say: Say, developer: Principal) -> None:
    site = rows(world, "SELECT jira_site FROM company")[0][0]
    key, summary = rows(world, "SELECT key, summary FROM jira_issue WHERE key LIKE 'SEC-%' ORDER BY id")[0]
    url = f"https://{site}.atlassian.net/browse/{key}"
    assert shared(world, say, developer, url) == [f"Jira: {key} {summary}"]
    assert shared(world, say, seat(world, "Head of Support"), url) == []
    assert shared(world, say, developer, url.replace(site, "elsewhere")) == []
    assert shared(world, say, developer, url.replace(key, "SEC-99999")) == []


def test_a_link_to_a_file_unfurls_for_who_may_read_it(world: Host, say: Say, developer: Principal) -> None:
    file = say(developer, "drive.files.create", name="Headcount", mimeType="application/vnd.google-apps.spreadsheet")
    url, other = f"https://docs.google.com/spreadsheets/d/{file['id']}/edit#gid=0", seat(world, "Head of Support")
    assert shared(world, say, developer, url) == ["Google Drive: Headcount"]
    assert shared(world, say, other, url) == []
    domain = rows(world, "SELECT domain FROM company")[0][0]
    say(developer, "drive.permissions.create", fileId=file["id"], type="domain", role="reader", domain=domain)
    assert shared(world, say, other, url) == ["Google Drive: Headcount"]
    say(developer, "drive.files.update", fileId=file["id"], trashed=True)
    assert shared(world, say, developer, url) == []


def test_rows_in_every_app_carry_the_call_that_set_them_off(world: Host, say: Say, developer: Principal) -> None:
    pull = change(say, developer, "SHOP-1")
    reviewer = rows(
        world,
        "SELECT a.login FROM github_account a JOIN person p ON p.id = a.person_id WHERE p.title = 'Staff Engineer"
        " Platform'",
    )[0][0]
    say(developer, "pulls/request-reviewers", **WHERE, pull_number=pull["number"], reviewers=[reviewer])
    shared(world, say, developer, f"https://github.com/quayline/payments/pull/{pull['number']}")
    say(developer, "world.wait", seconds=120)
    found = rows(
        world,
        "SELECT DISTINCT j.table_name, c.operation, k.operation, k.actor FROM _journal j JOIN _call c ON c.seq ="
        " j.call_seq LEFT JOIN _call k ON k.seq = c.cause_seq WHERE c.operation LIKE 'published:%' OR k.operation LIKE"
        " 'published:%'",
    )
    me = developer.person
    assert {
        ("jira_development", "published:github.pushed", "repos/create-or-update-file-contents", me),
        ("jira_development", "published:github.pull_opened", "pulls/create", me),
        ("gmail_mail", "published:person.notified", "pulls/request-reviewers", me),
        ("slack_message", "chat.postMessage", "published:github.review_requested", "system:world"),
        ("slack_message", "published:link.unfurled", "published:link.shared", "system:world"),
    } <= set(found)
    assert all(cause is not None for _, _, cause, _ in found)

"""Mail by which the tracker and the chat tell people what happened there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import apps.gmail
import apps.jira
import apps.slack
from tests.apps.gmail.conftest import mail_rows
from tests.apps.gmail.post import headers, inbox, pass_time
from tests.apps.jira import tracker
from tests.apps.slack.rows import CORE, workspace_rows
from tests.company import START, as_person, image
from world.core.access import Tokens
from world.core.clock import HOUR, MINUTE
from world.core.journal import changes
from world.core.settings import Settings
from world.run.host import Host
from world.script.scenario import Script, compile_script
from world.store import Base, Store

APPS = [apps.gmail.app, apps.jira.app, apps.slack.app]
NIGHT = START + 12 * HOUR  # nine in the evening in Berlin


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the company with all three services."""
    return image(tmp_path_factory.mktemp("office"), APPS, lambda: [*mail_rows(), *tracker.rows(), *workspace_rows()])


@pytest.fixture
def firm(office: Path, tmp_path: Path) -> Iterator[Host]:
    """A host over it with one world, `w`."""
    made = Host(Store(tmp_path / "worlds", Base(office)), APPS, Tokens("test secret"))
    made.create("w", Settings(limits="off"), compile_script(Script("plain", START), horizon="5d"))
    yield made


def do(firm: Host, who: str, operation: str, **arguments: Any) -> Any:
    made = firm.call(as_person(firm, who), "rest", operation, arguments, base_url="http://x.test")
    firm.actors["w"].events.fire_until(firm.actors["w"].now)
    return made


def queued(firm: Host) -> int:
    return firm.actors["w"].bound.raw.execute("SELECT count(*) FROM _queue").fetchall()[0][0]


def account(firm: Host, person: str) -> str:
    sql = "SELECT external_id FROM account WHERE app = 'jira' AND person_id = ?"
    return firm.actors["w"].bound.raw.execute(sql, (person,)).fetchall()[0][0]


def an_issue(firm: Host, **fields: Any) -> str:
    project = firm.actors["w"].bound.raw.execute("SELECT key FROM jira_project ORDER BY id LIMIT 1").fetchall()[0][0]
    made = do(
        firm,
        "ada",
        "createIssue",
        fields={"project": {"key": project}, "summary": "Retries stop", "issuetype": {"name": "Task"}, **fields},
    )
    return made["key"]


def test_who_is_assigned_an_issue_and_who_watches_it_get_mail_in_one_thread_but_not_who_acts(firm: Host) -> None:
    key = an_issue(firm)
    assert inbox(firm) == []
    do(firm, "ada", "assignIssue", issueIdOrKey=key, accountId=account(firm, "p_bo"))
    do(firm, "cyrus", "addComment", issueIdOrKey=key, body="It stopped again.")
    first, second = reversed(inbox(firm, "bo"))
    shown = headers(second)
    assert (shown["From"], shown["Subject"]) == ("Jira <jira@tiny.atlassian.example>", f"[JIRA] ({key}) Retries stop")
    assert shown["Auto-Submitted"] == "auto-generated" and "CATEGORY_UPDATES" in second["labelIds"]
    assert first["threadId"] == second["threadId"] and shown["References"] == headers(first)["Message-ID"]
    assert f"Ada Novak assigned {key} to Bo Lindqvist" in first["snippet"] and "It stopped again." in second["snippet"]
    assert len(inbox(firm)) == 1 and inbox(firm, "cyrus") == []


def test_a_mail_about_an_issue_goes_to_the_people_named_and_is_its_authors(firm: Host) -> None:
    key = an_issue(firm)
    do(firm, "bo", "addWatcher", issueIdOrKey=key)
    to = {"watchers": True, "reporter": True, "users": [{"accountId": account(firm, "p_cy")}]}
    do(firm, "ada", "notify", issueIdOrKey=key, subject="Test results", textBody="They are in.", to=to)
    (got,) = inbox(firm, "bo")
    shown = headers(got)
    assert (shown["From"], shown["Subject"]) == ('"Ada Novak (Jira)" <jira@tiny.atlassian.example>', "Test results")
    assert "They are in." in got["snippet"]
    assert len(inbox(firm, "cyrus")) == 1 and inbox(firm, "ada") == [] and inbox(firm, "eve") == []
    (sent,) = [c for c in changes(firm.actors["w"].bound) if c.table == "jira_notification"]
    assert sent.after is not None
    assert (sent.after["author_id"], sent.after["text"]) == ("p_ada", "They are in.")
    html = {"htmlBody": "<p>The <b>latest</b> results</p>", "to": {"watchers": True}}
    do(firm, "ada", "notify", issueIdOrKey=key, **html)
    newest = inbox(firm, "bo")[0]
    assert headers(newest)["Subject"] == f"({key}) Retries stop" and "latest results" in newest["snippet"]
    assert "text/html" in {part["mimeType"] for part in newest["payload"]["parts"]}


def test_the_mail_of_two_issues_are_two_threads(firm: Host) -> None:
    for key in (an_issue(firm), an_issue(firm)):
        do(firm, "ada", "assignIssue", issueIdOrKey=key, accountId=account(firm, "p_bo"))
    assert len({one["threadId"] for one in inbox(firm, "bo")}) == 2


def test_what_another_service_writes_is_the_worlds_and_tells_what_caused_it(firm: Host) -> None:
    key = an_issue(firm)
    do(firm, "ada", "assignIssue", issueIdOrKey=key, accountId=account(firm, "p_bo"))
    raw = firm.actors["w"].bound.raw
    wrote = {c.call_seq for c in changes(firm.actors["w"].bound) if c.table == "gmail_mail"}
    rows = raw.execute("SELECT seq, actor, operation, cause_seq FROM _call ORDER BY seq").fetchall()
    (assigned,) = [seq for seq, _, operation, _ in rows if operation == "assignIssue"]
    told = [row[1:] for row in rows if row[0] in wrote]
    assert told == [("system:world", "published:person.notified", assigned)]


def test_a_message_missed_in_the_evening_comes_by_mail_after_a_while_with_others(firm: Host) -> None:
    firm.actors["w"].advance(NIGHT)
    for text in ("<@U0BO> the batch failed", "<@U0BO> and again"):
        do(firm, "ada", "chat.postMessage", channel=CORE, text=text)
    assert queued(firm) == 1
    pass_time(firm, 14 * 60)
    assert inbox(firm, "bo") == []
    pass_time(firm, 60)
    (got,) = inbox(firm, "bo")
    assert headers(got)["From"] == "Slack <notification@slack.example>" and headers(got)["Subject"].endswith(
        "] 2 new messages"
    )
    assert int(got["internalDate"]) * 1000 == NIGHT + 15 * MINUTE
    do(firm, "ada", "chat.postMessage", channel=CORE, text="<@U0BO> still")
    pass_time(firm, 16 * 60)
    assert headers(inbox(firm, "bo")[0])["Subject"].endswith("Ada Novak mentioned you in #core")


def test_what_was_read_in_time_and_what_comes_at_work_is_not_mailed(firm: Host) -> None:
    do(firm, "ada", "chat.postMessage", channel=CORE, text="<@U0BO> at work")
    assert queued(firm) == 0
    firm.actors["w"].advance(NIGHT)
    sent = do(firm, "ada", "chat.postMessage", channel=CORE, text="<@U0BO> read it")
    do(firm, "bo", "conversations.mark", channel=CORE, ts=sent["ts"])
    pass_time(firm, 1200)
    assert inbox(firm, "bo") == []


def test_without_the_mail_service_nothing_is_queued(tmp_path: Path) -> None:
    few = [apps.jira.app, apps.slack.app]
    sealed = image(tmp_path, few, lambda: [*tracker.rows(), *workspace_rows()])
    firm = Host(Store(tmp_path / "worlds", Base(sealed)), few, Tokens("test secret"))
    firm.create("w", Settings(limits="off"))
    firm.actors["w"].advance(NIGHT)
    do(firm, "ada", "chat.postMessage", channel=CORE, text="<@U0BO> anybody?")
    do(firm, "ada", "assignIssue", issueIdOrKey=an_issue(firm), accountId=account(firm, "p_bo"))
    assert queued(firm) == 0
